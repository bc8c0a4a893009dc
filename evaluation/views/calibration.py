"""The page of calibration: how well and how surely people, agents and the exact posterior know who is what."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from evaluation import boards, charts, names
from evaluation.access import for_researchers
from evaluation.calibration import ALL
from evaluation.metrics import METRICS
from evaluation.views import cells, conditions
from evaluation.views.boards import framed

NAMES = {
    ("matrices", "agent"): gettext_lazy("Agents: belief matrices"),
    ("polls", "agent"): gettext_lazy("Agents: polls"),
    ("polls", "person"): gettext_lazy("People: polls"),
    ("marks", "person"): gettext_lazy("People: notebook marks"),
    ("posterior", ""): gettext_lazy("The exact posterior (Avalon)"),
    ("even", ""): gettext_lazy("An even guess"),
}


@require_safe
@never_cache
@for_researchers
def page(request: HttpRequest) -> HttpResponse:
    """Log loss and Brier score by round, and reliability diagrams."""
    choice = boards.Choice.read(request.GET)
    found = boards.board(choice, boards.CALIBRATION)
    context: dict[str, Any] = framed(request, choice, "calibration", _("Calibration"))
    context |= {"waits": found is None or not found.fresh, "group": choice.group(boards.CALIBRATION)}
    if found is not None:
        context["mixed"] = conditions.mixed(found.data["mixed"], names.players())
        lines = [
            (_called(line), [charts.Dot(p, true, n) for p, true, n in line["bins"] if n])
            for line in found.data["lines"]
        ]
        context["rows"] = [_row(row) for row in found.data["rows"]]
        context["chart"] = charts.reliability(lines, _("How often it is true, by how sure it was")) if lines else ""
    return render(request, "evaluation/calibration.html", context)


def _row(row: dict[str, Any]) -> dict[str, Any]:
    scores = [cells.cell(row[name], METRICS[f"ours.{name}"]) for name in ("log_loss", "brier")]
    return {"who": _called(row), "round": row["round"], "all": row["round"] == ALL, "scores": scores}


def _called(row: dict[str, Any]) -> str:
    return str(NAMES.get((row["source"], row["kind"]), f"{row['source']} {row['kind']}"))
