"""A table as one person sees it at one moment: who they are there, and what they may see."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.utils.translation import gettext as _

from games.match import detection, notebooks, pending, view
from games.match.access import RESEARCHER, Access, access_of
from games.match.cache import CachedMatch, cached_match
from games.models import Detection, Match, Notes, Room, Seat
from games.room import rooms, talk
from games.rules import table_talk, values
from games.rules.values import OMNISCIENT, PUBLIC
from games.web.review import Review, review


@dataclass(frozen=True)
class Trouble:
    """A move or a wish that was refused: the sentence, and what was typed for which request. talk: it was about the
    talk beside the game."""

    sentence: str
    request: str = ""
    typed: dict[str, Any] = field(default_factory=dict)
    talk: bool = False


@dataclass(frozen=True)
class Place:
    """What is the same for all who look at a table at one moment; the log is as this process last read it."""

    room: Room
    chairs: list[Seat]
    match: Match | None
    muted: dict[str, frozenset[str]] = field(default_factory=dict)  # whom people mute here, by person

    @cached_property
    def source(self) -> CachedMatch | None:
        return cached_match(self.match) if self.match else None

    def caught_up(self) -> Place:
        """With all of the log."""
        if self.source is not None:
            self.source.catch_up()
        return self


class Again(NamedTuple):
    """What people are called who want to play again, and who may still be reading."""

    ready: list[str]
    reading: list[str]


@dataclass
class Visit:
    """A table as one person sees it at one moment. What is told to few is read when it is asked for, and all of it by
    `ready_visit`: nothing is read while a page is drawn. noted: the notebook is read too."""

    room: Room
    chairs: list[Seat]
    match: Match | None
    source: CachedMatch | None
    user: User | AnonymousUser
    person: str
    access: Access | None
    noted: bool = False
    muted: frozenset[str] = frozenset()  # whose talk this person does not want to hear

    def caught_up(self) -> Visit:
        """With all of the log."""
        if self.source is not None:
            self.source.catch_up()
        return self

    @property
    def shown(self) -> CachedMatch | None:
        """The match, where there is one and this person may see it."""
        return None if self.access is None else self.source

    @property
    def generation(self) -> int:
        """How many matches have begun here."""
        return self.match.number if self.match else 0

    @property
    def running(self) -> bool:
        return self.match is not None and self.match.status == "running"

    @cached_property
    def agents(self) -> list[tuple[str, str]]:
        """Whom this person may ask to sit down."""
        asks = self.hosts and not self.running
        return rooms.seatable(self.room.game, self.user.has_perm(RESEARCHER)) if asks else []

    @cached_property
    def detection(self) -> Detection | None:
        """Whom this person took for an agent."""
        return detection.given(self.match, self.match.seat_of(self.person)) if self.match and self.access else None

    @cached_property
    def asked(self) -> bool:
        """Whether this person is asked who was an agent, and has not said it."""
        if self.match is None or not self.guessing:
            return False
        own = self.match.seat_of(self.person)
        return own is not None and detection.is_open(self.match, own)

    @cached_property
    def guessing(self) -> bool:
        """Whether anybody still is: when nobody is any more, there is more to see."""
        return self.match is not None and detection.is_open(self.match)

    @cached_property
    def notes(self) -> Notes | None:
        """What this person keeps in the notebook; None of who sits at no match, or where it is not read."""
        if not self.noted or self.match is None or self.seat is None:
            return None
        return notebooks.of(self.match, self.person)

    @cached_property
    def gives_marks(self) -> bool:
        """Whether this person has marks that may be given to research."""
        return (
            self.match is not None and self.notes is not None and notebooks.may_give(self.match, self.seat, self.notes)
        )

    @cached_property
    def review(self) -> Review | None:
        """How the match went that is over, and the moments of this person's seat. Nothing as long as anybody is asked
        who was an agent: it should tell nobody what to think of that."""
        if self.shown is None or self.running or self.guessing:
            return None
        return review(self.shown, self.seat, own=True)

    @cached_property
    def notice(self) -> str:
        everything = self.access is not None and self.access.everything
        if self.match is None or not self.running or not (self.hosts or everything):
            return ""
        return _notice(self.match, OMNISCIENT if everything else PUBLIC)

    @cached_property
    def chair(self) -> int | None:
        """The seat in the room that this person has, for this match or the next one."""
        return next((seat.number for seat in self.chairs if self.person and seat.person == self.person), None)

    @property
    def ready(self) -> bool:
        """Whether this person wants to play again."""
        return any(chair.ready for chair in self.chairs if chair.number == self.chair)

    @property
    def queued(self) -> bool:
        """Whether this person takes the next chair that falls free."""
        return any(person == self.person for person, _name in self.room.bystanders)

    @cached_property
    def again(self) -> Again:
        """What the others with a chair are called after a match, by whether they want to play again. Nobody as long as
        anybody is asked who was an agent: it would tell who is a person."""
        found = Again([], [])
        if self.match is None or self.running or self.guessing:
            return found
        seats = {sitter.person: sitter.name for sitter in self.match.seated if sitter.person}
        for chair in self.others:
            if chair.person and not chair.outside:
                names = found.ready if chair.ready else found.reading
                names.append(seats.get(chair.person) or chair.name or _("Somebody new"))
        return found

    @property
    def me(self) -> int | None:
        """The number under which this person is shown: of the seat in the match, before it of the chair; none where
        chairs are not shown."""
        return self.seat if self.match is not None else None if self.room.anonymous else self.chair

    @property
    def plays_on(self) -> bool:
        """Whether a story is played on here in which each seat has its part, which who sits down may choose."""
        return self.room.fork_of_id is not None and self.match is None and not self.room.anonymous

    @property
    def freed(self) -> list[str]:
        """Whose places an admin freed, for this person to go on there."""
        if self.match is None or not self.running or self.chair is not None or self.seat is not None:
            return []
        free, names = {seat.number for seat in self.chairs if seat.free}, self.match.names()
        return [names[seat] for seat in sorted(self.match.freed() & free)]

    @property
    def others(self) -> list[Seat]:
        """The taken seats in the room but the own one."""
        return [seat for seat in self.chairs if not seat.free and seat.number != self.chair]

    @property
    def seat(self) -> int | None:
        """The seat that this person plays in the match, or played once it is over. Who got up plays no more."""
        seat = self.match.seat_of(self.person) if self.match else None
        return seat if seat is not None and (not self.running or self.chair == seat) else None

    @property
    def stand_in(self) -> bool:
        """Whether an agent plays this person's seat."""
        if self.seat is None or self.match is None or self.source is None:
            return False
        return self.seat in self.source.view(self.seat).state.stand_ins or self.seat in self.match.unseen_stand_ins()

    @property
    def guesses(self) -> bool:
        """Whether this person is asked who was an agent, or has said it."""
        return self.detection is not None or self.asked

    @property
    def hosts(self) -> bool:
        return bool(self.person) and self.room.host == self.person

    @property
    def kicked(self) -> bool:
        return bool(self.person) and self.person in self.room.kicked

    @property
    def shut(self) -> bool:
        """Whether nothing of this table may be shown to this person."""
        return self.kicked or (self.match is not None and self.access is None and self.chair is None)

    @property
    def out(self) -> bool:
        """Whether this person plays, and is out."""
        if self.seat is None or self.source is None or self.match is None:
            return False
        public = self.source.rules.public(self.source.view(self.seat).state)
        return self.running and str(self.seat) in public.get("out", {})

    @property
    def speaks_to(self) -> str:
        """Who hears this person talk now: `table_talk.ALL` or `OUT` of the seats, a channel of the room, "" nobody.
        Who has a seat in a running match hears and tells nothing among those who watch."""
        if not self.room.talks or self.shut:
            return ""
        if not self.running or self.match is None:
            return talk.ROOM
        if self.match.seat_of(self.person) is None:
            return talk.WATCHERS
        return "" if self.seat is None else table_talk.OUT if self.out else table_talk.ALL

    @property
    def spoken_to(self) -> str:
        """Who hears this person talk now, as forms name it: in a running match with its number, since what is begun in
        one match is not meant for the next."""
        return f"{self.speaks_to} {self.generation}" if self.speaks_to and self.running else self.speaks_to

    @property
    def hears(self) -> tuple[str, ...]:
        """The channels of the room that this person hears."""
        if not self.room.talks or self.shut:
            return ()
        sits = self.match is None or self.match.seat_of(self.person) is not None
        return (talk.ROOM,) if sits else (talk.ROOM, talk.WATCHERS)

    @cached_property
    def muted_names(self) -> dict[str, str]:
        """Whom this person mutes here, by mark."""
        return talk.called(self.room, self.match, sorted(self.muted)) if self.muted else {}

    @property
    def called(self) -> str:
        """The name under which this person talks: of their seat or chair, or ""."""
        number = self.match.seat_of(self.person) if self.match else None
        if self.match is not None and number is not None:
            return self.match.names()[number]
        return next((chair.name for chair in self.chairs if chair.number == self.chair), "")

    @property
    def viewer(self) -> values.Viewer:
        """As whom the live page is seen: the own seat's player, or the public."""
        return self.seat if self.seat is not None and self.access else PUBLIC

    @property
    def delayed(self) -> bool:
        return bool(self.access and self.access.delayed)


