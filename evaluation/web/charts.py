"""Charts as SVG, drawn by the server: they are read in grey and in print, by shape and dash as well as by colour.

What stands where is worked out here; templates/evaluation/charts/ draw it, in `currentColor`. The attributes `color`
are those of a downloaded file; on a page the style sheet sets the colours of the classes instead, light or dark.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

COLOURS = ("#0f5c63", "#b4532a", "#4f5d9e", "#82661a", "#8c3b73", "#3d7a3a", "#5b6770", "#a3384a")
DASHES = ("none", "8 4", "2 4", "10 3 2 3", "4 2", "1 3", "12 4", "6 2 2 2")
WIDE, HIGH, RADIUS = 680, 430, 170  # of a radar; its legend follows below
HEAD = 36
"""The height of a chart's heading."""

MOST_LETTERS = 44
"""Of a label; a chart has no room for more."""


@dataclass(frozen=True)
class Series:
    """A named row of numbers from 0 to 1."""

    label: str
    values: Sequence[float]


def radar(axes: Sequence[str], series: Sequence[Series], title: str) -> SafeString:
    """A polygon for each series, of as many as there are colours. What is over 1, as a weighted sum may be, ends at the
    rim."""
    drawn, many = series[: len(COLOURS)], len(axes)

    def place(share: float, k: int) -> tuple[float, float]:
        angle = 2 * math.pi * k / many - math.pi / 2
        return WIDE / 2 + RADIUS * share * math.cos(angle), HIGH / 2 + RADIUS * share * math.sin(angle)

    def anchor(x: float) -> str:
        return "middle" if abs(x - WIDE / 2) < 20 else "start" if x > WIDE / 2 else "end"

    named = [(axis, place(1.0, k), place(1.12, k)) for k, axis in enumerate(axes)]
    return _drawn(
        "radar",
        (WIDE, HEAD + HIGH + 22 * len(drawn), title),
        middle=(WIDE // 2, HIGH // 2),
        rings=[_points(place(ring, k) for k in range(many)) for ring in (0.25, 0.5, 0.75, 1.0)],
        axes=[{"label": axis, "rim": _at(rim), "at": _at(at), "anchor": anchor(at[0])} for axis, rim, at in named],
        series=[
            {
                "label": one.label,
                "style": _style(number),
                "points": _points(place(min(value, 1.0), k) for k, value in enumerate(one.values)),
                "y": HIGH + 22 * number,
            }
            for number, one in enumerate(drawn)
        ],
    )


@dataclass(frozen=True)
class Bar:
    """A labelled number from 0 to 1 with its interval; printed: a paper's."""

    label: str
    value: float
    interval: Sequence[float] | None = None
    printed: bool = False


def bars(
    found: Sequence[Bar], title: str, most: float = 1.0, line: Sequence[float | None] = (), called: str = ""
) -> SafeString:
    """One bar a row, the interval as a whisker; printed ones are hollow. line: a second number of each row, from 0 to
    1, as a line over the bars that goes from 0 to the right edge; called: what it is."""
    labels = [shortened(bar.label) for bar in found]
    left, right, row = 20 + 8 * max(map(len, labels), default=0), 60, 26
    wide = 720 - left - right

    def drawn(number: int, bar: Bar) -> dict[str, Any]:
        y, length, whisker = row * number, max(bar.value, 0) / most * wide, ""
        if bar.interval:
            low, high = (_n(left + max(0.0, end) / most * wide) for end in bar.interval)
            whisker = f"M{low} {y + 3}V{y + 13}M{high} {y + 3}V{y + 13}M{low} {y + 8}H{high}"
        return {
            "label": labels[number],
            "y": y,
            "length": _n(length),
            "fill": "none" if bar.printed else "currentColor",
            "value": f"{100 * bar.value:.1f}%" if most == 1.0 else f"{bar.value:.2f}",
            "value_at": _n(left + max(length, bar.interval[1] / most * wide if bar.interval else 0) + 8),
            "whisker": whisker,
        }

    places = [(left + share * wide, row * n + 8) for n, share in enumerate(line) if share is not None]
    over = {"style": _style(1), "points": _points(places), "dots": map(_at, places), "called": called}
    return _drawn(
        "bars",
        (720, HEAD + row * len(found) + (38 if line else 10), title),
        left=left,
        label_at=left - 8,
        legend_at=left + 54,
        style=_style(0),
        bars=[drawn(number, bar) for number, bar in enumerate(found)],
        line=over | {"below": row * len(found) + 14} if line else None,
    )


@dataclass(frozen=True)
class Dot:
    """How often something was true where it was believed with some probability: both from 0 to 1."""

    believed: float
    true: float
    n: int


def reliability(series: Sequence[tuple[str, Sequence[Dot]]], title: str) -> SafeString:
    """What was believed (across) against how often it was true (up): on the diagonal beliefs are calibrated. One line a
    series, of as many as there are colours; a dot is the larger the more beliefs are in it."""
    drawn = series[: len(COLOURS)]
    side, left = 320, 60

    def place(believed: float, true: float) -> tuple[float, float]:
        return left + believed * side, side - true * side

    def line(number: int, label: str, dots: Sequence[Dot]) -> dict[str, Any]:
        seen = [(place(dot.believed, dot.true), 2.5 + math.log10(dot.n)) for dot in dots if dot.n]
        return {
            "label": label,
            "style": _style(number),
            "points": _points(at for at, _ in seen),
            "dots": [(*_at(at), _n(radius)) for at, radius in seen],
            "y": side + 48 + 22 * number,
        }

    shares = [(share, _at(place(share, share))) for share in (0, 0.25, 0.5, 0.75, 1)]
    return _drawn(
        "reliability",
        (left + side + 40, HEAD + side + 56 + 22 * len(drawn), title),
        left=left,
        label_at=left - 8,
        legend_at=left + 54,
        below=side + 20,
        frame="M{0} 0V{1}H{2}M{0} {1}L{2} 0".format(left, side, left + side),
        ticks=[{"told": f"{share:.0%}", "x": x, "y": y} for share, (x, y) in shares],
        series=[line(number, label, dots) for number, (label, dots) in enumerate(drawn)],
    )


@dataclass(frozen=True)
class Curve:
    """A number from step to step. number: of its colour; end: what stands at its end; thin: beside which another one is
    read; marked: its dots are filled."""

    label: str
    points: Sequence[tuple[float, float]]
    number: int
    end: str = ""
    thin: bool = False
    marked: bool = False


def curves(found: Sequence[Curve], title: str, ticks: Sequence[tuple[float, str]], most: float = 1.0) -> SafeString:
    """Curves over the events of a match, from 0 to `most`; ticks: what stands beside the axis, and at which height.
    Thin curves are dashed."""
    left, wide, high = 60, 560, 220
    steps = [x for curve in found for x, _ in curve.points]
    first, last = min(steps, default=0), max(steps, default=1)

    def place(step: float, value: float) -> tuple[float, float]:
        across = (step - first) / (last - first) if last > first else 0.5
        return left + across * wide, high - min(value / most, 1) * high

    def drawn(curve: Curve) -> dict[str, Any]:
        return {
            "label": curve.label,
            "end": curve.end,
            "style": _style((curve.number - 1) % len(COLOURS)),
            "dash": "3 4" if curve.thin else "none",
            "thin": curve.thin,
            "marked": curve.marked,
        }

    named = [curve for curve in found if curve.label]
    return _drawn(
        "curves",
        (left + wide + 50, HEAD + high + 46 + 22 * len(named), title),
        left=left,
        label_at=left - 8,
        legend_at=left + 54,
        below=high + 20,
        frame=f"M{left} 0V{high}H{left + wide}",
        ticks=[{"told": told, "y": _n(high - value / most * high)} for value, told in ticks],
        steps=[{"told": f"{step:g}", "x": _n(place(step, 0)[0])} for step in sorted({first, last})],
        series=[
            drawn(curve)
            | {
                "points": _points(place(*point) for point in curve.points),
                "dots": [] if curve.thin else [_at(place(*point)) for point in curve.points],
                "end_at": _at(place(*curve.points[-1])),
            }
            for curve in found
            if curve.points
        ],
        legend=[drawn(curve) | {"y": high + 46 + 22 * row, "middle": left + 22} for row, curve in enumerate(named)],
    )


def shortened(label: str) -> str:
    """The label, or as much of it as a chart has room for."""
    return label if len(label) <= MOST_LETTERS else f"{label[: MOST_LETTERS - 1]}…"


def _drawn(template: str, size: tuple[int, int, str], **parts: Any) -> SafeString:
    """A picture: its width, height and heading, and what is drawn below that."""
    width, height, title = size
    context = {"width": width, "height": height, "title": title, "head": HEAD, **parts}
    return render_to_string(f"evaluation/charts/{template}.svg", context)


def _style(number: int) -> dict[str, Any]:
    """The class, colour and dash of a series."""
    return {"n": number + 1, "colour": COLOURS[number], "dash": DASHES[number]}


def _points(places: Iterable[tuple[float, float]]) -> str:
    return " ".join(map(",".join, map(_at, places)))


def _at(place: tuple[float, float]) -> tuple[str, str]:
    return _n(place[0]), _n(place[1])


def _n(number: float) -> str:
    return f"{number:.1f}"
