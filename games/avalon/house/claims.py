"""Claims at an Avalon table: what somebody says to know or to be, and how far it is believed.

A claim is weighed by the role of whoever makes it and by the side of whom it is about. How often which role says so is
assumed and not fitted: recorded games hold no talk.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from agents.house.discourse.lines import Line
from agents.house.discourse.meaning import Point, understood
from games.avalon.house.hearing import Names
from games.avalon.house.vocabulary import VOCABULARY
from games.avalon.posterior.exact import EVIL, ROLES, Deals, Evidence, Posterior, PublicRecord

MERLIN, PERCIVAL, CONFESSION, SEES_EVIL, SEES_GOOD, LADY_EVIL, LADY_GOOD = (
    "merlin", "percival", "confession", "sees evil", "sees good", "lady evil", "lady good",
)  # fmt: skip

_BY_ROLE = {
    MERLIN: {"merlin": 0.05, "percival": 0.04, "servant": 0.02, "evil": 0.06},
    PERCIVAL: {"merlin": 0.05, "percival": 0.3, "servant": 0.05, "evil": 0.12},
    CONFESSION: {"merlin": 0.01, "percival": 0.01, "servant": 0.01, "evil": 0.02},
}
"""How often a role says that it is Merlin, Percival, evil."""
_BY_SIDE = {
    SEES_EVIL: {"merlin": (0.01, 0.1), "percival": (0.02, 0.04), "servant": (0.02, 0.04), "evil": (0.08, 0.03)},
    SEES_GOOD: {"merlin": (0.05, 0.01), "percival": (0.04, 0.02), "servant": (0.04, 0.02), "evil": (0.03, 0.06)},
    LADY_EVIL: {"merlin": (0.02, 0.9), "percival": (0.02, 0.9), "servant": (0.02, 0.9), "evil": (0.5, 0.2)},
    LADY_GOOD: {"merlin": (0.9, 0.02), "percival": (0.9, 0.02), "servant": (0.9, 0.02), "evil": (0.4, 0.7)},
}
"""How often a role says that it saw somebody evil or good, or that the Lady showed it so: of a good one, of an evil
one."""


UNSHOWN = {LADY_EVIL: SEES_EVIL, LADY_GOOD: SEES_GOOD}
"""What a claim of the Lady amounts to where she was not with whoever makes it."""


class Claim(NamedTuple):
    """kind: one of `_BY_ROLE` or `_BY_SIDE`; subject: the seat that it is about, 0 for the speaker alone."""

    speaker: int
    kind: str
    subject: int = 0


class Customs(NamedTuple):
    """What the options of a match say. fails_needed: fail cards that lose each quest; talks: whether teams are talked
    about before they are voted on."""

    fails_needed: tuple[int, ...] = (1, 1, 1, 1, 1)
    talks: bool = True


USUAL = Customs()


@dataclass(frozen=True)
class HeardRecord(PublicRecord):
    """The public record with what was claimed, each claim once, and the customs of the table."""

    claims: tuple[Claim, ...] = ()
    customs: Customs = USUAL


class Listening(Posterior):
    """A posterior that weighs claims as well."""

    def _weigh(self, evidence: Evidence) -> np.ndarray:
        weights = super()._weigh(evidence)
        for claim in self.record.claims if isinstance(self.record, HeardRecord) else ():
            weights = weights * _likelihood(claim, self.deals)
        return weights / weights.sum()


def _likelihood(claim: Claim, deals: Deals) -> np.ndarray:
    """``[deal]``: how probable it is that somebody claims this."""
    roles = deals.roles[:, claim.speaker - 1]
    if claim.kind in _BY_ROLE:
        said = _BY_ROLE[claim.kind]
        return np.array([said[_mind(role)] for role in ROLES])[roles]
    of_side = _BY_SIDE[claim.kind]
    table = np.array([of_side[_mind(role)] for role in ROLES])
    return table[roles, deals.evil >> (claim.subject - 1) & 1]


def _mind(role: str) -> str:
    return "evil" if role in EVIL else role


# Hearing -------------------------------------------------------------------------------------------------------------

_MAY_CLAIM = re.compile(r"\b(?:merlin|perc|lady|lake|saw|see|seen|know|evil|bad)", re.IGNORECASE)
_UNREAL = re.compile(r"\b(?:if|would|not|never|were|might|could|whether|think|guess|say)\b")


@lru_cache(maxsize=4096)
def claims(speaker: int, text: str, names: Names) -> tuple[Claim, ...]:
    """What a seat claims in these words: nothing that it denies, supposes or asks."""
    if not _MAY_CLAIM.search(text):
        return ()
    points = understood(Line(0, speaker, text, "", ""), 0, names, VOCABULARY)
    found = (_claim(speaker, point) for point in points if not point.asks and not _UNREAL.search(point.said))
    return tuple(claim for claim in found if claim is not None)


def _claim(speaker: int, point: Point) -> Claim | None:
    about = next((seat for seat in point.seats if seat != speaker), 0)
    match point.kind:
        case "claim_role" if point.role in (MERLIN, PERCIVAL):
            return Claim(speaker, point.role)
        case "confessed":
            return Claim(speaker, CONFESSION)
        case "claim_saw" if about and point.tone:
            return Claim(speaker, SEES_EVIL if point.tone < 0 else SEES_GOOD, about)
        case "claim_lady" if about and point.tone:
            return Claim(speaker, LADY_EVIL if point.tone < 0 else LADY_GOOD, about)
    return None
