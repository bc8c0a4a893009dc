"""The live side of pages: of a table, and of the replay of a match that is still played.

Frames to a table: {"kind": "parts", "html": ...} with parts of the page; {"kind": "leave"} when the page is not this
person's any more, or shows what was erased; {"kind": "thinking", "seat": n} while the model at that seat is at work;
{"kind": "pong", "away": seats, "now": milliseconds}. Frames to a replay: {"kind": "moved", "n": the seq of the last
event that its viewer sees, "since": seq, "html": what has been added to the story since}, the last two not in the first
frame, nor at the end, when there is more to see; {"kind": "thoughts"}, "leave" and {"kind": "pong"}; {"kind":
"reviewed"} when there may be more of its review.
"""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.utils import translation

from games.jobs import news
from games.match import access, view
from games.match.cache import cached_match
from games.match.changes import LOG, REVIEW, SEATS, TALK, THOUGHTS, WORDS
from games.models import Match
from games.room import talk as room_talk
from games.rules.values import OMNISCIENT, Viewer
from games.web import panels, replay, talk, visits
from games.web.finding import TooManyMisses, find
from games.web.reading import in_thread, shared
from games.web.sockets import NOT_FOUND, TOO_MANY, PageConsumer
from games.web.watch import watch
from magic_site import clock


class TableConsumer(PageConsumer):
    """One page at one table. What it may see is asked anew whenever the room or the match may have changed it."""

    visit: visits.Visit | None = None
    seq = 0  # the last public event that was sent
    said = 0
    unsaid: int | None = None  # how often words of the room's talk had been taken away when it was shown
    sent: dict[str, Any]

    async def begin(self) -> None:
        self.sent = {}
        self.language = _language(self.asked("lang"))
        if self.asked("screen"):  # all in a room look at it: it is told what a stranger is, whoever opened it
            self.person, self.scope["user"] = "", AnonymousUser()
        code, key = self.scope["url_route"]["kwargs"]["code"], self.asked("key")
        try:
            found = await in_thread(lambda: find(code, person=self.person, address=self.address, key=key))
        except TooManyMisses:
            await self.close(TOO_MANY)
            return
        if found is None:
            await self.close(NOT_FOUND)
            return
        self.room = found.room
        await self.join(self.room.code)
        await self.renew()

    async def pinged(self) -> None:
        if self.visit is None:
            return
        if self.visit.guessing:
            await self.renew()  # the time to guess ends without a word
        away = sorted(seat for code, seat in watch().away if (code, seat) in self.asks)
        await self.tell("pong", away=away, now=int(clock.carried_on().timestamp() * 1000))

    async def hinted(self, message: dict[str, Any]) -> None:
        """Something moved on: the log of the match that is shown, or anything else about the room."""
        seen = self.visit
        if seen is None or message["part"] == THOUGHTS:
            return
        shown = seen.match is not None and str(seen.match.pk) == message["match"]
        if message["part"] == "thinking":
            if shown and seen.access is not None and not seen.delayed:
                await self.tell("thinking", seat=message["n"])
        elif message["part"] == LOG and shown:
            await self._catch_up(seen, message["n"])
        elif message["part"] == TALK:
            await self._listen(seen)
        elif message["part"] == REVIEW:
            if shown and seen.seat == message["n"]:  # the others' reviews are as they were
                await self.renew()
        elif message["part"] == WORDS and shown:
            await self.dismiss()  # fetched anew it shows them no more
        else:
            await self.renew()

    # Sending --------------------------------------------------------------------------------------------------------

    async def renew(self) -> None:
        """Look at the room anew, and send whatever this page does not have yet; everything, the first time."""
        place = await shared(("place", self.room.pk), lambda: visits.place(pk=self.room.pk).caught_up())
        seen = await in_thread(visits.ready_visit, place, self.scope["user"], self.person)
        self.revision = place.room.revision
        if seen.shut or self.unsaid not in (None, place.room.unsaid):
            self.visit = None
            await self.dismiss()
            return
        self.visit, self.unsaid = seen, place.room.unsaid
        if seen.match is not None and seen.source is not None:
            self.shown = (seen.match.pk, seen.match.erasures)
            self.heard = (str(seen.match.pk), seen.source.length)
        chair, code = seen.seat or seen.chair, self.room.code
        before = self.marks, self.asks
        self.marks = [(code, chair)] if chair is not None else [(code, self.person)] if seen.queued else []
        # Agents have no page to open: where they are not named, nobody is told whose page is closed.
        named = view.names_agents(seen.room)
        self.asks = [(code, seat.number) for seat in seen.chairs if seat.person] if named else []
        if (self.marks, self.asks) != before:
            watch().hurry()
        if self.sent.get("generation") != seen.generation:
            self.seq, self.sent = 0, {"generation": seen.generation}
        await self._send_new(seen)
        if seen.room.said > self.said:
            await self._listen(seen)

    async def _listen(self, seen: visits.Visit) -> None:
        """Send what was said at the room since, to those who hear it; each channel is read once for all of them."""
        key = ("said", self.room.pk, seen.generation, seen.hears, self.said)
        self.said, fresh = await shared(key, lambda: room_talk.news(seen.room, seen.hears, seen.generation, self.said))
        with translation.override(self.language):
            html = "".join(talk.heard(seen, talk.around(fresh)))
        if html:
            await self.tell("parts", html=html)

    async def _catch_up(self, seen: visits.Visit, seq: int) -> None:
        """Send what a log that is `seq` events long has that this page has not."""
        source = seen.source
        if source is not None and not source.knows(seq):
            await shared(source, source.catch_up)
        await self._send_new(seen)

    async def _send_new(self, seen: visits.Visit) -> None:
        """Send what is new; after the end of the match there is more to see than the last look knows of."""
        fresh = self._news(seen)
        if fresh is None:
            await self.renew()
        else:
            for html in fresh:
                await self.tell("parts", html=html)

    def _news(self, seen: visits.Visit) -> list[str] | None:
        """The public and the own parts if they have changed, both of the same moment of the log; None where the look
        is not good any more. Rendering needs no database, so it is done here: with many tables, changing threads costs
        more than it does."""
        fresh = []
        with panels.moment(seen) as still, translation.override(self.language):
            if not still:
                return None
            if (key := panels.public_key(seen)) != self.sent.get("public key"):
                fresh.append(panels.public_frame(seen, self.seq))
                self.sent["public key"], self.seq = key, panels.last_seq(seen)
            own = panels.OwnParts(seen)
            if (key := own.key()) != self.sent.get("own key"):
                fresh.append(own.news(self.sent.get("own seq", 0), self.sent.setdefault("own", {})))
                self.sent |= {"own key": key, "own seq": panels.own_seq(seen)}
        return [html for html in fresh if html]


