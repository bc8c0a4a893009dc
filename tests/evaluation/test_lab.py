"""The lab: a move of a match is changed, and what would have followed is told with how sure that is."""

from __future__ import annotations

import json
from collections import Counter
from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from agents.models import AgentProfile, Call
from evaluation.lab import arms, counted, labs
from evaluation.lab.models import Lab, Rollout
from evaluation.tables.statistics import paired
from games.jobs import jobs
from games.match import erasing
from games.models import Job, Match
from games.registry import RULES
from games.rules.play import Play
from tests.games.matches import dagger, dealt, last, play_on, stored
from tests.model_server import ModelServer, good

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixtures")]


@pytest.fixture
def stabbed() -> tuple[Match, int]:
    """A match of Avalon in which the Assassin misses Merlin, who sits at seat 3; and the event by which."""
    play = dagger(right=False)
    return stored(play, with_thoughts=False), last(play, "assassinate")


def lab(match: Match, seq: int, *told: str, rollouts: int = 4, **more: bool) -> labs.Prepared:
    at = arms.forked(match, seq)
    return labs.Prepared(match, labs.Plan(at, tuple(arms.read(at, text) for text in told), rollouts, **more))


def played_on(prepared: labs.Prepared, arm: arms.Arm, number: int = 0, replies=None) -> Play:
    return prepared.played_on(arm, number, prepared.minds(arm, replies)).play


def command(match: Match, seq: int, *told: str) -> str:
    out = StringIO()
    call_command("lab", str(match.pk), str(seq), *told, stdout=out, stderr=StringIO())
    return out.getvalue()


def numbers(text: str) -> list[dict]:
    return json.loads(text)["arms"]


# What is played -----------------------------------------------------------------------------------------------------


def test_a_move_that_decides_the_match_is_told_with_its_difference(stabbed):
    match, seq = stabbed
    unchanged, right = numbers(command(match, seq, "--arm", '{"seat": 3}', "--rollouts", "12", "--json"))
    good_wins = {row["name"]: row["value"] for row in unchanged["rows"]}
    assert good_wins == {"good": 1.0, "evil": 0.0}
    evil = next(row for row in right["rows"] if row["name"] == "evil")
    assert (evil["value"], evil["n"]) == (1.0, 12)
    low, high = evil["difference"]["interval"]
    assert evil["difference"]["value"] == evil["value"] - good_wins["evil"]
    assert 0 < low < high == 1, "the interval of shares draws towards none"


def test_the_unchanged_arm_is_played_alone_where_nothing_is_changed(stabbed):
    (only,) = numbers(command(*stabbed, "--rollouts", "2", "--json"))
    assert only["arm"] == {} and all(row["difference"] is None for row in only["rows"])


def test_the_command_says_first_what_it_takes_and_then_each_side(stabbed):
    text = command(*stabbed, "--arm", '{"seat": 3}', "--rollouts", "3")
    assert text.startswith("2 arms of 3 matches: about ")
    assert "how the match itself ended\n  evil lost\n  good won\n" in text
    assert "unchanged\n  evil wins 0.0% (n = 3, 95%: 0.0% to 56.1%)" in text
    assert "evil wins 100.0% (n = 3, 95%: 43.9% to 100.0%), +100.0% beside the unchanged arm (95%: " in text


def test_the_match_itself_stays_as_it_was(stabbed):
    match, seq = stabbed
    before = match.events.plain()
    command(match, seq, "--arm", '{"seat": 3}', "--rollouts", "2")
    assert match.events.plain() == before
    assert Match.objects.count() == 1


@pytest.mark.parametrize("game", list(RULES))
def test_each_game_has_its_lab(game):
    play = play_on(dealt(game, *RULES[game].quick))
    move = next(event for event in play.log if arms.can_change(event))
    prepared = lab(stored(play, with_thoughts=False), move.seq, f"{move.seat}=house", rollouts=2)
    first, again = (played_on(prepared, arms.UNCHANGED).log for _ in range(2))
    assert first == again, "the same number gives the same match"
    assert first[: move.seq] == play.log[: move.seq]
    found = counted.rows(
        [[counted.ending(played_on(prepared, arm, n)) for arm in prepared.plan.every] for n in (0, 1)],
        bool(RULES[game].sought),
    )
    assert [row.n for row in found[1]] == [2] * len(found[1])


