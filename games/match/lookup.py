"""Finding matches by what stands in their rows: who played and how it went for them, and by words.

What is looked up is written beside the log by `games.match.store`, and decides nothing. Words are found by the
database's full text: FTS5 of SQLite, a text search index of PostgreSQL; SQLite without FTS5 looks through all texts.
Whoever may look for what is decided by who calls this: a thought, and a hidden word, are found like all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL

from games.match.rows import MatchSeat, SeatMethod, Text, Thought
from games.registry import RULES
from games.rules import values

if TYPE_CHECKING:
    from games.match.models import Match

INDEX = "games_text_words"
"""SQLite's table of the words in all texts; triggers keep it."""


def write(match: Match, log: Iterable[values.Event], thoughts: Iterable[Thought]) -> None:
    """Write down by what a match is found, for what was added to it."""
    rules, texts, methods = RULES[match.game], [], set()
    for event in log:
        said = [event.data.get(name) for name in rules.words_of(event.kind, event.data)]
        if text := "\n".join(words for words in said if isinstance(words, str) and words):
            texts.append(Text(match=match, seat=event.seat, seq=event.seq, text=text))
    for thought in thoughts:
        methods.add((thought.seat, thought.method, thought.model))
        if thought.reply:
            texts.append(Text(match=match, seat=thought.seat, request=thought.request, text=thought.reply[: Text.MOST]))
    Text.objects.bulk_create(texts)
    SeatMethod.objects.bulk_create(
        (SeatMethod(match=match, seat=seat, method=method, model=model) for seat, method, model in sorted(methods)),
        ignore_conflicts=True,
    )


def with_seat(*, method: str = "", model: str = "", **columns: Any) -> Q:
    """Matches in which one and the same seat is all of this. columns: of `MatchSeat`: agent, role, side, won."""
    seats = MatchSeat.objects.order_by().filter(**columns)
    thinking = {name: value for name, value in (("method", method), ("model", model)) if value}
    if thinking:
        same = SeatMethod.objects.filter(match=OuterRef("match"), seat=OuterRef("seat"), **thinking)
        seats = seats.filter(Exists(same))
    return Q(pk__in=seats.values("match"))


def with_words(words: str) -> Q:
    """Matches in which somebody said, or an agent thought, all of these words in one text."""
    return Q(pk__in=texts_with(words).order_by().values("match"))


def texts_with(words: str) -> QuerySet[Text]:
    """The texts in which all of these words stand."""
    terms = terms_of(words)
    if connection.vendor == "postgresql":
        asked = " && ".join(["phraseto_tsquery('simple', %s)"] * len(terms))
        return _texts(f"SELECT id FROM games_text WHERE to_tsvector('simple', text) @@ ({asked})", terms)  # noqa: S608
    if has_full_text():
        quoted = " ".join(f'"{term}"' for term in terms)
        return _texts(f"SELECT rowid FROM {INDEX} WHERE {INDEX} MATCH %s", [quoted])  # noqa: S608 (a name of ours)
    texts = Text.objects.all()
    for term in terms:
        texts = texts.filter(text__icontains=term)
    return texts


def _texts(found: str, terms: list[str]) -> QuerySet[Text]:
    return Text.objects.filter(pk__in=RawSQL(found, terms))  # noqa: S611 (what a person wrote is in the terms alone)


def has_full_text() -> bool:
    """Whether words are found by an index, whole and in any case; else they are found wherever the letters stand."""
    return connection.vendor == "postgresql" or INDEX in connection.introspection.table_names()


def terms_of(words: str) -> list[str]:
    """Words, and several words in quotation marks, that all have to stand in a text; none that holds no letter."""
    terms = [quoted or word for quoted, word in re.findall(r'"([^"]*)"|([^\s"]+)', words)]
    return [term for term in terms if any(map(str.isalnum, term))]
