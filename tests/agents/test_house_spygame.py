"""The house agent of SpyGame: whole matches, what it says, and what it makes of what it hears."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from agents import headless, turns
from agents.beliefs import Beliefs
from agents.models import AgentProfile
from agents.situation import Decision
from games.registry import RULES
from games.rules.clues import holds_word
from games.rules.play import Play, agents_and_people, new_header
from games.spygame.house.agent import decide
from games.spygame.house.places import places
from games.spygame.rules import WINNERS

pytestmark = pytest.mark.slow

RULES_OF = RULES["spygame"]
FIXTURE = Path(__file__).resolve().parents[2] / "games" / "spygame" / "settings.json"
SETTINGS = [row["data"] for row in json.loads(FIXTURE.read_text())["rows"]]
LISTED = [setting["place"] for setting in SETTINGS]
HOUSE = headless.of_profile(AgentProfile(name="house", provider="house"))
WEAK = headless.of_profile(AgentProfile(name="weak", provider="house", switches={"exposure": 0.5}))
ANYTHING = headless.legal_at_random(["something", "anything", *LISTED])


def quiet(play, request, thoughts):
    """Anything legal, but never standing up: a spy that guesses at random loses at once to anybody."""
    return Decision({"place": None, "certainty": 0}) if request.kind == "reveal" else ANYTHING(play, request, thoughts)


AIRPORT = next(setting for setting in SETTINGS if setting["place"] == "airport")
NAMES = {seat: f"Player {seat}" for seat in range(1, 11)}


def new_play(preset="seed004", seats=7, seed=1, options=None, **setting) -> Play:
    deal = setting or random.Random(seed).choice(SETTINGS)
    listed = {"places": LISTED} if preset == "party" else {}
    header = new_header(
        RULES_OF, preset, seats=agents_and_people(0, seats), seed=seed, options=options, setting=deal | listed
    )
    return Play(RULES_OF, header)


def play_all(citizen, spy, count, preset="seed004", seats=7, options=None) -> tuple[Counter, list[Play]]:
    """Results of `count` matches between these minds, and the matches."""
    results, plays = Counter(), []
    for seed in range(count):
        play = new_play(preset, seats, seed, options)
        minds = {seat: spy if seat == play.state.spy else citizen for seat in range(1, seats + 1)}
        played = headless.play_out(play, minds)
        assert played.refusals == [] and played.attempts == []
        results[WINNERS[play.state.outcome.result]] += 1
        plays.append(play)
    return results, plays


played = cache(play_all)
"""The same, for tests that look at the same matches."""


def exchange(play: Play, target: int, question: str, answer: str) -> None:
    """One turn in these words; the spy waits."""
    if play.state.phase == "asking":
        asked = next(iter(play.state.open.values()))
        play.act(asked.seat, asked.id, {"place": None, "certainty": 0})
    for action in ({"seat": target, "text": question, "accuse": False}, {"text": answer}):
        asked = next(iter(play.state.open.values()))
        play.act(asked.seat, asked.id, action)


def decision(play: Play, seat: int | None = None, switches: dict | None = None, seed: int = 1):
    asked = next(r for r in play.state.open.values() if seat in (None, r.seat))
    return decide(turns.situation(play, asked, NAMES), random.Random(seed), switches or {})


def airport(**options) -> Play:
    return new_play(options=options or None, **AIRPORT | {"spy": 7, "first_leader": 1})


@pytest.mark.parametrize(
    ("preset", "seats", "options"),
    [("seed004", 7, None), ("party", 5, None), ("party", 10, None), ("party", 6, {"discussion": "free", "turns": 3})],
)
def test_whole_matches_end_without_a_refusal(preset, seats, options):
    results, _ = play_all(HOUSE, HOUSE, 4, preset, seats, options)
    assert results.total() == 4


def test_the_same_match_is_played_the_same_again():
    logs = [play_all(HOUSE, HOUSE, 2)[1] for _ in range(2)]
    assert [play.log for play in logs[0]] == [play.log for play in logs[1]]


def test_each_house_side_does_better_than_a_random_one():
    nobody = played(quiet, quiet, 14)[0]
    assert played(HOUSE, quiet, 14)[0]["citizens"] > 2 * nobody["citizens"]
    assert played(HOUSE, HOUSE, 14)[0]["spy"] > played(HOUSE, quiet, 14)[0]["spy"]


def said(plays: list[Play]) -> list[tuple[str, str]]:
    """(place, words) of everything that was said in these matches."""
    return [
        (play.state.place, words)
        for play in plays
        for turn in play.state.exchanges
        for words in (turn["question"], turn["answer"])
        if words
    ]


def test_nobody_names_the_place():
    assert not [words for place, words in said(played(HOUSE, HOUSE, 20)[1]) if holds_word(words, place)]


def test_weak_citizens_name_it_and_the_spy_who_hears_it_wins():
    results, plays = played(WEAK, HOUSE, 20)
    named = [words for place, words in said(plays) if holds_word(words, place)]
    assert len(named) > 10
    assert results["spy"] > played(HOUSE, HOUSE, 14)[0]["spy"]


def test_a_citizen_says_what_is_true_of_the_place():
    known = places()
    number = known.place("airport")
    true = {saying.text for saying in known.sayings if saying.where[number]}
    for seed in range(10):
        play = airport()
        asked = next(iter(play.state.open.values()))
        play.act(1, asked.id, {"seat": 2, "text": "What do you hear just now?", "accuse": False})
        assert decision(play, seed=seed).action["text"] in true


def answer_to(play: Play, target: int, question: str) -> str:
    """What a seat that is asked this answers; the spy waits."""
    if play.state.phase == "asking":
        asked = next(iter(play.state.open.values()))
        play.act(asked.seat, asked.id, {"place": None, "certainty": 0})
    asked = next(iter(play.state.open.values()))
    play.act(asked.seat, asked.id, {"seat": target, "text": question, "accuse": False})
    asked = next(iter(play.state.open.values()))
    text = decision(play, target).action["text"]
    play.act(target, asked.id, {"text": text})
    return text


def test_who_asks_the_same_in_other_words_gets_another_answer():
    play = airport()
    assert answer_to(play, 2, "is it cold?") != answer_to(play, 3, "How warm is it?")


@pytest.mark.parametrize(
    ("question", "topic", "kind"),
    [
        ("do you need a ticket there?", "ticket", "whether"),
        ("what do people wear?", "dress", "what"),
        ("And who is the boss here?", "boss", "who"),
        ("how often are you here", "often", "when"),
        ("Are you the spy?", "spy", "whether"),
    ],
)
def test_a_free_question_is_known_by_its_kind_and_subject(question, topic, kind):
    asked = places().asked(question)
    assert (asked.topic, asked.kind, asked.understood) == (topic, kind, True)


@pytest.mark.parametrize("nonsense", ["asdf qwer", "what zxcv qwer?", "日本語", "…"])
def test_nonsense_is_answered_as_such_by_citizens_and_the_spy(nonsense):
    for target in (2, 7):
        assert answer_to(airport(), target, nonsense) in places().misunderstood


def test_a_mere_yes_counts_by_what_was_asked():
    known = places()
    yes, no = (known.hear(answer, "Do you need a ticket?") for answer in ("Yes!", "nope"))
    opera, beach = known.place("opera house"), known.place("beach")
    assert yes[opera] > 5 * yes[beach] and no[beach] > 5 * no[opera]


def test_who_says_what_is_false_here_is_suspected_accused_and_voted_for():
    play = airport()
    exchange(play, 7, "What does it smell of?", "It smells of animals.")
    exchange(play, 2, "What should I bring?", "A suitcase.")
    play.act(7, next(iter(play.state.open)), {"place": None, "certainty": 0})
    result = decision(play, 2)
    assert result.action == {"seat": 7, "text": None, "accuse": True}
    assert Beliefs.from_json(result.thoughts[-1].data["beliefs"]).own[7][0] > 0.5
    play.act(2, next(iter(play.state.open)), result.action)
    votes = {seat: decision(play, seat).action["agree"] for seat in (1, 3, 4, 5, 6)}
    assert all(votes.values())


def test_the_spy_finds_the_place_in_what_the_others_say_and_waits_until_it_is_sure():
    play = airport()
    exchange(play, 2, "What should I bring?", "Bring your papers, the gate closes before departure.")
    wary = decision(play, 7)
    assert wary.action["certainty"] < 70 and wary.action["place"] == "airport" and "threshold" not in wary.action
    bold = decision(play, 7, {"threshold": wary.action["certainty"]})
    assert play.act(7, next(iter(play.state.open)), bold.action) and play.over


def test_the_spy_that_hears_the_place_named_is_sure():
    play = airport()
    exchange(play, 2, "How do you like the airport?", "Well.")
    first = decision(play, 7).action["certainty"]
    exchange(play, 3, "Why are you here, at the airport?", "I fly.")
    assert decision(play, 7).action["certainty"] > first
    assert decision(play, 7).action["place"] == "airport"


def test_what_the_spy_said_itself_is_no_evidence_for_it():
    play = airport()
    exchange(play, 7, "What does it smell of?", "Of salt, as on every beach.")
    exchange(play, 2, "What should I bring?", "A suitcase.")
    assert decision(play, 7).thoughts[-1].data["places"].keys().isdisjoint({"beach", "submarine"})


def test_places_that_nobody_wrote_about_are_played_without_a_refusal():
    for seed in range(4):
        play = new_play("seed004", 7, seed, place="lighthouse", roles=["keeper"] * 7)
        played = headless.play_out(play, dict.fromkeys(range(1, 8), HOUSE))
        assert played.refusals == [] and played.attempts == []


def test_each_decision_leaves_one_thought_with_beliefs_and_a_sentence():
    play = new_play(seed=3)
    played = headless.play_out(play, dict.fromkeys(range(1, 8), HOUSE))
    assert [t.request for t in played.thoughts] == [event.request for event in play.log if event.request]
    for thought in played.thoughts:
        assert Beliefs.from_json(thought.data["beliefs"]).owner == thought.seat
        assert thought.data["why"].endswith(".")


# The data -----------------------------------------------------------------------------------------------------------


def test_there_are_25_places_with_nine_roles_each_and_every_role_is_known():
    assert len(SETTINGS) == len(set(LISTED)) == 25
    for setting in SETTINGS:
        assert len(set(setting["roles"])) == 9
        assert set(setting["roles"]) <= places().kinds.keys()
        RULES_OF.check_setting(RULES_OF.options("party", {}, 10), setting)


def test_every_topic_has_a_true_answer_at_nearly_every_place_and_none_names_a_place():
    known = places()
    for topic in known.questions:
        true = sum(saying.where for saying in known.answers(topic))
        assert (true > 0).mean() > 0.9, topic
    texts = [saying.text for saying in known.sayings] + [q for qs in known.questions.values() for q in qs]
    assert not [(text, name) for text in texts for name in known.names if holds_word(text, name)]