def place(**which: Any) -> Place:
    """The room with such a code or key, its chairs and its newest match as they are now. Raises `Room.DoesNotExist`."""
    of_room = {f"room__{name}": value for name, value in which.items()}
    # The match is read last: where one begins meanwhile, nobody who wants to play again seems not to, at the last one.
    chairs = list(Seat.objects.select_related("room").filter(**of_room))
    room = chairs[0].room if chairs else Room.objects.get(**which)
    match = room.matches.order_by("-number").first()
    return Place(room, chairs, match, talk.muted(room))


def place_of(room: Room, match: Match) -> Place:
    """The same, of a room's newest match that was read just now."""
    return Place(room, list(room.seats.all()), match, talk.muted(room))


def visit_at(at: Place, user: User | AnonymousUser, person: str) -> Visit:
    """Who this person is there, and what they may see."""
    seen = access_of(at.match, user, person) if at.match else None
    muted = at.muted.get(person, frozenset())
    return Visit(at.room, at.chairs, at.match, at.source, user, person, seen, muted=muted)


def ready_visit(at: Place, user: User | AnonymousUser, person: str, *, noted: bool = True) -> Visit:
    """The same, ready to be drawn; with the notebook, or without."""
    seen = visit_at(at, user, person)
    seen.noted = noted
    _ = seen.agents, seen.detection, seen.guessing, seen.asked, seen.notice, seen.notes, seen.gives_marks
    _ = seen.muted_names, seen.review, seen.again
    return seen


def visit_now(room: Room, user: User | AnonymousUser, person: str) -> Visit:
    """A table as this person sees it now."""
    return ready_visit(place(pk=room.pk).caught_up(), user, person)


def _notice(match: Match, viewer: values.Viewer) -> str:
    """Why agents at this table do not play as they were asked to; told to researchers, and to its host where agents are
    named."""
    if not view.names_agents(match, viewer):
        return ""
    if pending.waited_alone(match):
        return _("While nobody was here, agents whose moves cost money waited. They go on now.")
    why = view.trouble_of_agents(match, viewer)
    return f"{why} {_('House agents play on in place of the models.')}" if why else ""
