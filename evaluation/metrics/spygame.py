"""The metrics of SpyGame, all from the spy's side: intent identification and camouflage.

All items are the spy's seat's, also those that count the citizens' votes: group by who plays the spy.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from evaluation.metrics.base import family, of_paper
from evaluation.metrics.values import Item, Mean
from evaluation.records.exposure import PEOPLE, RULE, hearable, place_exposures, told_by, utterances
from evaluation.records.record import Record
from games.rules.clues import same_answer
from games.rules.guesses import named
from games.rules.values import Event
from games.spygame.rules import believed

counted = of_paper("SpyGame", games=family("spygame"))
CAUGHT = ("spy_accused", "spy_voted")


class Suspicion(NamedTuple):
    """A citizen's vote for a seat, by day (an agreement with an accusation) or in the end."""

    event: Event
    target: int


def _spy(items: Callable[[Record, int], Iterator[Item]]) -> Callable[[Record, int], Iterator[Item]]:
    """Items of the spy's seat alone."""

    def of_spy(record: Record, seat: int) -> Iterator[Item]:
        return items(record, seat) if seat in record.odd else iter(())

    of_spy.__doc__ = items.__doc__
    return of_spy


def _right_guess(record: Record) -> bool:
    return record.outcome.result == "right_guess"


@counted("spygame.winning_rate", "Winning rate (WR)", "section IV-A", whole=True)
@_spy
def winning_rate(record: Record, seat: int) -> Iterator[Item]:
    """Games that the spy won / games."""
    yield Item(record.end.seq, float(record.won(seat)))


@counted("spygame.living_round", "Living rounds (LR)", "section IV-A", sums=Mean, unit="turns", whole=True)
@_spy
def living_round(record: Record, seat: int) -> Iterator[Item]:
    """Mean turns that were played."""
    yield Item(record.end.seq, len(record.of("turn")))


@counted("spygame.guess_success", "Guess success (GS)", "section IV-B", whole=True)
@_spy
def guess_success(record: Record, seat: int) -> Iterator[Item]:
    """Games with a right public guess of the place / games with a public guess. The spy stands up where its certainty
    reaches the threshold of its profile, or, if that names none, of the table."""
    for revealed in record.of("revealed"):
        yield Item(revealed.seq, float(_right_guess(record)))


@counted("spygame.notice_rate", "Notice rate (NR)", "section IV-B", whole=True)
@_spy
def notice_rate(record: Record, seat: int) -> Iterator[Item]:
    """Games in which the spy, asked before a turn, ever named the right place / games; how often it is asked hangs on
    the threshold at which it stands up, its profile's or else the table's."""
    place = record.of("record")[0].data["place"]
    for answer in record.moves_of(seat, "reveal"):
        guess = believed(answer.data)
        if guess is not None and (same_answer(guess, place) or same_answer(named(guess), place)):
            yield Item(answer.seq, 1)
            return
    yield Item(record.end.seq, 0)


def _identified(record: Record, exposed: bool) -> Iterator[Item]:
    exposures = place_exposures(record)
    if bool(exposures) == exposed:
        labelled = all(event.seq in record.exposed for event in hearable(record))
        by = told_by(record, exposures[0].event) if exposures else PEOPLE if labelled else RULE
        yield Item(exposures[0].event.seq if exposures else record.end.seq, float(_right_guess(record)), by=by)


@counted("spygame.information_catching", "Information catching (IC)", "section IV-B", whole=True)
@_spy
def information_catching(record: Record, seat: int) -> Iterator[Item]:
    """Games with a right public guess / games in which a citizen's public words name the place: by rule, or as people
    have labelled them."""
    return _identified(record, True)


@counted("spygame.information_deduction", "Information deduction (ID)", "section IV-B", whole=True)
@_spy
def information_deduction(record: Record, seat: int) -> Iterator[Item]:
    """Games with a right public guess / games in which no citizen names the place, by rule or as people have labelled
    the citizens' words."""
    return _identified(record, False)


