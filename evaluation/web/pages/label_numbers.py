"""Numbers from labels: shares by who played and how it went, a table of SpyGame's paper, and the things behind each."""

import csv
import io
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.counting import boards
from evaluation.labelling import counted
from evaluation.labelling.counted import BY, Link, Step, Thing
from evaluation.labelling.models import Final, Scheme
from evaluation.metrics import METRICS
from evaluation.tables.published_labels import CATEGORIES, NOTE, SCHEME, SOURCE, TABLE_IV
from evaluation.tables.sheets import safe_cell
from evaluation.web import names
from evaluation.web.access import for_researchers
from evaluation.web.pages import cells
from evaluation.web.pages.boards import BEHIND, LABELS, framed
from games.registry import RULES
from games.web import downloads

TITLES = {
    "role": gettext_lazy("Role"),
    "side": gettext_lazy("Side"),
    "method": gettext_lazy("Method"),
    "model": gettext_lazy("Model"),
    "agent": gettext_lazy("Who plays"),
    "outcome": gettext_lazy("Won or lost"),
    "game": gettext_lazy("Game"),
}
OUTCOMES = {counted.WON: gettext_lazy("won"), counted.LOST: gettext_lazy("lost")}
HOW = dict(Final.How.choices)


@for_researchers
def page(request: HttpRequest) -> HttpResponse:
    """Shares of a scheme's labels; of the reasoning steps' also table IV and section V-C."""
    choice, scheme, by, schemes = _asked(request)
    context = framed(request, choice, LABELS, _("Labels")) | {
        "schemes": schemes,
        "scheme": scheme,
        "by": by,
        "ways": TITLES.items(),
        "given": {"scheme": _name(scheme), "by": by} if scheme else {},
        "things": 0,
        "matches": 0,
    }
    if scheme:
        matches, titles = choice.matches(), names.players()
        found = list(counted.things(matches, scheme.name, scheme.version))
        told = counted.shares(found, by, scheme.names)
        context["things"] = len(found)
        context["matches"] = len({thing.held.match for thing in found})
        context["rows"] = [
            {
                "title": _group(by, group, titles),
                "cells": [
                    cells.share(row[label]) | {"link": _behind(choice, scheme, by, group, label)}
                    for label in scheme.names
                ],
            }
            for group, row in told.items()
        ]
        context["csv"] = f"{reverse('evaluation:label_numbers_csv')}?{_query(choice, scheme, by)}"
        if scheme.name == SCHEME and (steps := counted.steps(matches, scheme.version)):
            context |= _paper(matches, steps, choice, scheme, titles)
    return render(request, "evaluation/label_numbers.html", context)


def _paper(matches: Any, steps: Sequence[Step], choice: Any, scheme: Scheme, titles: Any) -> dict[str, Any]:
    """Table IV, how far raters agreed on each category, and section V-C, beside what the paper prints."""
    own = [
        {
            "against": against,
            "who": names.group(who, titles),
            "n": cells_["role_ambiguity"].n,
            "cells": [
                cells.share(cells_[category.name])
                | {"link": _behind(choice, scheme, "agent", who, *category.labels, against=against)}
                for category in CATEGORIES
            ],
        }
        for (against, who), cells_ in counted.table_iv(steps).items()
    ]
    printed = [
        {"against": against, "who": who, "n": row.steps, "printed": [f"{share:.2f}%" for share in row.shares]}
        for (against, who), row in TABLE_IV.items()
    ]
    return {
        "categories": CATEGORIES,
        "steps": sorted(own + printed, key=lambda row: (row["against"] != "weak", "printed" in row)),
        "found": [
            {
                "category": one.category,
                "share": cells.share(one.share),
                "kappa": one.kappa,
                "printed": f"{100 * one.category.found / one.category.of:.1f}%",
            }
            for one in counted.categories(matches, steps, scheme.version)
        ],
        "links": [_link(link) for link in counted.links(steps)],
        "source": SOURCE,
        "note": NOTE,
    }


def _link(link: Link) -> dict[str, Any]:
    metric = METRICS[link.metric]
    return {
        "category": link.category.title,
        "metric": metric,
        "having": cells.measured(link.having, metric),
        "lacking": cells.measured(link.lacking, metric),
        "difference": cells.difference(link.difference.to_json(), metric) if link.difference else None,
        "rows": link.rows,
        "printed": link.printed,
    }


