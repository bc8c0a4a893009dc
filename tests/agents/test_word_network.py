"""The five parts of the word network, how its words are related, and the pairs that follow."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from django.conf import settings
from django.core.management import call_command

from agents.house import pairs
from agents.house.relations import PARTS
from agents.house.words import FOLDER, read
from games.models import GameSetting
from games.rules.clues import holds_word

pytestmark = pytest.mark.slow

FIXTURE = settings.BASE_DIR / "games" / "undercover" / "settings.json"


@pytest.fixture(scope="module")
def words():
    return read(FOLDER)


@pytest.fixture(scope="module")
def rows():
    return json.loads(FIXTURE.read_text())["rows"]


def put(folder, **part):
    (folder / "part.json").write_text(json.dumps({"format": "word-network/1", "facts": []} | part))
    return folder


def test_each_part_has_words_and_pairs(words, rows):
    in_part = Counter(part for parts in words.relations.parts.values() for part in parts)
    pairs_of = Counter(row["data"]["part"] for row in rows)
    assert all(in_part[part] >= 20 and pairs_of[part] >= 60 for part in PARTS)
    assert set(pairs_of) == set(PARTS)


def test_four_hundred_words_have_relations_of_each_sort(words):
    relations = words.relations
    assert sum(bool(relations.is_a(word) and relations.similar_to(word)) for word in words.words) >= 400
    assert sum(bool(relations.different_from(word)) for word in words.words) >= 200


def test_similarity_and_difference_hold_both_ways(words):
    relations = words.relations
    for word in words.words:
        assert all(word in relations.similar_to(other) for other in relations.similar_to(word))
        assert all(word in relations.different_from(other) for other in relations.different_from(word))
        assert word not in relations.similar_to(word) + relations.different_from(word)


def test_a_word_with_two_meanings_is_like_words_of_both(words):
    assert {"keyboard", "rat"} <= set(words.relations.similar_to("mouse"))
    assert words.similarity("mouse", "keyboard") > 0.4 and words.similarity("mouse", "rat") > 0.4
    assert words.relations.is_a("mouse") == ["mammal", "animal", "device"]
    assert len(words.senses["mouse"]) == 2


def test_every_word_of_several_meanings_has_attributes_in_each(words):
    several = [senses for senses in words.senses.values() if len(senses) > 1]
    assert len(several) >= 20
    assert all(len(words.clues(word)) >= 6 for word in words.words)


def test_no_attribute_holds_a_word_that_it_is_true_of(words):
    assert [
        (word, clue.text) for word in words.words for clue in words.clues(word) if holds_word(clue.text, word)
    ] == []


def test_the_pairs_are_those_that_the_rule_gives_byte_for_byte(tmp_path):
    call_command("derive_pairs", to=tmp_path / "pairs.json")
    assert (tmp_path / "pairs.json").read_bytes() == FIXTURE.read_bytes()


def test_every_pair_can_be_dealt_and_is_there_once(rows):
    for row in rows:
        GameSetting(**row).clean()
    assert len({frozenset((row["data"]["civilian_word"], row["data"]["undercover_word"])) for row in rows}) == len(rows)


def test_pairs_are_rated_by_how_alike_their_words_are(words, rows):
    assert Counter(row["data"]["closeness"] for row in rows).keys() == {"close", "near", "far"}
    rating = {row["name"]: row["data"]["closeness"] for row in rows}
    assert rating["beer / wine"] == "close"
    assert pairs.closeness(0) == "far"


def test_words_that_differ_make_a_pair_where_they_are_nearest_to_one_another(words):
    assert all(other in words.relations.different_from(one) for one, other in pairs.differing(words))
    assert len(pairs.differing(words)) >= 10


def test_two_words_of_which_little_is_true_of_both_make_no_pair(words):
    assert not pairs.playable(words, "coffee", "algorithm")
    assert pairs.playable(words, "coffee", "tea")


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ({"part": "slang"}, "no part 'slang'"),
        ({"similar_to": [["ring", "moon"]]}, "unknown words: moon, ring"),
        ({"is_a": {"toy": ["ball"]}}, "unknown words: ball"),
        ({"is_a": {"toy": ["game"], "game": ["toy"]}}, "a kind of itself"),
        ({"different_from": [["toy", "tool"]]}, "unknown kinds: tool, toy"),
    ],
)
def test_what_names_something_unknown_is_refused(tmp_path, part, sentence):
    with pytest.raises(ValueError, match=sentence):
        read(put(tmp_path, **part))
