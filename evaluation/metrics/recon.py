"""The metrics of ReCon: success by side, what is let out, and which of two replies a judge prefers.

Preferences and the check of the judge are of verdicts, not of records, so they are functions of their own.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from evaluation.metrics.base import family, hiding, of_paper
from evaluation.metrics.values import Item, Mean
from evaluation.records.exposure import role_exposures, told_by, utterances
from evaluation.records.record import Record
from evaluation.tables import statistics

counted = of_paper("ReCon")
DIMENSIONS = ("concealment", "logic", "contribution", "persuasiveness", "information", "creativity")
"""ReCon, section 4.2: CCL, LG, CTR, PRS, INF, CRT."""

AGREEMENT = ("full", "majority", "majority against", "full against")


@counted("recon.success", "Success rate", "section 4.1, figure 4", games=family("avalon"), whole=True)
def success(record: Record, seat: int) -> Iterator[Item]:
    """Games that the side won / games; group by side and method."""
    yield Item(record.end.seq, float(record.won(seat)), 1, record.sides[seat])


@counted(
    "recon.role_exposure",
    "Role exposure",
    "sections 1 and 4.2",
    games=hiding,
    lower=True,
    reading=True,
)
def role_exposure(record: Record, seat: int) -> Iterator[Item]:
    """Public utterances that plainly say the own role, or what only this seat was shown / public utterances: by rule,
    or as people have labelled them."""
    exposed = {exposure.event.seq for exposure in role_exposures(record)}
    for said in utterances(record, seat):
        yield Item(said.event.seq, float(said.event.seq in exposed), by=told_by(record, said.event))


@counted("recon.role_exposure.people", "Role exposure, told by people", games=hiding, beside=True)
def role_exposure_by_people(record: Record, seat: int) -> Iterator[Item]:
    """Public utterances of whose exposure people's labels decide / public utterances; of the others the rule does."""
    for said in utterances(record, seat):
        yield Item(said.event.seq, float(said.event.seq in record.exposed), by=told_by(record, said.event))


# Preferences --------------------------------------------------------------------------------------------------------


class Verdict(NamedTuple):
    """What a judge says of two methods' replies to one prompt, in one order and on one dimension. first, second: the
    methods, as they were shown; preferred: one of them, or None for a tie. unit: what is independent (the match)."""

    prompt: str
    dimension: str
    first: str
    second: str
    preferred: str | None
    unit: str = ""


def preferences(verdicts: Iterable[Verdict]) -> dict[tuple[str, str, str], Mean]:
    """By (dimension, method, the method that it met) the share of verdicts that prefer it; a tie counts half to each
    (ReCon, section 4.2). Both orders of a pair are verdicts."""
    found: dict[tuple[str, str, str], Mean] = {}
    for verdict in verdicts:
        for method, other in ((verdict.first, verdict.second), (verdict.second, verdict.first)):
            share = 0.5 if verdict.preferred is None else float(verdict.preferred == method)
            found.setdefault((verdict.dimension, method, other), Mean()).count(verdict.unit or verdict.prompt, share, 1)
    return found


def position_bias(verdicts: Iterable[Verdict]) -> dict[str, Mean]:
    """By dimension the share of verdicts for the reply that was shown first, ties half: a fair judge is at 0.5."""
    found: dict[str, Mean] = {}
    for verdict in verdicts:
        share = 0.5 if verdict.preferred is None else float(verdict.preferred == verdict.first)
        found.setdefault(verdict.dimension, Mean()).count(verdict.unit or verdict.prompt, share, 1)
    return found


@dataclass(frozen=True)
class Agreement:
    """How far people agree with a judge (ReCon, appendix D.1). counts: by level, in the order of `AGREEMENT`; left_out:
    items on which people were split evenly."""

    counts: Mapping[str, int]
    left_out: int = 0

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def agreeing(self) -> int:
        return self.counts["full"] + self.counts["majority"]

    @property
    def ratio(self) -> float | None:
        """The share of items on which most people agree with the judge."""
        return self.agreeing / self.total if self.total else None

    def test(self) -> tuple[float, float] | None:
        """Chi-square of agreeing against disagreeing items, an even split expected: (statistic, p)."""
        return statistics.chi_square([self.agreeing, self.total - self.agreeing]) if self.total else None


def agreement(votes: Iterable[tuple[int, int]]) -> Agreement:
    """From each item's (people who agree with the judge, people who do not)."""
    counts, left_out = Counter(dict.fromkeys(AGREEMENT, 0)), 0
    for agree, disagree in votes:
        if agree == disagree:
            left_out += 1
        elif agree > disagree:
            counts["majority" if disagree else "full"] += 1
        else:
            counts["majority against" if agree else "full against"] += 1
    return Agreement(dict(counts), left_out)


def published_agreement(full: int, majority: int, against: int, full_against: int) -> Agreement:
    """An agreement from counts that are printed."""
    return Agreement(dict(zip(AGREEMENT, (full, majority, against, full_against), strict=True)))
