"""The papers' tables as rows from records: who is measured, by which columns, beside what the paper prints.

A table is declared once (`SPECS`), and `tables` fills any number of them in one pass. Everything is pure: pages draw,
cache and filter.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation import metrics
from evaluation.metrics import METRICS, Metric
from evaluation.metrics.base import Key
from evaluation.metrics.magic import AXES, EDITIONS, ROLES
from evaluation.metrics.measuring import Meter, Seen, hashable
from evaluation.records.record import Record
from evaluation.tables.conditions import ByRow
from evaluation.tables.rows import Cell, Memo, Row, printed_rows
from games.rules.sentences import declared


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
            "rows": [row.plain for row in self.rows],
            "records": self.records,
            "left_out": self.left_out,
        }

    def csv(self) -> str:
        """One line a row, six columns a metric: value, interval, n, matches, and the matches of its least part.
        Printed rows name their paper and what to know before comparing; others whom they were played against and in
        how many settings."""
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        parts = ("", "low", "high", "n", "matches", "least matches")
        heads = [f"{name} {part}".strip() for name in self.spec.columns for part in parts]
        lines.writerow(["who", "source", *heads, "against", "settings", "matches left out", "notes"])
        for row in self.rows:
            values: list[Any] = []
            for name in self.spec.columns:
                cell = row.cells[name]
                values += [cell.value, *(cell.interval or (None, None)), cell.n, cell.matches, cell.least_matches]
            played = row.conditions
            values += [safe_cell(", ".join(played.get("against", ()))), played.get("settings"), played.get("left_out")]
            values.append(" ".join(row.notes))
            lines.writerow([safe_cell(row.label), row.source, *("" if value is None else value for value in values)])
        return text.getvalue()


@dataclass(frozen=True)
class Spec:
    """What a table is. counts: which matches go in, in a sentence, as `keep` says; measured: its columns, beside which
    stands who made the moves; by: who its rows are; printed: the papers' tables that are shown beside it; totals: a row
    more has all of them together."""

    name: str
    title: str
    about: str
    counts: str
    measured: tuple[str, ...]
    by: Key
    keep: Callable[[Record], bool]
    printed: tuple[str, ...] = ()
    totals: bool = False

    def __post_init__(self) -> None:
        for name in ("title", "about", "counts"):
            object.__setattr__(self, name, declared(getattr(self, name)))

    def together(self, record: Record, seat: int) -> Hashable:
        """The one group of all rows."""
        return None if self.by(record, seat) is None else TOTAL

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns."""
        return (*self.measured, *WHO_MOVED)

    @property
    def played_as(self) -> tuple[str, ...]:
        """The names of the games in which something of it can be counted."""
        return tuple({game: None for name in self.measured for game in METRICS[name].played_as})


# What the tables are ------------------------------------------------------------------------------------------------


WHO_MOVED = ("ours.own_moves", "ours.unusable")
"""In every table: how much of the play is the player's own, and how much of that were replies of no use."""

TOTAL = "Total"
"""The key and label of the row that has all others together."""

IN_MAGIC = (
    "Counted are all matches with the preset “magic” or “magic_m1” of {}: those of the suites MAgIC, of competitions "
    "of one’s own and of tables. Choose a suite to see it alone."
)


def _magic(record: Record) -> bool:
    return record.preset in ("magic", "magic_m1") and record.family in ROLES.values()


def _agents_only(record: Record) -> bool:
    return record.family == "undercover" and record.preset == "wiu" and not record.has_person


def _against(citizens: str) -> Callable[[Record], bool]:
    def keep(record: Record) -> bool:
        return record.family == "spygame" and record.labels.get("citizens", "strong") == citizens

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


def _part(record: Record, seat: int) -> Hashable:
    """(part of the word network, team, who plays)."""
    part, team = record.labels.get("part") or record.setting.get("part"), record.sides.get(seat)
    return (part, team, metrics.agent(record, seat)) if part and team in TEAMS else None


