"""Who may see what of a match: the one place that turns a person into a viewer."""

from dataclasses import dataclass
from typing import cast
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet

from games import audit
from games.match import detection
from games.match.rows import MatchSeat
from games.match.view import MatchView
from games.models import AccountKey, Match, Room
from games.rules import values
from games.rules.values import OMNISCIENT, PUBLIC

RESEARCHER = "games.see_thoughts"


@dataclass(frozen=True)
class Access:
    """What one person may see of a match: as whom by default, as whom else, whether a round behind, and whether with
    what raters said, which is for researchers."""

    viewer: values.Viewer
    choices: tuple[values.Viewer, ...]
    delayed: bool = False
    labels: bool = False

    @property
    def everything(self) -> bool:
        return OMNISCIENT in self.choices

    def chosen(self, name: str) -> values.Viewer | None:
        """The viewer that an address names; '' is the usual one. None where this person may not see so much."""
        if not name:
            return self.viewer
        return next((choice for choice in self.choices if viewer_name(choice) == name), None)


def viewer_name(viewer: values.Viewer) -> str:
    """A viewer as an address names it."""
    return {PUBLIC: "public", OMNISCIENT: "all"}.get(viewer, str(viewer))


def access_of(match: Match, user: User | AnonymousUser, person: str) -> Access | None:
    """What this person may see of the match; None for nothing at all.

    Who sits at a match never sees wider than that seat while it runs, whatever rights they have; where agents play
    among themselves, the table's settings may let all see everything. Afterwards the
    table's settings decide, once nobody is asked any more who was an agent; researchers see everything. Matches without
    a table are for researchers, but for recorded examples, of which all see everything. A fork tells what its parent
    hides: who still plays that one sees nothing of it.
    """
    if _plays_elsewhere(match, person):
        return None
    seat = match.seat_of(person)
    room = match.room
    researcher = user.has_perm(RESEARCHER)
    if match.status == "running":
        if seat is not None:
            return Access(seat, (seat,))
        if researcher:
            return Access(PUBLIC, _all(match))
        if room is None or room.watching == Room.Watching.NOBODY or person in room.kicked:
            return None
        if _thought_aloud(match, room):
            return Access(PUBLIC, _all(match))
        return Access(PUBLIC, (PUBLIC,), delayed=room.watching == Room.Watching.DELAYED)
    opened = (
        room is not None
        and not detection.is_open(match)
        and (
            room.afterwards == Room.Afterwards.ANYONE or (room.afterwards == Room.Afterwards.TABLE and seat is not None)
        )
    )
    if researcher or opened or match.origin == Match.Origin.EXAMPLE:
        return Access(PUBLIC, _all(match), labels=researcher)
    if seat is not None:
        return Access(seat, (PUBLIC, seat))
    if room is None or room.watching == Room.Watching.NOBODY:
        return None
    return Access(PUBLIC, (PUBLIC,))


def _thought_aloud(match: Match, room: Room) -> bool:
    """Whether watchers see everything while a match runs: its table says so, they look on live, nothing is hidden of
    who plays, and no seat is a person's or was, nor of an agent from outside."""
    hidden = room.anonymous or not match.kinds_named or room.watching != Room.Watching.LIVE
    return (
        room.thoughts_live
        and not hidden
        and all(sitter.kind == "agent" and not sitter.person for sitter in match.seated)
    )


def account_of(person: str) -> User | None:
    """The account that is this person."""
    return User.objects.filter(person_keys__key=person).first()


def _plays_elsewhere(match: Match, person: str) -> bool:
    """Whether this person still plays a match that this one begins with."""
    parent = match.parent
    if parent is None:
        return False
    return (parent.status == "running" and parent.seat_of(person) is not None) or _plays_elsewhere(parent, person)


def knows_its_seat_alone(match: Match, person: str) -> bool:
    """Whether this person sat at a match, or at one that it begins with, of which they may not see everything."""
    account = account_of(person) or AnonymousUser()
    while person:
        seen = access_of(match, account, person)
        if match.seat_of(person) is not None and not (seen is not None and seen.everything):
            return True
        if match.parent is None:
            break
        match = match.parent
    return False


def being_played(match: Match) -> bool:
    """Whether a match is still played, or one that it begins with."""
    return match.status == "running" or (match.parent is not None and being_played(match.parent))


def view(match: Match, seen: Access, viewer: values.Viewer) -> MatchView:
    """The match as somebody who may sees it as this viewer."""
    return MatchView(match, viewer, delayed=seen.delayed, labelled=seen.labels)


def looked(match: Match, seen: Access, viewer: values.Viewer, user: User | AnonymousUser, page: str) -> None:
    """Somebody is shown a match as this viewer: what others hide from them goes into the audit. Each door calls it."""
    if viewer not in (PUBLIC, seen.viewer):
        audit.looked(user, match, viewer_name(viewer), page)


def _all(match: Match) -> tuple[values.Viewer, ...]:
    return (PUBLIC, *(sitter.seat for sitter in match.seated), OMNISCIENT)


# Lists --------------------------------------------------------------------------------------------------------------


def watchable(user: User | AnonymousUser, person: str) -> QuerySet[Match]:
    """The matches to list for this person: those that `access_of` lets them see and that are their own, a
    researcher's to see, or played at a listed table. Examples have a page of their own; researchers find them too."""
    matches = Match.objects.select_related("room").prefetch_related("sitters")
    if user.has_perm(RESEARCHER):
        return matches
    watched = ~Q(room__watching=Room.Watching.NOBODY)
    listed = Q(room__listed=True) & (watched | (~Q(status="running") & Q(room__afterwards=Room.Afterwards.ANYONE)))
    kicked = Q(status="running", room__in=[room.pk for room in kicked_from(person)])
    return matches.filter(listed | _sits(person)).exclude(kicked)


def open_to_watch() -> QuerySet[Match]:
    """The matches at listed tables that are being played and that anybody may watch, live or a round behind, who was
    not sent away from there."""
    playing = Match.objects.filter(status="running", room__listed=True, room__closed_at=None)
    return playing.exclude(room__watching=Room.Watching.NOBODY).select_related("room").prefetch_related("sitters")


def open_to(user: User | AnonymousUser) -> QuerySet[Match]:
    """The matches of which this account may see everything: a researcher's to look through, take away and label. None
    for others, and none that they play."""
    if not user.has_perm(RESEARCHER):
        return Match.objects.none()
    keys = AccountKey.objects.filter(user=cast(User, user)).values_list("key", flat=True)
    own = [match.pk for key in keys for match in sat_at_while_running(key)]
    return Match.objects.exclude(pk__in=own)


def sat_at(person: str) -> QuerySet[Match]:
    """The matches that this person plays or played."""
    return Match.objects.filter(_sits(person)).prefetch_related("sitters")


def sat_at_while_running(person: str) -> QuerySet[Match]:
    """The running matches that this person plays, and all that begin with them: of these nobody's rights show them more
    than their own seat."""
    found: set[UUID] = set()
    fresh = set(sat_at(person).filter(status="running").values_list("pk", flat=True))
    while fresh:
        found |= fresh
        fresh = set(Match.objects.filter(parent__in=fresh).values_list("pk", flat=True)) - found
    return Match.objects.filter(pk__in=found)


def kicked_from(person: str) -> list[Room]:
    """The tables from which this person was sent away."""
    return [room for room in Room.objects.exclude(kicked=[]) if person in room.kicked]


def _sits(person: str) -> Q:
    return Q(pk__in=MatchSeat.objects.filter(person=person).values("match")) if person else Q(pk__isnull=True)
