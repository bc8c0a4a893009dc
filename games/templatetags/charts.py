"""Small pictures of numbers, drawn by the server as SVG. Each stands beside a table or numbers that say the same."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

register = template.Library()

WIDTH, HEIGHT, EDGE = 260, 96, 12  # of the course, in units of the picture; the edge is left for the seats' numbers
THICK = 10  # of a bar that is 100 wide


@register.simple_tag
def course(standings: Sequence[Mapping[str, float]]) -> SafeString:
    """A line a seat: what it had at the start and after each round. Nothing before there is a line to draw."""
    if len(standings) < 2:
        return SafeString("")
    values = [value for standing in standings for value in standing.values()]
    low, high = min(values), max(values)
    step = (WIDTH - 2 * EDGE) / (len(standings) - 1)

    def place(number: int, value: float) -> tuple[str, str]:
        share = (value - low) / (high - low) if high > low else 0.5
        return f"{EDGE + number * step:.1f}", f"{HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE):.1f}"

    lines = []
    ends: dict[str, list[int]] = {}
    for seat in sorted(map(int, standings[0])):
        points = [place(number, standing[str(seat)]) for number, standing in enumerate(standings)]
        lines.append((seat, " ".join(map(",".join, points))))
        ends.setdefault(points[-1][1], []).append(seat)
    drawn = format_html_join("", '<polyline class="p{}" points="{}"/>', lines)
    labels = ((seats[0], WIDTH - EDGE + 3, y, " ".join(map(str, seats))) for y, seats in ends.items())
    drawn += format_html_join("", '<text class="p{}" x="{}" y="{}">{}</text>', labels)
    about = gettext("Points from round to round, as in the table")
    return format_html(
        '<svg class="course" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>', WIDTH, HEIGHT, about, drawn
    )


@register.simple_tag
def bar(split: Sequence[int]) -> SafeString:
    """A split of 100 as one bar in as many parts; the numbers stand beside it."""
    starts = accumulate(split, initial=0)
    parts = format_html_join(
        "",
        '<rect class="p{}" x="{}" width="{}" height="{}"/>',
        ((seat, start, share, THICK) for seat, (start, share) in enumerate(zip(starts, split, strict=False), 1)),
    )
    return format_html('<svg class="bar-of" viewBox="0 0 100 {}" aria-hidden="true">{}</svg>', THICK, parts)


@register.simple_tag
def percent(part: float, whole: float) -> str:
    """A part in percent of the whole, without digits that say nothing."""
    return f"{100 * part / whole:.3g}"


@register.simple_tag
def votes_for(past: Mapping[str, Any], seat: int) -> int:
    """How many voted for the split that a seat proposed in a past round of Cost Sharing, whoever else proposed it."""
    proposals = past["proposals"]
    return sum(vote is not None and proposals[str(vote)] == proposals[str(seat)] for vote in past["votes"].values())
