"""The playthroughs kept as text are what the rules still play."""

import pytest

from .golden import FOLDER, names, playthrough


@pytest.mark.parametrize("name", names())
def test_the_playthrough_is_as_it_was(name):
    kept = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert playthrough(name) == kept, "If this is meant, write it anew: python -m tests.games.golden"


def test_no_playthrough_is_left_over():
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(names())
