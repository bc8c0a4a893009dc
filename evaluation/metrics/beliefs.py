"""How good beliefs are: each matrix that a thought holds, against what everybody is."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evaluation.metrics.base import OURS, Combined, family, hiding, of_paper, register
from evaluation.metrics.values import Item, Mean, Ratio
from evaluation.records.record import Asked, Note, Record, kept
from games.avalon.posterior import VERSION
from games.avalon.posterior import exact as avalon
from games.avalon.posterior.seen import Seen
from games.rules import sight
from games.rules.core import Rules

CLIP = 1e-4
"""Probabilities are kept this far from 0 and 1 before a logarithm is taken."""

counted = of_paper(OURS, games=hiding, sums=Mean, lower=True)


class Believed(NamedTuple):
    """One number of a belief matrix beside the truth. seq: the event that the belief stood at: the last one before the
    request that it was formed for; p: how probable the owner held it that `subject` is a suspect."""

    seq: int
    subject: int
    p: float
    truth: bool


@kept
def beliefs(record: Record, seat: int) -> list[Believed]:
    """What a seat believed of all others whenever it was asked: of several matrices for one request the last. Left out
    are matrices about what nobody is (such as a move to come) and labels that the record does not know."""
    return [
        Believed(note.at, subject, p, _is_one_of(record, subject, note.beliefs["suspects"]))
        for note in matrices(record, seat)
        for subject, p in sorted(suspicions(note.beliefs).items())
    ]


@kept
def matrices(record: Record, seat: int) -> list[Note]:
    """The last matrix for each request of a seat, those whose suspects somebody at the table is."""
    last: dict[str, Note] = {}
    for note in record.notes_of(seat):
        if note.beliefs and str(seat) in note.beliefs["rows"]:
            last[note.request] = note
    return [
        note
        for note in last.values()
        if any(_is_one_of(record, other, note.beliefs["suspects"]) for other in record.numbers)
    ]


def suspicions(matrix: Mapping[str, Any]) -> dict[int, float]:
    """The owner's own row: by each other seat the probability of being a suspect."""
    owner, labels = matrix["owner"], list(matrix["labels"])
    chosen = [labels.index(label) for label in matrix["suspects"]]
    row = matrix["rows"][str(owner)]
    return {int(seat): math.fsum(cell[k] for k in chosen) for seat, cell in row.items() if int(seat) != owner}


def _is_one_of(record: Record, seat: int, labels: Collection[str | None]) -> bool:
    return record.roles.get(seat) in labels or record.sides.get(seat) in labels


def log_loss(p: float, truth: bool) -> float:
    """-log of what was given to the truth, in nats, clipped at `CLIP`."""
    return -math.log(min(max(p if truth else 1 - p, CLIP), 1))


def brier(p: float, truth: bool) -> float:
    """The squared distance of a probability from the truth."""
    return (p - truth) ** 2


def _scored(
    score: Callable[[float, bool], float], of: Callable[[Record, int], Iterable[Believed]] = beliefs
) -> Callable[[Record, int], Iterator[Item]]:
    """What these beliefs are worth by a score."""

    def items(record: Record, seat: int) -> Iterator[Item]:
        for believed in of(record, seat):
            yield Item(believed.seq, score(believed.p, believed.truth))

    return items


def uniform(record: Record, seat: int, suspects: Collection[str]) -> float:
    """What one who knows the numbers only holds each other seat for."""
    found = [_is_one_of(record, other, suspects) for other in record.others(seat)]
    return sum(found) / len(found)


def even(record: Record, seat: int) -> Iterator[Believed]:
    """What such a guess holds of each other seat, at each matrix."""
    for note in matrices(record, seat):
        suspects = note.beliefs["suspects"]
        guess = uniform(record, seat, suspects)
        for subject in sorted(suspicions(note.beliefs)):
            yield Believed(note.at, subject, guess, _is_one_of(record, subject, suspects))


for _name, _title, _about, _items in (
    (
        "log_loss",
        "Belief, log loss",
        "Mean log loss, in nats, of what was believed of each other seat, against what it is.",
        _scored(log_loss),
    ),
    (
        "brier",
        "Belief, Brier score",
        "Mean squared distance of what was believed of each other seat from what it is.",
        _scored(brier),
    ),
    (
        "log_loss.uniform",
        "Log loss of an even guess",
        "Mean log loss at the same moments of a guess that knows only how many there are.",
        _scored(log_loss, even),
    ),
):
    counted(f"ours.{_name}", _title, about=_about, unit="")(_items)


