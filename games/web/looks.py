"""A table as one person sees it at one moment: who they are there, and what they may see."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.utils.translation import gettext as _

from games.match import detection, pending, view
from games.match.access import RESEARCHER, Sight, sight
from games.match.cache import Mirror, mirror
from games.models import Detection, Match, Room, Seat
from games.room import rooms
from games.rules import values
from games.rules.values import OMNISCIENT, PUBLIC


@dataclass(frozen=True)
class Trouble:
    """A move or a wish that was refused: the sentence, and what was typed for which request."""

    sentence: str
    request: str = ""
    typed: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Place:
    """What is the same for all who look at a table at one moment."""

    room: Room
    chairs: list[Seat]
    match: Match | None
    source: Mirror | None


@dataclass
class Look:
    """A table as one person sees it at one moment."""

    room: Room
    chairs: list[Seat]
    match: Match | None
    source: Mirror | None
    person: str
    sight: Sight | None
    generation: int
    agents: list[tuple[str, str]]
    detection: Detection | None = None
    asked: bool = False
    """Whether this person is asked who was an agent, and has not said it."""

    guessing: bool = False
    """Whether anybody still is: when nobody is any more, there is more to see."""

    notice: str = ""

    @cached_property
    def chair(self) -> int | None:
        """The seat in the room that this person has, for this match or the next one."""
        return next((seat.number for seat in self.chairs if self.person and seat.person == self.person), None)

    @property
    def me(self) -> int | None:
        """The number under which this person is shown: of the seat in the match, before it of the chair; none where
        chairs are not shown."""
        return self.seat if self.match is not None else None if self.room.anonymous else self.chair

    @property
    def others(self) -> list[Seat]:
        """The taken seats in the room but the own one."""
        return [seat for seat in self.chairs if not seat.free and seat.number != self.chair]

    @property
    def seat(self) -> int | None:
        """The seat that this person plays in the match, or played once it is over. Who got up plays no more."""
        seat = self.match.seat_of(self.person) if self.match else None
        return seat if seat is not None and (self.match.status != "running" or self.chair == seat) else None

    @property
    def stand_in(self) -> bool:
        """Whether an agent plays this person's seat."""
        if self.seat is None or self.source is None:
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
        return self.kicked or (self.match is not None and self.sight is None and self.chair is None)

    @property
    def viewer(self) -> values.Viewer:
        """As whom the live page is seen: the own seat's player, or the public."""
        return self.seat if self.seat is not None and self.sight else PUBLIC

    @property
    def delayed(self) -> bool:
        return bool(self.sight and self.sight.delayed)


def place(room: Room) -> Place:
    """Read a room and its match as they are now."""
    match = Match.objects.select_related("room").filter(room=room.pk).order_by("-number").first()
    now = place_at(match.room if match else Room.objects.get(pk=room.pk), match)
    if now.source is not None:
        now.source.catch_up()
    return now


def place_at(room: Room, match: Match | None) -> Place:
    """A room and its newest match that were read just now; the log is as this process last read it."""
    return Place(room, list(room.seats.all()), match, mirror(match) if match else None)


def look(room: Room, user: AbstractBaseUser | AnonymousUser, person: str) -> Look:
    """A table as this person sees it now."""
    return look_at(place(room), user, person)


def look_at(seen_by_all: Place, user: AbstractBaseUser | AnonymousUser, person: str) -> Look:
    """A table as this person sees it, read before."""
    room, match = seen_by_all.room, seen_by_all.match
    generation = match.number if match else 0
    seen = sight(match, user, person) if match else None
    running = match is not None and match.status == "running"
    agents = rooms.seatable(room.game, user.has_perm(RESEARCHER)) if person == room.host and not running else []
    own = match.seat_of(person) if match else None
    said = detection.given(match, own) if match and seen else None
    guessing = match is not None and detection.is_open(match)
    asked = guessing and own is not None and detection.is_open(match, own)
    notice = ""
    if running and (person == room.host or (seen and seen.everything)):
        notice = _notice(match, OMNISCIENT if seen and seen.everything else PUBLIC)
    return Look(
        room=room,
        chairs=seen_by_all.chairs,
        match=match,
        source=seen_by_all.source,
        person=person,
        sight=seen,
        generation=generation,
        agents=agents,
        detection=said,
        asked=asked,
        guessing=guessing,
        notice=notice,
    )


def _notice(match: Match, viewer: values.Viewer) -> str:
    """Why agents at this table do not play as they were asked to; told to researchers, and to its host where agents are
    named."""
    if not view.names_agents(match, viewer):
        return ""
    if pending.waited_alone(match):
        return _("While nobody was here, agents whose moves cost money waited. They go on now.")
    why = view.trouble_of_agents(match, viewer)
    return f"{why} {_('House agents play on in the models’ place.')}" if why else ""
