"""Best moments of SpyGame."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from games.rules import values


def moments(events: Sequence[values.Event], end: dict, names: Mapping[int, str]) -> dict[int, str]:
    """One sentence a seat."""
    spy = end["deal"]["spy"]
    accusations = [event.data for event in events if event.kind == "day_voted"]
    final: dict[str, Any] = next((event.data["votes"] for event in events if event.kind == "voted"), {})
    answers = {event.seat: event.data["text"] for event in events if event.kind == "answer" and event.data["text"]}
    told: dict[int, str] = {}
    for seat in names:
        accused_spy = any(data["accuser"] == seat and data["accused"] == spy for data in accusations)
        agreed = any(data["accused"] == spy and data["votes"].get(str(seat)) for data in accusations)
        if seat == spy and end["result"] == "right_guess":
            told[seat] = _("Found out the place by listening.")
        elif seat == spy and not any(data["accused"] == spy for data in accusations) and spy not in final.values():
            told[seat] = _("Was never accused.")
        elif seat != spy and accused_spy:
            told[seat] = _("Accused {name}, who was the spy.").format(name=names[spy])
        elif seat != spy and (agreed or final.get(str(seat)) == spy):
            told[seat] = _("Voted against {name}, who was the spy.").format(name=names[spy])
        elif seat in answers:
            told[seat] = _("Said “{answer}”").format(answer=answers[seat])
        else:
            told[seat] = _("Listened, and gave nothing away.")
    return told
