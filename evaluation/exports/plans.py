"""What stands beside the matches of a competition in an export of it: its manifest, and the plan of its matches."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from evaluation.models import Bout, Competition
from evaluation.tables.people import STUDY
from games.models import Match


def files(competition: str) -> Iterator[tuple[str, str]]:
    """The names of these files, and what they hold; none of a competition that is not here."""
    found = Competition.objects.filter(pk=competition).first()
    if found is None:
        return
    yield "manifest.json", json.dumps(found.manifest, indent=2, ensure_ascii=False)
    rows = (_planned(found, bout) for bout in found.bouts.iterator())
    yield "plan.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _planned(found: Competition, bout: Bout) -> dict[str, Any]:
    """A planned match, with the ids of those that were played by it."""
    fields = ("number", "game", "preset", "options", "setting", "agents", "seed", "labels", "status", "error")
    row = {field: getattr(bout, field) for field in fields}
    row |= {"match": str(bout.match_id) if bout.match_id else None, "seconds": bout.seconds, "cost": bout.cost}
    if found.suite == STUDY:
        people = Match.objects.filter(room__study_table__bout=bout).order_by("created_at", "pk")
        row["people"] = [str(key) for key in people.values_list("pk", flat=True)]
    return row
