"""Talk around the matches of a room, whom somebody mutes there, and who may not talk any more.

What seats say in a running match stands in its log (`games.rules.table_talk`); here is the rest: in the waiting room,
after the end, and among those who watch, apart from the table.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from games.match import changes
from games.models import Match, Mute, Report, Room, RoomMessage, ShutOut
from games.refused import Refused
from games.room.rooms import changed
from games.rules import table_talk
from games.rules.fields import Malformed
from games.rules.values import ERASED
from games.translation import translated

if TYPE_CHECKING:
    from games.match.words import Change

ROOM, WATCHERS = RoomMessage.Channel.ROOM, RoomMessage.Channel.WATCHERS

MOST = 3000
"""So much may be said at a room, so that no table grows without end."""

SHOWN = 60
"""The last messages that a page is given."""


# Who is who -----------------------------------------------------------------------------------------------------------


def mark_of(room: Room, person: str, seat: int = 0) -> str:
    """A mark for all that a person says at a room, or the agent at a seat; it tells no key."""
    if not person:
        return f"a{seat}"
    return salted_hmac("games.room.talk", f"{room.pk}:{person}").hexdigest()[:10]


def marks_of(match: Match) -> dict[int, str]:
    """The mark of each seat's player."""
    assert match.room is not None  # noqa: S101
    return {sitter.seat: mark_of(match.room, sitter.person, sitter.seat) for sitter in match.seated}


def called(room: Room, match: Match | None, marks: Collection[str]) -> dict[str, str]:
    """What those are called who have these marks, by mark."""
    names = dict(room.messages.filter(mark__in=marks).values_list("mark", "name"))
    if match is not None:
        names |= {mark: match.names()[seat] for seat, mark in marks_of(match).items()}
    return {mark: names.get(mark, "") for mark in marks}


def shut_out(person: str, user: User | AnonymousUser | None = None) -> bool:
    """Whether this person, or their account, may not talk here any more."""
    theirs = Q(person=person)
    if isinstance(user, User):
        theirs |= Q(account=user) | Q(person__in=user.person_keys.values("key"))
    return ShutOut.objects.filter(theirs).exists()


def refuse_shut_out(person: str, user: User | AnonymousUser | None) -> None:
    """Raise `Refused` for who may not talk any more."""
    if shut_out(person, user):
        raise Refused(_("An admin has shut you out of the talk on this site."))


# Talk -----------------------------------------------------------------------------------------------------------------


def read(text: str) -> str:
    """Words as they are kept. Raises `Refused`."""
    try:
        return str(table_talk.FIELDS["chat"][0].read(text))
    except Malformed as error:
        raise Refused(translated(error.sentence)) from error


def say(room: Room, channel: str, text: str, *, name: str, person: str = "", seat: int = 0) -> RoomMessage:
    """Keep a message and tell the pages. person: who says it; without one it is the agent at a seat. Raises
    `Refused`."""
    text = read(text)
    with transaction.atomic():
        held = Room.objects.select_for_update().get(pk=room.pk)
        if not held.talks:
            raise Refused(_("Nobody can talk at this table."))
        if held.said >= MOST:
            raise Refused(_("As much has been said at this table as it has room for. Open another one."))
        held.said += 1
        held.save(update_fields=["said"])
        message = RoomMessage.objects.create(
            room=held,
            number=held.said,
            after=held.matches.count(),
            channel=channel,
            person=person,
            mark=mark_of(held, person, seat),
            name=name,
            text=text,
        )
        transaction.on_commit(lambda: changes.tell(held.code, changes.TALK, n=message.number))
    return message


def messages(room: Room, channels: Collection[str], generation: int, since: float = 0) -> list[RoomMessage]:
    """The last messages of these channels after number `since`, oldest first; of the watchers those about the match of
    this number."""
    told = Q(channel__in=set(channels) - {WATCHERS})
    if WATCHERS in channels:
        told |= Q(channel=WATCHERS, after=generation)
    newest = RoomMessage.objects.filter(told, room=room, number__gt=since).order_by("-number")
    return list(newest[:SHOWN])[::-1]


def news(room: Room, channels: Collection[str], generation: int, since: float) -> tuple[int, list[RoomMessage]]:
    """The number up to which is known what was said, and what of it is new since another one."""
    last = Room.objects.values_list("said", flat=True).get(pk=room.pk)
    fresh = messages(room, channels, generation, since) if channels else []
    return max([last, *(message.number for message in fresh)]), fresh


def take_away(message: RoomMessage) -> None:
    """Take the words of a message away; pages that show them are fetched anew."""
    with transaction.atomic():
        room = Room.objects.select_for_update().get(pk=message.room_id)
        RoomMessage.objects.filter(pk=message.pk).update(text=ERASED)
        _words_went(room)


def _words_went(room: Room) -> None:
    room.unsaid += 1
    room.revision += 1
    room.save(update_fields=["unsaid", "revision"])
    transaction.on_commit(lambda: changes.tell(room.code, "room"))


def erase(person: str) -> None:
    """Let go of all that a person said around matches, muted and reported, and of who muted them. Who is shut out
    stays so."""
    for room in Room.objects.filter(messages__person=person).distinct():
        _words_went(room)
    RoomMessage.objects.filter(person=person).delete()
    Report.objects.filter(by=person).delete()
    for room in Room.objects.filter(mutes__isnull=False).distinct():
        room.mutes.filter(Q(person=person) | Q(mark=mark_of(room, person))).delete()


def hand_over(old: str, new: str) -> None:
    """Give all that one person said and muted around matches to another."""
    for room in Room.objects.filter(Q(messages__person=old) | Q(mutes__isnull=False)).distinct():
        was, now = mark_of(room, old), mark_of(room, new)
        room.messages.filter(person=old).update(person=new, mark=now)
        both = room.mutes.filter(Q(person=new) | Q(mark=now)).values_list("person", "mark")
        for mute in room.mutes.filter(Q(person=old) | Q(mark=was)):
            mute.person, mute.mark = {old: new}.get(mute.person, mute.person), {was: now}.get(mute.mark, mute.mark)
            if (mute.person, mute.mark) in both:
                mute.delete()
            else:
                mute.save()


def without(match: Match, change: Change) -> None:
    """Take words and a name out of what others said around a match."""
    if match.room is None:
        return
    quoting = [
        message
        for message in match.room.messages.all()
        if (message.text, message.name) != (change(message.text), change(message.name))
    ]
    for message in quoting:
        message.text, message.name = change(message.text), change(message.name)
    RoomMessage.objects.bulk_update(quoting, ["text", "name"])
    if quoting:
        _words_went(match.room)


# Muting ---------------------------------------------------------------------------------------------------------------


def muted(room: Room) -> dict[str, frozenset[str]]:
    """Whom the people at a room mute there: the marks, by person."""
    found: dict[str, frozenset[str]] = {}
    if room.talks:
        for person, mark in room.mutes.values_list("person", "mark"):
            found[person] = found.get(person, frozenset()) | {mark}
    return found


def mute(room: Room, person: str, mark: str) -> None:
    """Hide from now on, for this person alone, all that has this mark. Raises `Refused`."""
    if mark == mark_of(room, person):
        raise Refused(_("You cannot mute yourself."))
    Mute.objects.get_or_create(room=room, person=person, mark=mark)
    changed(room)


def unmute(room: Room, person: str, mark: str) -> None:
    """Show it again."""
    Mute.objects.filter(room=room, person=person, mark=mark).delete()
    changed(room)
