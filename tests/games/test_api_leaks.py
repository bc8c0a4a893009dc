"""Exchange what a viewer may not know: every byte that the API answers them stays the same, and every poll comes alike.

A trial is one moment of a pair of matches that differ in roles, words or places that one viewer may not know; of each
third one, at a table that names no agents, the pair differs in who is one. All that a program may ask in that viewer's
place is asked of both. `API_EXCHANGES` makes other than 200 trials, `API_EXCHANGES_FROM` others than those of seed 1.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from games.match import view
from games.models import Room
from games.registry import RULES
from games.rules import kit
from games.rules.values import PUBLIC
from tests.games.test_api import Program, key_of
from tests.games.test_leaks import MATCH, TRIALS, _difference, no_clock, plain, stored

__all__ = ["no_clock"]
pytestmark = [pytest.mark.django_db, pytest.mark.slow]

EXCHANGES = int(os.environ.get("API_EXCHANGES", "200"))
SEED = int(os.environ.get("API_EXCHANGES_FROM", "1"))
PARTS = 4
"""Tests that share the trials, and can be run beside one another."""

MOMENTS = 6
"""So many of a pair of matches, so that long games do not crowd out the others."""

Side = tuple[object, frozenset[int] | None]
"""A match in play, and who of it are agents at a table that does not tell; None at one that does."""


def pairs(seed: int) -> Iterator[tuple[str, int, list[int], Side, Side]]:
    """Of each pair: the game, the viewer, the moments at which nothing may differ, and both matches."""
    for number in itertools.count(seed):
        rng = random.Random(f"api:{number}")
        game = rng.choice(list(RULES))
        trial = replace(rng.choice(TRIALS[game]), seed=number)
        viewer = rng.choice((PUBLIC, *range(1, trial.seats + 1)))
        if number % 3 == 0 and trial.seats > 2:
            play = kit.play_through(trial)
            moments = [n for n, event in enumerate(play.log[1:], 1) if event.request]
            others = [seat for seat in range(1, trial.seats + 1) if seat != (viewer or 1)]
            agents = [frozenset(rng.sample(others, rng.randint(0, len(others)))) for _ in range(2)]
            yield game, viewer, moments, (play, agents[0]), (play, agents[1])
            continue
        setting, alike_to = kit.indistinguishable(trial)
        if not alike_to[viewer]:
            continue
        plays = trial.begin(setting), trial.begin(rng.choice(alike_to[viewer]))
        alike = kit.play_alike(trial, viewer, *plays)
        logs = [play.log for play in plays]
        # Logs are committed up to the next move: what stands there in between, nobody ever sees.
        moments = [n for n in range(1, alike + 1) if all(n == len(log) or log[n].request for log in logs)]
        yield game, viewer, moments, (plays[0], None), (plays[1], None)


def trials(seed: int) -> Iterator[tuple[str, str]]:
    """Of each trial: the game, and where two answers differ ("" for nowhere)."""
    scopes = ("play", "read", "read_hidden", "export")
    programs = {seat: Program(key_of(f"key-{seat or 99}", *scopes)) for seat in range(PUBLIC, 13)}
    for game, viewer, moments, *sides in pairs(seed):
        rng = random.Random(f"{seed}:{game}:{len(moments)}")
        for until in sorted(rng.sample(moments, min(len(moments), MOMENTS))):
            told = [list(answers(programs[viewer], play, until, viewer, agents)) for play, agents in sides]
            pairs_of_answers = itertools.zip_longest(*told, fillvalue="")
            differing = (_difference(*pair) for pair in pairs_of_answers if pair[0] != pair[1])
            yield game, next(differing, "")


def answers(program: Program, play, until: int, viewer: int, agents: frozenset[int] | None) -> Iterator[str]:
    """All that the API answers this viewer's program at this moment, and which of its polls have an answer at once."""
    match = stored(play, until, Room.Watching.LIVE, agents)
    table, here = "tables/KITE-1/", f"matches/{MATCH}/"
    for path in ("tables/", table, "matches/", here, here + "thoughts/", here + "log/"):
        yield plain(program.ask(path))
    for name in ("all", "public", "1"):
        yield plain(program.ask(here, after=until // 2, **{"as": name}))
    for seq in (0, until // 2, until - 1, until):
        yield repr(would_answer(program, seq))
    yield plain(program.ask(table + "observation/", after=until // 2, match=MATCH))
    answer = program.ask(table + "observation/")
    yield plain(answer)
    seen = answer.json()["match"]
    mine = [request["id"] for request in seen["requests"]]
    others = [f"{until}:{one['seat']}:{one['kind']}" for one in seen["waits_for"]][:1]
    for request in [*mine, *others, "1:1:x"]:
        yield plain(program.send(table + "act/", match=str(match.pk), request=request, action={"nothing": "?"}))


def would_answer(program: Program, seq: int) -> bool:
    """Whether a long poll after this event is answered at once."""
    return not hasattr(program.ask("tables/KITE-1/observation/", after=seq, match=MATCH, wait=25), "later")


@pytest.mark.timeout(300 + 4 * EXCHANGES)  # as long as a busy machine may take
@pytest.mark.parametrize("part", range(PARTS))
def test_no_answer_of_the_api_tells_what_a_viewer_may_not_know(part):
    for done, (game, difference) in enumerate(itertools.islice(trials(SEED + part * 1_000_000), EXCHANGES // PARTS)):
        assert difference == "", f"{game}, after {done} trials without one: {difference}"


@pytest.mark.parametrize(
    ("line", "open_to_all"),
    [
        ("seen_by", lambda rules, event, viewer: event),
        ("visible_header", lambda header, viewer, kinds_named: header),
    ],
)
def test_each_line_that_hides_something_is_missed_when_it_is_gone(line, open_to_all, monkeypatch):
    monkeypatch.setattr(view, line, open_to_all)
    assert any(difference for _game, difference in itertools.islice(trials(1), 40))
