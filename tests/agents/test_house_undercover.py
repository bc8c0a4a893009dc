"""The house agent of Undercover: whole matches, and what it makes of clues that were given to it."""

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
from games.registry import RULES
from games.rules.clues import holds_word
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import Event
from games.undercover.house.agent import decide

pytestmark = pytest.mark.slow

RULES_OF = RULES["undercover"]
SETTINGS = Path(__file__).resolve().parents[2] / "games" / "undercover" / "settings.json"
PAIRS = [row["data"] for row in json.loads(SETTINGS.read_text())["rows"]]
HOUSE = headless.of_profile(AgentProfile(name="house", provider="house"))
ANYTHING = headless.legal_at_random(list(words.network().words))


def new_play(preset="magic", seats=3, seed=1, options=None, **setting):
    deal = setting or random.Random(seed).choice(PAIRS)
    header = new_header(
        RULES_OF, preset, seats=agents_and_people(0, seats), seed=seed, options=options, setting=dict(deal)
    )
    return Play(RULES_OF, header)


def at(play: Play, clues: dict[int, list[str]]):
    """The request of the seat that is to act once these clues, in their order by seat, were given."""
    given = {seat: list(texts) for seat, texts in clues.items()}
    while True:
        request = next(iter(play.state.open.values()))
        if not given.get(request.seat):
            return request
        play.act(request.seat, request.id, {"text": given[request.seat].pop(0)})


def decision(play: Play, request, seed=1, **switches):
    names = {seat: f"Player {seat}" for seat in range(1, play.options.seats + 1)}
    return decide(turns.situation(play, request, names), random.Random(seed), switches)


def beliefs(result) -> Beliefs:
    return Beliefs.from_json(result.thoughts[-1].data["beliefs"])


def play_all(minds, preset, seats, count, options=None):
    """Results of `count` matches; minds: side -> mind."""
    results: Counter[str] = Counter()
    for seed in range(count):
        play = new_play(preset, seats, seed, options)
        played = headless.play_out(play, {seat: minds[side] for seat, side in RULES_OF.sides(play.state).items()})
        assert played.refusals == [] and played.attempts == []
        results[play.state.outcome.result] += 1
    return results


EVERYBODY = {"civilian": HOUSE, "undercover": HOUSE, "blank": HOUSE}


@pytest.mark.parametrize(
    ("preset", "seats", "count", "options"),
    [
        ("magic", 3, 5, {"polls": "magic"}),
        ("wiu", 5, 3, {"polls": "wiu"}),
        ("party", 4, 3, None),
        ("party", 8, 1, None),
        ("party", 12, 1, None),
        ("party", 8, 1, {"tie": "none", "clue_rounds": 3, "rounds": 12}),
    ],
)
def test_whole_matches_end_without_a_refusal(preset, seats, count, options):
    assert play_all(EVERYBODY, preset, seats, count, options).total() == count


def test_the_same_match_is_played_the_same_again():
    def log() -> list[Event]:
        play = new_play("wiu", 5, seed=7)
        headless.play_out(play, dict.fromkeys(range(1, 6), HOUSE))
        return play.log

    assert log() == log()


def test_a_house_side_beats_a_random_side():
    count = 24
    house = play_all({"civilian": HOUSE, "undercover": ANYTHING}, "wiu", 5, count)
    nobody = play_all({"civilian": ANYTHING, "undercover": ANYTHING}, "wiu", 5, count)
    assert house["civilians"] > 2 * nobody["civilians"]


def test_a_clue_is_true_of_the_own_word_and_does_not_hold_it():
    network = words.network()
    for seed in range(20):
        play = new_play(seed=seed)
        request = at(play, {})
        text = decision(play, request).action["text"]
        word = play.state.words[request.seat]
        assert not holds_word(text, word)
        assert network.likelihood(text, word) > 0.4


