"""The house agent of Chameleon: whole matches, and what it makes of clues that were given to it."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from agents import headless, turns
from agents.beliefs import Beliefs
from agents.house import words
from agents.models import AgentProfile
from games.chameleon.house.agent import decide
from games.chameleon.house.mind import TOPICS, candidates
from games.registry import RULES
from games.rules.clues import holds_word
from games.rules.play import Play, agents_and_people, new_header

pytestmark = pytest.mark.slow

RULES_OF = RULES["chameleon"]
GAMES = Path(__file__).resolve().parents[2] / "games"
SETTINGS = [row["data"] for row in json.loads((GAMES / "chameleon" / "settings.json").read_text())["rows"]]
HOUSE = headless.of_profile(AgentProfile(name="house", provider="house"))
ANYTHING = headless.legal_at_random(list(words.network().words))
GUITAR = {"topic": "Music", "word": "guitar", "chameleon": 3}


def new_play(preset="magic", seats=3, seed=1, setting=None, **options):
    setting = setting or random.Random(seed).choice(SETTINGS)
    people = agents_and_people(0, seats)
    return Play(RULES_OF, new_header(RULES_OF, preset, seats=people, seed=seed, setting=setting, options=options))


def at(play: Play, *clues: str):
    """The request of the seat that is to act once these clues were given."""
    for clue in clues:
        (request,) = play.state.open.values()
        play.act(request.seat, request.id, {"text": clue})
    return next(iter(play.state.open.values()))


def decision(play: Play, request, seed=1, **switches):
    names = {seat: f"Player {seat}" for seat in range(1, play.options.seats + 1)}
    return decide(turns.situation(play, request, names), random.Random(seed), switches)


def play_all(minds, preset, seats, count, **options):
    """Results of `count` matches; minds: side -> mind."""
    results: Counter[str] = Counter()
    for seed in range(count):
        play = new_play(preset, seats, seed, **options)
        played = headless.play_out(play, {seat: minds[side] for seat, side in RULES_OF.sides(play.state).items()})
        assert played.refusals == [] and played.attempts == []
        results[play.state.outcome.result] += 1
    return results


EVERYBODY = {"chameleon": HOUSE, "non-chameleons": HOUSE}


@pytest.mark.parametrize(
    ("preset", "seats", "count", "options"),
    [
        ("magic", 3, 20, {"polls": "magic"}),
        ("party", 3, 10, {"discussion": "free"}),
        ("party", 5, 8, {"clue_rounds": 2}),
        ("party", 8, 4, {"discussion": "free", "tie": "even"}),
    ],
)
def test_whole_matches_end_without_a_refusal(preset, seats, count, options):
    assert play_all(EVERYBODY, preset, seats, count, **options).total() == count


def test_a_house_side_does_better_than_a_random_one():
    count = 40
    caught = play_all({"chameleon": ANYTHING, "non-chameleons": HOUSE}, "magic", 3, count)
    nobody = play_all({"chameleon": ANYTHING, "non-chameleons": ANYTHING}, "magic", 3, count)
    hidden = play_all({"chameleon": HOUSE, "non-chameleons": ANYTHING}, "magic", 3, count)
    assert caught["non_chameleons"] > nobody["non_chameleons"] + 5
    assert hidden["chameleon"] + hidden["guessed"] >= nobody["chameleon"] + nobody["guessed"] - 3


def test_a_clue_is_true_of_the_word_and_does_not_hold_it():
    network = words.network()
    for seed in range(20):
        play = new_play(setting=random.Random(seed).choice(SETTINGS) | {"chameleon": 3}, seed=seed)
        text = decision(play, at(play)).action["text"]
        assert not holds_word(text, play.state.word)
        assert network.likelihood(text, play.state.word) > 0.4


def test_the_chameleon_infers_the_word_and_says_so_in_its_thought():
    play = new_play(setting=GUITAR)
    request = at(play, "it has six strings", "you play it at a campfire")
    thought = decision(play, request).thoughts[-1]
    assert next(iter(thought.data["words"])) == "guitar"
    assert Beliefs.from_json(thought.data["beliefs"]).suspicion(3) == 1


def test_a_clue_that_does_not_fit_the_word_is_voted_for_and_the_chameleon_points_elsewhere():
    play = new_play(setting=GUITAR)
    at(play, "it has six strings", "you play it at a campfire", "you blow into it")
    votes = {request.seat: decision(play, request).action["seat"] for request in play.state.open.values()}
    assert votes[1] == votes[2] == 3 and votes[3] in (1, 2)


def test_caught_it_guesses_what_the_clues_say():
    play = new_play(setting=GUITAR)
    at(play, "it has six strings", "you play it at a campfire", "it makes music")
    for request in list(play.state.open.values()):
        play.act(request.seat, request.id, {"seat": 3 if request.seat != 3 else 1})
    (request,) = play.state.open.values()
    assert decision(play, request).action == {"text": "guitar"}


def test_polls_are_answered_from_the_same_beliefs():
    play = new_play(setting=GUITAR, polls="magic")
    at(play, "it has six strings")
    answers = {request.seat: decision(play, request).action for request in play.state.open.values()}
    assert answers[3]["side"] == "chameleon" and answers[3]["odd_one"] == 3
    assert answers[1]["side"] == "non-chameleons" and answers[1]["odd_one"] is None, "2 and 3 are equals"


@pytest.mark.parametrize("word", ["quixotry", "Zürich"])
def test_a_word_and_a_topic_that_it_does_not_know_stop_nothing(word):
    play = new_play(setting={"topic": "Odd things", "word": word})
    assert headless.play_out(play, dict.fromkeys((1, 2, 3), HOUSE)).refusals == []


def test_every_topic_of_the_settings_is_one_that_it_knows():
    network = words.network()
    for setting in SETTINGS:
        assert setting["topic"].lower() in TOPICS
        assert network.find(setting["word"]) in candidates(network, setting["topic"])


def at_the_vote(seed: int) -> Play:
    """A match of normal agents up to its vote, dealt by the seed."""
    play = new_play("party", 5, seed)
    while (request := next(iter(play.state.open.values()))).kind != "vote":
        play.act(request.seat, request.id, decision(play, request, seed).action)
    return play


def test_a_hard_chameleon_reads_more_out_of_the_same_clues():
    """Over the same tables, it thinks the word likelier that it is."""
    gained = 0.0
    for play in map(at_the_vote, range(24)):
        chameleon = next(seat for seat, side in RULES_OF.sides(play.state).items() if side == "chameleon")
        request = next(request for request in play.state.open.values() if request.seat == chameleon)
        for sign, strength in ((1, "hard"), (-1, "normal")):
            result = decision(play, request, strength=strength)
            gained += sign * result.thoughts[-1].data["words"].get(play.state.word, 0)
    assert gained > 1
