"""The papers' tables as rows from records: who is measured, by which columns, beside what the paper prints.

A table is declared once (`SPECS`), and `tables` fills any number of them in one pass. Everything is pure: pages draw,
cache and filter.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evaluation import metrics
from evaluation.metrics import METRICS, Metric
from evaluation.metrics.base import Key, Meter, Seen
from evaluation.metrics.magic import AXES, EDITIONS, ROLES
from evaluation.metrics.values import Composite, Interval, Value
from evaluation.published import TABLES as PUBLISHED
from evaluation.published import Table as Printed
from evaluation.records import Record


@dataclass(frozen=True)
class Cell:
    """A number as it stands in a table. n: how many items it counts; matches: from how many; least: of a number made
    of others, the metric that comes from fewest matches, and from how many. A printed one has none of these, and no
    interval."""

    value: float | None
    interval: Interval | None = None
    n: int | None = None
    matches: int | None = None
    least: tuple[str, int] | None = None

    @classmethod
    def of(cls, value: Value) -> Cell:
        """A cell of what was measured."""
        least = value.least if isinstance(value, Composite) else None
        return cls(value.value, value.interval(), value.n, value.matches, least)

    @property
    def least_matches(self) -> int | None:
        """From how many matches the least part of the number comes."""
        return self.least[1] if self.least else self.matches


@dataclass(frozen=True)
class Row:
    """Who was measured. key: the group, by which `behind` finds what its numbers count; source: the paper of a printed
    row, else ""."""

    label: str
    cells: Mapping[str, Cell]
    key: Hashable = None
    source: str = ""

    @property
    def printed(self) -> bool:
        """Whether this row is a paper's, for reference."""
        return bool(self.source)


@dataclass(frozen=True)
class Table:
    """A filled table. records: how many matches went in; left_out: how many of those were not played to an end."""

    spec: Spec
    rows: Sequence[Row]
    records: int
    left_out: int

    @property
    def columns(self) -> list[Metric]:
        return [METRICS[name] for name in self.spec.columns]

    def to_json(self) -> dict[str, Any]:
        """Plain values, for a cache: {"name", "title", "columns", "rows", "records", "left_out"}."""
        return {
            "name": self.spec.name,
            "title": self.spec.title,
            "columns": list(self.spec.columns),
            "rows": [
                {
                    "label": row.label,
                    "key": row.key,
                    "source": row.source,
                    "cells": {name: asdict(cell) for name, cell in row.cells.items()},
                }
                for row in self.rows
            ],
            "records": self.records,
            "left_out": self.left_out,
        }

    def csv(self) -> str:
        """One line a row, six columns a metric: value, interval, n, matches, and the matches of its least part.
        Printed rows name their paper."""
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        parts = ("", "low", "high", "n", "matches", "least matches")
        heads = [f"{name} {part}".strip() for name in self.spec.columns for part in parts]
        lines.writerow(["who", "source", *heads])
        for row in self.rows:
            values: list[Any] = []
            for name in self.spec.columns:
                cell = row.cells[name]
                values += [cell.value, *(cell.interval or (None, None)), cell.n, cell.matches, cell.least_matches]
            lines.writerow([safe_cell(row.label), row.source, *("" if value is None else value for value in values)])
        return text.getvalue()


@dataclass(frozen=True)
class Spec:
    """What a table is. counts: which matches go in, in a sentence, as `keep` says; by: who its rows are; printed: the
    papers' tables that are shown beside it."""

    name: str
    title: str
    about: str
    counts: str
    columns: tuple[str, ...]
    by: Key
    keep: Callable[[Record], bool]
    printed: tuple[str, ...] = ()


# What the tables are ------------------------------------------------------------------------------------------------


IN_MAGIC = (
    "Counted are all matches with the preset “magic” of {}: those of the suite MAgIC, of competitions of one’s own and "
    "of tables. Choose the suite to see it alone."
)


def _magic(record: Record) -> bool:
    return record.preset == "magic" and record.game in ROLES.values()


def _agents_only(record: Record) -> bool:
    return record.game == "undercover" and record.preset == "wiu" and not record.has_person


def _against(citizens: str) -> Callable[[Record], bool]:
    def keep(record: Record) -> bool:
        return record.game == "spygame" and record.labels.get("citizens", "strong") == citizens

    return keep


