"""Best moments of Chameleon."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from games.rules import values


def moments(events: Sequence[values.Event], end: dict, names: Mapping[int, str]) -> dict[int, str]:
    """One sentence a seat; a seat without such a moment is left out."""
    chameleon = end["deal"]["chameleon"]
    votes = next(event.data["votes"] for event in events if event.kind == "tally")
    clues = {event.seat: event.data["text"] for event in events if event.kind == "clue" and event.data["text"]}
    told: dict[int, str] = {}
    for seat in map(int, votes):
        if votes[str(seat)] == chameleon:
            told[seat] = _("Saw through {name}.").format(name=names[chameleon])
        elif seat in clues:
            told[seat] = _("Gave the clue “{clue}”").format(clue=clues[seat])
    if end["result"] == "guessed":
        told[chameleon] = _("Was caught, and guessed the word all the same.")
    elif chameleon not in votes.values():
        told[chameleon] = _("Blended in without a single vote.")
    elif end["result"] == "chameleon":
        told[chameleon] = _("Saw the table accuse somebody else.")
    return told
