"""Best moments of Avalon."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from games.avalon.rules import EVIL, MERLIN
from games.rules import values


def moments(events: Sequence[values.Event], end: dict, names: Mapping[int, str]) -> dict[int, str]:
    """One sentence a seat; a seat without such a moment is left out."""
    roles = dict(enumerate(end["deal"]["roles"], 1))
    evil = {seat for seat, role in roles.items() if role in EVIL}
    teams = [event.data["seats"] for event in events if event.kind == "team"]
    ballots = [event.data["votes"] for event in events if event.kind == "voted"]
    quests = [event.data for event in events if event.kind == "quested"]
    stabbed = next((event for event in events if event.kind == "assassinate"), None)
    told: dict[int, str] = {}
    for seat, role in roles.items():
        judged = [(team, votes[str(seat)]) for team, votes in zip(teams, ballots, strict=False) if str(seat) in votes]
        right = sum(approve == evil.isdisjoint(team) for team, approve in judged)
        sunk = [quest["quest"] for quest in quests if seat in quest["team"] and not quest["success"]]
        if stabbed and stabbed.seat == seat and end["result"] == "evil_assassination":
            told[seat] = _("Found Merlin in the end.")
        elif role == MERLIN and end["result"] == "good":
            told[seat] = _("Led good to victory and was never found out.")
        elif seat in evil and sunk:
            told[seat] = _("Was on quest {quest} when it failed.").format(quest=sunk[0])
        elif seat in evil:
            told[seat] = _("Was not found out until the end.")
        elif judged:
            told[seat] = _("Voted rightly on {right} of {all} teams.").format(right=right, all=len(judged))
    return told
