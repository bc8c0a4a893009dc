"""The abilities of MAgIC in the three games of points: cooperation, coordination, rationality, and what was got."""

from collections.abc import Iterator

from evaluation.metrics.base import family, of_paper
from evaluation.metrics.magic import COST, DILEMMA, GOOD
from evaluation.metrics.values import Item, Mean
from evaluation.records.record import Record

counted = of_paper("MAgIC")

# Cost sharing -------------------------------------------------------------------------------------------------------


@counted("magic.cooperation", "Cooperation", "M2 equation 6", games=family(COST), whole=True)
def cooperation(record: Record, seat: int) -> Iterator[Item]:
    """Games of Cost Sharing that were agreed / such games."""
    yield Item(record.end.seq, float(record.outcome.result == "agreed"), 1, "agreed")


def _own_proposal_agreed(record: Record, seat: int) -> bool:
    """Whether the agreed split was proposed by this seat's own player."""
    tally = record.of("tally")[-1]
    proposals = [event for event in record.of("proposal") if event.seat == seat]
    return seat in tally.data["proposers"] and record.own(proposals[-1])


@counted(
    "magic.coordination",
    "Coordination",
    "M1 and M2 equation 7",
    games=family(COST),
    whole=True,
    edition="of agreed games",
)
def coordination(record: Record, seat: int) -> Iterator[Item]:
    """Games agreed on the own proposal / agreed games."""
    if record.outcome.result == "agreed":
        yield Item(record.of("tally")[-1].seq, float(_own_proposal_agreed(record, seat)))


@counted(
    "magic.coordination.m2", "Coordination (M2)", "M2 table 1", games=family(COST), edition="of all games", whole=True
)
def coordination_of_all(record: Record, seat: int) -> Iterator[Item]:
    """Games agreed on the own proposal / all games."""
    agreed = record.outcome.result == "agreed"
    yield Item(record.of("tally")[-1].seq, float(agreed and _own_proposal_agreed(record, seat)))


@counted(
    "magic.cost",
    "Cost",
    "M1 tables 2 and 8",
    games=family(COST),
    sums=Mean,
    unit="% of the fee",
    lower=True,
    whole=True,
)
def cost(record: Record, seat: int) -> Iterator[Item]:
    """Mean own share of the fee, in percent, where it was agreed."""
    if record.outcome.result == "agreed":
        tally = record.of("tally")[-1]
        yield Item(tally.seq, tally.data["split"][seat - 1])


# Dilemma and public good --------------------------------------------------------------------------------------------


def _defections(record: Record, seat: int) -> Iterator[Item]:
    for choice in record.moves_of(seat, "choice"):
        yield Item(choice.seq, float(choice.data["choice"] == "defect"))


def _least(record: Record, seat: int) -> Iterator[Item]:
    """Rounds in which nobody contributed less."""
    rounds: list[list] = []
    for event in record.of("round", "contribution"):
        rounds.append([]) if event.kind == "round" else rounds[-1].append(event)
    for contributions in rounds:
        for own in contributions:
            if own.seat == seat and record.own(own):
                least = min(event.data["points"] for event in contributions)
                yield Item(own.seq, float(own.data["points"] == least))


@counted("magic.rationality", "Rationality", "M2 equation 8, as its tables pool it", games=family(DILEMMA, GOOD))
def rationality(record: Record, seat: int) -> Iterator[Item]:
    """Defections and rounds in which nobody put in less / all rounds of the Prisoner's Dilemma and Public Good."""
    return _defections(record, seat) if record.family == DILEMMA else _least(record, seat)


@counted("magic.rationality.prisoners_dilemma", "Defections", "M1 table 9, figure 4b", games=family(DILEMMA))
def defections(record: Record, seat: int) -> Iterator[Item]:
    """Defections / rounds; by the payoffs of the setting this is the tendency of figure 4b."""
    return _defections(record, seat)


@counted("magic.rationality.public_good", "Least contributions", "M1 table 10", games=family(GOOD))
def least_contributions(record: Record, seat: int) -> Iterator[Item]:
    """Rounds in which nobody contributed less / rounds."""
    return _least(record, seat)


@counted("magic.score", "Score", "M1 tables 2 and 9", games=family(DILEMMA), sums=Mean, unit="points", whole=True)
def score(record: Record, seat: int) -> Iterator[Item]:
    """Mean total of points in a game of the Prisoner's Dilemma."""
    yield Item(record.end.seq, record.outcome.returns[seat])


@counted("magic.payback", "Payback", "M1 tables 2 and 10", games=family(GOOD), sums=Mean, unit="points", whole=True)
def payback(record: Record, seat: int) -> Iterator[Item]:
    """Mean points at the end of a game of Public Good: what was kept, and the share of the pool."""
    yield Item(record.end.seq, record.outcome.returns[seat])


def _attempted(record: Record, seat: int) -> int | None:
    """All that a seat tried to contribute: of a contribution that was refused for being too much, the first try."""
    tries = {move.request: move.data["points"] for move in record.moves_of(seat, "contribution")}
    refused: dict[str, int] = {}
    for attempt in record.attempts:
        if attempt.seat == seat and attempt.code == "over_budget":
            refused.setdefault(attempt.request, attempt.action["points"])
    return sum((tries | refused).values()) if tries or refused else None


@counted(
    "magic.invested", "Attempted investment", "M1 figure 4a", games=family(GOOD), sums=Mean, unit="points", whole=True
)
def invested(record: Record, seat: int) -> Iterator[Item]:
    """Mean of all that a seat tried to contribute in a game, refused attempts included; figure 4a has it by
    multiplier."""
    if (total := _attempted(record, seat)) is not None:
        yield Item(record.end.seq, total)


@counted("magic.within_budget", "Within the budget", "section 5.2.1 and M1 figure 4a", games=family(GOOD), whole=True)
def within_budget(record: Record, seat: int) -> Iterator[Item]:
    """Games in which no more than the points at hand was tried to be contributed / games."""
    if (total := _attempted(record, seat)) is not None:
        yield Item(record.end.seq, float(total <= record.of("opened")[0].data["points"]))
