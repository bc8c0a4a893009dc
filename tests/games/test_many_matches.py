"""A hundred random matches of each preset, or four hundred of one that has one size, come to an end."""

from collections import Counter

import pytest

from games.registry import RULES
from games.rules import kit

pytestmark = pytest.mark.slow

PRESETS = [(rules, preset) for rules in RULES.values() for preset in rules.presets]


@pytest.mark.parametrize(("rules", "preset"), PRESETS, ids=lambda value: getattr(value, "name", value))
def test_a_hundred_random_matches_end(rules, preset):
    about = rules.presets[preset]
    sizes = range(about.low, about.high + 1)
    results = Counter()
    count = 100 if len(sizes) > 1 else 400
    for seed in range(count):
        trial = kit.KitCase(rules, kit.sample_of(rules), preset, sizes[seed % len(sizes)], seed)
        results[kit.play_through(trial).state.outcome.result] += 1
    print(f"{rules.name} {preset}, {count} random matches: {dict(results)}")
    assert len(results) > 1
