"""What pages of numbers draw beside their tables: bars and radars, areas with the win rate over them, partitions."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from evaluation.metrics import METRICS
from evaluation.metrics.magic import AXES, EDITIONS
from evaluation.tables import papers, partitions, statistics
from evaluation.web import charts, names
from games.translation import translated

DRAWN = 5


def is_radar(spec: papers.Spec) -> bool:
    """Whether its first picture is a radar of abilities."""
    return spec.name.startswith("leaderboard.")


def chart(spec: papers.Spec, rows: list[dict[str, Any]]) -> str:
    """A radar, or bars of the first column; nothing where there is nothing to be drawn."""
    if is_radar(spec):
        edition = spec.name.removeprefix("leaderboard.")
        axes = [f"magic.{axis}{form}" for axis, form in zip(AXES, EDITIONS[edition], strict=True)]
        own_first = sorted(rows, key=lambda row: bool(row["source"]))
        series = [charts.Series(row["title"], [row["cells"][axis]["value"] for axis in axes]) for row in own_first]
        whole = [one for one in series if None not in one.values]
        return charts.radar([translated(METRICS[axis].title) for axis in axes], whole[:DRAWN], translated(spec.title))
    first = METRICS[spec.columns[0]]
    found = [
        charts.Bar(row["title"], cell["value"], cell["interval"], bool(row["source"]))
        for row in rows
        if (cell := row["cells"][first.name])["value"] is not None
    ]
    most = 1.0 if first.unit == "share" else max((bar.value for bar in found), default=1.0) or 1.0
    return charts.bars(found, f"{translated(spec.title)}: {translated(first.title)}", most) if found else ""


def areas(spec: papers.Spec, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Radar areas with the win rate as a line over them (MAgIC, figures 1 and 6), and how far both rise together."""
    area = f"magic.radar_area.{spec.name.removeprefix('leaderboard.')}"
    both = [
        (row, row["cells"][area]["value"], row["cells"]["magic.win_rate"]["value"])
        for row in rows
        if None not in (row["cells"][area]["value"], row["cells"]["magic.win_rate"]["value"])
    ]
    both.sort(key=lambda one: -one[1])
    bars = [
        charts.Bar(row["title"], size, row["cells"][area]["interval"], bool(row["source"])) for row, size, _ in both
    ]
    found = []
    for who, kept in (
        (_("published rows"), [one for one in both if one[0]["source"]]),
        (_("measured rows"), [one for one in both if not one[0]["source"]]),
        (_("all rows"), both),
    ):
        correlation = statistics.correlation([size for _row, size, _ in kept], [rate for _row, _, rate in kept])
        if correlation:
            found.append((who, correlation))
    title = f"{translated(spec.title)}: {translated(METRICS[area].title)}"
    called = translated(METRICS["magic.win_rate"].title)
    most = max((bar.interval[1] if bar.interval else bar.value for bar in bars), default=1) or 1
    return {
        "chart": charts.bars(bars, title, max(most, 1.01), [rate for _row, _, rate in both], called) if bars else "",
        "correlations": found,
    }


def partitioned(found: Mapping[str, Any], titles: Mapping[str, str]) -> dict[str, Any]:
    """SpyGame's partitions as a table of words."""
    told = {True: _("%(what)s above"), False: _("%(what)s not above")}
    rows = []
    for (who, source), parts in partitions.parted(found).items():
        cells_ = []
        for partition in partitions.PARTITIONS:
            above = parts.get(partition.name)
            first, _x, second = partition.name.partition(",")[0].partition(" x ")
            both = None if above is None else zip((first, second), above, strict=True)
            cells_.append(None if both is None else ", ".join(told[is_so] % {"what": what} for what, is_so in both))
        rows.append({"who": who if source else names.group(who, titles), "source": source, "cells": cells_})
    return {"columns": [partition.name.replace(" x ", " × ") for partition in partitions.PARTITIONS], "rows": rows}