# What was stated without a number -----------------------------------------------------------------------------------

STATED = 0.9
"""How sure a statement without a number is taken to be: whoever names a suspect may be wrong one time in ten."""


@kept
def stated(record: Record, seat: int) -> list[Believed]:
    """What a seat's answers to polls say of the others: who is named is a suspect with `STATED`, who is not named, or
    is trusted, with what is left. Of MAgIC's polls and Avalon's the suspects are those who hide, of WIU's the other
    team; of whom nothing is said there is nothing, and no belief of who was told all, such as a chameleon."""
    return [
        Believed(asked.event.seq, other, STATED if suspected else 1 - STATED, truth)
        for asked in record.answers_of(seat)
        for other, suspected, truth in _said_of_others(record, asked)
    ]


def _said_of_others(record: Record, asked: Asked) -> Iterator[tuple[int, bool, bool]]:
    """(seat, whether it is suspected, whether rightly so) for all of whom a poll says something."""
    said, seat = asked.said, asked.seat
    named = said.get(record.rules.suspect_field)
    named = [named] if isinstance(named, int) else named
    if named is not None and any(member.hidden_from(seat) for member in record.cast.values()):
        gone = record.alive_after()
        for other in record.others(seat):
            out = gone[other]
            if out is None or out.seq > asked.event.seq:
                yield other, other in named, other in record.odd
    for field, suspected in (("suspected", True), ("trusted", False)):
        for other in said.get(field) or ():
            yield other, suspected, record.sides[other] != record.sides[seat]


@kept
def marked(record: Record, seat: int) -> list[Believed]:
    """What a person's notebook says of the others, each mark once: a doubt is a suspicion with `STATED`, trust one with
    what is left. Suspected is who is on another side."""
    return [
        Believed(mark.seq, mark.subject, STATED if mark.doubt else 1 - STATED, _apart(record, seat, mark.subject))
        for mark in record.marks
        if mark.seat == seat
    ]


def _polled(rules: Rules) -> bool:
    return bool(rules.suspect_field)


def _apart(record: Record, seat: int, other: int) -> bool:
    return record.sides.get(other) != record.sides.get(seat)


for _name, _title, _about, _score in (
    ("log_loss", "Polls, log loss", "Mean log loss, in nats, of what polls say of other seats", log_loss),
    ("brier", "Polls, Brier score", "Mean squared distance of what polls say of other seats from what they are", brier),
):
    counted(
        f"ours.{_name}.polls",
        _title,
        about=f"{_about}; a statement without a number is taken as {STATED}.",
        games=_polled,
        unit="",
        reading=True,
    )(_scored(_score, stated))


# Skill: beside what a perfect reasoner could know, in Avalon ---------------------------------------------------------

FAMILY = "avalon"
"""The game of which there is a posterior (`games.avalon.posterior`)."""
REFERENCE = f"of the posterior, version {VERSION}, by which nothing follows from what is said"


def about_sought(record: Record, seat: int) -> list[Note]:
    """The matrices that say of everybody how probably it is one of the sought."""
    sought = {record.roles[seat] for seat in record.odd}
    return [
        note
        for note in matrices(record, seat)
        if record.rules.sought in note.beliefs["suspects"] or sought <= set(note.beliefs["suspects"])
    ]


def _in_avalon(
    believed: Callable[[Record, Note], Callable[[int], float]], score: Callable[[float, bool], float] = log_loss
) -> Callable[[Record, int], Iterator[Item]]:
    """The score of P(evil) about each other seat, by whoever believes something at the moment of a thought."""

    def items(record: Record, seat: int) -> Iterator[Item]:
        for note in about_sought(record, seat):
            p = believed(record, note)
            for subject in sorted(suspicions(note.beliefs)):
                yield Item(note.at, score(p(subject), subject in record.odd))

    return items


def _own(record: Record, note: Note) -> Callable[[int], float]:
    return suspicions(note.beliefs).__getitem__


