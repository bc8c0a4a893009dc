"""The network of words, its pairs, and how clues are read against it."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from agents.house.words import FOLDER, read
from games.rules.clues import holds_word, repeats

pytestmark = pytest.mark.slow

GAMES = Path(__file__).resolve().parents[2] / "games"


@pytest.fixture(scope="module")
def words():
    return read(FOLDER)


@pytest.fixture(scope="module")
def pairs():
    rows = json.loads((GAMES / "undercover" / "settings.json").read_text())["rows"]
    return [(row["data"]["civilian_word"], row["data"]["undercover_word"]) for row in rows]


def facts_of(words, word):
    return {clue.text for clue in words.clues(word)}


def test_there_are_enough_words_and_pairs(words, pairs):
    assert len(words.words) >= 300
    assert len({frozenset(pair) for pair in pairs}) == len(pairs) >= 160


def test_every_word_of_a_pair_is_in_the_network(words, pairs):
    assert {word for pair in pairs for word in pair} <= set(words.words)


def test_every_word_has_at_least_eight_clues(words):
    assert [word for word in words.words if len(words.clues(word)) < 8] == []


def test_the_words_of_a_pair_share_clues_and_each_has_its_own(words, pairs):
    poor = []
    for one, other in pairs:
        ones, others = facts_of(words, one), facts_of(words, other)
        if len(ones & others) < 3 or not ones - others or not others - ones:
            poor.append((one, other))
    assert poor == []


def test_no_clue_holds_a_word_that_it_is_true_of(words):
    giving_away = [(word, text) for word in words.words for text in facts_of(words, word) if holds_word(text, word)]
    assert giving_away == []


def test_no_two_facts_say_the_same(words):
    texts = sorted(fact.text for fact in words.facts)
    assert [one for one, other in pairwise(texts) if repeats(one, other)] == []


def test_the_other_word_of_a_pair_is_expected_among_the_likeliest(words, pairs):
    places = []
    for one, other in pairs:
        chances = words.partners(words.find(one))
        places.append(int((chances > chances[words.find(other)]).sum()))
    assert np.mean(np.array(places) < 10) > 0.95


def test_a_fact_is_likelier_for_the_words_it_is_true_of(words):
    assert words.likelihood("it purrs", "cat") > 3 * words.likelihood("it purrs", "dog")


def test_case_and_signs_do_not_change_how_a_clue_is_read(words):
    assert np.array_equal(words.likelihoods("It purrs!"), words.likelihoods("it purrs"))


@pytest.mark.parametrize(
    ("clue", "fits", "does_not"),
    [
        ("a hot drink", "tea", "piano"),
        ("I wake up with it every morning", "coffee", "beer"),
        ("barks", "dog", "horse"),
        ("the dentist would not be happy", "candy", "cheese"),
        ("useful when it is raining", "umbrella", "sandal"),
        ("a bit like a guitar", "violin", "sandwich"),
        ("knights and castles", "sword", "banana"),
    ],
)
def test_free_words_of_a_person_are_read(words, clue, fits, does_not):
    assert words.likelihood(clue, fits) > 1.5 * words.likelihood(clue, does_not)


PEOPLE_SAID = """
    brits love it: tea, coffee         | fizzy: champagne, wine              | you get drunk: beer, juice
    vampires hate it: garlic, onion    | it makes you cry: onion, garlic     | man's best friend: dog, cat
    king of the jungle: lion, tiger    | has a trunk: elephant, rhino        | it hops: rabbit, hamster
    lives in the ocean: shark, frog    | students go there: school, hospital | you can borrow novels: library, bookshop
    movies are shown: cinema, theatre  | royal family: palace, prison        | surrounded by the sea: island, desert
    fights fires: firefighter, soldier | keeps food cold: fridge, oven       | keeps your hands warm: glove, scarf
    runs underground: subway, tram     | for rainy days: umbrella, sunglasses| you see stars: telescope, microscope
    when alone: loneliness, anger      | sherlock holmes: detective, spy   | after rain, many colours: rainbow, sunset
"""


def test_of_what_people_may_say_nearly_all_is_read_right_and_nothing_wrong(words):
    said = [line.split(":") for line in PEOPLE_SAID.replace("\n", "|").split("|") if ":" in line]
    ratios = []
    for clue, pair in said:
        meant, other = (word.strip() for word in pair.split(","))
        ratios.append(words.likelihood(clue, meant) / words.likelihood(clue, other))
    assert min(ratios) > 0.95
    assert np.mean(np.array(ratios) > 1.2) > 0.85


@pytest.mark.parametrize("clue", ["xyzzy", "...", "", "of the and", "日本語", "😀"])
def test_what_cannot_be_read_says_nothing(words, clue):
    likelihoods = words.likelihoods(clue)
    assert np.all(likelihoods == likelihoods[0]) and likelihoods[0] > 0


def test_a_clue_of_two_facts_fits_best_what_both_are_true_of(words):
    clue = "You drink it hot, and leaves are left to steep in it"
    assert words.likelihood(clue, "tea") > words.likelihood(clue, "coffee") > words.likelihood(clue, "hammer")


def test_more_clues_make_one_word_more_certain(words):
    vague = words.posterior(["you can drink it"])
    telling = words.posterior(["you can drink it", "it has foam on top", "hops and barley go into it"])
    beer = words.find("beer")
    assert telling[beer] > vague[beer]
    assert words.words[int(telling.argmax())] == "beer"
    assert telling.sum() == pytest.approx(1)


def test_clues_go_from_the_vaguest_to_the_most_telling(words):
    clues = words.clues("cat")
    assert all(one.vagueness >= other.vagueness for one, other in pairwise(clues))
    texts = [clue.text for clue in clues]
    assert texts.index("it is an animal") < texts.index("it purrs")


def test_close_words_are_more_similar_than_far_ones(words):
    assert words.similarity("coffee", "tea") > words.similarity("coffee", "milk") > words.similarity("coffee", "bridge")
    assert words.similarity("coffee", "coffee") == pytest.approx(1)


@pytest.mark.parametrize(
    ("word", "found"), [("Coffee", "coffee"), ("cats", "cat"), ("green tea", "tea"), ("ice cream", "ice cream")]
)
def test_a_word_is_found_in_another_form(words, word, found):
    assert words.words[words.find(word)] == found


def test_an_unknown_word_is_not_found_and_has_no_clues(words):
    assert words.find("quokka") is None
    assert words.clues("quokka") == []


def test_a_fact_about_an_unknown_word_is_refused(tmp_path):
    fact = {"text": "it is round", "keywords": [], "true_of": {"ball": 3, "globe": 2}}
    part = {"format": "word-network/1", "categories": {"toy": ["ball"]}, "facts": [fact]}
    (tmp_path / "toys.json").write_text(json.dumps(part))
    with pytest.raises(ValueError, match="globe"):
        read(tmp_path)


def test_a_file_of_another_kind_is_refused(tmp_path):
    (tmp_path / "other.json").write_text('{"facts": []}')
    with pytest.raises(ValueError, match=r"other\.json is not a part of a word network"):
        read(tmp_path)
