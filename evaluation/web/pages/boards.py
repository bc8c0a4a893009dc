"""Pages of numbers: the papers' tables with n and interval, sorted and chosen by the address; every number leads to the
events that it counts."""

import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby, islice
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _

from evaluation.competitions.reproductions import REPRODUCTIONS
from evaluation.counting import boards
from evaluation.metrics import METRICS, agent
from evaluation.metrics.base import Combined, Metric
from evaluation.models import Competition
from evaluation.records.exposure import PEOPLE as PEOPLE_SAY
from evaluation.records.exposure import RULE
from evaluation.suites import SUITES
from evaluation.tables import filling, papers
from evaluation.tables.comparison import FEW as FEW_UNITS
from evaluation.tables.partitions import PARTITIONS
from evaluation.tables.people import ARMS
from evaluation.tables.rows import Cell, Row
from evaluation.web import names
from evaluation.web.access import RUNS, for_researchers
from evaluation.web.pages import cells, conditions, figures
from games.registry import RULES
from games.web import downloads
from magic_site.numbers import number_in

PAGES: dict[str, tuple[Any, tuple[str, ...]]] = {
    "leaderboard": (gettext_lazy("Leaderboard"), ("leaderboard.m1", "leaderboard.m2", "roles", "wins")),
    "points": (gettext_lazy("Games of points"), ("game_theory", "tendency", "investment")),
    "wiu": (gettext_lazy("Who is Undercover?"), ("wiu.civilian", "wiu.undercover", "wiu.parts", "wiu.tactics")),
    "spygame": (gettext_lazy("SpyGame"), ("spygame.strong", "spygame.weak", "spygame.logs")),
    "recon": (gettext_lazy("ReCon"), ("recon", "refusals")),
}
"""By page its title and its tables."""

PEOPLE, RATINGS, CALIBRATION, LABELS = "people", "ratings", "calibration", "label_numbers"
BEHIND = 100
"""Counted events on a page."""

TOLD_BY = {PEOPLE_SAY: gettext_lazy("as people labelled it"), RULE: gettext_lazy("by rule")}
"""Who says so, where it may be people or a rule."""

FOOTNOTES = "abcdefghijklmnopqrstuvwxyz"
"""Marks of what is to be known before comparing with a published row."""


@for_researchers
def page(request: HttpRequest, name: str = "leaderboard") -> HttpResponse:
    """A page of tables."""
    if name not in PAGES:
        raise Http404
    choice = boards.Choice.read(request.GET)
    title, wanted = PAGES[name]
    context, data, titles = counted(request, choice, name, title)
    if data:
        tables = [data["tables"][table] for table in wanted]
        context["tables"] = [
            _shown(request, table, choice, titles) for table in tables if table["records"] or not choice.game
        ]
        context["empty"] = [table["title"] for table in tables if choice.game and not table["records"]]
        if {where for one in PARTITIONS for where, _column in (one.first, one.second)} <= set(wanted):
            context["partitions"] = figures.partitioned(data["tables"], titles)
        if name == "leaderboard":
            context |= {"gains": _gains(data["gains"], titles), "averages": _averages(data["averages"])}
    return render(request, "evaluation/board.html", context)


@for_researchers
def people(request: HttpRequest) -> HttpResponse:
    """People against agents: in the same matches, and matches with a person against matches of agents only."""
    choice = boards.Choice.read(request.GET)
    context, data, _titles = counted(request, choice, PEOPLE, _("People against agents"))
    context["enough"] = FEW_UNITS
    if data:
        context["detection"] = [_detected(row, choice) for row in data["detection"]]
        context["methods"] = [
            {
                "title": heading,
                "about": about,
                "arms": ARMS[number],
                "rows": [cells.contrast(row, ARMS[number]) for row in data["contrasts"].get(str(number), [])],
            }
            for number, heading, about in (
                (1, _("Method I"), _("People against agents of the same team, in the same matches.")),
                (2, _("Method II"), _("Matches with a person against matches of agents only, dealt alike.")),
            )
        ]
    return render(request, "evaluation/people.html", context)


@for_researchers
def ratings(request: HttpRequest) -> HttpResponse:
    """Who plays how well, by game and role, people and agents alike."""
    context, data, titles = counted(request, boards.Choice.read(request.GET), RATINGS, _("Ratings"))
    if data:
        context["unrated"] = data["unrated"]
        rows = groupby(data["ratings"], key=lambda row: (row["game"], row["role"]))
        context["groups"] = [
            {
                "game": RULES[game].title,
                "role": names.role(role),
                "alone": RULES[game].solo,
                "rows": [row | {"title": names.group(row["who"], titles)} for row in group],
            }
            for (game, role), group in rows
        ]
    return render(request, "evaluation/ratings.html", context)


