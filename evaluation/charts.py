"""Charts as SVG, drawn by the server: they are read in grey and in print, by shape and dash as well as by colour.

Everything is drawn in `currentColor`. The attributes `color` are those of a downloaded file; on a page the style sheet
sets the colours of the classes instead, light or dark.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

COLOURS = ("#0f5c63", "#b4532a", "#4f5d9e", "#82661a", "#8c3b73", "#3d7a3a", "#5b6770", "#a3384a")
DASHES = ("", "8 4", "2 4", "10 3 2 3", "4 2", "1 3", "12 4", "6 2 2 2")
INK, STRONG, LINE, GROUND = "#5d574c", "#22201c", "#b8b0a0", "#fffdf8"
WIDE, HIGH, RADIUS = 680, 430, 170  # of a radar; its legend follows below
HEAD = 36
"""The height of a chart's heading."""


@dataclass(frozen=True)
class Series:
    """A named row of numbers from 0 to 1."""

    label: str
    values: Sequence[float]


def radar(axes: Sequence[str], series: Sequence[Series], title: str) -> SafeString:
    """A polygon for each series, of as many as there are colours. What is over 1, as a weighted sum may be, ends at the
    rim."""
    drawn = series[: len(COLOURS)]
    parts = [_opened(WIDE, HEAD + HIGH + 22 * len(drawn), title), format_html('<g class="line" color="{}">', LINE)]
    for ring in (0.25, 0.5, 0.75, 1.0):
        points = " ".join(_point(ring, k, len(axes)) for k in range(len(axes)))
        parts.append(format_html('<polygon points="{}" fill="none" stroke="currentColor"/>', points))
    for k in range(len(axes)):
        x, y = _place(1.0, k, len(axes))
        line = '<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="currentColor"/>'
        parts.append(format_html(line, WIDE // 2, HIGH // 2, _n(x), _n(y)))
    parts.append(mark_safe("</g>"))
    for k, axis in enumerate(axes):
        x, y = _place(1.12, k, len(axes))
        anchor = "middle" if abs(x - WIDE / 2) < 20 else "start" if x > WIDE / 2 else "end"
        parts.append(format_html('<text x="{}" y="{}" text-anchor="{}" dy="4">{}</text>', _n(x), _n(y), anchor, axis))
    for number, one in enumerate(drawn):
        points = " ".join(_point(min(value, 1.0), k, len(axes)) for k, value in enumerate(one.values))
        y = HIGH + 22 * number
        parts.append(
            format_html(
                '<g class="s{}" color="{}" stroke-dasharray="{}"><polygon points="{}" fill="currentColor" '
                'fill-opacity=".08" stroke="currentColor" stroke-width="2.5"><title>{}</title></polygon>'
                '<line x1="40" y1="{}" x2="84" y2="{}" stroke="currentColor" stroke-width="3"/></g>'
                '<text x="94" y="{}" dy="4">{}</text>',
                number + 1,
                COLOURS[number],
                DASHES[number] or "none",
                points,
                one.label,
                y,
                y,
                y,
                one.label,
            )
        )
    return _joined([*parts, mark_safe("</g></svg>")])


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
    parts = [_opened(720, HEAD + row * len(found) + (38 if line else 10), title)]
    for number, bar in enumerate(found):
        y, length = row * number, max(bar.value, 0) / most * wide
        end = max(length, (bar.interval[1] / most * wide) if bar.interval else 0)
        parts.append(
            format_html(
                '<text x="{}" y="{}" text-anchor="end" dy="14">{}</text>'
                '<rect class="s1" color="{}" x="{}" y="{}" width="{}" height="16" fill="{}" fill-opacity=".35" '
                'stroke="currentColor"/><text x="{}" y="{}" dy="14">{}</text>',
                left - 8,
                y,
                labels[number],
                COLOURS[0],
                left,
                y,
                _n(length),
                "none" if bar.printed else "currentColor",
                _n(left + end + 8),
                y,
                f"{100 * bar.value:.1f}%" if most == 1.0 else f"{bar.value:.2f}",
            )
        )
        if bar.interval:
            low, high = (_n(left + max(0.0, end) / most * wide) for end in bar.interval)
            path = f"M{low} {y + 3}V{y + 13}M{high} {y + 3}V{y + 13}M{low} {y + 8}H{high}"
            whisker = '<path class="strong" color="{}" d="{}" stroke="currentColor" stroke-width="2" fill="none"/>'
            parts.append(format_html(whisker, STRONG, path))
    if line:
        places = [(left + share * wide, row * n + 8) for n, share in enumerate(line) if share is not None]
        parts.append(_line(places, called, left, row * len(found) + 14))
    return _joined([*parts, mark_safe("</g></svg>")])


def _line(places: Sequence[tuple[float, float]], called: str, left: int, below: int) -> SafeString:
    """A line through these places, each with a dot, and what it is called below the chart."""
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in places)
    dots = format_html_join(
        "", '<circle cx="{}" cy="{}" r="4" fill="currentColor"/>', ((_n(x), _n(y)) for x, y in places)
    )
    return format_html(
        '<g class="s2" color="{}"><polyline points="{}" fill="none" stroke="currentColor" stroke-width="2.5"/>{}'
        '<path d="M{} {}h44" stroke="currentColor" stroke-width="2.5"/></g><text x="{}" y="{}" dy="4">{}</text>',
        COLOURS[1], points, dots, left, below, left + 54, below, called,
    )  # fmt: skip


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
    parts = [_opened(left + side + 40, HEAD + side + 56 + 22 * len(drawn), title)]
    frame = "M{0} 0V{1}H{2}M{0} {1}L{2} 0".format(left, side, left + side)
    parts.append(format_html('<path class="line" color="{}" d="{}" stroke="currentColor" fill="none"/>', LINE, frame))
    for share in (0, 0.25, 0.5, 0.75, 1):
        x, y, told = left + share * side, side - share * side, f"{share:.0%}"
        parts.append(format_html('<text x="{}" y="{}" text-anchor="end" dy="4">{}</text>', left - 8, _n(y), told))
        parts.append(format_html('<text x="{}" y="{}" text-anchor="middle">{}</text>', _n(x), side + 20, told))
    for number, (label, dots) in enumerate(drawn):
        places = [(left + dot.believed * side, side - dot.true * side, dot.n) for dot in dots if dot.n]
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y, _ in places)
        circles = format_html_join(
            "",
            '<circle cx="{}" cy="{}" r="{}" fill="currentColor"/>',
            ((_n(x), _n(y), _n(2.5 + math.log10(n))) for x, y, n in places),
        )
        y = side + 48 + 22 * number
        parts.append(
            format_html(
                '<g class="s{}" color="{}" stroke-dasharray="{}"><polyline points="{}" fill="none" '
                'stroke="currentColor" stroke-width="2.5"/>{}<path d="M{} {}h44" stroke="currentColor" '
                'stroke-width="3"/></g><text x="{}" y="{}" dy="4">{}</text>',
                number + 1,
                COLOURS[number],
                DASHES[number] or "none",
                points,
                circles,
                left,
                y,
                left + 54,
                y,
                label,
            )
        )
    return _joined([*parts, mark_safe("</g></svg>")])


