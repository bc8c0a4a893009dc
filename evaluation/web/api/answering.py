"""What the endpoints of what is evaluated have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from rest_framework.request import Request

from games.jobs.standing import Standing
from games.web.api.problems import Problem, malformed
from games.web.api.query import page_at, query

SIZE = 50


def paged(request: Request, rows: QuerySet, told: Callable[[Any], dict[str, Any]], by: str = "created_at") -> Any:
    """A page of a list, the newest first, from where the address says: its view takes `AT`."""
    page = page_at(rows, SIZE, query(request)["at"], by)
    return {"results": [told(row) for row in page.rows], "older": page.older, "newer": page.newer}


def malformed_by(error: ValidationError) -> Problem:
    """`malformed`, of what a form or a model refuses."""
    return malformed(error.message_dict if hasattr(error, "error_dict") else {"body": error.messages})


def told_standing(found: Standing | None) -> dict[str, Any] | None:
    """How far a job is; None where nothing is under way and nothing failed."""
    return None if found is None else asdict(found) | {"title": str(found.title)}