def test_another_wording_is_heard_by_the_others():
    play = play_on(dealt("undercover", "magic", 3))
    clue = next(event for event in play.log if event.kind == "clue")
    prepared = lab(stored(play, with_thoughts=False), clue.seq, "words=Hot and black")
    played = played_on(prepared, prepared.plan.arms[0])
    assert played.log[clue.seq - 1].data["text"] == "Hot and black"


def test_another_agent_plays_its_seat_from_there_on():
    play = play_on(dealt("undercover", "magic", 3))
    clue = next(event for event in play.log if event.kind == "clue")
    match = stored(play, with_thoughts=False)
    with ModelServer(lambda call: good('{"text": "quite so"}')) as server:
        AgentProfile.objects.create(
            name="wire", title="Wire", provider="openai", base_url=server.openai_url, model="m", method="direct"
        )
        prepared = lab(match, clue.seq, f"{clue.seat}=wire")
        played = played_on(prepared, prepared.plan.arms[0], replies=labs.reply_store.StoredReplies())
        asked = len(server.calls)
        played_on(prepared, prepared.plan.arms[0], replies=labs.reply_store.StoredReplies())
        assert played.log[clue.seq - 1].data["text"] == "quite so"
        assert asked == len(server.calls) > 0, "a reply that was paid for is found again"


# What it takes ------------------------------------------------------------------------------------------------------


def test_what_costs_money_is_told_and_begins_only_when_one_says_so():
    play = play_on(dealt("undercover", "magic", 3))
    clue = next(event for event in play.log if event.kind == "clue")
    match = stored(play, with_thoughts=False)
    AgentProfile.objects.create(
        name="wire", title="Wire", provider="openai", base_url="http://127.0.0.1:9/v1", model="m", method="direct"
    )
    with pytest.raises(CommandError, match="Begin with --yes"):
        command(match, clue.seq, "--arm", f"{clue.seat}=wire")
    assert not Lab.objects.exists() and not Call.objects.exists()
    will = labs.expected(lab(match, clue.seq, f"{clue.seat}=wire", rollouts=10))
    assert will.calls >= 10 and will.unpriced == ("m",)


def test_the_estimate_asks_each_agent_a_few_times_however_long_the_match(monkeypatch):
    play = play_on(dealt("avalon", "recon", 6))
    move = next(event for event in play.log if event.kind == "team_vote" or event.kind == "vote")
    AgentProfile.objects.create(
        name="keen", title="Keen", provider="house", method="house", switches={"strength": "hard"}
    )
    changes = [f"{seat}=keen" for seat in range(1, 6)]
    prepared = lab(stored(play, with_thoughts=False), move.seq, *changes, rollouts=7)
    asked = Counter()
    minds = labs.Prepared.minds

    def counted(self, arm, store=None):
        def told(name, mind):
            def decide(play, request, thoughts):
                asked[name] += 1
                return mind(play, request, thoughts)

            return decide

        return {seat: told(self.plan.names(arm)[seat], mind) for seat, mind in minds(self, arm, store).items()}

    monkeypatch.setattr(labs.Prepared, "minds", counted)
    will = labs.expected(prepared)
    assert will.seconds > 0 and will.calls == 0
    assert sorted(asked) == ["house", "keen"] and max(asked.values()) <= labs.MEASURED + 1
    asked.clear()
    for arm in prepared.plan.every:
        played_on(prepared, arm)
    assert asked.total() > 10 * labs.MEASURED, "whole matches would have asked more"


def test_calls_are_estimated_by_the_turns_that_the_match_had():
    play = play_on(dealt("undercover", "wiu", 5))
    clue = next(event for event in play.log if event.kind == "clue")
    AgentProfile.objects.create(
        name="wire", title="Wire", provider="openai", base_url="http://127.0.0.1:9/v1", model="m", method="direct"
    )
    prepared = lab(stored(play, with_thoughts=False), clue.seq, *(f"{seat}=wire" for seat in (1, 2)), rollouts=10)
    turns = [event for event in play.log[clue.seq - 1 :] if event.request and event.seat in (1, 2)]
    calls = labs.expected(prepared).calls
    assert 5 * len(turns) < calls <= 10 * len(turns), "one call a turn, and none where the rules leave no choice"


