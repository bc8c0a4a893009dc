"""MAgIC's abilities in Avalon, as its later edition (M2, section 6) would carry them over to other games.

The paper says in words that judgement assesses unknown roles, that reasoning compares a view with the facts and with
the views of others, and that deception is how far others are misled; what is counted here is our reading of that. It
follows from polls alone (option `polls`). What a seat was told is not asked of it and counts nowhere.
"""

from collections.abc import Iterator

from evaluation.metrics.base import family, of_paper
from evaluation.metrics.values import Item
from evaluation.records.record import Asked, Record

counted = of_paper("our reading of MAgIC", games=family("avalon"), reading=True)


def _polls(record: Record, seat: int) -> list[Asked]:
    return record.answers_of(seat) if record.options.get("polls") == "magic" else []


def _named(record: Record, asked: Asked) -> Iterator[bool]:
    """Of each seat that an answer names as evil, whether it is."""
    for named in asked.said.get(record.rules.suspect_field) or ():
        yield named in record.odd


@counted("magic.judgement.avalon", "Judgement, Avalon", "M2 section 6")
def judgement(record: Record, seat: int) -> Iterator[Item]:
    """Evil seats / seats named as evil in the last poll that a good seat answered."""
    if seat not in record.odd:
        for asked in _polls(record, seat)[-1:]:
            for right in _named(record, asked):
                yield Item(asked.event.seq, float(right))


@counted("magic.reasoning.avalon", "Reasoning, Avalon", "M2 section 6")
def reasoning(record: Record, seat: int) -> Iterator[Item]:
    """Right analyses / analyses in polls: of each seat named as evil whether it is, and of each seat that another is
    thought to suspect most whether that one names it as evil in the same poll."""
    for asked in _polls(record, seat):
        for right in _named(record, asked):
            yield Item(asked.event.seq, float(right))
        said = {
            other.seat: other.said.get(record.rules.suspect_field) for other in record.answers if other.nth == asked.nth
        }
        for other in record.others(seat):
            thought, named = asked.said.get(f"suspect_of_{other}"), said.get(other)
            if thought is not None and named is not None:
                yield Item(asked.event.seq, float(thought in named))


@counted("magic.deception.avalon", "Deception, Avalon", "M2 section 6", whole=True)
def deception(record: Record, seat: int) -> Iterator[Item]:
    """Answers of good seats that do not name this evil seat / their answers that name anybody."""
    if seat in record.odd:
        for asked in record.answers:
            named = asked.said.get(record.rules.suspect_field)
            if named is not None and asked.seat not in record.odd:
                yield Item(asked.event.seq, float(seat not in named))
