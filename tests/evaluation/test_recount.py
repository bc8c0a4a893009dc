"""Evaluation's numbers are those that independent code (`tests.evaluation.recount`) counts in the exported files."""

from __future__ import annotations

import ast
import random
from dataclasses import asdict
from pathlib import Path

import pytest

from agents import headless
from agents.beliefs import Beliefs
from agents.models import AgentProfile
from agents.situation import Decision, Thought
from evaluation.metrics import METRICS, agent, measure, role, together
from evaluation.records.record import of_play
from games.registry import RULES
from games.rules import kit, logfile
from games.rules.play import Play, new_header
from games.rules.random_play import random_action
from games.rules.values import Attempt, SeatInfo
from tests.evaluation import recount

pytestmark = pytest.mark.slow

ALONE = {
    **dict.fromkeys((name for name in METRICS if METRICS[name].heavy), "needs the exact posterior of Avalon"),
    "ours.log_loss.polls": "is a reading of statements that have no number",
    "ours.brier.polls": "is a reading of statements that have no number",
    "recon.role_exposure": "is a rule of language (`evaluation.records.exposure`)",
    "recon.role_exposure.people": "is told by people's labels",
    "spygame.exposure.people": "is told by people's labels",
    "ours.refusals": "is a rule of language (`evaluation.records.declining`)",
    "ours.detection": "is asked after the match and stands in no log",
    "ours.passed_for_person": "is asked after the match and stands in no log",
}
"""What is not recounted, and why."""

HOUSE = headless.of_profile(AgentProfile(name="house", title="house", provider="house", method="house"))
POLLED = ("undercover", "chameleon", "avalon")


def scripted(play, request, thoughts):
    """A model that does anything legal; some replies cannot be used, some never come, some moves are a stand-in's."""
    rng = random.Random(f"{play.header.id}:{request.id}")
    number = len(play.header.seats)
    noted = []
    for stage in ("think", "decide"):
        data = {"problem": "It could not be read."} if rng.random() < 0.2 else {}
        if stage == "think" and play.rules.sought:
            row = {other: (p := rng.random(), 1 - p) for other in range(1, number + 1) if other != request.seat}
            label = play.rules.sought
            beliefs = Beliefs(request.seat, (label, "other"), (label,), {request.seat: row})
            data["beliefs"] = beliefs.to_json()
        spent = {"tokens_in": rng.randrange(900), "tokens_out": rng.randrange(90), "cost": rng.random() / 100}
        noted.append(
            Thought(request.id, request.seat, "cot", stage, data=data, model="m", ms=rng.randrange(9), **spent)
        )
    kind = rng.random()
    if kind < 0.02:
        code = rng.choice(("unreadable", "provider"))
        attempt = Attempt(request.id, request.seat, "agent:model", code, "No.", None, "default")
        return Decision(None, noted, [attempt])
    by = "agent:other" if kind < 0.03 else ""
    secret = [word for word in play.header.setting.values() if isinstance(word, str)]
    words = [*kit.WORDS[:40], *10 * secret]
    action = random_action(play, request, rng, words)
    if request.kind == "poll":
        action |= {field.name: None for field in request.fields if field.optional and rng.random() < 0.2}
    return Decision(action, noted, by=by)


def played():
    """Matches of every game, preset and sort of polls, of models and of house agents."""
    for rules in RULES.values():
        for trial in kit.kit_cases(rules):
            preset, asked = rules.presets[trial.preset], trial.overrides["polls"] != "none"
            if trial.seats != min(max(preset.low, 5), preset.high) or asked != (rules.name in POLLED):
                continue
            for number, house in enumerate((*[False] * (6 if rules.name == "spygame" else 2), True)):
                names = dict.fromkeys(range(1, trial.seats + 1), "house" if house else "model")
                header = new_header(
                    rules,
                    trial.preset,
                    seats=tuple(SeatInfo(seat, f"Player {seat}", "agent", name) for seat, name in names.items()),
                    seed=number,
                    setting=trial.sample.setting(trial.options, random.Random(number)),
                    options=trial.overrides,
                    id=f"{rules.name} {trial.preset} {trial.overrides['polls']} {number}",
                )
                minds = {seat: HOUSE if name == "house" else scripted for seat, name in names.items()}
                by = {seat: f"agent:{name}" for seat, name in names.items()}
                yield headless.play_out(Play(rules, header), minds, by)


def exported(done):
    """The match's log file, as a download has it."""
    log = logfile.LogFile(
        done.play.header,
        done.play.log,
        thoughts=[asdict(thought) for thought in done.thoughts],
        attempts=[asdict(attempt) for attempt in done.attempts],
        outcome=done.play.state.outcome,
    )
    return "\n".join(logfile.write(log))


def test_the_recount_shares_no_code_with_the_project():
    tree = ast.parse(Path(recount.__file__).read_text(encoding="utf-8"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
    }
    assert imported <= {"__future__", "collections", "fractions", "json", "math", "re"}


def test_every_metric_is_recounted_or_says_why_not():
    counted = recount.COUNTS.keys() | recount.MADE.keys()
    assert counted | ALONE.keys() == METRICS.keys()
    assert not counted & ALONE.keys()


@pytest.mark.parametrize("name", RULES)
def test_the_recount_knows_every_game(name):
    place = f"Name {name} in tests/evaluation/recount.py:"
    if not RULES[name].sought:
        assert name in recount.POINTS, f"{place} in POINTS."
        return
    play = next(iter(kit.kit_cases(RULES[name]))).begin()
    cast = RULES[name].cast(play.state).values()
    assert name in recount.HIDDEN, f"{place} in HIDDEN."
    assert {one.role for one in cast if one.side == RULES[name].sought} <= recount.HIDERS, f"{place} its HIDERS."
    sides = recount.SIDES.get(name, {})
    told = {one.role: {one.side, RULES[name].one_of(one.side)} for one in cast}
    assert all(sides.get(role, role) in side for role, side in told.items()), (
        f"{place} the side of each role, in SIDES."
    )


def test_independent_code_counts_the_same_in_the_exported_files():
    assert set(RULES) == set(recount.ALL), "See `test_the_recount_knows_every_game`."
    done = list(played())
    found = recount.recount(map(exported, done))
    records = [of_play(one.play, one.thoughts, one.attempts) for one in done]
    expected = {}
    for by in (agent, together(agent, role)):
        expected |= measure(records, by, sorted(found)).values
    with_data = set()
    for name, groups in found.items():
        for group, number in groups.items():
            value = expected[group][name].value
            assert (value is None) == (number is None), (name, group, value, number)
            if number is not None:
                assert value == pytest.approx(float(number)), (name, group)
                with_data.add(name)
    assert {one.play.rules.name for one in done} == set(RULES)
    assert found.keys() == with_data
