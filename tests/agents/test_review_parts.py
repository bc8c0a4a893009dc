"""Each game in which somebody hides brings what its review is made of."""

import pytest

from agents.reviews import odds
from games.registry import RULES

HIDDEN = [rules for rules in RULES.values() if rules.sought]


@pytest.mark.parametrize("rules", HIDDEN, ids=lambda rules: rules.name)
def test_its_review_is_whole_and_its_curve_is_fitted_on_its_numbers(rules):
    review = rules.part("house.review")
    assert set(rules.results) > review.WON
    assert odds.fitted(rules).features == review.FEATURES
    assert odds.fitted(rules).matches >= 100
    assert set(rules.kinds) > review.SILENT
    low, high = (review.pace(getattr(next(iter(rules.presets.values())), end)) for end in ("low", "high"))
    assert 0 < low <= high
