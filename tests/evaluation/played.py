"""Matches for tests of metrics, played through the rules by a script: so each record is one that can happen."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evaluation.metrics import METRICS, Item, measure
from evaluation.records.record import Record, of_play
from games.registry import RULES
from games.rules.play import Play, new_header
from games.rules.values import Refusal, SeatInfo

Move = tuple[int, dict[str, Any] | None]
"""A seat and its action; None: the default is played, or the poll is skipped."""


def dealt(game: str, preset: str, seats: int | Sequence[str], setting: dict[str, Any], **options: Any) -> Play:
    """A match that begins. seats: how many agents called "x", or for each seat its agent, "" for a person."""
    names = ["x"] * seats if isinstance(seats, int) else seats
    infos = tuple(
        SeatInfo(n, f"Player {n}", "agent" if name else "person", name or None) for n, name in enumerate(names, 1)
    )
    rules = RULES[game]
    return Play(rules, new_header(rules, preset, seats=infos, seed=7, setting=setting, options=options, id="m"))


def move(play: Play, seat: int, action: dict[str, Any] | None, by: str = "") -> None:
    """One move of a seat by its own player, or by whoever is named; it must be legal."""
    request = next(
        r
        for r in play.state.open.values()
        if r.seat == seat and (action is None or action.keys() <= {item.name for item in r.fields})
    )
    player = play.header.seats[seat - 1]
    if action is None:
        play.expire(request.id)
        return
    result = play.act(seat, request.id, action, by or (f"agent:{player.agent}" if player.agent else "person"))
    assert not isinstance(result, Refusal), result.sentence


_IDS = itertools.count(1)


def record(play: Play, moves: Iterable[Move], **more: Any) -> Record:
    """The record of this match after these moves; each has an id of its own."""
    for seat, action in moves:
        move(play, seat, action)
    found = of_play(play, **more)
    found.id = f"match {next(_IDS)}"
    return found


def in_all(record: Record, seat: int) -> str:
    """Every seat in one group."""
    return "all"


def value(name: str, *records: Record, by: Any = in_all, group: Any = "all") -> Any:
    """The value of one metric over records."""
    return measure(records, by, [name]).values[group][name]


def fraction(name: str, *records: Record, by: Any = in_all, group: Any = "all") -> tuple[float, float]:
    """(numerator, denominator) of one metric over records; (0, 0) for no data."""
    found = value(name, *records, by=by, group=group)
    return found.numerator, found.denominator


def items(name: str, record: Record, seat: int) -> list[Item]:
    """What a metric counts at one seat."""
    return list(METRICS[name].items(record, seat))


def clues(texts: Mapping[int, str]) -> list[Move]:
    """A clue of each seat, in this order."""
    return [(seat, {"text": text}) for seat, text in texts.items()]


def votes(targets: Mapping[int, int | None]) -> list[Move]:
    """A vote of each seat; None: it gives none."""
    return [(seat, None if target is None else {"seat": target}) for seat, target in targets.items()]
