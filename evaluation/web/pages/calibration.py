"""The page of calibration: how well and how surely people, agents and the exact posterior know who is what."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.counting import boards
from evaluation.metrics import METRICS
from evaluation.tables.calibration import ALL
from evaluation.web import charts
from evaluation.web.access import for_researchers
from evaluation.web.pages import cells
from evaluation.web.pages.boards import counted

NAMES = {
    ("matrices", "agent"): gettext_lazy("Agents: belief matrices"),
    ("polls", "agent"): gettext_lazy("Agents: polls"),
    ("polls", "person"): gettext_lazy("People: polls"),
    ("marks", "person"): gettext_lazy("People: notebook marks"),
    ("posterior", ""): gettext_lazy("The exact posterior (Avalon)"),
    ("even", ""): gettext_lazy("An even guess"),
}


@for_researchers
def page(request: HttpRequest) -> HttpResponse:
    """Log loss and Brier score by round, and reliability diagrams."""
    choice, part = boards.Choice.read(request.GET), boards.CALIBRATION
    context, data, _titles = counted(request, choice, "calibration", _("Calibration"), part)
    if data:
        lines = [
            (_called(line), [charts.Dot(p, true, n) for p, true, n in line["bins"] if n]) for line in data["lines"]
        ]
        context["rows"] = [_row(row) for row in data["rows"]]
        context["chart"] = (
            charts.reliability(lines, _("How often a belief is true, by how sure it was")) if lines else ""
        )
    return render(request, "evaluation/calibration.html", context)


def _row(row: dict[str, Any]) -> dict[str, Any]:
    scores = [cells.cell(row[name], METRICS[f"ours.{name}"]) for name in ("log_loss", "brier")]
    return {"who": _called(row), "round": row["round"], "all": row["round"] == ALL, "scores": scores}


def _called(row: dict[str, Any]) -> str:
    return str(NAMES.get((row["source"], row["kind"]), f"{row['source']} {row['kind']}"))