def _of_team(team: str) -> Key:
    def by(record: Record, seat: int) -> Hashable:
        return metrics.agent(record, seat) if record.sides.get(seat) == team else None

    return by


def _spy(record: Record, seat: int) -> Hashable:
    return metrics.agent(record, seat) if seat in record.odd else None


def _side_against(record: Record, seat: int) -> Hashable:
    """(side, who plays it here, whom the other side is played by, or "mixed")."""
    others = {metrics.agent(record, s) for s in record.numbers if record.sides[s] != record.sides[seat]}
    return record.sides[seat], metrics.agent(record, seat), others.pop() if len(others) == 1 else "mixed"


def _by_payoffs(record: Record, seat: int) -> Hashable:
    who, opened = metrics.challenger(record, seat), record.first("opened")
    if who is None or opened is None:
        return None
    payoffs = opened.data["payoffs"]
    # As figure 4b writes a setting: all defect, one alone defects, two defect.
    return who, f"{payoffs['defect']}-{payoffs['one_defect']}-{payoffs['two_defect']}"


def _by_multiplier(record: Record, seat: int) -> Hashable:
    who, opened = metrics.challenger(record, seat), record.first("opened")
    return None if who is None or opened is None else (who, f"{opened.data['multiplier']:g}")


def _leaderboard(edition: str) -> Spec:
    axes = tuple(f"magic.{axis}{form}" for axis, form in zip(AXES, EDITIONS[edition], strict=True))
    return Spec(
        f"leaderboard.{edition}",
        f"MAgIC, abilities ({edition.upper()})",
        "Challengers against a fixed defender: win rate over seven roles, seven abilities, and their radar's area.",
        IN_MAGIC.format("the five games"),
        ("magic.win_rate", *axes, f"magic.radar_area.{edition}"),
        metrics.challenger,
        _magic,
        (f"magic.{edition}",),
    )


WIU_1 = ("wiu.survival_1", "wiu.survival_2", "wiu.victory", "wiu.trust", "wiu.assessment")
WIU_2 = ("wiu.reversal", "wiu.comprehension", "wiu.concealment", "wiu.influence", "wiu.vote_success")
TEAMS = ("civilian", "undercover")
AGAINST = {
    "strong": "Counted are matches of the suite SpyGame with strong citizens, and all SpyGame outside of that suite.",
    "weak": "Counted are matches of the suite SpyGame with weak citizens.",
}

SPECS: dict[str, Spec] = {
    spec.name: spec
    for spec in (
        _leaderboard("m1"),
        _leaderboard("m2"),
        Spec(
            "roles",
            "MAgIC, roles",
            "Win rate in each of the seven roles, and how votes went.",
            IN_MAGIC.format("the five games"),
            (
                *(f"magic.win_rate.{role}" for role in ROLES),
                *(f"magic.vote_accuracy.{role}" for role in ("chameleon", "non-chameleon", "undercover", "civilian")),
            ),
            metrics.challenger,
            _magic,
            ("magic.chameleon", "magic.undercover"),
        ),
        Spec(
            "game_theory",
            "Games of points",
            "Cost Sharing, the Prisoner’s Dilemma and Public Good: how often it was won, and for how much.",
            IN_MAGIC.format("these three games"),
            (
                "magic.cooperation",
                "magic.coordination",
                "magic.cost",
                "magic.win_rate.prisoners_dilemma",
                "magic.rationality.prisoners_dilemma",
                "magic.score",
                "magic.win_rate.public_good",
                "magic.rationality.public_good",
                "magic.payback",
            ),
            metrics.challenger,
            _magic,
            ("magic.cost_sharing", "magic.prisoners_dilemma", "magic.public_good"),
        ),
        Spec(
            "tendency",
            "Defections by payoffs",
            "How often a challenger defects, by what it gets when all defect, when it does alone, and when two do.",
            IN_MAGIC.format("the Prisoner’s Dilemma"),
            ("magic.rationality.prisoners_dilemma", "magic.score"),
            _by_payoffs,
            lambda record: _magic(record) and record.game == "prisoners_dilemma",
        ),
        Spec(
            "investment",
            "Investment by multiplier",
            "How much a challenger tries to put into the pool in all, and how often that is within its points.",
            IN_MAGIC.format("Public Good"),
            ("magic.invested", "magic.within_budget", "magic.payback"),
            _by_multiplier,
            lambda record: _magic(record) and record.game == "public_good",
        ),
        *(
            Spec(
                f"wiu.{team}",
                f"Who is Undercover?, {team}s",
                f"One profile in all seats; its {team}s.",
                "Counted are all matches of Undercover with the preset “wiu” in which no person plays.",
                (*WIU_1, *WIU_2),
                _of_team(team),
                _agents_only,
                (f"wiu.{team}", f"wiu.{team}.capabilities"),
            )
            for team in TEAMS
        ),
        *(
            Spec(
                f"spygame.{citizens}",
                f"SpyGame, {citizens} citizens",
                f"The spy's side, against {citizens} citizens.",
                counts,
                (
                    "spygame.winning_rate",
                    "spygame.living_round",
                    "spygame.guess_success",
                    "spygame.information_deduction",
                    "spygame.information_catching",
                    "spygame.notice_rate",
                    "spygame.caught_rate",
                    "spygame.accusation_rate",
                    "spygame.vote_rate",
                    "spygame.vote_entropy",
                ),
                _spy,
                _against(citizens),
                (f"spygame.{citizens}",),
            )
            for citizens, counts in AGAINST.items()
        ),
        Spec(
            "recon",
            "Avalon, success by side",
            "How often each side wins, by who plays it and who plays the other one.",
            "Counted are matches of Avalon with the preset “recon” in which no person plays, as the suite ReCon has "
            "them; those with the preset “official” are not.",
            ("recon.success", "recon.role_exposure", "ours.compliance"),
            _side_against,
            lambda record: record.game == "avalon" and record.preset == "recon" and not record.has_person,
            ("recon.good", "recon.evil"),
        ),
    )
}


