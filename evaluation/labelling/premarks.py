"""What a rule says of items before people do."""

from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any
from uuid import UUID

from evaluation.counting.stored import records
from evaluation.records.exposure import LABELS, place_exposures, role_exposures
from evaluation.records.record import Record
from games.models import Match

Marks = dict[tuple[UUID, int], list[str]]
"""The labels of events: {(match, seq): names}."""


def exposures(record: Record) -> dict[int, list[str]]:
    """What players let out, by the rule that metrics use, whatever people said of it before."""
    record = replace(record, exposed={})
    found: dict[int, list[str]] = defaultdict(list)
    for exposure in (*place_exposures(record), *role_exposures(record)):
        found[exposure.event.seq].append(LABELS[exposure.kind])
    return {seq: list(dict.fromkeys(names)) for seq, names in found.items()}


RULES_THAT_MARK: dict[str, Callable[[Record], dict[int, list[str]]]] = {"exposure": exposures}
"""Each tells of one match the labels of its events by their seq."""


def marks(rule: str, matches: Collection[Any]) -> Marks:
    """What a rule says of the events of these matches."""
    found: Marks = {}
    for record in records(Match.objects.filter(pk__in=matches), thoughts=False):
        found |= {(UUID(record.id), seq): names for seq, names in RULES_THAT_MARK[rule](record).items()}
    return found