def test_one_whose_word_fits_no_other_clue_takes_itself_for_the_odd_one_and_blends_in():
    play = new_play(civilian_word="beer", undercover_word="wine", undercovers=[3])
    request = at(play, {1: ["it has foam on top"], 2: ["hops and barley go into it"]})
    result = decision(play, request)
    assert beliefs(result).suspicion(3) > 0.6
    assert next(iter(result.thoughts[-1].data["words"])) == "beer"
    assert "odd one" in result.thoughts[-1].data["why"]
    assert words.network().likelihood(result.action["text"], "beer") > 0.4


def test_one_whose_word_fits_all_clues_does_not_doubt_itself():
    play = new_play(civilian_word="beer", undercover_word="wine", undercovers=[1])
    request = at(play, {1: ["it is made from grapes"], 2: ["it has foam on top"]})
    assert request.seat == 3
    assert beliefs(decision(play, request)).suspicion(3) < 0.2


def test_the_vote_goes_to_the_one_whose_clues_do_not_fit():
    play = new_play(civilian_word="cat", undercover_word="dog", undercovers=[2])
    clues = {
        1: ["it purrs", "it has whiskers"],
        2: ["you take it out on a leash", "it barks at the postman"],
        3: ["it is said to have nine lives", "it catches mice"],
    }
    request = at(play, clues)
    assert request.kind == "vote"
    votes = {r.seat: decision(play, r).action["seat"] for r in play.state.open.values()}
    assert votes[1] == votes[3] == 2
    assert votes[2] in (1, 3)


def test_whoever_speaks_beside_the_point_is_voted_for_where_there_may_be_a_blank():
    pair = {"civilian_word": "whale", "undercover_word": "dolphin"}
    play = new_play("party", 6, options={"order": "seats"}, undercovers=[1], blanks=[3], **pair)
    clues = {
        1: ["parachute"],
        2: ["it is an animal"],
        3: ["beard"],
        4: ["it lives in the sea"],
        5: ["it is bigger than a person"],
        6: ["it breathes air but swims all its life"],
    }
    at(play, clues)
    votes = {r.seat: decision(play, r).action["seat"] for r in play.state.open.values()}
    assert {votes[2], votes[4], votes[5], votes[6]} <= {1, 3}


def test_an_undercover_that_knows_its_mate_votes_for_somebody_else():
    play = new_play(
        "wiu", 5, options={"order": "seats"}, civilian_word="beer", undercover_word="wine", undercovers=[1, 2]
    )
    clues = {
        1: ["it is made from grapes"],
        2: ["it is red or white"],
        3: ["it has foam on top"],
        4: ["hops and barley go into it"],
        5: ["it has foam on top and you get it in a brewery"],
    }
    at(play, clues)
    votes = {r.seat: decision(play, r).action["seat"] for r in play.state.open.values()}
    assert votes[1] != 2 and votes[2] != 1
    assert {votes[3], votes[4], votes[5]} <= {1, 2}


def test_a_blank_speaks_about_the_topic_of_the_others_and_guesses_their_word():
    play = new_play(
        "party",
        6,
        options={"order": "seats"},
        civilian_word="beer",
        undercover_word="wine",
        undercovers=[1],
        blanks=[6],
    )
    clues = {
        1: ["it comes in a bottle"],
        2: ["it has foam on top"],
        3: ["hops and barley go into it"],
        4: ["people order it in a bar"],
        5: ["it can make you drunk"],
    }
    request = at(play, clues)
    assert request.seat == 6
    text = decision(play, request).action["text"]
    assert words.network().likelihood(text, "beer") > 0.4
    play.act(6, request.id, {"text": text})
    for vote in list(play.state.open.values()):
        play.act(vote.seat, vote.id, {"seat": 6 if vote.seat != 6 else 1})
    (request,) = play.state.open.values()
    assert request.kind == "guess"
    assert decision(play, request).action == {"text": "beer"}


def test_words_that_the_network_lacks_are_played_without_a_refusal():
    for seed in range(5):
        play = new_play("wiu", 5, seed, civilian_word="quokka", undercover_word="wombat")
        played = headless.play_out(play, dict.fromkeys(range(1, 6), HOUSE))
        assert played.refusals == [] and played.attempts == []


