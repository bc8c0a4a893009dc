"""How well house agents play: the switch ``strength`` of their profiles.

An easy agent plays sensibly, but concludes less from what it sees and chooses more loosely. A hard one concludes more,
and looks further. What each of them does otherwise stands in the games' folders; ``benchmarks.strength`` measures it.
"""

from collections.abc import Mapping
from typing import Any

from games.rules.sentences import sentence
from games.rules.values import Impossible

STRENGTHS = EASY, NORMAL, HARD = ("easy", "normal", "hard")


def strength_of(switches: Mapping[str, Any]) -> str:
    """The strength that a profile names, `NORMAL` where it names none. Raises `Impossible` for one that is none."""
    strength = switches.get("strength", NORMAL)
    if strength not in STRENGTHS:
        raise Impossible(
            sentence(
                "A house agent has no strength '{strength}'. It has: {strengths}.",
                strength=strength,
                strengths=", ".join(STRENGTHS),
            )
        )
    return strength