def test_nothing_is_played_twice(stabbed, monkeypatch):
    match, seq = stabbed
    played = []
    usual = labs.Prepared.played_on
    monkeypatch.setattr(
        labs.Prepared, "played_on", lambda self, arm, n, *a, **k: (played.append(n), usual(self, arm, n, *a, **k))[1]
    )
    monkeypatch.setattr(labs, "expected", lambda prepared: labs.Expected(0, 0, 0, ()))
    command(match, seq, "--rollouts", "3")
    command(match, seq, "--rollouts", "3")
    command(match, seq, "--rollouts", "5")
    assert played == [0, 1, 2, 3, 4]
    assert Lab.objects.get().rollouts == Rollout.objects.count() == 5


def test_a_lab_that_breaks_off_goes_on_where_it_was(stabbed, monkeypatch, workers):
    match, seq = stabbed
    made = labs.make(lab(match, seq, rollouts=4))
    usual = labs.Prepared.played_on

    def broken(self, arm, number, *told, **more):
        if number == 2 and not Job.objects.get().tries > 1:
            raise RuntimeError
        return usual(self, arm, number, *told, **more)

    monkeypatch.setattr(labs.Prepared, "played_on", broken)
    labs.begin(made)
    jobs.work(Job.objects.get().pk)
    assert made.played.count() == 2
    first = labs.endings_of(made)
    jobs.work(Job.objects.get().pk)
    assert Job.objects.get().state == "done"
    assert labs.endings_of(made)[:2] == first and made.played.count() == 4


def test_what_other_code_played_is_played_anew(stabbed, monkeypatch):
    match, seq = stabbed
    made = labs.make(lab(match, seq, rollouts=2))
    Lab.objects.update(basis="old")
    Rollout.objects.create(lab=made, number=0, endings=[{"good": 0.5, "evil": 0.5}])
    labs.begin(made)
    jobs.work(Job.objects.get().pk)
    assert labs.endings_of(made) == [[{"good": 1.0, "evil": 0.0}]] * 2


def test_a_match_whose_words_are_erased_is_played_on_without_them():
    play = play_on(dealt("undercover", "magic", 3))
    clue = next(event for event in play.log if event.kind == "clue" and event.seat == 1)
    later = next(event for event in play.log if arms.can_change(event) and event.seq > clue.seq)
    match = stored(play, with_thoughts=False)
    said = clue.data["text"]
    labs.make(lab(match, clue.seq, f"words={said} indeed"))
    erasing.erase("ann")
    match.refresh_from_db()
    prepared = lab(match, later.seq)
    assert said not in str(played_on(prepared, arms.UNCHANGED).log[: later.seq])
    assert said not in str(Lab.objects.get().arms)


# What cannot be played ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ('{"seat": 99}', "That move cannot be made there"),
        ('{"seat": 6}', "That is the move that was made."),
        ("{", "This is no move as JSON"),
        ("words=Well", "Nothing was said by this move"),
        ("9=house", "There is no seat 9."),
        ("1=nobody", "There is no agent called nobody."),
        ("x", "An arm is a move as JSON"),
    ],
)
def test_what_is_wrong_with_an_arm_is_said_in_a_sentence(stabbed, told, sentence):
    with pytest.raises(CommandError, match=sentence):
        command(*stabbed, "--arm", told)
    assert not Lab.objects.exists()


def test_what_is_no_move_cannot_be_changed(stabbed):
    match, _seq = stabbed
    for seq in (1, 10_000):
        with pytest.raises(CommandError, match=f"Event {seq} is no move"):
            command(match, seq)


# Numbers ------------------------------------------------------------------------------------------------------------


def test_points_differ_by_a_paired_t_interval():
    """By hand: differences 1, 2, 3, 2 have mean 2 and standard error sqrt(2/3)/2; t(3) at 97.5% is 3.182."""
    low, high = paired(np.array([1.0, 2, 3, 2]))
    assert (low, high) == pytest.approx((2 - 3.1824 * 0.40825, 2 + 3.1824 * 0.40825), abs=1e-3)
    assert paired(np.array([1.0])) is None


def test_common_random_numbers_cut_the_variance_of_what_rises_together():
    base = np.array([0.0, 5, 1, 7, 3, 9])
    assert counted.difference(base + np.array([1.0, 1, 1, 1, 1, 2]), base, shares=False).factor > 50
    assert counted.difference(base[::-1], base, shares=False).factor < 1
    assert counted.difference(base, base, shares=False).factor is None
