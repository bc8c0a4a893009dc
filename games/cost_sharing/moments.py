"""Best moments of Cost Sharing."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from games.cost_sharing.setting import proportional
from games.rules import values


def moments(events: Sequence[values.Event], end: dict, names: Mapping[int, str]) -> dict[int, str]:
    """One sentence a seat."""
    last = next(event.data for event in reversed(events) if event.kind == "tally")
    opened = next(event.data for event in events if event.kind == "opened")
    initial = opened["initial"] or proportional(opened["airlines"], opened["step"])
    told: dict[int, str] = {}
    for seat in names:
        if last["split"] is None:
            vote = last["votes"][str(seat)]
            words = (
                _("Kept voting for their own split to the end.")
                if vote == seat
                else _("Kept looking for an agreement to the end.")
            )
        elif seat in last["proposers"]:
            words = _("Proposed the split that everybody agreed to.")
        elif last["split"][seat - 1] < initial[seat - 1]:
            words = _("Pays {less} percentage points less than in proportion to use.").format(
                less=initial[seat - 1] - last["split"][seat - 1]
            )
        else:
            words = _("Gave way, so that you could agree.")
        told[seat] = words
    return told
