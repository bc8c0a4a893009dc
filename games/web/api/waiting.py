"""Long polls: with `wait`, an answer that tells nothing new is held back until there is something new.

The view makes its answer as always, and says what it waits for (`held_back`); `magic_site.pages` awaits that, which
takes no thread. The programs that wait at one room sit on one `Bench`: it hears the room's hints like a page, and the
watch tells it what they miss. Then one reading of the room makes the answers of all.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

from channels.layers import get_channel_layer
from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from games.match import changes
from games.models import ApiKey, Room
from games.room import api_keys
from games.room.presence import Mark
from games.web.api.callers import Caller
from games.web.api.tables import has_news, observed
from games.web.reading import in_thread
from games.web.visits import Place, Visit, place, visit_at
from games.web.watch import watch
from magic_site import addresses, outages
from magic_site.numbers import number_in

LONGEST = 25
"""Seconds; what stands between programs and the site gives up after 30 or more."""

LINGERS = 2.0
"""Seconds in which a bench nobody sits on hears the hints: most programs come back at once."""

TELLING = (changes.LOG, changes.SEATS, changes.WORDS, "room")
"""The hints after which there may be something new to see."""


# Holding back -------------------------------------------------------------------------------------------------------


class Waits(Protocol):
    """What an answer waits for."""

    async def wait(self) -> Any:
        """Return what is to be answered when there is something new; None where the view shall be asked again."""


def seconds_of(request: Request) -> int:
    """For how long a request may be held back: no more once it was."""
    if request.method != "GET" or getattr(request, "was_held", False):
        return 0
    return min(number_in(request.query_params.get("wait", "")) or 0, LONGEST)


def held_back(answer: Response, waits: Waits | None, request: Request) -> Response:
    """The answer, to be given at once if it waits for nothing."""
    if waits is None:
        return answer

    async def later() -> bool:
        told = await hold(waits, addresses.of_request(request))
        if told is None:
            vars(request._request)["was_held"] = True
            return False
        answer.data = told
        answer.content = answer.rendered_content
        answer["Content-Length"] = str(len(answer.content))
        return True

    vars(answer)["later"] = later
    return answer


_held: Counter[str] = Counter()


async def hold(waits: Waits, address: str) -> Any:
    """As `wait`; at once where as many wait, or as many from this address, as may have sockets open."""
    most, of_one = settings.MOST_SOCKETS, settings.MOST_SOCKETS_OF_AN_ADDRESS
    if (most and _held.total() >= most) or (of_one and _held[address] >= of_one):
        return None
    _held[address] += 1
    try:
        return await waits.wait()
    except Exception as error:
        if not outages.met(error):  # of an outage the view tells
            raise
        return None
    finally:
        _held[address] -= 1
        if not _held[address]:
            del _held[address]


@asynccontextmanager
async def hearing(group: str, told: Callable[[dict[str, Any]], Awaitable[None]]) -> AsyncIterator[None]:
    """Inside of the block `told` gets the messages of a channel group."""
    layer = get_channel_layer()
    channel = await layer.new_channel()

    async def hear() -> None:
        while True:
            await told(await layer.receive(channel))

    task = asyncio.create_task(hear())
    try:
        await layer.group_add(group, channel)
        yield
    finally:
        await layer.group_discard(group, channel)
        task.cancel()


# At a table ---------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Waiter:
    """A program that waits at a table: who it is, up to which event of which match it knows all, and the room as it was
    read for it."""

    caller: Caller
    after: int
    match: str
    seconds: int
    room: Room
    mark: Mark | None
    answer: asyncio.Future[Any] = field(init=False)

    async def wait(self) -> Any:
        self.answer = asyncio.get_running_loop().create_future()
        return await bench_at(self.room).seat(self)


def waiter_at(seen: Visit, caller: Caller, after: int, match: str, seconds: int) -> Waiter | None:
    """For a visitor who is told nothing new; None for others, and who does not want to wait."""
    if not seconds or has_news(seen, after, match):
        return None
    return Waiter(caller, after, match, seconds, seen.room, _mark(seen))


class Bench:
    """The programs that wait at one room, which is a page there to the watch: their seats count as those whose players
    are here.

    place: the room as it was read last; None as long as a hint may have told of something newer.
    """

    said = math.inf
    asks: Collection[Mark] = ()
    revision = 0
    shown: tuple[UUID, int] | None = None
    heard = ("", 0)

    def __init__(self, room: Room) -> None:
        self.code: str | None = room.code
        self.room = room.pk
        self.place: Place | None = None
        self.waiters: set[Waiter] = set()
        self.hint = asyncio.Event()
        self.hearing = asyncio.create_task(self.hear(room.code))

    @property
    def marks(self) -> Collection[Mark]:
        return {waiter.mark for waiter in self.waiters if waiter.mark is not None}

    async def seat(self, waiter: Waiter) -> Any:
        """Return the answer of a waiter, None after its time."""
        if not self.waiters:
            watch().add(waiter.room.code, self)
        self.waiters.add(waiter)
        if self.place is None or self.place.room is not waiter.room:
            self.hint.set()  # something may have come between the two readings
        try:
            async with asyncio.timeout(waiter.seconds):
                return await waiter.answer
        except TimeoutError:
            return None
        finally:
            self.waiters.discard(waiter)
            if not self.waiters:
                watch().discard(waiter.room.code, self)

    async def hear(self, code: str) -> None:
        """Tell whoever waits what is new, until nobody does any more."""
        try:
            async with hearing(changes.group(code), self.dispatch):
                self.hint.set()
                while await self._is_hinted() or self.waiters:
                    if self.hint.is_set():
                        self.hint.clear()
                        await self._tell()
        finally:
            del _benches[code]
            for waiter in self.waiters:
                _give(waiter, None)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """A hint, of the layer or the watch."""
        if message.get("part") in TELLING:
            self.place = None
            self.hint.set()

    def has_heard(self, match: str, seq: int) -> bool:
        return self.heard[0] == match and self.heard[1] >= seq

    async def _is_hinted(self) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.hint.wait(), LINGERS)
        return self.hint.is_set()

    async def _tell(self) -> None:
        if not self.waiters:
            return
        at, answers = await in_thread(self._read, tuple(self.waiters))
        self.revision = at.room.revision
        if at.match is not None and at.source is not None:
            self.shown, self.heard = (at.match.pk, at.match.erasures), (str(at.match.pk), at.source.length)
        if not self.hint.is_set():
            self.place = at
        for waiter, answer in answers:
            _give(waiter, answer)

    def _read(self, waiters: Collection[Waiter]) -> tuple[Place, list[tuple[Waiter, Any]]]:
        """The room as it is now, and the answers of those who are told something."""
        at = place(pk=self.room).caught_up()
        keys = api_keys.still_good(waiter.caller.key for waiter in waiters if waiter.caller.key is not None)
        return at, list(_answers(at, waiters, keys))


def _answers(at: Place, waiters: Collection[Waiter], keys: dict[int, ApiKey]) -> Iterator[tuple[Waiter, Any]]:
    """Of each waiter with something new what is answered; None where the view shall say what is otherwise now: the key
    is not good any more, the table is shut, or an agent has the seat."""
    for waiter in waiters:
        known = waiter.caller.key
        key = known and keys.get(known.pk)
        caller = Caller.of(key)
        seen = visit_at(at, caller.sees, caller.person)
        waiter.mark = _mark(seen)
        if (known is not None and key is None) or seen.shut or seen.stand_in:
            yield waiter, None
        elif has_news(seen, waiter.after, waiter.match):
            yield waiter, observed(seen, waiter.after, waiter.match)


def _mark(seen: Visit) -> Mark | None:
    return None if seen.chair is None else (seen.room.code, seen.chair)


def _give(waiter: Waiter, answer: Any) -> None:
    if not waiter.answer.done():
        waiter.answer.set_result(answer)


_benches: dict[str, Bench] = {}


def bench_at(room: Room) -> Bench:
    """The bench at this room."""
    if room.code not in _benches:
        _benches[room.code] = Bench(room)
    return _benches[room.code]


def known(code: str) -> Place | None:
    """The room with this code where programs wait at it, and no hint has told of anything newer."""
    bench = _benches.get(code.upper())
    return None if bench is None else bench.place