def _even(record: Record, note: Note) -> Callable[[int], float]:
    evil = len(record.odd - {note.seat})
    return lambda subject: evil / (len(record.seats) - 1)


def _seen(record: Record, note: Note) -> Seen:
    return Seen(note.seat).fold(sight.visible(record.rules, record.events, note.seat, note.at))


def exact(record: Record, note: Note) -> dict[int, float]:
    """What exact reasoning held of each other seat at the moment of a thought; {} where a game has none."""
    rules = record.rules
    if not rules.exact:
        return {}
    visible = sight.visible(rules, record.events, note.seat, note.at)
    return rules.part(rules.exact).suspicions(note.seat, visible)


def _posterior(record: Record, note: Note) -> Callable[[int], float]:
    return exact(record, note).__getitem__


def _logic(record: Record, note: Note) -> Callable[[int], float]:
    return _evil(avalon.Posterior, _seen(record, note))


def _evil(weighed: Callable[..., avalon.Posterior], seen: Seen) -> Callable[[int], float]:
    evil = weighed(seen.record, seen.knowledge).evil()
    return lambda subject: float(evil[subject - 1])


for _name, _title, _who, _believed in (
    ("avalon", "Log loss in Avalon", "the own beliefs about who is evil", _own),
    ("avalon.uniform", "Log loss of an even guess in Avalon", "a guess that knows only how many are evil", _even),
    ("avalon.posterior", "Log loss of the posterior", "the posterior with the fitted behaviour of people", _posterior),
    ("avalon.logic", "Log loss of logic alone", "the posterior that knows the rules and no habits", _logic),
):
    counted(
        f"ours.log_loss.{_name}",
        _title,
        about=f"Mean log loss, in nats, of {_who}, at each thought with beliefs.",
        games=family(FAMILY),
        unit="nats",
        heavy=True,
        edition=REFERENCE if _believed in (_posterior, _logic) else "",
    )(_in_avalon(_believed))

counted(
    "ours.brier.avalon.posterior",
    "Brier score of the posterior",
    about="Mean squared distance of the posterior with the fitted behaviour of people from what each other seat is, at "
    "each thought with beliefs.",
    games=family(FAMILY),
    unit="",
    heavy=True,
    edition=REFERENCE,
)(_in_avalon(_posterior, brier))


def skill(values: Sequence[Any]) -> Any:
    """(uniform loss - loss) / (uniform loss - reference loss): 0 is an even guess, 1 the reference."""
    even, loss, reference = values
    most = np.subtract(even, reference)
    return np.divide(np.subtract(even, loss), most, out=np.full(most.shape, np.nan), where=most != 0)


for _suffix, _reference in (("", "posterior"), (".logic", "logic")):
    register(
        Combined(
            f"ours.skill{_suffix}",
            f"Skill beside the {_reference}",
            "(Loss of an even guess - loss) / (loss of an even guess - loss of the reference).",
            OURS,
            family(FAMILY),
            unit="",
            heavy=True,
            parts=("ours.log_loss.avalon.uniform", "ours.log_loss.avalon", f"ours.log_loss.avalon.{_reference}"),
            combine=skill,
        )
    )


class Bin(NamedTuple):
    """One bar of a calibration curve: beliefs between low and high, what was believed on average, how often it was
    true. Without beliefs both are None."""

    low: float
    high: float
    n: int
    believed: float | None
    true: Ratio


BINS = 10
"""So many bars has a calibration curve."""


def bin_of(p: float, of: int = BINS) -> int:
    """In which bar a belief lies, the first one being 0."""
    return min(int(p * of), of - 1)


def bins(sums: Sequence[tuple[Mean, Ratio]]) -> list[Bin]:
    """The curve, from the beliefs in each bar and how many of them were true."""
    size = len(sums)
    return [Bin(k / size, (k + 1) / size, mean.n, mean.value, ratio) for k, (mean, ratio) in enumerate(sums)]


def posterior(record: Record, seat: int) -> Iterator[Believed]:
    """What the exact posterior holds of each other seat in Avalon, at each thought with beliefs."""
    if record.family == FAMILY:
        for note in about_sought(record, seat):
            p = _posterior(record, note)
            for subject in sorted(suspicions(note.beliefs)):
                yield Believed(note.at, subject, p(subject), subject in record.odd)
