"""Best moments of Public Good."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules import values


def moments(events: Sequence[values.Event], end: dict, names: Mapping[int, str]) -> dict[int, str]:
    """One sentence a seat."""
    given = {int(seat): points for seat, points in end["deal"]["spent"].items()}
    told: dict[int, str] = {}
    for seat, points in given.items():
        if points == max(given.values()) > min(given.values()):
            told[seat] = ngettext(
                "Gave most to the pool: {points} point.", "Gave most to the pool: {points} points.", points
            )
        elif not points:
            told[seat] = _("Gave nothing at all.")
        elif seat in end["winners"]:
            told[seat] = ngettext(
                "Gave {points} point and came out ahead.", "Gave {points} points and came out ahead.", points
            )
        else:
            told[seat] = ngettext("Gave {points} point to the pool.", "Gave {points} points to the pool.", points)
    return {seat: words.format(points=given[seat]) for seat, words in told.items()}
