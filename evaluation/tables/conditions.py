"""Under which conditions a row of a table was played, and why it may not be set beside what a paper prints."""

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from evaluation.metrics.base import Key
from evaluation.metrics.measuring import hashable
from evaluation.records.record import Record
from evaluation.tables.published import Protocol

SUITE, AGAINST, FEWER = "suite", "against", "fewer"
"""Why a comparison does not hold: other matches than the paper's, another opponent, fewer matches."""


class Called:
    """What APIs called the models of agents; a stage of an agent has one model."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], set[str]] = {}

    @staticmethod
    def of(record: Record, seats: Collection[int]) -> list[tuple[str, str, str]]:
        """What a match tells of these seats: agent, stage, name."""
        named = (note for note in record.notes if note.model and note.seat in seats)
        return sorted({(record.player(note.seat).agent or "", note.stage, note.model) for note in named})

    def merge(self, given: Iterable[Sequence[str]]) -> None:
        """Take in what a match tells."""
        for agent, stage, name in given:
            self._names.setdefault((agent, stage), set()).add(name)

    @property
    def mixed(self) -> dict[str, list[str]]:
        """By agent the names of its model, where there are several."""
        found: dict[str, set[str]] = {}
        for (agent, _stage), names in self._names.items():
            if len(names) > 1:
                found.setdefault(agent, set()).update(names)
        return {agent: sorted(found[agent]) for agent in sorted(found)}


@dataclass
class Conditions:
    """What a row was played under. matches: from how many; of_suite: how many of these were planned by each suite;
    models: with which models, as their APIs call them; called: whether an API gave a model several names; against: by
    whom the other seats were played (a profile, or people); against_models: with which models these played, "" for
    one without; settings: the different ones; left_out: in how many others moved for the row's seats."""

    matches: int = 0
    of_suite: Counter[str] = field(default_factory=Counter)
    models: set[str] = field(default_factory=set)
    against: set[str] = field(default_factory=set)
    against_models: set[str] = field(default_factory=set)
    settings: set[str] = field(default_factory=set)
    left_out: int = 0
    called: Called = field(default_factory=Called)

    @staticmethod
    def of(record: Record, seats: set[int]) -> dict[str, Any]:
        """What a match tells in which these seats are the row's."""
        others = set(record.numbers) - seats
        models = {note.seat: note.model for note in record.notes if note.model}
        return {
            "suite": record.labels.get("suite", ""),
            "models": sorted({models[seat] for seat in seats if seat in models}),
            "against": sorted({record.player(seat).agent or record.player(seat).kind for seat in others}),
            "against_models": sorted({models.get(seat, "") for seat in others}),
            "setting": short((record.game, record.labels.get("setting") or record.dealt_from)),
            "left_out": not all(map(record.counts, seats)),
            "called": Called.of(record, seats),
        }

    def merge(self, given: Mapping[str, Any]) -> None:
        """Take in what a match tells."""
        self.matches += 1
        self.of_suite[given["suite"]] += 1
        self.models.update(given["models"])
        self.against.update(given["against"])
        self.against_models.update(given["against_models"])
        self.settings.add(given["setting"])
        self.left_out += given["left_out"]
        self.called.merge(given["called"])

    def to_json(self) -> dict[str, Any]:
        """Plain values, for a cache."""
        return {
            "matches": self.matches,
            "of_suite": dict(self.of_suite),
            "models": sorted(self.models),
            "mixed": self.called.mixed,
            "against": sorted(self.against),
            "against_models": sorted(self.against_models),
            "settings": len(self.settings),
            "left_out": self.left_out,
        }


def short(key: Hashable) -> str:
    """A long key, such as all that was dealt, in a few letters: the same for the same."""
    return blake2b(repr(key).encode(), digest_size=9).hexdigest()


class ByRow:
    """The conditions of a table's rows."""

    def __init__(self, by: Key) -> None:
        self.by = by
        self.found: dict[Hashable, Conditions] = {}

    def of(self, record: Record) -> list[tuple[Hashable, dict[str, Any]]]:
        """What a match of the table tells, row by row."""
        seats: dict[Hashable, set[int]] = {}
        for seat in record.numbers:
            key = self.by(record, seat)
            if key is not None:
                seats.setdefault(key, set()).add(seat)
        return [(key, Conditions.of(record, own)) for key, own in seats.items()]

    def merge(self, given: Iterable[tuple[Any, Mapping[str, Any]]]) -> None:
        """Take in what a match tells."""
        for key, told in given:
            self.found.setdefault(hashable(key), Conditions()).merge(told)


def objections(protocol: Protocol, played: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Why a row (its conditions, as plain values) is not to be compared with the paper's: a reason and its figures
    each; none where it may be."""
    found: list[tuple[str, dict[str, Any]]] = []
    matches = played["matches"]
    apart = matches - sum(played["of_suite"].get(suite, 0) for suite in (protocol.suite, *protocol.editions))
    if apart:
        found.append((SUITE, {"n": apart, "of": matches, "suite": protocol.suite}))
    if protocol.models and not (
        played["against_models"] and all(re.fullmatch(protocol.models, name) for name in played["against_models"])
    ):
        found.append((AGAINST, {"theirs": protocol.against, "ours": played["against"]}))
    if protocol.matches and matches < protocol.matches:
        found.append((FEWER, {"n": matches, "of": protocol.matches}))
    return found
