"""Small pictures of numbers, drawn by the server as SVG. Each stands beside a table or numbers that say the same."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.web.review import Curve

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


ODDS_WIDTH, ODDS_HEIGHT, ODDS_EDGE = 680, 170, 12


@register.simple_tag
def odds(curve: Curve, marks: Sequence[int] = (), here: int | None = None, lost: bool = False) -> SafeString:
    """How likely a side was to win, as a line over the match. marks: the events of the moments, which are numbered;
    here: the event at which a replay stands, whose script moves it on; lost: the event is marked with which the match
    was lost."""
    points = curve.points
    first = points[0].seq
    length = max(points[-1].seq - first, 1)

    def x(seq: int) -> str:
        return f"{ODDS_WIDTH * (max(seq, first) - first) / length:.1f}"

    def y(share: float) -> str:
        return f"{ODDS_HEIGHT * (1 - share):.1f}"

    line = f"M0 {y(points[0].share)}" + "".join(f"H{x(seq)}V{y(share)}" for seq, share in points[1:])
    drawn = format_html('<path class="even" d="M0 {}H{}"/><path class="line" d="{}"/>', y(0.5), ODDS_WIDTH, line)
    top, height = -ODDS_EDGE, ODDS_HEIGHT + 2 * ODDS_EDGE
    if lost:
        drawn += format_html('<path class="lost" d="M{} {}v{}"/>', x(curve.lost_at), top, height)
    if here is not None:
        drawn += format_html('<path class="now" d="M0 {}v{}" transform="translate({})"/>', top, height, x(here))
    drawn += format_html_join(
        "",
        '<circle cx="{0}" cy="{1}" r="11"/><text x="{0}" y="{1}" dy=".36em">{2}</text>',
        ((x(seq), y(curve.at(seq)), number) for number, seq in enumerate(marks, 1)),
    )
    return format_html(
        '<svg class="odds" viewBox="{0} {0} {1} {2}" role="img" aria-label="{3}"{4}>{5}</svg>',
        -ODDS_EDGE,
        ODDS_WIDTH + 2 * ODDS_EDGE,
        height,
        curve.sentence,
        "" if here is None else mark_safe(' preserveAspectRatio="none"'),
        drawn,
    )