@for_researchers
def behind(request: HttpRequest) -> HttpResponse:
    """The things that a share counts, one line each, with the way to each of them."""
    choice, scheme, by, _schemes = _asked(request)
    labels, group = request.GET.getlist("label"), request.GET.get("group")
    against = request.GET.get("against")
    rows: list[Thing] = []
    if scheme:
        if against is None:
            found = counted.things(choice.matches(), scheme.name, scheme.version)
        else:
            steps = counted.steps(choice.matches(), scheme.version)
            found = iter([thing for row, thing in steps if row[0] == against])
        rows = [thing for thing in found if group is None or thing.by[by] == group]
    has = [thing for thing in rows if not labels or set(labels) & set(thing.held.labels)]
    titles, called = names.players(), {one["name"]: one["title"] for one in scheme.labels} if scheme else {}
    paged = Paginator(has, BEHIND).get_page(request.GET.get("page"))
    context = framed(request, choice, LABELS, _("Labels")) | {
        "scheme": scheme,
        "wanted": [called.get(label, label) for label in labels],
        "who": "" if group is None else _group(by, group, titles),
        "of": len(rows),
        "page": paged,
        "rows": [_thing(thing, titles, called) for thing in paged.object_list],
        "back": f"{reverse('evaluation:label_numbers')}?{_query(choice, scheme, by)}",
    }
    return render(request, "evaluation/label_things.html", context)


@for_researchers
def as_csv(request: HttpRequest) -> HttpResponse:
    """The shares of a scheme's labels, a group and label a row."""
    choice, scheme, by, _schemes = _asked(request)
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(["scheme", "version", by, "label", "share", "low", "high", "n", "matches"])
    if scheme:
        found = counted.things(choice.matches(), scheme.name, scheme.version)
        for group, row in counted.shares(found, by, scheme.names).items():
            for label, share in row.items():
                low, high = share.interval() or ("", "")
                told = (share.value, low, high, share.n, share.matches)
                rows.writerow([scheme.name, scheme.version, safe_cell(group), label, *told])
    return downloads.download(text.getvalue().encode(), "label-shares.csv", "text/csv; charset=utf-8")


def _asked(request: HttpRequest) -> tuple[boards.Choice, Scheme | None, str, list[Scheme]]:
    """Which matches, by which scheme (the first one that holds of something, if none is named), told by what, and all
    schemes that labels hold by."""
    choice = boards.Choice.read(request.GET)
    schemes = list(Scheme.objects.filter(rounds__items__final__isnull=False).distinct())
    wanted = request.GET.get("scheme", "")
    scheme = next((one for one in schemes if _name(one) == wanted), None if wanted else next(iter(schemes), None))
    by = request.GET.get("by", "")
    return choice, scheme, by if by in BY else BY[0], schemes


def _name(scheme: Scheme | None) -> str:
    return f"{scheme.name}:{scheme.version}" if scheme else ""


def _query(choice: boards.Choice, scheme: Scheme | None, by: str) -> str:
    return urlencode(choice.given() | {"scheme": _name(scheme), "by": by})


def _behind(choice: boards.Choice, scheme: Scheme, by: str, group: str, *labels: str, **more: str) -> str:
    """The address of what a share counts."""
    asked = urlencode([("group", group), *(("label", label) for label in labels), *more.items()])
    return f"{reverse('evaluation:label_things')}?{_query(choice, scheme, by)}&{asked}"


def _group(by: str, group: str, titles: Any) -> str:
    if not group:
        return _("not known")
    if by == "game":
        return RULES[group].title if group in RULES else group
    if by == "outcome":
        return str(OUTCOMES[group])
    return names.group(group, titles) if by in ("role", "side", "agent") else group


def _thing(thing: Thing, titles: Any, called: dict[str, str]) -> dict[str, Any]:
    moment: dict[str, Any] = {"as": "all"} | ({"seq": thing.seq} if thing.seq else {})
    moment |= {"seat": thing.seat} if "thought" in thing.held.anchor else {}
    return {
        "match": thing.held.match,
        "address": f"{reverse('games:replay', args=[thing.held.match])}?{urlencode(moment)}",
        "game": RULES[thing.game].title if thing.game in RULES else thing.game,
        "seq": thing.seq,
        "seat": thing.seat,
        "who": _group("agent", thing.by["agent"], titles) if thing.seat else "",
        "role": _group("role", thing.by["role"], titles) if thing.seat else "",
        "labels": [called.get(label, label) for label in thing.held.labels],
        "how": HOW.get(thing.held.how, thing.held.how),
    }
