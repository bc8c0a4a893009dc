"""After a match at a table that names no agents: each person is asked who was one, may skip it, and sees how they did.

What is said is kept beside the log, which has ended by then; detection accuracy counts it. As long as somebody is still
asked, nobody at or beside the table is told who was an agent (`games.match.access`), so that no answer is looked up.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _

from games.match import view
from games.models import Detection, Match
from games.refused import Refused
from games.room.rooms import changed
from games.rules.values import OMNISCIENT
from magic_site import clock

ASKED_FOR = timedelta(minutes=15)
"""How long after the end it is asked."""


def is_asked(match: Match, seat: int | None) -> bool:
    """Whether this seat's person has something to guess about the match."""
    return (
        seat is not None
        and not view.names_agents(match)
        and match.status == "finished"
        and kinds(match).get(seat) == "person"
        and len(kinds(match)) > 1
    )


def is_open(match: Match, seat: int | None = None) -> bool:
    """Whether this seat's person, or any, may still say it and has not."""
    if view.names_agents(match) or match.ended_at is None or match.ended_at < clock.now() - ASKED_FOR:
        return False
    asked = {number for number in kinds(match) if seat in (None, number) and is_asked(match, number)}
    return bool(asked - set(match.detections.values_list("seat", flat=True)))


def given(match: Match, seat: int | None) -> Detection | None:
    """What this seat's person has said already."""
    return match.detections.filter(seat=seat).first() if seat is not None and is_asked(match, seat) else None


def answer(match: Match, seat: int | None, agents: Iterable[int] | None) -> None:
    """Keep whom a person takes for agents; None skips the question. The first answer stands. Raises `Refused`."""
    if seat is None or not is_asked(match, seat):
        raise Refused(_("There is nothing to guess about this match."))
    if given(match, seat) is None and not is_open(match, seat):
        raise Refused(_("The time for guesses is over. The replay tells who was an agent."))
    said = None if agents is None else sorted(set(agents))
    if said is not None and not set(said) <= set(kinds(match)) - {seat}:
        raise Refused(_("Choose from the other players."))
    _said, new = Detection.objects.get_or_create(match=match, seat=seat, defaults={"agents": said})
    if new and match.room is not None:
        changed(match.room)


def verdicts(match: Match, said: Detection) -> list[dict[str, Any]]:
    """For each other seat what it was taken for, what it was, and whether that was right."""
    if said.agents is None:
        return []
    found = []
    for seat, kind in sorted(kinds(match).items()):
        if seat != said.seat:
            taken_for = "agent" if seat in said.agents else "person"
            found.append({"seat": seat, "taken_for": taken_for, "was": kind, "right": taken_for == kind})
    return found


def kinds(match: Match) -> dict[int, str]:
    """Who each seat was: "person" or "agent"."""
    return view.outside(match, OMNISCIENT).kinds
