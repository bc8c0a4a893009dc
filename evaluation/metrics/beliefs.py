"""How good beliefs are: each matrix that a thought holds, against what everybody is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from agents.house.avalon_position import Position
from agents.house.avalon_posterior import Posterior
from evaluation.metrics.base import OURS, Combined, Counted, Key, register
from evaluation.metrics.values import Item, Mean, Ratio
from evaluation.records import Note, Record, kept
from games.rules import RULES, core

HIDDEN = ("undercover", "chameleon", "avalon", "spygame")
CLIP = 1e-4
"""Probabilities are kept this far from 0 and 1 before a logarithm is taken."""


class Believed(NamedTuple):
    """One number of a belief matrix beside the truth. seq: the event that the belief stood at: the last one before the
    request that it was formed for; p: how probable the owner held it that `subject` is a suspect."""

    seq: int
    subject: int
    p: float
    truth: bool


@kept
def beliefs(record: Record, seat: int) -> list[Believed]:
    """What a seat believed of all others whenever it was asked: of several matrices for one request the last. Left out
    are matrices about what nobody is (such as a move to come) and labels that the record does not know."""
    return [
        Believed(note.at, subject, p, _is_one_of(record, subject, note.beliefs["suspects"]))
        for note in matrices(record, seat)
        for subject, p in sorted(suspicions(note.beliefs).items())
    ]


@kept
def matrices(record: Record, seat: int) -> list[Note]:
    """The last matrix for each request of a seat, those whose suspects somebody at the table is."""
    last: dict[str, Note] = {}
    for note in record.notes:
        if note.seat == seat and note.beliefs and str(seat) in note.beliefs["rows"]:
            last[note.request] = note
    return [
        note
        for note in last.values()
        if any(_is_one_of(record, other, note.beliefs["suspects"]) for other in record.numbers)
    ]


def suspicions(matrix: Mapping[str, Any]) -> dict[int, float]:
    """The owner's own row: by each other seat the probability of being a suspect."""
    owner, labels = matrix["owner"], list(matrix["labels"])
    chosen = [labels.index(label) for label in matrix["suspects"]]
    row = matrix["rows"][str(owner)]
    return {int(seat): math.fsum(cell[k] for k in chosen) for seat, cell in row.items() if int(seat) != owner}


def _is_one_of(record: Record, seat: int, labels: Iterable[str]) -> bool:
    return record.roles.get(seat) in labels or record.sides.get(seat) in labels


def log_loss(p: float, truth: bool) -> float:
    """-log of what was given to the truth, in nats, clipped at `CLIP`."""
    return -math.log(min(max(p if truth else 1 - p, CLIP), 1))


def brier(p: float, truth: bool) -> float:
    """The squared distance of a probability from the truth."""
    return (p - truth) ** 2


def _scored(score: Callable[[float, bool], float]) -> Callable[[Record, int], Iterator[Item]]:
    def items(record: Record, seat: int) -> Iterator[Item]:
        for believed in beliefs(record, seat):
            yield Item(believed.seq, score(believed.p, believed.truth))

    return items


def uniform(record: Record, seat: int, suspects: Iterable[str]) -> float:
    """What one who knows the numbers only holds each other seat for."""
    found = [_is_one_of(record, other, suspects) for other in record.others(seat)]
    return sum(found) / len(found)


def _uniform_loss(record: Record, seat: int) -> Iterator[Item]:
    for note in matrices(record, seat):
        suspects = note.beliefs["suspects"]
        guess = uniform(record, seat, suspects)
        for subject in sorted(suspicions(note.beliefs)):
            yield Item(note.at, log_loss(guess, _is_one_of(record, subject, suspects)))


for _name, _title, _about, _items in (
    (
        "log_loss",
        "Belief, log loss",
        "Mean log loss, in nats, of what was believed of each other seat, against what it is.",
        _scored(log_loss),
    ),
    (
        "brier",
        "Belief, Brier score",
        "Mean squared distance of what was believed of each other seat from what it is.",
        _scored(brier),
    ),
    (
        "log_loss.uniform",
        "Log loss of an even guess",
        "Mean log loss at the same moments of a guess that knows only how many there are.",
        _uniform_loss,
    ),
):
    register(Counted(f"ours.{_name}", _title, _about, OURS, HIDDEN, unit="", lower=True, items=_items, sums=Mean))


# Skill: beside what a perfect reasoner could know, in Avalon ---------------------------------------------------------


