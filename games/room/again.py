"""Playing again: each person says so for themselves, and nobody's result is taken from them.

When all who are here want to play again and no chair is free, the next match begins. Who is still reading then, or has
the page closed, keeps their chair: an agent plays for them until they come. Bystanders have no chair. They take those
that fall free between two matches, in the order in which they asked.
"""

from django.db import transaction
from django.utils.translation import gettext as _

from games.match.access import RESEARCHER, account_of
from games.models import OUTSIDE, Match, Room, Seat
from games.refused import NotYours, Refused
from games.room import dealing, names, presence, rooms


def ready(room: Room, person: str) -> Match | None:
    """This person wants to play again. Returns the match that has begun, for this wish or before it; None while others
    are waited for. Raises `Refused`."""
    if room.match is None:
        raise Refused(_("No match has been played here yet. The host starts the first one."))
    if (played := rooms.running(room)) is not None:
        return played
    rooms.refuse_after_its_match(room)
    with transaction.atomic():
        held = Room.objects.select_for_update().get(pk=room.pk)
        if not held.seats.filter(person=person).update(ready=True):
            raise NotYours(_("You have no chair here. Take the next one that falls free."))
        away = _away(held)
        leads = not held.seats.filter(person=person, agent=OUTSIDE).exists()
        if held.host in away and leads:  # a host who has the page closed keeps nobody from playing
            held.host = person
            held.save(update_fields=["host"])
    seat_bystanders(held)
    rooms.changed(held)
    return begin_if_all_are_ready(held)


def unready(room: Room, person: str) -> None:
    """This person would rather wait."""
    room.seats.filter(person=person).update(ready=False)
    rooms.changed(room)


def begin_if_all_are_ready(room: Room) -> Match | None:
    """The next match, where somebody wants it, nobody who is here does not, and no chair is free."""
    seats = list(room.seats.all())
    people = [seat for seat in seats if seat.person and not seat.outside]
    if not any(seat.ready for seat in people) or any(seat.free for seat in seats) or rooms.playing(room):
        return None
    away = _away(room)
    if any(not seat.ready and seat.person not in away for seat in people):
        return None
    return rooms.start(room, room.host, researcher=_may_ask_any_agent(room.host))


def wait_for_a_chair(room: Room, person: str, name: str) -> None:
    """Take a chair, or the next one that falls free. Raises `Refused`."""
    if person in room.kicked:
        raise NotYours(_("The host has asked you to leave this table."))
    rooms.refuse_after_its_match(room)
    rooms.refuse_who_sat_before(room, person)
    if room.seats.filter(person=person).exists():
        return
    name = "" if room.anonymous else rooms.clean_name(name)
    with transaction.atomic():
        held = Room.objects.select_for_update().get(pk=room.pk)
        held.bystanders = [*(one for one in held.bystanders if one[0] != person), [person, name]]
        held.save(update_fields=["bystanders"])
    presence.exchange([(room.code, person)], [])
    seat_bystanders(held)
    rooms.changed(held)


def wait_no_more(room: Room, person: str) -> None:
    """This person only looks on."""
    with transaction.atomic():
        _let_go(Room.objects.select_for_update().get(pk=room.pk), person)
    rooms.changed(room)


def seat_bystanders(room: Room) -> bool:
    """Give the free chairs to the bystanders who are here, unless a match is being played; returns whether any was
    given. Called before anybody else gets a chair: who waits goes before who comes."""
    if not room.bystanders or rooms.playing(room):
        return False
    with transaction.atomic():
        held = Room.objects.select_for_update().get(pk=room.pk)
        away = presence.exchange([], [(held.code, person) for person, _name in held.bystanders])
        here = [one for one in held.bystanders if (held.code, one[0]) not in away]
        free = [seat for seat in held.seats.all() if seat.free]
        seated = list(zip(free, here, strict=False))
        story = dealing.story_of(held)
        for seat, (person, name) in seated:
            others = [*held.seats.exclude(name="").values_list("name", flat=True)]
            others += [called for number, called in story.items() if number != seat.number]
            seat.person, seat.ready = person, True
            seat.name = "" if not name or names.objection(name, others) else name
            seat.save()
            held.bystanders.remove([person, name])
            held.host, held.closed_at = held.host or person, None
        held.save(update_fields=["bystanders", "host", "closed_at"])
        room.bystanders, room.host, room.closed_at = held.bystanders, held.host, held.closed_at
    if seated:
        rooms.changed(room)
    return bool(seated)


def match_ended(match: Match) -> None:
    """Give the chairs that were left during a match to those who waited for them."""
    if match.room is not None:
        seat_bystanders(match.room)


def forget(person: str) -> None:
    """Let go of a person who waits for chairs."""
    for room in _waited_at(person):
        _let_go(room, person)


def hand_over(old: str, new: str) -> None:
    """Let one person wait in another's place."""
    for room in _waited_at(old):
        room.bystanders = [[new if person == old else person, name] for person, name in room.bystanders]
        room.save(update_fields=["bystanders"])


def _waited_at(person: str) -> list[Room]:
    return [room for room in Room.objects.exclude(bystanders=[]) if any(one[0] == person for one in room.bystanders)]


def _let_go(room: Room, person: str) -> None:
    room.bystanders = [one for one in room.bystanders if one[0] != person]
    room.save(update_fields=["bystanders"])


def _away(room: Room) -> set[str]:
    """The people with a chair who have no page open."""
    taken = Seat.objects.filter(room=room).exclude(person="")
    sitters: dict[presence.Mark, str] = {(room.code, seat.number): seat.person for seat in taken}
    return {sitters[mark] for mark in presence.exchange([], sitters)}


def _may_ask_any_agent(host: str) -> bool:
    account = account_of(host)
    return account is not None and account.has_perm(RESEARCHER)
