"""Best moments of Public Good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from games.rules import values


def moments(events: Sequence[values.Event], end: dict, names: Mapping[int, str]) -> dict[int, str]:
    """One sentence a seat."""
    given = {int(seat): points for seat, points in end["deal"]["spent"].items()}
    told: dict[int, str] = {}
    for seat, points in given.items():
        if points == max(given.values()) > min(given.values()):
            told[seat] = _("Gave most to the pool: {points} points.").format(points=points)
        elif not points:
            told[seat] = _("Gave nothing at all.")
        elif seat in end["winners"]:
            told[seat] = _("Gave {points} points and came out ahead.").format(points=points)
        else:
            told[seat] = _("Gave {points} points to the pool.").format(points=points)
    return told
