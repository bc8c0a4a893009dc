"""What house agents say in the word games is to the point: counted as the benchmark does, on few matches."""

import numpy as np
import pytest

from agents.house.words import LIKENINGS, network
from benchmarks import words

pytestmark = pytest.mark.slow


def test_no_clue_at_undercover_holds_an_earlier_one_though_there_are_many_rounds():
    for count in words.undercover(2):
        assert count.of > 5 and not count.found, str(count)


def test_no_clue_at_chameleon_holds_the_topic():
    for count in words.chameleon(12):
        assert count.of > 30 and not count.found, str(count)


@pytest.mark.parametrize("likening", LIKENINGS)
def test_a_likening_is_heard_as_what_is_like_the_named_word_and_is_not_that_word(likening):
    known = network()
    heard = known.likelihoods(likening.format(word="wine"))
    beer, wine, hammer = (heard[known.words.index(word)] for word in ("beer", "wine", "hammer"))
    assert beer > 3 * hammer and np.isclose(wine, hammer)


def test_answers_at_spygame_are_of_the_kind_that_is_asked_for_and_nonsense_is_told_from_questions():
    *answers, nonsense = words.spygame(2)
    for count in answers:
        assert count.of > 5 and len(count.found) <= 0.1 * count.of, str(count)
    assert nonsense.of and not nonsense.found, str(nonsense)