@for_researchers
def download(request: HttpRequest, table: str, form: str) -> HttpResponse:
    """A table as CSV, or its chart as SVG."""
    choice = boards.Choice.read(request.GET)
    if table not in papers.SPECS or form not in ("csv", "svg"):
        raise Http404
    found = boards.board(choice)
    if found is None:
        messages.info(request, _("The numbers are still being counted. Download them when they are shown here."))
        return redirect(back_to(table, choice))
    if form == "svg":
        shown = _shown(request, found.data["tables"][table], choice, names.players())
        text, kind = shown["chart"], "image/svg+xml"
    else:
        text, kind = _csv(found.data["tables"][table]), "text/csv; charset=utf-8"
    return downloads.download(text.encode(), f"{table}.{form}", kind)


@for_researchers
def behind(request: HttpRequest, table: str) -> HttpResponse:
    """The events that a number counts, one line each, with the way to each of them."""
    column = request.GET.get("column", "")
    if table not in (*papers.SPECS, boards.DETECTION) or column not in METRICS:
        raise Http404
    key = key_in(request, "row")
    choice = boards.Choice.read(request.GET)
    start = number_in(request.GET.get("from", "")) or 0
    rows = list(islice(boards.behind(choice, table, key, column), start, start + BEHIND + 1))
    titles = names.players()
    context = framed(request, choice, "", METRICS[column].title) | {
        "metric": METRICS[column],
        "who": _game(key) if table == boards.DETECTION else names.group(key, titles),
        "rows": [_seen(row, titles) for row in rows[:BEHIND]],
        "start": start + 1,
        "end": start + min(len(rows), BEHIND),
        "more": start + BEHIND if len(rows) > BEHIND else None,
        "back": back_to(table, choice),
    }
    return render(request, "evaluation/behind.html", context)


def key_in(request: HttpRequest, name: str) -> Any:
    """A row's key in an address, where it stands as JSON."""
    try:
        key = json.loads(request.GET.get(name, ""))
        json.dumps(key, ensure_ascii=False).encode()  # half a character is no row's name
        return key
    except (ValueError, RecursionError):
        raise Http404 from None


# What a page shows --------------------------------------------------------------------------------------------------


def framed(request: HttpRequest, choice: boards.Choice, name: str, title: Any) -> dict[str, Any]:
    """What all pages of numbers show: the tabs, and the form that chooses matches."""
    pages = [(key, str(heading)) for key, (heading, _tables) in PAGES.items()]
    pages += [
        (PEOPLE, _("People against agents")),
        (RATINGS, _("Ratings")),
        (CALIBRATION, _("Calibration")),
        (LABELS, _("Labels")),
    ]
    return {
        "title": title,
        "name": name,
        "pages": [(key, heading, address(key, choice)) for key, heading in pages],
        "choice": choice,
        "query": urlencode(choice.given()),
        "runs": request.user.has_perm(RUNS),
        "competitions": names.competitions(Competition.objects.order_by("-created_at")[:100]),
        "suites": SUITES.values(),
        "games": RULES.values(),
        "roles": [(side, names.role(side)) for side in _sides()],
    }


def _sides() -> Iterable[str]:
    """What a challenger may play as: one of a side, or any player of a game without sides."""
    return dict.fromkeys(rules.one_of(side) for rules in RULES.values() for side in rules.teams or (rules.family,))


def counted(
    request: HttpRequest, choice: boards.Choice, name: str, title: Any, part: boards.Part = ()
) -> tuple[dict[str, Any], dict[str, Any] | None, dict[str, str]]:
    """The frame of a page of numbers, what was counted for it (None while it is counted for the first time), and the
    titles of who plays."""
    found, titles = boards.board(choice, part), names.players()
    context = framed(request, choice, name, title)
    context |= waiting(choice, part, found)
    if found is None:
        return context, None, titles
    return context | {"mixed": conditions.mixed(found.data["mixed"], titles)}, found.data, titles


def waiting(choice: boards.Choice, part: boards.Part, found: boards.Counted | None, title: Any = "") -> dict[str, Any]:
    """Whether a page still waits for a count, and how that stands. title: what is being done, where it is no count."""
    waits = found is None or not found.fresh
    standing = boards.waits(choice, part) if waits else None
    if standing is not None and title:
        standing = replace(standing, title=title)
    return {"group": choice.group(part), "waits": waits, "standing": standing}


def address(name: str, choice: boards.Choice) -> str:
    """The address of a page, with what was chosen."""
    own = name in ("leaderboard", PEOPLE, RATINGS, CALIBRATION, LABELS)
    path = reverse(f"evaluation:{name}") if own else reverse("evaluation:board", args=[name])
    return f"{path}?{urlencode(choice.given())}" if choice.given() else path


def back_to(table: str, choice: boards.Choice) -> str:
    """The way from what a number counts back to its table."""
    if table == boards.DETECTION:
        return f"{address(PEOPLE, choice)}#detection"
    name = next(name for name, (_title, shown) in PAGES.items() if table in shown)
    return f"{address(name, choice)}#t-{table}"


