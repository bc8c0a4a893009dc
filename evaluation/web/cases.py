"""How several agents played one setting, side by side and event by event (MAgIC, figures 5 and 7)."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from evaluation.counting.boards import Choice
from evaluation.records.record import Record
from games.rules.values import OMNISCIENT
from games.web import feed
from games.web.reasoning import Heat, heat_map

MOST = 6
"""So many stand side by side."""

LABELS = ("role", "citizens", "arm", "trial", "setting")
"""What of a planned match tells which case it is of, beside its game; the last one names the setting."""


class Case(NamedTuple):
    """What several were to play: a game, and the labels of the plan. key: the same as JSON, for an address."""

    game: str
    labels: tuple[str, ...]

    @property
    def key(self) -> str:
        return json.dumps([self.game, *self.labels], ensure_ascii=False)

    @property
    def setting(self) -> str:
        return self.labels[-1]


class Column(NamedTuple):
    """One match of a case. seats: those that the challenger played."""

    record: Record
    challenger: str
    seats: tuple[int, ...]

    @property
    def names(self) -> dict[int, str]:
        """How seats are called in this match."""
        return {seat: player.name for seat, player in enumerate(self.record.seats, 1)}


@dataclass
class Cell:
    """What happened at one step in one match: its lines, and the matrices that were thought of for it. seq: of its
    first event; names: how seats are called there."""

    names: Mapping[int, str]
    seq: int = 0
    lines: list[str] = field(default_factory=list)
    heats: list[tuple[int, Heat]] = field(default_factory=list)


@dataclass
class Step:
    """One row of the page: a cell for each match, in their order; None where it has no such step. section: the heading
    that begins here."""

    cells: list[Cell | None]
    section: str = ""


def cases(choice: Choice) -> dict[Case, dict[str, list[Any]]]:
    """The cases among some matches that at least two challengers played: {case: {challenger: keys of its matches}}, the
    newest first."""
    found: dict[Case, dict[str, list[Any]]] = {}
    rows = choice.matches().filter(status="finished").exclude(bout=None, labels={}).order_by("-created_at", "-pk")
    for key, game, planned, brought in rows.values_list("pk", "game", "bout__labels", "labels"):
        labels = planned or brought
        if labels.get("setting") and labels.get("challenger"):
            case = Case(game, tuple(str(labels.get(name, "")) for name in LABELS))  # a file may have numbers there
            found.setdefault(case, {}).setdefault(str(labels["challenger"]), []).append(key)
    return {case: played for case, played in sorted(found.items()) if len(played) > 1}


def side_by_side(columns: Sequence[Column]) -> list[Step]:
    """The steps of these matches, alike beside alike: the nth event of a kind by a seat stands beside the nth of the
    others, wherever each match has it."""
    order: list[tuple] = []
    found: list[dict[tuple, Cell]] = []
    sections: dict[tuple, str] = {}
    for column in columns:
        own, headed = _cells(column.record, column.names)
        found.append(own)
        sections = headed | sections
        place = 0
        for step in own:
            if step in order:
                place = max(place, order.index(step) + 1)
            else:
                order.insert(place, step)
                place += 1
    return [Step([own.get(step) for own in found], sections.get(step, "")) for step in order]


def _cells(record: Record, names: Mapping[int, str]) -> tuple[dict[tuple, Cell], dict[tuple, str]]:
    """The cells of one match in order, and the headings that begin with them. All that was asked in one poll is one
    cell."""
    told = {line.seq: line for line in feed.lines(record.game, record.events, names, OMNISCIENT)}
    heats = _heats(record)
    times: dict[tuple, int] = {}
    cells: dict[tuple, Cell] = {}
    sections: dict[tuple, str] = {}
    polling: tuple = ()
    for event in record.events:
        line = told.get(event.seq)
        if event.kind == "polling" or not (event.kind == "poll" and polling):
            name = (event.kind, event.seat)
            times[name] = times.get(name, 0) + 1
            step = (*name, times[name])
            polling = step if event.kind == "polling" else polling
        else:
            step = polling
        shown = heats.get(event.seq, [])
        if line is None and not shown:
            continue
        cell = cells.setdefault(step, Cell(names, event.seq))
        cell.heats += shown
        if line is not None and line.html:
            cell.lines.append(line.html)
        if line is not None and line.section:
            sections[step] = line.section
    return cells, sections


def _heats(record: Record) -> dict[int, list[tuple[int, Heat]]]:
    """By the event that a thought led to, else the one that asked for it, the seat and its matrix."""
    truth = {seat: {"side": record.sides.get(seat, ""), "role": record.roles.get(seat, "")} for seat in record.numbers}
    last: dict[tuple[int, int], Any] = {}
    before: dict[tuple, Any] = {}
    for note in record.notes:
        if note.beliefs:
            event = record.answered.get(note.request)
            kind = (note.seat, tuple(note.beliefs["labels"]))
            last[event.seq if event else note.at, note.seat] = (note.beliefs, before.get(kind))
            before[kind] = note.beliefs
    found: dict[int, list[tuple[int, Heat]]] = {}
    for (seq, seat), (matrix, earlier) in last.items():
        found.setdefault(seq, []).append((seat, heat_map(matrix, earlier, truth)))
    return found


def columns(records: Iterable[Record], played: Mapping[str, str]) -> list[Column]:
    """The matches as columns. played: by match who its challenger is."""
    return [
        Column(
            record,
            played[record.id],
            tuple(seat for seat in record.numbers if record.player(seat).agent == played[record.id]),
        )
        for record in records
    ]