# Filling them -------------------------------------------------------------------------------------------------------


def tables(records: Iterable[Record], names: Iterable[str] | None = None) -> dict[str, Table]:
    """These tables, all of them if None, in one pass over the records."""
    specs = [SPECS[name] for name in (SPECS if names is None else names)]
    meters = [Meter(spec.by, spec.columns) for spec in specs]
    for record in records:
        for spec, meter in zip(specs, meters, strict=True):
            if spec.keep(record):
                meter.add(record)
    return {spec.name: _filled(spec, meter) for spec, meter in zip(specs, meters, strict=True)}


def behind(records: Iterable[Record], name: str, key: Hashable, column: str) -> Iterator[Seen]:
    """What the number in this column of this row counts, event by event. key: the row's, or the list that JSON makes
    of it."""
    spec, key = SPECS[name], tuple(key) if isinstance(key, list) else key
    return metrics.seen((record for record in records if spec.keep(record)), spec.by, key, column)


def _filled(spec: Spec, meter: Meter) -> Table:
    found = meter.measured()
    rows = [
        Row(label(key), {name: Cell.of(values[name]) for name in spec.columns}, key)
        for key, values in sorted(found.values.items(), key=lambda item: label(item[0]))
    ]
    return Table(spec, [*rows, *_printed_rows(spec)], found.records, found.left_out)


def label(key: Hashable) -> str:
    """A group in words."""
    return " · ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _printed_rows(spec: Spec) -> list[Row]:
    """The papers' rows, of several tables of one paper joined by who was measured."""
    found: dict[tuple[str, str], dict[str, Cell]] = {}
    for name in spec.printed:
        table = PUBLISHED[name]
        for who in table.rows:
            row = found.setdefault((table.paper, _printed_label(table, who)), {})
            row.update({column: _printed_cell(table, column, number) for column, number in table.of(who).items()})
    return [
        Row(who, {name: row.get(name) or _printed_area(name, row) for name in spec.columns}, source=paper)
        for (paper, who), row in found.items()
    ]


def _printed_label(table: Printed, who: str) -> str:
    side = table.name.removeprefix("recon.")
    return f"{side} · {who}" if side in ("good", "evil") else who


def _printed_cell(table: Printed, column: str, number: float | None) -> Cell:
    percent = number is not None and table.unit == "%" and METRICS[column].unit == "share"
    return Cell(number / 100 if percent else number)


def _printed_area(name: str, row: Mapping[str, Cell]) -> Cell:
    """The radar's area out of the printed abilities; no other column is worked out for a paper."""
    if not name.startswith("magic.radar_area."):
        return Cell(None)
    metric: Any = METRICS[name]
    values = [row[part].value for part in metric.parts]
    return Cell(None if None in values else metric.combine(values))


def safe_cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