def _shown(
    request: HttpRequest, table: dict[str, Any], choice: boards.Choice, titles: dict[str, str]
) -> dict[str, Any]:
    """A table with its rows in the order that the address asks for. titles: of who plays, by name."""
    spec = papers.SPECS[table["name"]]
    sort, falling = request.GET.get("sort", "").removeprefix("-"), request.GET.get("sort", "-").startswith("-")
    rows = [
        row | {"title": row["label"] if row["source"] else names.group(row["key"], titles)} for row in table["rows"]
    ]
    if sort in spec.columns:
        others = [row for row in rows if row["cells"][sort]["value"] is None]
        known = [row for row in rows if row["cells"][sort]["value"] is not None]
        rows = sorted(known, key=lambda row: row["cells"][sort]["value"], reverse=falling) + others
    columns = [METRICS[name] for name in spec.columns]
    notes = dict.fromkeys(note for row in rows for note in row["notes"])
    footnotes = dict(zip(notes, FOOTNOTES, strict=False))
    return {
        "name": spec.name,
        "title": spec.title,
        "about": spec.about,
        "counts": spec.counts,
        "source": next((row["source"] for row in rows if row["source"]), ""),
        "records": table["records"],
        "left_out": table["left_out"],
        "columns": [
            {
                "metric": m,
                "sort": f"-{m.name}" if sort != m.name or not falling else m.name,
                "sorted": sort == m.name,
                "most": _most(m),
            }
            for m in columns
        ],
        "falling": falling,
        "rows": [
            _row(row, spec.name, columns, choice)
            | {
                "marks": [footnotes[note] for note in row["notes"]],
                "against": conditions.against(row["conditions"], titles),
            }
            for row in rows
        ],
        "footnotes": [(mark, gettext(note)) for note, mark in footnotes.items()],
        "played": [
            conditions.told(row["title"], row["conditions"], spec.printed, titles) for row in rows if row["conditions"]
        ],
        "measured": [
            (json.dumps(row["key"]), row["title"]) for row in rows if not row["source"] and row["key"] != papers.TOTAL
        ],
        "chart": figures.chart(spec, rows),
        "areas": figures.areas(spec, rows) if figures.is_radar(spec) else None,
        "again": next((one.name for one in REPRODUCTIONS.values() if spec.name in one.tables), ""),
        "drawn": "" if figures.is_radar(spec) else columns[0].title,
    }


def _row(row: dict[str, Any], table: str, columns: list[Any], choice: boards.Choice) -> dict[str, Any]:
    found = []
    for metric in columns:
        cell = cells.cell(row["cells"][metric.name], metric)
        if not row["source"] and cell["n"]:
            cell["link"] = _behind(choice, table, row["key"], metric.name)
        found.append(cell)
    return {"title": row["title"], "name": row["label"], "source": row["source"], "cells": found}


def _behind(choice: boards.Choice, table: str, key: Any, column: str) -> str:
    """The address of what a number counts."""
    given = choice.given() | {"row": json.dumps(key), "column": column}
    return f"{reverse('evaluation:behind', args=[table])}?{urlencode(given)}"


def _detected(row: dict[str, Any], choice: boards.Choice) -> dict[str, Any]:
    return cells.cell(row, METRICS[boards.DETECTION]) | {
        "game": _game(row["group"]),
        "link": _behind(choice, boards.DETECTION, row["group"], boards.DETECTION),
    }


def _game(name: str) -> str:
    return RULES[name].title if name in RULES else _("all games")


def _most(metric: Metric) -> str:
    """Where a share is a weighted sum that may pass 100%, how far; else nothing."""
    if not isinstance(metric, Combined) or metric.unit != "share":
        return ""
    most = metric.combine((1.0,) * len(metric.parts))
    return f"{100 * most:.0f}%" if most is not None and most > 1 else ""


def _csv(table: dict[str, Any]) -> str:
    """The same as `Table.csv`, from what was kept."""
    spec = papers.SPECS[table["name"]]
    rows = [
        Row(**row | {"cells": {name: Cell(**cell) for name, cell in row["cells"].items()}}) for row in table["rows"]
    ]
    return filling.Table(spec, rows, table["records"], table["left_out"]).csv()


def _gains(found: list[dict[str, Any]], titles: dict[str, str]) -> list[dict[str, Any]]:
    return [
        gain
        | {
            "without": names.group(gain["plain"], titles),
            "with": names.group(gain["method"], titles),
            "title": METRICS[gain["metric"]].title,
            "shown": cells.difference(gain["difference"], METRICS[gain["metric"]]),
            "percent": None if gain["relative"] is None else f"{100 * gain['relative']:+.0f}%",
        }
        for gain in found
        if gain["difference"]
    ]


def _averages(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        mean
        | {
            "title": METRICS[mean["metric"]].title,
            "shown": cells.average(mean["difference"], METRICS[mean["metric"]]),
            "percent": cells.average_share(mean["relative"]) if mean["relative"] else None,
        }
        for mean in found
    ]


def _seen(row: Any, titles: dict[str, str]) -> dict[str, Any]:
    item = row.item
    return {
        "match": row.record.id,
        "game": RULES[row.record.game].title,
        "seat": row.seat,
        "who": names.group(agent(row.record, row.seat), titles),
        "metric": METRICS[row.metric].title,
        "seq": getattr(item, "seq", None),
        "value": getattr(item, "value", None),
        "weight": getattr(item, "weight", None),
        "by": TOLD_BY.get(getattr(item, "by", ""), ""),
    }
