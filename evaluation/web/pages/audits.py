"""The audit, for admins: who did what and when, chosen by all of that, and as a file. Nothing in it can be changed."""

import csv
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.tables.sheets import safe_cell
from games import audit
from games.audit import Audited
from games.web.wording import in_words
from magic_site import keyset
from magic_site.numbers import number_in
from magic_site.rights import for_holders

RIGHT = "games.view_audited"
SIZE = 50
CHOICES = ("what", "who", "match", "since", "until")
COLUMNS = ("number", "at", "what", "who", "account", "whom", "match", "about", "details")

for_auditors = for_holders(RIGHT)


@require_safe
@for_auditors
def page(request: HttpRequest) -> HttpResponse:
    """What was noted, newest first."""
    chosen = choice_of(request.GET)
    rows, wrong = rows_of(chosen)
    shown = keyset.page(rows.select_related("account", "whom"), SIZE, request.GET.get("at", ""))
    context = {
        "page": shown,
        "lines": [_line(row) for row in shown.rows],
        "chosen": chosen,
        "wrong": wrong,
        "kinds": Audited.What.choices,
    }
    return render(request, "evaluation/audit.html", context, status=422 if wrong else 200)


@require_safe
@for_auditors
def as_csv(request: HttpRequest) -> HttpResponseBase:
    """All that was chosen as a CSV file, which is noted itself."""
    chosen = choice_of(request.GET)
    rows, wrong = rows_of(chosen)
    if wrong:
        return page(request)
    audit.note("exported", by=request.user, about="audit", chosen={name: one for name, one in chosen.items() if one})
    headers = {"Content-Disposition": 'attachment; filename="audit.csv"', "Cache-Control": "private, no-store"}
    written = _written(rows.select_related("account", "whom"))
    return StreamingHttpResponse(written, content_type="text/csv; charset=utf-8", headers=headers)


def choice_of(params: Mapping[str, str]) -> dict[str, str]:
    """What an address chooses, by field."""
    return {name: params.get(name, "").replace("\0", "").strip()[:150] for name in CHOICES}


def rows_of(chosen: dict[str, str]) -> tuple[QuerySet[Audited], dict[str, str]]:
    """The chosen rows, and by field a sentence about what makes no sense there."""
    rows, wrong = Audited.objects.all(), {}
    if chosen["what"] in Audited.What.values:
        rows = rows.filter(what=chosen["what"])
    if name := chosen["who"]:
        accounts = list(User.objects.filter(username__iexact=name).values_list("pk", flat=True))
        if (account := number_in(name)) is not None:
            accounts.append(account)
        rows = rows.filter(Q(account__in=accounts) | Q(whom__in=accounts) | Q(by__iexact=name))
    try:
        rows = rows.filter(match=UUID(chosen["match"])) if chosen["match"] else rows
    except ValueError:
        wrong["match"] = _("A match is named by its id, as it stands in the address of its replay.")
    for name, lookup, later in (("since", "at__gte", 0), ("until", "at__lt", 1)):
        try:
            day = date.fromisoformat(chosen[name]) + timedelta(later) if chosen[name] else None
        except ValueError:
            wrong[name] = _("A day is written like 2026-01-31.")
        except OverflowError:
            wrong[name] = _("This is the last day that there is. Leave it out.")
        else:
            if day is not None:
                rows = rows.filter(**{lookup: datetime.combine(day, time.min, UTC)})
    return rows, wrong


def _line(row: Audited) -> dict[str, Any]:
    return {
        "row": row,
        "who": who(row),
        "whom": called(row.whom_id, row.whom),
        "details": [(in_words(name), _told(value, row.what)) for name, value in row.details.items()],
    }


def _told(value: Any, what: str = "") -> str:
    """A detail for people; of rights that were changed it is [before, after]."""
    if isinstance(value, list):
        between = " → " if what == Audited.What.RIGHTS and len(value) == 2 else ", "
        return between.join(map(_told, value)) or "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if value in (None, ""):
        return "–"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def who(row: Audited) -> str:
    """Who did it."""
    return called(row.account_id, row.account) or row.by or _("nobody signed in")


def called(key: int | None, user: User | None) -> str:
    """The name of an account; one that is gone is known by its number alone."""
    return "" if key is None else user.username if user else _("account %(number)d") % {"number": key}


class _Line:
    """What a CSV writer writes to: it gives back what is written."""

    def write(self, text: str) -> str:
        return text


def _written(rows: QuerySet[Audited]) -> Iterator[str]:
    writer = csv.writer(_Line())
    yield writer.writerow(COLUMNS)
    for row in rows.order_by("pk").iterator(chunk_size=500):
        cells = (
            row.pk,
            row.at.isoformat(),
            row.what,
            who(row),
            row.account_id or "",
            called(row.whom_id, row.whom),
            row.match or "",
            row.about,
            json.dumps(row.details, ensure_ascii=False, sort_keys=True) if row.details else "",
        )
        yield writer.writerow([safe_cell(str(cell)) for cell in cells])