def shortened(label: str, most: int = 44) -> str:
    """The label, or as much of it as a chart has room for."""
    return label if len(label) <= most else f"{label[: most - 1]}…"


def _opened(width: int, height: int, title: str) -> SafeString:
    """A picture with its heading; what follows is drawn below that."""
    return format_html(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" role="img" font-family="sans-serif" '
        'font-size="13" color="{}" fill="currentColor"><title>{}</title>'
        '<rect class="ground" width="100%" height="100%" fill="{}"/>'
        '<text class="strong" color="{}" x="20" y="22" font-weight="600">{}</text><g transform="translate(0 {})">',
        width,
        height,
        INK,
        title,
        GROUND,
        STRONG,
        title,
        HEAD,
    )


def _place(share: float, k: int, axes: int) -> tuple[float, float]:
    angle = 2 * math.pi * k / axes - math.pi / 2
    return WIDE / 2 + RADIUS * share * math.cos(angle), HIGH / 2 + RADIUS * share * math.sin(angle)


def _point(share: float, k: int, axes: int) -> str:
    x, y = _place(share, k, axes)
    return f"{_n(x)},{_n(y)}"


def _n(number: float) -> str:
    return f"{number:.1f}"


def _joined(parts: Sequence[SafeString]) -> SafeString:
    return format_html_join("", "{}", ((part,) for part in parts))