def _team(record: Record, seat: int) -> Hashable:
    team = record.sides.get(seat)
    return (team, metrics.agent(record, seat)) if team in TEAMS else None


def _citizens(record: Record, seat: int) -> Hashable:
    return record.labels.get("citizens")


def _role(record: Record, seat: int) -> Hashable:
    """(role, side where that is another word, who plays), of models alone."""
    if not any(note.model for note in record.notes_of(seat)):
        return None
    parts = dict.fromkeys((record.roles.get(seat, ""), record.rules.one_of(record.sides.get(seat, ""))))
    return (*parts, metrics.agent(record, seat))


def _game_and_role(record: Record, seat: int) -> Hashable:
    """(game as people call it, role where there are some, who plays)."""
    role = record.roles.get(seat, "")
    parts = (record.rules.title,) if role == record.rules.family else (record.rules.title, role)
    return (*parts, metrics.agent(record, seat))


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
    "strong": (
        "This table counts matches of the suite SpyGame with strong citizens, and all matches of SpyGame "
        "outside of that suite."
    ),
    "weak": "This table counts matches of the suite SpyGame with weak citizens.",
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
            "How often a challenger defects, by its points when all defect, when it alone defects, and when "
            "two defect.",
            IN_MAGIC.format("the Prisoner’s Dilemma"),
            ("magic.rationality.prisoners_dilemma", "magic.score"),
            _by_payoffs,
            lambda record: _magic(record) and record.family == "prisoners_dilemma",
        ),
        Spec(
            "investment",
            "Investment by multiplier",
            "How much a challenger tries to put into the pool, and how often it has enough points for that.",
            IN_MAGIC.format("Public Good"),
            ("magic.invested", "magic.within_budget", "magic.payback"),
            _by_multiplier,
            lambda record: _magic(record) and record.family == "public_good",
        ),
        *(
            Spec(
                f"wiu.{team}",
                f"Who is Undercover?, {team}s",
                f"One profile plays all seats; this table counts its {team}s.",
                "This table counts all matches of Undercover with the preset “wiu” in which no person plays.",
                (*WIU_1, *WIU_2),
                _of_team(team),
                _agents_only,
                (f"wiu.{team}", f"wiu.{team}.capabilities"),
            )
            for team in TEAMS
        ),
        Spec(
            "wiu.parts",
            "Who is Undercover?, by part of the word network",
            "How each team does with similar words, different words, words with several meanings, and words "
            "of one field.",
            "Counted are matches of Undercover with the preset “wiu” whose words come from a part of the word network, "
            "and in which no person plays.",
            (*WIU_1, *WIU_2),
            _part,
            _agents_only,
        ),
        Spec(
            "wiu.tactics",
            "Who is Undercover?, tactics",
            "How often a player names the other word in its thoughts, and votes for somebody it takes for a teammate.",
            "This table counts all matches of Undercover with the preset “wiu” in which no person plays.",
            ("wiu.guesses_word", "wiu.teammate_vote"),
            _team,
            _agents_only,
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
                    "spygame.exposure.people",
                    "spygame.notice_rate",
                    "spygame.caught_rate",
                    "spygame.accusation_rate",
                    "spygame.vote_rate",
                    "spygame.vote_entropy",
                ),
                _spy,
                _against(citizens),
                (f"spygame.{citizens}",),
                totals=True,
            )
            for citizens, counts in AGAINST.items()
        ),
        Spec(
            "spygame.logs",
            "SpyGame, how matches went",
            "Turns, calls of models, utterances and their length on average, over all players.",
            "This table counts matches of the suite SpyGame.",
            ("spygame.living_round", "spygame.steps", "spygame.utterances", "spygame.words"),
            _citizens,
            lambda record: record.family == "spygame",
            ("spygame.logs",),
            totals=True,
        ),
        Spec(
            "recon",
            "Avalon, success by side",
            "How often each side wins, by who plays it and who plays the other one.",
            "Counted are matches of Avalon with the preset “recon” in which no person plays, as the suite ReCon has "
            "them; those with the preset “official” are not.",
            ("recon.success", "recon.role_exposure", "recon.role_exposure.people", "ours.compliance"),
            _side_against,
            lambda record: record.family == "avalon" and record.preset == "recon" and not record.has_person,
            ("recon.good", "recon.evil"),
        ),
        Spec(
            "wins",
            "Every game, by role",
            "How often each wins in each game, by role.",
            "This table counts all matches of every game.",
            ("ours.wins",),
            _game_and_role,
            lambda record: True,
        ),
        Spec(
            "refusals",
            "Refusals by role and side",
            "How often a model refuses to play: its API withholds the answer, or its first words refuse.",
            "This table counts all matches of every game in which a model plays.",
            ("ours.refusals", "ours.compliance"),
            _role,
            lambda record: any(note.model for note in record.notes),
        ),
    )
}


