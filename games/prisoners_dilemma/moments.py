"""Best moments of the Prisoner's Dilemma."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from games.rules import values


def moments(events: Sequence[values.Event], end: dict, names: Mapping[int, str]) -> dict[int, str]:
    """One sentence a seat."""
    rounds = [event.data for event in events if event.kind == "revealed"]
    told: dict[int, str] = {}
    for seat in names:
        choices = [entry["choices"][str(seat)] for entry in rounds]
        alone = [
            entry["round"]
            for entry, choice in zip(rounds, choices, strict=True)
            if choice == "defect" and list(entry["choices"].values()).count("defect") == 1
        ]
        kind = choices.count("cooperate")
        if kind == len(choices):
            told[seat] = _("Cooperated in every round.")
        elif alone:
            told[seat] = _("Defected alone in round {round}.").format(round=alone[0])
        elif not kind:
            told[seat] = _("Never trusted anybody.")
        else:
            told[seat] = _("Cooperated in {times} of {all} rounds.").format(times=kind, all=len(choices))
    return told
