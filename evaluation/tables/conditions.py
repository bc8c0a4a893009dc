"""Under which conditions a row of a table was played, and why it may not be set beside what a paper prints."""

import re
from collections import Counter
from collections.abc import Collection, Hashable
from dataclasses import dataclass, field
from typing import Any

from evaluation.metrics.base import Key
from evaluation.records.record import Record
from evaluation.tables.published import Protocol

SUITE, AGAINST, FEWER = "suite", "against", "fewer"
"""Why a comparison does not hold: other matches than the paper's, another opponent, fewer matches."""


class Called:
    """What APIs called the models of agents; a stage of an agent has one model."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], set[str]] = {}

    def add(self, record: Record, seats: Collection[int]) -> None:
        """Take in these seats of a match."""
        for note in record.notes:
            if note.model and note.seat in seats:
                self._names.setdefault((record.player(note.seat).agent or "", note.stage), set()).add(note.model)

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
    models: with which models, as their APIs call them; called: whether an API gave a model several names; against: in
    how many each profile (or people) sat at the other seats; against_models: with which models these played, "" for one
    without; settings: how many different ones; left_out: in how many others moved for the row's seats."""

    matches: int = 0
    of_suite: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    against: Counter[str] = field(default_factory=Counter)
    against_models: Counter[str] = field(default_factory=Counter)
    settings: int = 0
    left_out: int = 0
    _settings: set[Hashable] = field(default_factory=set, repr=False)
    called: Called = field(default_factory=Called, repr=False)

    def add(self, record: Record, seats: set[int]) -> None:
        """Take in a match in which these seats are the row's."""
        others = set(record.numbers) - seats
        names = {seat: record.player(seat).agent or record.player(seat).kind for seat in record.numbers}
        models = {note.seat: note.model for note in record.notes if note.model}
        self.matches += 1
        self.of_suite[record.labels.get("suite", "")] += 1
        self.against.update({names[seat] for seat in others})
        self.models.update({models[seat] for seat in seats if seat in models})
        self.against_models.update({models.get(seat, "") for seat in others})
        self.called.add(record, seats)
        self._settings.add((record.game, record.labels.get("setting") or record.deal))
        self.settings = len(self._settings)
        self.left_out += not all(map(record.counts, seats))

    def to_json(self) -> dict[str, Any]:
        """Plain values, for a cache."""
        return {
            "matches": self.matches,
            "of_suite": dict(self.of_suite),
            "models": sorted(self.models),
            "mixed": self.called.mixed,
            "against": sorted(self.against),
            "against_models": sorted(self.against_models),
            "settings": self.settings,
            "left_out": self.left_out,
        }


class ByRow:
    """The conditions of a table's rows."""

    def __init__(self, by: Key) -> None:
        self.by = by
        self.found: dict[Hashable, Conditions] = {}

    def add(self, record: Record) -> None:
        """Take in a match of the table."""
        seats: dict[Hashable, set[int]] = {}
        for seat in record.numbers:
            key = self.by(record, seat)
            if key is not None:
                seats.setdefault(key, set()).add(seat)
        for key, own in seats.items():
            self.found.setdefault(key, Conditions()).add(record, own)


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
