"""Finding matches by what stands in their rows: who played and how it went for them, and by words.

What is looked up is written beside the log by `games.match.writer`, and decides nothing. Words are found by the
database's full text: FTS5 of SQLite, a text search index of PostgreSQL; SQLite without FTS5 looks through all texts.
Whoever may look for what is decided by who calls this: a thought, and a hidden word, are found like all others.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Q
from django.db.models.expressions import RawSQL

from games.match.rows import Event, MatchSeat, SeatMethod, Text, Thought, insert
from games.registry import RULES
from games.rules import values

if TYPE_CHECKING:
    from games.match.models import Match

INDEX = "games_text_words"
"""SQLite's table of the words in all texts; triggers keep it."""


AROUND = 60
"""Characters that are told before and after words that were looked for."""


class Hit(NamedTuple):
    """A place at which words were found. seq: of the event, or of the move that the thought was for (0: of none)."""

    seat: int | None
    seq: int
    thought: bool
    before: str
    words: str
    after: str


def write(match: Match, log: Iterable[values.Event], thoughts: Iterable[Thought | values.Thought]) -> None:
    """Write down by what a match is found, for what was added to it."""
    rules, methods = RULES[match.game], set()
    texts: list[tuple[Any, ...]] = []
    for event in log:
        said = [event.data.get(name) for name in rules.words_of(event.kind, event.data)]
        if text := "\n".join(words for words in said if isinstance(words, str) and words):
            texts.append((match.pk, event.seat, event.seq, "", text))
    for thought in thoughts:
        methods.add((thought.seat, thought.method, thought.model))
        if thought.reply:
            texts.append((match.pk, thought.seat, None, thought.request, thought.reply[: Text.MOST]))
    insert(Text, ("match", "seat", "seq", "request", "text"), texts)
    rows = ((match.pk, *method) for method in sorted(methods))
    insert(SeatMethod, ("match", "seat", "method", "model"), rows, once=True)


def has_played(person: str, game: str) -> bool:
    """Whether this person has played a match of this game that is over."""
    return MatchSeat.objects.filter(person=person, match__game=game).exclude(match__status="running").exists()


def rounds_ended(matches: Collection[Match]) -> dict[UUID, int]:
    """How many rounds of each of these matches are over."""
    ends = {game: {name for name, kind in RULES[game].all_kinds.items() if kind.ends_round} for game in RULES}
    rounds = reduce(or_, (Q(match__game=game, kind__in=kinds) for game, kinds in ends.items()))
    found = Event.objects.order_by().filter(rounds, match__in=[match.pk for match in matches])
    counted = dict(found.values("match").annotate(n=Count("pk")).values_list("match", "n"))
    return {match.pk: counted.get(match.pk, 0) for match in matches}


def with_seat(*, method: str = "", model: str = "", **columns: Any) -> Q:
    """Matches in which one and the same seat is all of this. columns: of `MatchSeat`: agent, role, side, won."""
    seats = MatchSeat.objects.order_by().filter(**columns)
    thinking = {name: value for name, value in (("method", method), ("model", model)) if value}
    methods = SeatMethod.objects.order_by().filter(**thinking)
    if thinking and columns:
        seats = seats.filter(Exists(methods.filter(match=OuterRef("match"), seat=OuterRef("seat"))))
    return Q(pk__in=(seats if columns else methods).values("match"))


def with_words(words: str) -> Q:
    """Matches in which somebody said, or an agent thought, all of these words in one text."""
    terms = terms_of(words)
    if connection.vendor == "postgresql":
        asked = " && ".join(["phraseto_tsquery('simple', %s)"] * len(terms))
        return _among(f"SELECT match_id FROM games_text WHERE to_tsvector('simple', text) @@ ({asked})", terms)  # noqa: S608
    if has_full_text():
        found = f"SELECT match_id FROM {INDEX} JOIN games_text ON id = {INDEX}.rowid WHERE {INDEX} MATCH %s"  # noqa: S608
        return _among(found, [" ".join(f'"{term}"' for term in terms)])
    return Q(pk__in=Text.objects.order_by().filter(_letters(terms)).values("match"))


def _among(found: str, terms: list[str]) -> Q:
    return Q(pk__in=RawSQL(found, terms))  # noqa: S611 (what a person wrote is in the terms alone)


def _letters(terms: list[str]) -> Q:
    return reduce(and_, (Q(text__icontains=term) for term in terms))


def hits(words: str, matches: Iterable[Match], most: int = 2) -> dict[UUID, list[Hit]]:
    """Of each of a few matches the first texts in which all of these words stand, letter by letter."""
    found: dict[UUID, list[Text]] = defaultdict(list)
    texts = Text.objects.filter(_letters(terms_of(words)), match__in=[match.pk for match in matches])
    for text in texts.order_by("match", "pk"):
        if len(found[text.match_id]) < most:
            found[text.match_id].append(text)
    asked = {text.request for texts in found.values() for text in texts if text.request}
    moves = Event.objects.filter(match__in=found, request__in=asked).values_list("match", "request", "seq")
    seqs = {(match, str(request)): seq for match, request, seq in moves}
    first = re.compile("|".join(map(re.escape, terms_of(words))), re.IGNORECASE)
    return {key: [_hit(text, first, seqs) for text in texts] for key, texts in found.items()}


def _hit(text: Text, first: re.Pattern[str], seqs: dict[tuple[UUID, str], int]) -> Hit:
    told = first.search(text.text)
    start, end = told.span() if told else (0, 0)
    before, after = text.text[max(start - AROUND, 0) : start], text.text[end : end + AROUND]
    seq = text.seq or seqs.get((text.match_id, text.request), 0)
    return Hit(text.seat, seq, bool(text.request), before, text.text[start:end], after)


def has_full_text() -> bool:
    """Whether words are found by an index, whole and in any case; else they are found wherever the letters stand."""
    return connection.vendor == "postgresql" or INDEX in connection.introspection.table_names()


def terms_of(words: str) -> list[str]:
    """Words, and several words in quotation marks, that all have to stand in a text; none that holds no letter."""
    terms = [quoted or word for quoted, word in re.findall(r'"([^"]*)"|([^\s"]+)', words)]
    return [term for term in terms if any(map(str.isalnum, term))]
