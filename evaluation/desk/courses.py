"""How a seat's beliefs went through a match: beside the truth, and beside exact reasoning where a game has it."""

from __future__ import annotations

from typing import NamedTuple

from evaluation.metrics.beliefs import about_sought, exact, log_loss, suspicions, uniform
from evaluation.records.record import Record


class Moment(NamedTuple):
    """What was believed at one step: how probable each other seat is one of the sought. at: the event that it stood at;
    loss: its mean log loss, in nats; the same of exact reasoning, without which both are empty, and of a guess that
    knows only how many are sought."""

    at: int
    believed: dict[int, float]
    exact: dict[int, float]
    loss: float
    exact_loss: float | None
    even_loss: float


class Course(NamedTuple):
    """A seat's beliefs from step to step. sought: the seats that really are."""

    seat: int
    subjects: list[int]
    sought: frozenset[int]
    moments: list[Moment]


def courses(record: Record) -> list[Course]:
    """Of each seat that believed something of who is sought."""
    if not record.rules.sought:
        return []
    return [found for seat in record.numbers if (found := course(record, seat)).moments]


def course(record: Record, seat: int) -> Course:
    """What one seat believed."""
    moments = [_moment(record, seat, note) for note in about_sought(record, seat)]
    subjects = sorted({subject for moment in moments for subject in moment.believed})
    return Course(seat, subjects, record.odd, sorted(moments))


def _moment(record: Record, seat: int, note) -> Moment:
    believed, reasoned = suspicions(note.beliefs), exact(record, note)
    even = dict.fromkeys(believed, uniform(record, seat, {record.rules.sought}))

    def loss(held: dict[int, float]) -> float:
        return sum(log_loss(held[subject], subject in record.odd) for subject in believed) / len(believed)

    return Moment(note.at, believed, reasoned, loss(believed), loss(reasoned) if reasoned else None, loss(even))
