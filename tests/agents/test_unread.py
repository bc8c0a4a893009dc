"""Words that house agents do not understand speak neither for nor against whoever said them."""

import random

import numpy as np
import pytest

from agents.house.unread import like_the_others
from agents.house.words import network
from games.chameleon.house import mind as chameleon_mind
from games.spygame.house.mind import Mind as SpyMind
from games.spygame.house.mind import Said
from games.spygame.house.places import places
from games.undercover.house import mind as undercover_mind

UNREAD = "Жил-был у бабушки серенький козлик"
SPEAKER, OTHERS, VIEWER = 2, (3, 4, 5), 1


def undercover(clues, word):
    """Suspicion of SPEAKER in a viewer's mind at a table where these seats said these things."""
    given = {seat: (text,) for seat, text in clues.items()}
    course = undercover_mind.Course(5, 1, 0, (1, 2, 3, 4, 5), {}, given)
    return undercover_mind.Mind(network(), course, VIEWER, word).role(SPEAKER)[undercover_mind.UNDERCOVER]


def chameleon(clues, word):
    course = chameleon_mind.Course(5, "animals", tuple(clues.items()))
    return chameleon_mind.Mind(network(), course, VIEWER, word).suspicion(VIEWER)[SPEAKER]


def spygame(clues, word):
    said = [Said(seat, text) for seat, text in clues.items()]
    return SpyMind(places(), said, 5, VIEWER, word, False, list(places().names)).suspicion()[SPEAKER]


def facts(word):
    return [clue.text for clue in network().clues(word) if clue.truth > 0.7]


def sayings(word):
    place = places().place(word)
    return [saying.text for saying in places().sayings if saying.where[place]]


ANIMALS = ("cat", "dog", "penguin", "lion", "horse", "owl", "shark", "spider")
GAMES = [
    (undercover, facts, ANIMALS),
    (chameleon, facts, ANIMALS),
    (spygame, sayings, tuple(places().names[:8])),
]


def tables(words, true):
    """(word, clues, known): tables at which each seat says something true, in any order, and the speaker what is not
    understood; ``known`` is something true that it might have said."""
    for seed in range(48):
        word, chance = words[seed % len(words)], random.Random(seed)
        known, *texts = chance.sample(true(word), 4)
        clues = [(SPEAKER, UNREAD), *zip(OTHERS, texts, strict=True)]
        yield word, dict(chance.sample(clues, 4)), known


@pytest.mark.parametrize(("suspicion", "true", "words"), GAMES)
def test_known_words_in_place_of_unread_ones_lower_the_suspicion_as_often_as_they_raise_it(suspicion, true, words):
    lowered = [
        suspicion(clues | {SPEAKER: known}, word) < suspicion(clues, word) for word, clues, known in tables(words, true)
    ]
    assert 0.25 < sum(lowered) / len(lowered) < 0.75


@pytest.mark.parametrize(("suspicion", "true", "words"), GAMES)
def test_who_cannot_be_understood_is_suspected_no_more_than_the_others(suspicion, true, words):
    chances = [suspicion(clues, word) for word, clues, _ in tables(words, true)]
    assert sum(chances) / len(chances) == pytest.approx(1 / 4, abs=0.08)


def test_what_was_not_understood_counts_like_what_the_others_said_on_average():
    evidence = np.array([[-2.0, 0.0], [-1.0, 3.0], [0.0, 0.0]])
    heard = like_the_others(evidence, np.array([2.0, 1.0, 0.0]), np.array([0.0, 0.0, 2.0]))
    assert heard[:2] == pytest.approx(evidence[:2])
    assert heard[2] == pytest.approx([-2.0, 2.0])


def test_where_nobody_was_understood_nothing_is_known():
    heard = like_the_others(np.zeros((3, 2)), np.zeros(3), np.ones(3))
    assert (heard == 0).all()
