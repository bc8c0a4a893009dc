"""Belief matrices: who thinks that who is what.

One type serves every method and every house agent. A matrix belongs to one seat, its owner. The owner's own row is
the first hop ("what I believe"); the other rows are the second hop ("what I think each of them believes"). It is kept
as plain JSON in a thought, drawn as a heat map, and read by the polls and the metrics.

Probability is shared out in one of two ways:

- ``labels``: each cell is a distribution over labels, so the numbers of a cell sum to 1. Avalon: sides or roles.
- ``subjects``: one label, and each row is a distribution over subjects, so the numbers of a row sum to 1. The matrix
  of probabilistic graphical modelling (MAgIC, arXiv 2311.08562, section 4): who is the odd one?
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Row = Mapping[int, Sequence[float]]

LABELS = "labels"
SUBJECTS = "subjects"
_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Beliefs:
    """What ``owner`` believes, and what it thinks that others believe.

    ``rows[viewer][subject][i]`` is the probability, as the owner sees the viewer's mind, that the subject is
    ``labels[i]``. A viewer or subject that is not listed is one of whom nothing is thought. ``suspects`` are the labels
    that count as suspicion (``("evil",)``, the evil roles, ``("undercover",)``).

    Raises ValueError when a number is not a probability or when the shares do not sum to 1.
    """

    owner: int
    labels: tuple[str, ...]
    suspects: tuple[str, ...]
    rows: Mapping[int, Row]
    shared: str = LABELS

    def __post_init__(self) -> None:
        if self.shared not in (LABELS, SUBJECTS):
            raise ValueError(f"Probability is shared over labels or subjects, not over {self.shared!r}.")
        if self.shared == SUBJECTS and len(self.labels) != 1:
            raise ValueError("A matrix shared over subjects has exactly one label.")
        if not set(self.suspects) <= set(self.labels):
            raise ValueError("Each suspect label must be one of the labels.")
        for viewer, row in self.rows.items():
            for numbers in _distributions(row, self.shared):
                if any(not 0 <= number <= 1 + _TOLERANCE for number in numbers) or not _sums_to_one(numbers):
                    raise ValueError(f"The beliefs of seat {viewer} are not probabilities that sum to 1.")
            if any(len(cell) != len(self.labels) for cell in row.values()):
                raise ValueError(f"The beliefs of seat {viewer} need one number for each label.")

    @classmethod
    def normalised(
        cls,
        owner: int,
        labels: Sequence[str],
        suspects: Sequence[str],
        rows: Mapping[int, Row],
        shared: str = LABELS,
    ) -> Beliefs:
        """The matrix in proportion to any weights that are not negative; a share of nothing becomes an even one."""
        scaled = {}
        for viewer, row in rows.items():
            if shared == LABELS:
                scaled[viewer] = {subject: _share(cell) for subject, cell in row.items()}
            else:
                shares = _share([cell[0] for cell in row.values()])
                scaled[viewer] = {subject: (share,) for subject, share in zip(row, shares, strict=True)}
        return cls(owner, tuple(labels), tuple(suspects), scaled, shared)

    @property
    def own(self) -> Row:
        """The first hop: what the owner itself believes of each subject."""
        return self.rows[self.owner]

    def probability(self, subject: int, label: str, viewer: int | None = None) -> float:
        """How probable it is that ``subject`` is ``label``, to ``viewer`` (left out: to the owner)."""
        row = self.rows[self.owner if viewer is None else viewer]
        return row[subject][self.labels.index(label)]

    def suspicion(self, subject: int, viewer: int | None = None) -> float:
        """The probability that ``subject`` is any of the suspect labels."""
        return math.fsum(self.probability(subject, label, viewer) for label in self.suspects)

    def ranked(self, viewer: int | None = None, among: Iterable[int] | None = None) -> list[int]:
        """Subjects from the most to the least suspected; of equals the lower seat first."""
        row = self.rows[self.owner if viewer is None else viewer]
        subjects = row if among is None else [subject for subject in among if subject in row]
        return sorted(subjects, key=lambda subject: (-self.suspicion(subject, viewer), subject))

    def standout(self, viewer: int | None = None, among: Iterable[int] | None = None) -> int | None:
        """The subject that is suspected more than any other; None where several are level or nobody is listed."""
        top = self.top(viewer, among)
        return top[0] if len(top) == 1 else None

    def top(self, viewer: int | None = None, among: Iterable[int] | None = None) -> list[int]:
        """The most suspected subjects, several where they are level."""
        return highest({subject: self.suspicion(subject, viewer) for subject in self.ranked(viewer, among)})

    def table(self) -> list[dict]:
        """Rows for a heat map, the owner's first, each with a cell a subject (None where nothing is thought).

        A cell is ``{"subject", "suspicion", "labels": {label: probability}}``.
        """
        subjects = sorted({subject for row in self.rows.values() for subject in row})
        viewers = sorted(self.rows, key=lambda viewer: (viewer != self.owner, viewer))
        return [
            {
                "viewer": viewer,
                "own": viewer == self.owner,
                "cells": [self._cell(viewer, subject) for subject in subjects],
            }
            for viewer in viewers
        ]

    def _cell(self, viewer: int, subject: int) -> dict | None:
        if subject not in self.rows[viewer]:
            return None
        chances = dict(zip(self.labels, self.rows[viewer][subject], strict=True))
        return {"subject": subject, "suspicion": self.suspicion(subject, viewer), "labels": chances}

    def to_json(self, digits: int = 4) -> dict:
        """Plain JSON, with seats as strings and numbers rounded; ``from_json`` reads it back."""
        return {
            "owner": self.owner,
            "labels": list(self.labels),
            "suspects": list(self.suspects),
            "shared": self.shared,
            "rows": {
                str(viewer): {str(subject): [round(number, digits) for number in cell] for subject, cell in row.items()}
                for viewer, row in self.rows.items()
            },
        }

    @classmethod
    def from_json(cls, data: Mapping) -> Beliefs:
        """The matrix that ``to_json`` wrote; what rounding took from the sums is given back."""
        rows = {
            int(viewer): {int(subject): cell for subject, cell in row.items()} for viewer, row in data["rows"].items()
        }
        return cls.normalised(data["owner"], data["labels"], data["suspects"], rows, data["shared"])


def highest(chances: Mapping[int, float]) -> list[int]:
    """The seats with the highest chance, several where they are level."""
    most = max(chances.values(), default=0.0)
    return [seat for seat, chance in chances.items() if most - chance <= _TOLERANCE]


def _distributions(row: Row, shared: str) -> list[Sequence[float]]:
    if shared == LABELS:
        return list(row.values())
    return [[number for cell in row.values() for number in cell]] if row else []


def _sums_to_one(numbers: Sequence[float]) -> bool:
    return abs(math.fsum(numbers) - 1) <= _TOLERANCE


def _share(weights: Sequence[float]) -> tuple[float, ...]:
    if any(not (weight >= 0 and math.isfinite(weight)) for weight in weights):
        raise ValueError("A weight must be a number that is not negative.")
    total = math.fsum(weights)
    if total == 0:
        return tuple(1 / len(weights) for _ in weights)
    return tuple(weight / total for weight in weights)
