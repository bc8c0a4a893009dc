"""Polls are answered from what a method believes at that moment; the move after it uses the same stages, and polls
change nothing of how a method plays. A tie names nobody."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest

from agents import headless, recall, scene
from agents.beliefs import Beliefs
from agents.calls import Model
from agents.methods import METHODS
from agents.player import think
from agents.recall import Held
from agents.turns import situation
from games.registry import RULES
from games.rules.options import NO_POLLS
from games.rules.play import Play, agents_and_people, new_header
from games.rules.sample import sample_of
from tests.agents.method_scenes import ByStage, at, begin, decide, prompts, stages, until

POLLED = [
    (game, polls)
    for game, rules in RULES.items()
    for polls in type(rules.presets[rules.quick[0]].options).__dataclass_fields__["polls"].metadata["choices"]
    if polls not in NO_POLLS
]
BELIEVES = ("pgm", "recon", "mptt")
"""The methods that form beliefs."""


def poll(game, polls, seat, wanted=lambda request: True):
    play = begin(game, polls)
    request = until(play, lambda r: (r.kind, r.seat) == ("poll", seat) and wanted(r))
    return play, request


@cache
def play_out(method, game, polls, asked=True, **switches):
    """A short match in which every seat plays by the method, with a model that gives each prompt one answer."""
    rules = RULES[game]
    preset, overrides = polls if polls in rules.presets else rules.quick[0], {"polls": polls if asked else "none"}
    seats = rules.presets[preset].low
    setting = sample_of(RULES[game]).setting(rules.options(preset, overrides, seats), random.Random(7))
    header = new_header(
        rules, preset, seats=agents_and_people(0, seats), seed=7, setting=setting, options=overrides
    )  # fmt: skip
    model = Model(ByStage(), "m")

    def mind(play, request, thoughts):
        names = {seat.seat: seat.name for seat in play.header.seats}
        where = situation(play, request, names, thoughts)
        return think(where, method=METHODS[method], model=model, by="agent:m", switches=switches)

    return headless.play_out(Play(rules, header), dict.fromkeys(range(1, seats + 1), mind))


CHANGE_NOTHING = [
    pytest.param(method, game, polls, marks=[pytest.mark.slow] if game == "avalon" or polls == "wiu" else [])
    for game, polls in POLLED
    for method in BELIEVES
    if game != "avalon" or method == "recon"
]


@pytest.mark.parametrize(("method", "game", "polls"), CHANGE_NOTHING)
def test_polls_change_no_move_and_no_matrix(method, game, polls):
    with_polls, without = (play_out(method, game, polls, asked) for asked in (True, False))

    def moves(done):
        return [(e.kind, e.seat, e.data) for e in done.play.log if e.kind in done.play.rules.kinds]

    def matrices(done):
        kept = [t for t in done.thoughts if "beliefs" in t.data and not t.request.endswith(":poll")]
        return [(t.seat, t.stage, t.data["beliefs"]) for t in kept]

    assert any(event.kind == "poll" for event in with_polls.play.log)
    assert moves(with_polls) == moves(without)
    assert matrices(with_polls) == matrices(without)


@pytest.mark.parametrize(("method", "game", "polls"), CHANGE_NOTHING)
def test_no_belief_of_one_moment_is_asked_for_twice(method, game, polls):
    done = play_out(method, game, polls)
    asked = [(t.seat, t.stage, t.data["upto"]) for t in done.thoughts if "upto" in t.data and t.model]
    assert asked
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize("form", ["text", "matrix"])
def test_in_games_of_clues_the_graphical_model_looks_once_after_every_clue(form):
    """MAgIC, figure 5: polls or not."""
    for asked in (True, False):
        done = play_out("pgm", "chameleon", "magic", asked, form=form)
        voted = [e for e in done.play.log if e.kind == "clue"]
        stage = "view_of_2" if form == "text" else "matrix"
        looks = [t for t in done.thoughts if t.seat == 1 and t.stage.startswith(stage) and t.model]
        assert [t.stage for t in looks] == [f"{stage}_after_{n}" for n in range(1, len(voted) + 1)]
        for thought, clue in zip(looks, voted, strict=True):
            later = [e.data["text"] for e in voted if e.seq > clue.seq]
            assert clue.data["text"] in thought.prompt
            assert not [words for words in later if words in thought.prompt]


def test_pgm_reads_its_matrix_after_the_last_clue():
    play, request = poll("chameleon", "magic", 1, lambda r: r.opened_at > 10)
    clues = len(play.state.clues)
    decision, provider = decide(at(play, request), "pgm")
    assert len(provider.told) == clues * len(play.state.playing)
    assert stages(decision)[-1] == recall.STAGE
    held = Beliefs.from_json(decision.thoughts[-1].data["beliefs"])
    assert decision.action["odd_one"] == held.standout(among=range(1, 5))
    again, provider = decide(at(play, request, decision.thoughts), "pgm")
    assert (provider.told, again.action) == ([], decision.action)


def test_before_a_vote_mptt_looks_for_teammates_and_the_vote_goes_on_from_there():
    says = {
        "WHO IS WITH YOU": {"teammates": [1], "opponents": [2], "why": "x"},
        "A SECOND LOOK": {"side": "civilian", "teammates": [1], "opponents": [2, 4], "why": "x"},
    }
    play, request = poll("undercover", "wiu", 3, lambda r: any(f.name == "trusted" for f in r.fields))
    answer, _ = decide(at(play, request), "mptt", says)
    assert stages(answer) == ["first_find", "second_find", recall.STAGE]
    assert answer.action == {"side": "civilian", "trusted": [1], "suspected": [2, 4], "same_word": [1]}
    vote = until(play, lambda r: (r.kind, r.seat) == ("vote", 3))
    voted, provider = decide(at(play, vote, answer.thoughts), "mptt", says)
    assert stages(voted) == ["first_find", "second_find", "decision", "vote"]
    assert [thought.data.get("from") for thought in voted.thoughts] == [request.id, request.id, None, None]
    assert len(provider.told) == 2


@pytest.mark.parametrize("side", ["civilian", "undercover", "unsure"])
def test_before_a_speech_mptt_says_which_side_it_takes_itself_to_be_on(side):
    says = {"YOUR SIDE": {"side": side, "why": "x"}}
    play, request = poll("undercover", "wiu", 3, lambda r: len(r.fields) == 1)
    spoken = bool(play.state.clues)
    decision, provider = decide(at(play, request), "mptt", says)
    assert decision.action == {"side": side if spoken else "unsure"}
    assert len(provider.told) == 1 + spoken


def test_recon_guesses_at_the_moment_of_the_poll_and_the_move_starts_from_that():
    play, request = poll("chameleon", "magic", 1)
    answer, _ = decide(at(play, request), "recon")
    assert stages(answer) == ["first_order", "poll", recall.STAGE]
    following = until(play, lambda r: r.seat == 1 and r.kind != "poll")
    told = scene.last_news(at(play, request)) == scene.last_news(at(play, following))
    moved, _ = decide(at(play, following, answer.thoughts), "recon")
    assert (moved.thoughts[0].data.get("from") == request.id) is told


@pytest.mark.parametrize("method", ["direct", "cot", "two_step"])
def test_a_method_without_a_memory_is_asked_once(method):
    play, request = poll("undercover", "magic", 3)
    decision, provider = decide(at(play, request), method)
    assert stages(decision) == ["poll"]
    assert len(provider.told) == 1


def test_what_a_poll_made_it_think_is_no_memory_of_a_later_move():
    play, request = poll("chameleon", "magic", 4)
    answer, _ = decide(at(play, request), "recon", {"WHAT THE OTHERS ARE": guess("REMEMBERED", play)})
    vote = until(play, lambda r: (r.kind, r.seat) == ("vote", 4))
    voted, _ = decide(at(play, vote, answer.thoughts), "recon")
    assert "REMEMBERED" not in "".join(prompts(voted).values())


def guess(words, play):
    others = [str(seat) for seat in (1, 2, 3)]
    roles = dict.fromkeys(others, "non-chameleons")
    return {"thinks": dict.fromkeys(others, words), "role": roles, "certainty": dict.fromkeys(others, 60)}


def test_a_tie_names_nobody():
    play, request = poll("chameleon", "magic", 1)
    rows = {viewer: dict.fromkeys((1, 2, 3, 4), (1.0,)) for viewer in (1, 2, 3, 4)}
    rows[3][2] = (2.0,)
    held = Held(Beliefs.normalised(1, ("chameleon",), ("chameleon",), rows, "subjects"))
    found = recall.read(METHODS["pgm"].turn(at(play, request), {}), held)
    assert found == {
        "side": "non-chameleons",
        "odd_one": None,
        "suspect_of_2": None,
        "suspect_of_3": 2,
        "suspect_of_4": None,
    }


def test_of_equal_targets_the_lot_of_the_match_takes_one():
    """By the seed, and the same with polls; the prompt says that nobody is ahead."""
    drawn = set()
    for seed in range(1, 9):
        play = begin("chameleon", seed=seed)
        first = next(iter(play.state.open.values()))
        _, provider = decide(at(play, first), "pgm")
        assert len(provider.told) == 1
        told = provider.told[0][0]
        assert str(play.header.seed * 10**6) not in told
        marks = [
            line
            for line in told.splitlines()
            if "One of them was drawn by lot" in line or "No player suspects you less" in line
        ]
        assert len(marks) == 1
        drawn.add(marks[0])
        assert decide(at(play, first), "pgm")[1].told == provider.told
    assert len(drawn) > 1


def test_the_own_answer_is_read_by_field():
    play, request = poll("chameleon", "magic", 2)  # the chameleon
    decision, _ = decide(at(play, request), "direct")
    assert decision.action["odd_one"] == 2
    assert '"odd_one"' not in json.dumps(prompts(decision)["poll"].split("in this form:")[-1])