def _about_evil(record: Record, seat: int) -> list[Note]:
    """The matrices that say of everybody how probably it is evil."""
    evil = [role for role, side in zip(record.roles.values(), record.sides.values(), strict=True) if side == "evil"]
    return [
        note
        for note in matrices(record, seat)
        if "evil" in note.beliefs["suspects"] or set(evil) <= set(note.beliefs["suspects"])
    ]


def _in_avalon(believed: Callable[[Record, Note], Callable[[int], float]]) -> Callable[[Record, int], Iterator[Item]]:
    """The log loss of P(evil) about each other seat, by whoever believes something at the moment of a thought."""

    def items(record: Record, seat: int) -> Iterator[Item]:
        for note in _about_evil(record, seat):
            p = believed(record, note)
            for subject in sorted(suspicions(note.beliefs)):
                yield Item(note.at, log_loss(p(subject), record.sides[subject] == "evil"))

    return items


def _own(record: Record, note: Note) -> Callable[[int], float]:
    return suspicions(note.beliefs).__getitem__


def _even(record: Record, note: Note) -> Callable[[int], float]:
    evil = sum(record.sides[other] == "evil" for other in record.others(note.seat))
    return lambda subject: evil / (len(record.seats) - 1)


def _position(record: Record, note: Note) -> Position:
    names = {player.seat: player.name for player in record.seats}
    return Position.of(note.seat, core.visible(RULES["avalon"], record.events, note.seat, note.at), names)


def _posterior(record: Record, note: Note) -> Callable[[int], float]:
    evil = _position(record, note).mind.evil()
    return lambda subject: float(evil[subject - 1])


def _logic(record: Record, note: Note) -> Callable[[int], float]:
    position = _position(record, note)
    evil = Posterior(position.record, position.mind.knowledge).evil()
    return lambda subject: float(evil[subject - 1])


for _name, _title, _who, _believed in (
    ("avalon", "Log loss in Avalon", "the own beliefs about who is evil", _own),
    ("avalon.uniform", "Log loss of an even guess in Avalon", "a guess that knows only how many are evil", _even),
    ("avalon.posterior", "Log loss of the posterior", "the posterior with the fitted behaviour of people", _posterior),
    ("avalon.logic", "Log loss of logic alone", "the posterior that knows the rules and no habits", _logic),
):
    register(
        Counted(
            f"ours.log_loss.{_name}",
            _title,
            f"Mean log loss, in nats, of {_who}, at each thought with beliefs.",
            OURS,
            ("avalon",),
            unit="nats",
            lower=True,
            heavy=True,
            items=_in_avalon(_believed),
            sums=Mean,
        )
    )


def skill(values: Sequence[float | None]) -> float | None:
    """(uniform loss - loss) / (uniform loss - reference loss): 0 is an even guess, 1 the reference."""
    even, loss, reference = values
    return (even - loss) / (even - reference) if even != reference else None


for _suffix, _reference in (("", "posterior"), (".logic", "logic")):
    register(
        Combined(
            f"ours.skill{_suffix}",
            f"Skill beside the {_reference}",
            "(Loss of an even guess - loss) / (loss of an even guess - loss of the reference).",
            OURS,
            ("avalon",),
            unit="",
            heavy=True,
            parts=("ours.log_loss.avalon.uniform", "ours.log_loss.avalon", f"ours.log_loss.avalon.{_reference}"),
            combine=skill,
        )
    )


class Bin(NamedTuple):
    """One bar of a calibration curve: beliefs between low and high, what was believed on average, how often it was
    true. Without beliefs both are None."""

    low: float
    high: float
    n: int
    believed: float | None
    true: Ratio


def calibration(records: Iterable[Record], by: Key, bins: int = 10) -> dict[Any, list[Bin]]:
    """By group how often what was believed with some probability is true."""
    sums: dict[Any, list[tuple[Mean, Ratio]]] = {}
    for record in records:
        for seat in record.numbers:
            if (group := by(record, seat)) is None:
                continue
            rows = sums.setdefault(group, [(Mean(), Ratio()) for _ in range(bins)])
            for believed in beliefs(record, seat):
                mean, ratio = rows[min(int(believed.p * bins), bins - 1)]
                mean.count(record.id, believed.p, 1)
                ratio.count(record.id, float(believed.truth), 1)
    return {
        group: [Bin(k / bins, (k + 1) / bins, mean.n, mean.value, ratio) for k, (mean, ratio) in enumerate(rows)]
        for group, rows in sums.items()
    }
