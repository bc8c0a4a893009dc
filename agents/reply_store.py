"""Replies of models, kept in the database: what is answered from it, what may be spent, and the slots of endpoints."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection

from agents import call_settings, slots, spending
from agents.calls import Ask, Model, Reply, ReplyStore
from agents.models import Call, Endpoint
from agents.providers import Completion, ProviderError, SpendingError, Usage
from agents.providers.values import Slot
from games.match.words import change_words
from games.models import Match
from magic_site.outages import patiently
from magic_site.writing import written

KEPT_SECONDS = 600.0
"""How long replies that were paid for wait for a database that is away."""

PurposeKey = tuple[UUID | None, str, int, str, int, str]


class StoredReplies(ReplyStore):
    """Replies of a match are found again by what they were for and what was asked: a worker that dies, or a competition
    that is resumed, pays for nothing twice.

    anywhere: a question that was answered in any match at the same settings is answered so again. That makes matches
    cheap and depend on one another, so whoever wants to count them leaves it off.
    """

    def __init__(self, anywhere: bool = False) -> None:
        self.anywhere = anywhere

    def known(self, asks: Sequence[Ask]) -> dict[int, Reply]:
        stored = self.found(asks)
        known: dict[int, Reply] = {n: stored[of(ask)] for n, ask in enumerate(asks) if of(ask) in stored}
        if self.anywhere and len(known) < len(asks):
            elsewhere = _by_key([ask for n, ask in enumerate(asks) if n not in known])
            known |= {n: elsewhere[a.key] for n, a in enumerate(asks) if n not in known and a.key in elsewhere}
        owners = {ask.model.owner for ask in asks if ask.model.owner is not None}
        sentence = spending.refusal(match_of(asks[0]), owners) if len(known) < len(asks) else ""
        return {n: SpendingError(sentence) for n in range(len(asks))} | known if sentence else known

    def slot(self, model: Model) -> Slot:
        kind = model.provider.kind
        endpoint = call_settings.current().endpoints.get((kind, model.provider.base_url or "")) or Endpoint()
        if connection.vendor == "postgresql" and not connection.in_atomic_block:
            connection.close()  # a server has few of them, and this thread waits for a model now
        name = f"{kind} {model.provider.base_url or ''}".strip()
        return slots.slot(name, model.provider.name, endpoint.at_once, endpoint.a_minute)

    def keep(self, made: Sequence[tuple[Ask, Reply]]) -> list[Reply]:
        kept = [(row, ask.model.owner) for ask, reply in made if (row := _row(ask, reply)) is not None]
        if kept and not patiently(lambda: _writer().write(_Entry(match_of(made[0][0]), kept)), KEPT_SECONDS):
            stored = _stored([ask for ask, _ in made])
            return [stored.get(of(ask), reply) for ask, reply in made]
        return [reply for _, reply in made]

    def found(self, asks: Sequence[Ask]) -> Mapping[PurposeKey, Completion]:
        """Stored replies, those to these questions among them."""
        return _stored(asks)


class MatchReplies(StoredReplies):
    """For whoever plays a whole match alone: nobody else adds to its replies, so they are read once."""

    def __init__(self, match: UUID) -> None:
        super().__init__()
        self._found = _by_purpose(Call.objects.filter(match=match, error=""))

    def found(self, asks: Sequence[Ask]) -> Mapping[PurposeKey, Completion]:
        return self._found


def _stored(asks: Sequence[Ask]) -> dict[PurposeKey, Completion]:
    """The replies of these questions' matches and requests."""
    matches = {match_of(ask) for ask in asks} - {None}
    requests = {ask.purpose.request for ask in asks}
    return _by_purpose(Call.objects.filter(match__in=matches, request__in=requests, error="") if matches else ())


def _by_purpose(rows: Iterable[Call]) -> dict[PurposeKey, Completion]:
    return {(row.match, row.request, row.seat, row.stage, row.nth, row.key): completion(row) for row in rows}


@dataclass(eq=False)
class _Entry:
    """Calls of one match to be stored, each with the account on whose budget it was made. first: no other worker had
    stored the reply to one of the same questions."""

    match: UUID | None
    rows: list[tuple[Call, int | None]]
    first: bool = True
    error: Exception | None = None


