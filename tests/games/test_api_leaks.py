"""Exchange what a viewer may not know: every byte that the API answers them stays the same, and every poll comes alike.

A trial is one moment of a pair of matches that differ in roles, words or places that one viewer may not know; of each
third one, at a table that names no agents, the pair differs in who is one. Each second pair has forks around it
(`tests/games/forked_pairs.py`). All that a program may ask in that viewer's place is asked of both. `API_EXCHANGES`
makes other than 200 trials, `API_EXCHANGES_FROM` others than those of seed 1.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest

from games.match import access, view
from games.models import Room
from games.registry import RULES
from games.rules import kit
from games.rules.play import Play
from games.rules.values import PUBLIC
from tests.games import forked_pairs
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


FORKED_MOMENTS = 1
"""So many of a pair with forks, of which there is more to ask."""

GUEST, RESEARCHER = "guest", "researcher"


class Side(NamedTuple):
    """A match in play. agents: who of it are agents at a table that does not tell; None at one that does. forks: who
    asks, of a match with forks around it; "" where there are none. A researcher sees all of what they do not play, so
    that no other match comes before theirs."""

    play: Play
    agents: frozenset[int] | None
    forks: str

    def stored(self, until: int) -> None:
        """Its rows up to this moment, and those of the match that it begins with."""
        stored(self.play, until, Room.Watching.LIVE, self.agents)
        if self.forks == GUEST:
            forked_pairs.begun_with_another(self.play, until, self.agents)


class Pair(NamedTuple):
    """Two matches that are alike to a viewer, and the moments at which nothing that they are told may differ."""

    game: str
    viewer: int
    moments: list[int]
    sides: tuple[Side, Side]

    def drawn(self, rng: random.Random) -> list[int]:
        """Some of the moments, in order."""
        most = FORKED_MOMENTS if self.sides[0].forks else MOMENTS
        return sorted(rng.sample(self.moments, min(len(self.moments), most)))


def pairs(seed: int) -> Iterator[Pair]:
    """Pairs of all kinds, drawn by the seed."""
    for number in itertools.count(seed):
        rng = random.Random(f"api:{number}")
        game = rng.choice(list(RULES))
        trial = replace(rng.choice(TRIALS[game]), seed=number)
        viewer = rng.choice((PUBLIC, *range(1, trial.seats + 1)))
        forks = "" if number % 2 else GUEST if viewer == PUBLIC or number % 4 else RESEARCHER
        if number % 3 == 0 and trial.seats > 2:
            play = kit.play_through(trial)
            moments = [n for n, event in enumerate(play.log[1:], 1) if event.request]
            others = [seat for seat in range(1, trial.seats + 1) if seat != (viewer or 1)]
            agents = [frozenset(rng.sample(others, rng.randint(0, len(others)))) for _ in range(2)]
            sides = Side(play, agents[0], forks), Side(play, agents[1], forks)
            yield Pair(game, viewer, moments, sides)
            continue
        setting, alike_to = kit.indistinguishable(trial)
        if not alike_to[viewer]:
            continue
        plays = trial.begin(setting), trial.begin(rng.choice(alike_to[viewer]))
        alike = kit.play_alike(trial, viewer, *plays)
        logs = [play.log for play in plays]
        # Logs are committed up to the next move: what stands there in between, nobody ever sees.
        moments = [n for n in range(1, alike + 1) if all(n == len(log) or log[n].request for log in logs)]
        yield Pair(game, viewer, moments, (Side(plays[0], None, forks), Side(plays[1], None, forks)))


def trials(seed: int) -> Iterator[tuple[str, str]]:
    """Of each trial: the game, and where two answers differ ("" for nowhere)."""
    scopes = ("play", "read", "read_hidden", "export")
    programs = {seat: Program(key_of(f"key-{seat or 99}", *scopes)) for seat in range(PUBLIC, 13)}
    for pair in pairs(seed):
        rng = random.Random(f"{seed}:{pair.game}:{len(pair.moments)}")
        forks = pair.sides[0].forks
        program = forked_pairs.researcher(pair.viewer) if forks == RESEARCHER else programs[pair.viewer]
        for until in pair.drawn(rng):
            told = [list(answers(program, side, until)) for side in pair.sides]
            pairs_of_answers = itertools.zip_longest(*told, fillvalue="")
            differing = (_difference(*two) for two in pairs_of_answers if two[0] != two[1])
            yield pair.game, next(differing, "")


def answers(program: Program, side: Side, until: int) -> Iterator[str]:
    """All that the API answers this viewer's program at this moment, and which of its polls have an answer at once."""
    side.stored(until)
    if side.forks:
        forked_pairs.played_on_by_agents(side.play, until, side.agents)
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
        yield plain(program.send(table + "act/", match=str(MATCH), request=request, action={"nothing": "?"}))
    if side.forks:
        told = forked_pairs.told_to_guests if side.forks == GUEST else forked_pairs.told_to_researchers
        yield from told(program, until)


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
        ("_plays_elsewhere", lambda match, person: False),
        ("sat_at_while_running", access.sat_at),
    ],
)
def test_each_line_that_hides_something_is_missed_when_it_is_gone(line, open_to_all, monkeypatch):
    monkeypatch.setattr(view if hasattr(view, line) else access, line, open_to_all)
    assert any(difference for _game, difference in itertools.islice(trials(4), 40))