def _language(asked: str) -> str:
    """The language that the page was sent in, which it names in the socket's address."""
    try:
        return translation.get_supported_language_variant(asked)
    except LookupError:
        return settings.LANGUAGE_CODE


class ReplayConsumer(PageConsumer):
    """The replay of one match, seen as the address's ?as= says. Of a running one it is told what is new for that
    viewer, and fetches what it has missed; of what the viewer may not see, or not yet, it hears nothing. Of one that is
    over it hears that its review has moved on."""

    viewer: Viewer | None = None
    seq = 0  # the last event that was told of

    async def begin(self) -> None:
        self.language = _language(self.asked("lang"))
        self.match_id = self.scope["url_route"]["kwargs"]["match_id"]
        match = await in_thread(Match.objects.select_related("room").filter(pk=self.match_id).first)
        if match is None or (match.room is None and match.status == "running"):
            await self.close(NOT_FOUND)
            return
        if match.room is not None:
            self.shown = (match.pk, match.erasures)
            await self.join(match.room.code)
        if match.status != "running":
            await self.join_group(news.group(match.pk))
        await self.renew()

    async def hinted(self, message: dict[str, Any]) -> None:
        if "part" not in message:
            await self.tell("reviewed")
            return
        own = message["match"] == str(self.match_id)
        if own and message["part"] == WORDS:
            await self.dismiss()  # fetched anew it shows them no more
        elif message["part"] == "room" or (own and message["part"] in (LOG, SEATS)):
            await self.renew()
        elif own and message["part"] == THOUGHTS and self.viewer == OMNISCIENT:
            await self.tell("thoughts")

    async def renew(self) -> None:
        """Ask anew what this person may see, and tell if there is more of it than before."""
        self.viewer, reached, self.revision, news = await in_thread(self._reached)
        if self.viewer is None:
            await self.dismiss()
        elif reached > self.seq:
            self.seq = reached
            await self.tell("moved", n=reached, **news)

    def _reached(self) -> tuple[Viewer | None, int, int, dict[str, Any]]:
        """As whom the match is seen, nobody where it may not be seen so; the last event seen; the room's revision; what
        has been added since the page was told last, where that is all there is."""
        match = Match.objects.select_related("room").filter(pk=self.match_id).first()
        if match is None:
            return None, 0, 0, {}
        revision = match.room.revision if match.room else 0
        allowed = access.access_of(match, self.scope["user"], self.person)
        viewer = allowed.chosen(self.asked("as")) if allowed else None
        if allowed is None or viewer is None:
            return None, 0, revision, {}
        if self.viewer is None:
            access.looked(match, allowed, viewer, self.scope["user"], "socket")
        source = cached_match(match).catch_up()
        seen = source.view(viewer, allowed.delayed)
        seen.check()
        if not 0 < self.seq < seen.seq or source.over:
            return viewer, seen.seq, revision, {}
        with translation.override(self.language):
            return viewer, seen.seq, revision, {"since": self.seq, "html": replay.news(source, seen, self.seq)}
