"""How numbers stand on pages: with their unit, their interval, and from how much they come."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.metrics import METRICS, Metric
from evaluation.metrics.values import Value
from evaluation.tables.comparison import LEVEL
from evaluation.tables.rows import Cell
from evaluation.tables.statistics import FEWEST
from evaluation.web import names
from games.translation import translated


def cell(found: dict[str, Any], metric: Metric) -> dict[str, Any]:
    """A number of a table. count: from how many items and matches; least: which part of it comes from fewest matches;
    few: these are too few for an interval."""
    part, least = found["least"] or (None, found["matches"])
    return {
        "value": number(found["value"], metric),
        "interval": between(found["interval"], metric),
        "n": found["n"],
        "count": f"n {found['n']}, {_matches(found['matches'])}" if found["n"] else "",
        "least": f"{translated(METRICS[part].title)}: {_matches(least)}" if part else "",
        "few": bool(found["n"]) and least < FEWEST,
    }


def measured(value: Value, metric: Metric) -> dict[str, Any]:
    """The same, of what was just measured."""
    return cell(asdict(Cell.of(value)), metric)


def share(value: Value) -> dict[str, Any]:
    """The same, of a share that is no metric's."""
    few = bool(value.n) and value.matches < FEWEST
    told = value.value is not None and value.interval()
    return {
        "value": None if value.value is None else f"{100 * value.value:.1f}%",
        "interval": f"{100 * told[0]:.1f} – {100 * told[1]:.1f}%" if told else None,
        "count": f"n {value.n}, {_matches(value.matches)}" if value.n else "",
        "few": few,
    }


def between(interval: Sequence[float] | None, metric: Metric) -> str | None:
    """An interval with its unit; None for none."""
    if interval is None:
        return None
    low, high = (number(end, metric) for end in interval)
    return f"{low} – {high}".replace("% –", " –")


def _matches(count: int) -> str:
    return ngettext("%d match", "%d matches", count) % count


def number(value: float | None, metric: Metric) -> str | None:
    """A value with its unit; None for no data."""
    if value is None:
        return None
    return f"{100 * value:.1f}%" if metric.unit == "share" else f"{value:.3g}" if abs(value) < 10 else f"{value:.1f}"


def difference(found: dict[str, Any], metric: Metric) -> dict[str, Any]:
    """One group minus the other, with its tests."""
    scale, sign = (100, " points") if metric.unit == "share" else (1, "")
    interval = found["interval"]
    return {
        "value": f"{scale * found['value']:+.1f}{sign}",
        "interval": None if interval is None else f"{scale * interval[0]:+.1f} – {scale * interval[1]:+.1f}",
        "p": None if found["p"] is None else f"{found['p']:.3f}",
        "exact": None if found["exact"] is None else f"{found['exact']:.3f}",
        "welch": None if found["welch"] is None else f"{found['welch']:.3f}",
        "units": found["units"],
        "paired": found["paired"],
    }


def average(found: dict[str, Any], metric: Metric) -> dict[str, Any]:
    """A difference on average over models."""
    return _signed(found, *((100, 1, _(" points")) if metric.unit == "share" else (1, 2, "")))


def average_share(found: dict[str, Any]) -> dict[str, Any]:
    """A gain in percent of what was there, on average over models."""
    return _signed(found, 100, 0, "%")


def _signed(found: dict[str, Any], scale: float, digits: int, unit: str) -> dict[str, Any]:
    interval = found["interval"]
    return {
        "value": f"{scale * found['value']:+.{digits}f}{unit}",
        "interval": interval and f"{scale * interval[0]:+.{digits}f} – {scale * interval[1]:+.{digits}f}{unit}",
        "models": found["models"],
        "units": found["units"],
    }


def contrast(row: dict[str, Any], arms: tuple[str, str]) -> dict[str, Any]:
    """A metric of two arms beside one another, and what can be said of it."""
    metric = METRICS[row["column"]]
    found = row["difference"]
    return {
        "group": names.role(row["group"]) if row["group"] else "",
        "metric": metric,
        "one": cell(row["one"], metric),
        "other": cell(row["other"], metric),
        "difference": difference(found, metric) if found else None,
        "sentence": _sentence(metric, found, arms),
    }


def _sentence(metric: Any, found: dict[str, Any] | None, arms: tuple[str, str]) -> str:
    """What can and what cannot be said, in plain words. It rests on p by permutation of whole matches alone."""
    if found is None:
        return _("One of the two rows has no data yet.")
    if found["verdict"] != "apart":
        said = (
            _("There are too few matches to tell them apart.")
            if found["verdict"] == "few"
            else _("They may be the same: a difference as small as this can come from chance.")
        )
        misled = found["exact"] is not None and found["exact"] < LEVEL
        return f"{said} {_('The small exact p treats items of one match as independent.')}" if misled else said
    higher = arms[0] if found["value"] > 0 else arms[1]
    return _("“%(who)s” is higher, and this is unlikely to be chance.") % {"who": higher}
