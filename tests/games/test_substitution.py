"""Nothing that is made of a view tells what its viewer may not know: two hundred exchanges, and that each is seen."""

from itertools import islice

import pytest

from benchmarks.substitution import trials
from games.match import view

pytestmark = pytest.mark.slow


def differences(count: int, prompts: int = 60) -> list[str]:
    return [difference for _game, _compared, difference in islice(trials(7, prompts), count) if difference]


def test_two_hundred_exchanges_make_no_difference():
    assert differences(200) == []


@pytest.mark.parametrize(
    ("line", "open_to_all"),
    [
        ("seen_by", lambda rules, event, viewer: event),
        ("visible_header", lambda header, viewer, kinds_named: header),
    ],
)
def test_each_line_that_hides_something_is_missed_when_it_is_gone(line, open_to_all, monkeypatch):
    monkeypatch.setattr(view, line, open_to_all)
    assert differences(60, prompts=1000)
