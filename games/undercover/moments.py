"""Best moments of Undercover."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from games.rules import values


def moments(events: Sequence[values.Event], end: dict, names: Mapping[int, str]) -> dict[int, str]:
    """One sentence a seat; a seat without such a moment is left out."""
    roles = dict(enumerate(end["deal"]["roles"], 1))
    tallies = [event.data for event in events if event.kind == "tally"]
    out = {event.seat for event in events if event.kind == "out"}
    told: dict[int, str] = {}
    for seat, role in roles.items():
        votes = [(tally["round"], tally["votes"].get(str(seat))) for tally in tallies]
        right = [(number, target) for number, target in votes if target and roles[target] == "undercover"]
        against = sum(target == seat for tally in tallies for target in tally["votes"].values())
        clue = next((e.data["text"] for e in events if e.kind == "clue" and e.seat == seat and e.data["text"]), None)
        if role == "civilian" and right:
            words = _("Voted for {name}, who held the other word, in round {round}.")
            told[seat] = words.format(name=names[right[0][1]], round=right[0][0])
        elif role != "civilian" and seat not in out and not against:
            told[seat] = _("Stayed to the end without a single vote.")
        elif seat not in out:
            told[seat] = _("Stayed to the end.")
        elif clue:
            told[seat] = _("Gave the clue “{clue}”").format(clue=clue)
    return told
