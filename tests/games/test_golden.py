"""The playthroughs kept as text are what the rules still play."""

import pytest

from .golden import FOLDER, names, playthrough

ANEW = "If this is meant, write them anew: python -m tests.games.golden"


@pytest.mark.parametrize("name", names())
def test_the_playthrough_is_as_it_was(name):
    kept = FOLDER / f"{name}.txt"
    assert kept.exists() and playthrough(name) == kept.read_text(encoding="utf-8"), ANEW


def test_no_playthrough_is_left_over():
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(names()), ANEW