class _Writer:
    """Writes the entries of all threads of a process in a thread of its own, as many at once as there are by then.

    SQLite is written by one connection at a time, and whoever waits for it looks again only after a while; a thread
    that asks models needs no connection this way.
    """

    def __init__(self) -> None:
        self._waiting: deque[_Entry] = deque()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ledger")

    def write(self, entry: _Entry) -> bool:
        """Store the calls and count what they cost; returns whether they were the first (see `_Entry`)."""
        if connection.vendor != "sqlite" or connection.in_atomic_block:  # what waits must not hold what it waits for
            _write([entry])
        else:
            self._waiting.append(entry)
            self._in_turn()
        if entry.error is not None:
            raise entry.error
        return entry.first

    def _in_turn(self) -> None:
        try:
            written = self._thread.submit(self._write_waiting)
        except RuntimeError:  # the process ends, and takes on no more work; what was paid for is kept all the same
            self._write_waiting()
        else:
            written.result()

    def _write_waiting(self) -> None:
        entries = []
        while self._waiting:
            entries.append(self._waiting.popleft())
        if entries:
            _write(entries)


@cache
def _writer() -> _Writer:
    return _Writer()


os.register_at_fork(after_in_child=_writer.cache_clear)  # threads stay behind


def _write(entries: Sequence[_Entry]) -> None:
    """Store entries in one transaction, or each in its own where that fails: what is wrong with one, but that its reply
    was stored before, is left with it as its error."""
    try:
        _store(entries)
    except Exception:
        for entry in entries:
            try:
                _store_once(entry)
            except Exception as error:
                entry.error = error


def _store_once(entry: _Entry) -> None:
    """Where another worker asked the same and was first its replies count, and these were paid for all the same."""
    try:
        _store([entry])
    except IntegrityError:
        entry.first = False
        _store([entry], ignore_conflicts=True)


def _store(entries: Sequence[_Entry], ignore_conflicts: bool = False) -> None:
    with written():
        Call.objects.bulk_create([row for one in entries for row, _ in one.rows], ignore_conflicts=ignore_conflicts)
        spent: dict[tuple[UUID | None, int | None], float] = {}
        for one in entries:
            for row, owner in one.rows:
                spent[one.match, owner] = spent.get((one.match, owner), 0.0) + row.cost
        for (match, owner), dollars in spent.items():
            spending.add(match, dollars, owner)


def of(ask: Ask) -> PurposeKey:
    """What a stored reply is found by."""
    on = ask.purpose
    return (match_of(ask), on.request, on.seat, on.stage, on.nth, ask.key)


def match_of(ask: Ask) -> UUID | None:
    """The match that a question belongs to; None outside of any."""
    return UUID(ask.purpose.match) if ask.purpose.match else None


def completion(row: Call) -> Completion:
    """A stored reply as it came."""
    return Completion(
        text=row.reply,
        usage=Usage(row.tokens_in, row.tokens_out, row.cached, row.stored),
        thought=row.thought,
        ms=row.ms,
        attempts=row.attempts,
        model=row.answered_by,
        finish=row.finish,
        structured=row.structured,
        cost=row.cost,
    )


def _by_key(asks: Sequence[Ask]) -> dict[str, Completion]:
    """Replies of any match; of several the first."""
    rows = Call.objects.filter(key__in={ask.key for ask in asks}, error="").order_by("-pk")
    return {row.key: completion(row) for row in rows}


def _row(ask: Ask, reply: Reply) -> Call | None:
    """What is kept of a call; nothing of one that gave nothing and cost nothing."""
    on, model, usage = ask.purpose, ask.model, reply.usage
    if isinstance(reply, ProviderError):
        if not (usage.tokens_in or usage.tokens_out):
            return None
        found = {"error": str(reply), "attempts": reply.attempts, "cost": model.price.of(usage)}
    else:
        found = {
            "reply": reply.text,
            "thought": reply.thought,
            "answered_by": reply.model,
            "finish": reply.finish,
            "structured": reply.structured,
            "cost": reply.cost,
            "ms": reply.ms,
            "attempts": reply.attempts,
        }
    return Call(
        match=match_of(ask),
        request=on.request,
        seat=on.seat,
        stage=on.stage,
        nth=on.nth,
        key=ask.key,
        provider=model.provider.kind,
        base_url=model.provider.base_url or "",
        model=model.name,
        settings=dict(model.settings),
        **asdict(usage),
        **found,
    )


def forget(instance: Match, **signal: Any) -> None:
    """Drop the calls of a match that is deleted; what was spent on it stays counted."""
    Call.objects.filter(match=instance.pk).delete()


def unlearn(match: UUID, request: str) -> None:
    """Drop the replies about a request, which may quote what was erased while they were waited for."""
    Call.objects.filter(match=match, request=request).delete()


def erase(match: Match, without: Callable[[str], str]) -> None:
    """Take a person's words and name out of the replies; a match with such words cannot be played again from them."""
    erase_of([match.pk], without)


def erase_of(occasions: Iterable[UUID], without: Callable[[str], str]) -> None:
    """The same for whatever else models were asked for the purpose of."""
    change_words(Call.objects.filter(match__in=list(occasions)), ("reply", "thought", "error"), without)