# Filling them -------------------------------------------------------------------------------------------------------


class Filling:
    """A table that is filled match by match."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.counted = [(Meter(by, spec.columns), ByRow(by)) for by in _keys(spec)]
        self._rows: dict[tuple[int, Hashable], Row] = {}
        self._cells = Memo()

    def of(self, record: Record) -> list[tuple[Any, Any]] | None:
        """What a match gives to each kind of rows, as plain values; None if it is none of the table's."""
        if self.spec.keep(record):
            return [(meter.of(record), conditions.of(record)) for meter, conditions in self.counted]
        return None

    def merge(self, given: Iterable[tuple[Any, Any]]) -> None:
        """Take in what a match gives."""
        for k, ((meter, conditions), (sums, told)) in enumerate(zip(self.counted, given, strict=True)):
            meter.merge(sums)
            conditions.merge(told)
            for key, _ in told:
                self._rows.pop((k, hashable(key)), None)

    def table(self) -> Table:
        """The table so far, its rows beside the printed ones."""
        rows = []
        for k, (meter, _) in enumerate(self.counted):
            keys = sorted(meter.numbers.groups, key=lambda key: (label(key), repr(key)))
            rows += [self._rows.get((k, key)) or self._rows.setdefault((k, key), self._row(k, key)) for key in keys]
        meter, printed = self.counted[0][0], printed_rows(self.spec.printed, self.spec.columns)
        return Table(self.spec, [*rows, *printed], meter.records, meter.left_out)

    def _row(self, k: int, key: Hashable) -> Row:
        meter, conditions = self.counted[k]
        cells = {}
        for name in self.spec.columns:
            value = meter.numbers.value(key, name)
            cells[name] = self._cells.of((k, key, name), (value,), Cell.of)
        return Row(label(key), cells, key, conditions=conditions.found[key].to_json())


def tables(records: Iterable[Record], names: Iterable[str] | None = None) -> dict[str, Table]:
    """These tables, all of them if None, in one pass over the records."""
    found = [Filling(SPECS[name]) for name in (SPECS if names is None else names)]
    for record in records:
        for filling in found:
            if given := filling.of(record):
                filling.merge(given)
    return {filling.spec.name: filling.table() for filling in found}


def _keys(spec: Spec) -> list[Key]:
    """The groups of its rows: each by itself, and all together."""
    return [spec.by, *([spec.together] if spec.totals else [])]


def behind(records: Iterable[Record], name: str, key: Hashable, column: str) -> Iterator[Seen]:
    """What the number in this column of this row counts, event by event. key: the row's, or the list that JSON makes
    of it."""
    spec, key = SPECS[name], tuple(key) if isinstance(key, list) else key
    by = spec.together if spec.totals and key == TOTAL else spec.by
    return metrics.seen((record for record in records if spec.keep(record)), by, key, column)


def label(key: Hashable) -> str:
    """A group in words."""
    return " · ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def safe_cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula: one that begins like one has an apostrophe before it. So has one
    that begins with an apostrophe; take one away, and each is as it was."""
    return f"'{text}" if text[:1] in RISKY else text


RISKY = frozenset("=+-@\t\r'")
