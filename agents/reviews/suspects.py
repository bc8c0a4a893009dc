"""What reviews of games say alike in which somebody is looked for: who was voted for, and who was suspected."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

SHARES = ("found", "before", "after", "chance", "best_chance")
"""What of the values that `known` holds is a chance, 0 to 1."""


def suspected(suspicion: Mapping[int, float], named: int | None, hidden: bool) -> dict[str, Any]:
    """How much the seat was suspected that a move names, if it names one, and who was most. hidden: whether whoever
    moves is the one that is looked for."""
    best = max(suspicion, key=suspicion.__getitem__)
    chance = suspicion.get(named or 0, 0.0)
    return {"best": best, "best_chance": round(suspicion[best], 3), "chance": round(chance, 3), "hidden": hidden}


def percents(known: Mapping[str, Any]) -> dict[str, int]:
    """The chances among these values, of 100."""
    return {name: round(100 * known[name]) for name in SHARES if name in known}


def told_suspected(
    known: Mapping[str, Any], named: int | None, names: Mapping[int, str], *, hidden: str, first: str, other: str
) -> str:
    """What `suspected` found, in one of three sentences: for whoever is looked for, where the named seat was suspected
    most, and where another one was."""
    sentence = hidden if known["hidden"] else first if named in (None, known["best"]) else other
    return sentence.format(**percents(known), name=names.get(named or 0, ""), best=names[known["best"]])


def told_vote(data: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """For whom somebody voted."""
    return _("Voted for {name}").format(name=names[data["seat"]]) if data["seat"] else _("Voted for nobody")