@counted("spygame.exposure.people", "Exposure of the place, told by people", beside=True)
@_spy
def exposure_by_people(record: Record, seat: int) -> Iterator[Item]:
    """Citizens' public words of whose exposure people's labels decide / citizens' public words; the rule decides of the
    others."""
    for event in hearable(record):
        yield Item(event.seq, float(event.seq in record.exposed), by=told_by(record, event))


@counted("spygame.caught_rate", "Caught rate (CR)", "section IV-C", lower=True, whole=True)
@_spy
def caught_rate(record: Record, seat: int) -> Iterator[Item]:
    """Games in which a vote caught the spy / games that the spy lost."""
    if not record.won(seat):
        yield Item(record.end.seq, float(record.outcome.result in CAUGHT))


@counted("spygame.accusation_rate", "Accusation rate (AR)", "section IV-C", lower=True, whole=True)
@_spy
def accusation_rate(record: Record, seat: int) -> Iterator[Item]:
    """Citizens' accusations of the spy / citizens' accusations."""
    for lead in record.of("lead"):
        if lead.data["accuse"] and lead.seat != seat and record.own(lead):
            yield Item(lead.seq, float(lead.data["seat"] == seat))


def suspicions(record: Record) -> Iterator[Suspicion]:
    """The citizens' votes. Disagreeing with an accusation is no vote."""
    accused = 0
    for event in record.of("accused", "day_vote", "vote"):
        if event.kind == "accused":
            accused = event.data["accused"]
        elif event.seat not in record.odd and record.own(event):
            target = event.data["seat"] if event.kind == "vote" else accused if event.data["agree"] else None
            if target is not None:
                yield Suspicion(event, target)


@counted("spygame.vote_rate", "Vote rate (VR)", "section IV-C", lower=True, whole=True)
@_spy
def vote_rate(record: Record, seat: int) -> Iterator[Item]:
    """Citizens' votes for the spy / citizens' votes, by day and in the end."""
    for vote in suspicions(record):
        yield Item(vote.event.seq, float(vote.target == seat))


def _entropy(base: float) -> Callable[[Record, int], Iterator[Item]]:
    @_spy
    def items(record: Record, seat: int) -> Iterator[Item]:
        """Mean entropy of the citizens' votes in the final vote, over games that have one."""
        targets = Counter(vote.target for vote in suspicions(record) if vote.event.kind == "vote")
        if total := targets.total():
            shares = [count / total for count in targets.values()]
            yield Item(record.of("voted")[0].seq, -sum(share * math.log(share, base) for share in shares))

    return items


for _suffix, _base, _edition in (("", 2, "bits"), (".nats", math.e, "nats")):
    counted(
        f"spygame.vote_entropy{_suffix}",
        f"Vote entropy (VE), {_edition}",
        "section IV-C; no base is named",
        edition=_edition,
        unit=_edition,
        sums=Mean,
        reading=True,
        whole=True,
    )(_entropy(_base))


# Table I ------------------------------------------------------------------------------------------------------------


def _a_match(count: Callable[[Record, int], int]) -> Callable[[Record, int], Iterator[Item]]:
    def items(record: Record, seat: int) -> Iterator[Item]:
        yield Item(record.end.seq, count(record, seat), 0)
        yield Item(record.end.seq, 0, 1, "match")

    return items


for _name, _title, _about, _count in (
    (
        "steps",
        "Reasoning steps a match",
        "Calls of models for moves and polls, by all of the group / matches.",
        lambda record, seat: sum(bool(note.model) for note in record.notes_of(seat)),
    ),
    (
        "utterances",
        "Utterances a match",
        "What was said to all, by all of the group / matches.",
        lambda record, seat: len(utterances(record, seat)),
    ),
):
    counted(f"spygame.{_name}", _title, "table I", about=_about, unit="", reading=True, beside=True, sums=Mean)(
        _a_match(_count)
    )


@counted("spygame.words", "Words an utterance", "table I", sums=Mean, unit="words")
def words(record: Record, seat: int) -> Iterator[Item]:
    """Mean number of words of what was said to all, as they are parted by spaces."""
    for said in utterances(record, seat):
        yield Item(said.event.seq, len(said.text.split()))