def test_clues_that_nobody_can_read_and_silence_leave_it_undecided():
    play = new_play(civilian_word="cat", undercover_word="dog", undercovers=[2])
    play.act(1, at(play, {}).id, {"text": "日本語"})
    play.expire(at(play, {}).id)
    result = decision(play, at(play, {}))
    assert result.action["text"]
    assert beliefs(result).suspicion(1) == pytest.approx(beliefs(result).suspicion(2), abs=0.01)


def test_each_decision_leaves_one_thought_with_beliefs_of_two_hops_and_a_sentence():
    play = new_play("wiu", 5, seed=3)
    played = headless.play_out(play, dict.fromkeys(range(1, 6), HOUSE))
    answered = [event.request for event in play.log if event.request is not None]
    assert [thought.request for thought in played.thoughts] == answered
    for thought in played.thoughts:
        matrix = Beliefs.from_json(thought.data["beliefs"])
        assert matrix.owner == thought.seat
        assert len(matrix.rows) > 2
        assert thought.data["why"].endswith(".")


def test_with_one_hop_the_same_is_done_and_only_the_own_beliefs_are_kept():
    play = new_play("wiu", 5, seed=3)
    one_hop = headless.of_profile(AgentProfile(name="brief", provider="house", switches={"hops": 1}))
    brief = headless.play_out(play, dict.fromkeys(range(1, 6), one_hop))
    full = headless.play_out(new_play("wiu", 5, seed=3), dict.fromkeys(range(1, 6), HOUSE))
    assert brief.play.log == full.play.log
    assert all(list(Beliefs.from_json(t.data["beliefs"]).rows) == [t.seat] for t in brief.thoughts)


def test_a_telling_profile_gives_clues_that_fit_fewer_of_the_close_words():
    def vagueness(telling):
        play = new_play(civilian_word="beer", undercover_word="wine", undercovers=[3])
        situation = turns.situation(play, at(play, {}), {1: "Ann", 2: "Ben", 3: "Cem"})
        said = [decide(situation, random.Random(seed), {"telling": telling}).action["text"] for seed in range(5)]
        vague = {clue.text: clue.vagueness for clue in words.network().clues("beer")}
        return sum(vague[text[0].lower() + text[1:]] for text in said)

    assert vagueness(2) < vagueness(-0.2)


def test_a_table_that_told_a_side_is_believed():
    play = new_play("party", 5, options={"order": "seats"}, civilian_word="cat", undercover_word="dog", undercovers=[5])
    at(play, {seat: [text] for seat, text in enumerate(("it purrs", "a pet", "soft", "furry", "an animal"), 1)})
    for vote in list(play.state.open.values()):
        play.act(vote.seat, vote.id, {"seat": 2 if vote.seat != 2 else 1})
    request = at(play, {})
    assert beliefs(decision(play, request)).suspicion(2) == 0


def likelihoods_of_clues(play: Play, word: str, strength: str, seeds=12, given=None) -> list[float]:
    """How likely each clue that is then given is of somebody with this word."""
    request = at(play, given or {})
    texts = [decision(play, request, seed, strength=strength).action["text"] for seed in range(seeds)]
    return [words.network().likelihood(text, word) for text in texts]


def test_a_hard_agent_begins_with_what_fits_both_words_of_a_pair():
    play = new_play(civilian_word="pigeon", undercover_word="crow", undercovers=[3])
    assert play.state.open and at(play, {}).seat == 1
    assert min(likelihoods_of_clues(play, "crow", "hard")) > 0.5
    assert min(likelihoods_of_clues(play, "crow", "normal")) < 0.2


def test_only_a_hard_agent_says_what_is_true_of_the_others_word_alone_once_it_knows_that_it_is_the_odd_one():
    given = {1: ["it runs on a battery"], 2: ["it is a modern invention"]}
    play = new_play(civilian_word="robot", undercover_word="doll", undercovers=[3])
    assert min(likelihoods_of_clues(play, "doll", "hard", given=given)) < 0.2
    assert min(likelihoods_of_clues(play, "robot", "hard", given=given)) > 0.5
    assert min(likelihoods_of_clues(play, "doll", "normal", given=given)) > 0.5
