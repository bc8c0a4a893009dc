"""What the endpoints of what is evaluated have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.request import Request

from games.jobs.standing import Standing
from games.web.api.problems import Problem, malformed
from magic_site import keyset

SIZE = 50


def paged(request: Request, rows: QuerySet, told: Callable[[Any], dict[str, Any]], by: str = "created_at") -> Any:
    """A page of a list, the newest first, from where the address says."""
    page = keyset.page(rows, SIZE, request.query_params.get("at", "")[:200], by)
    return {"results": [told(row) for row in page.rows], "older": page.older, "newer": page.newer}


def malformed_by(error: ValidationError) -> Problem:
    """The same, of what a form refuses."""
    return malformed(error.message_dict if hasattr(error, "error_dict") else {"body": error.messages})


def refused(error: Exception) -> Problem:
    """Of what cannot be done now; the text of the error is a sentence for people."""
    return Problem(409, "refused", str(error) or _("This cannot be done now."))


def told_standing(found: Standing | None) -> dict[str, Any] | None:
    """How far a job is; None where nothing is under way and nothing failed."""
    return None if found is None else asdict(found) | {"title": str(found.title)}
