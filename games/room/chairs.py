"""The chairs of a table: sitting down, getting up, and who is sent away; agents on free ones."""

from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from games.audit import Audited
from games.match import access, store, view
from games.models import OUTSIDE, Match, Room, Seat
from games.refused import NotThere, NotYours, Refused, Unfit
from games.room import dealing, rooms
from magic_site import clock


def sit(room: Room, person: str, name: str, number: int | None = None) -> Seat:
    """Sit down on a free seat, a named one or the first. Who sits already keeps the seat.

    At an anonymous table neither name nor place is the sitter's own: both are drawn at the start."""
    if person in room.kicked:
        raise NotYours(_("The host has asked you to leave this table."))
    rooms.refuse_who_sat_before(room, person)
    mine = room.seats.filter(person=person).first()
    if mine is not None:
        return mine
    name, number = ("", None) if room.anonymous else (rooms.clean_name(name), number)
    if rooms.playing(room):
        return _sit_in(room, person, name, number)
    rooms.refuse_after_its_match(room)
    free = [seat for seat in room.seats.all() if seat.free and number in (None, seat.number)]
    story = dealing.story_of(room)
    for seat in sorted(free, key=lambda seat: story.get(seat.number) != name):  # who was called so there comes back
        rooms.refuse_name_of_another(name, story, seat.number)
        try:
            with transaction.atomic():
                Room.objects.select_for_update().get(pk=room.pk)  # of two with one name the second waits
                others = room.seats.exclude(name="").values_list("name", flat=True)
                name = name and rooms.clean_name(name, others)
                taken = room.seats.filter(pk=seat.pk, person="", agent="").update(person=person, name=name)
                if taken:  # a table that nobody opened, or that all have left, is the first's who sits down
                    Room.objects.filter(pk=room.pk, host="").update(host=person, closed_at=None)
        except IntegrityError:  # the same person sat down in another tab
            return room.seats.get(person=person)
        if taken:
            rooms.changed(room)
            return room.seats.get(pk=seat.pk)
    raise Refused(_("Somebody sits there already.") if number else _("The table is full."))


def _sit_in(room: Room, person: str, name: str, number: int | None) -> Seat:
    """Go on with a seat that an admin freed while its match is played."""
    match = room.matches.get(status="running")
    freed = [seat.number for seat in room.seats.all() if seat.free and seat.number in match.freed()]
    if not freed or number not in (None, *freed):
        raise Refused(_("A match is being played here. Wait for the next one, or watch."))
    if knows_too_much(match, person):
        raise NotYours(_("You have seen what is hidden in this match, so you cannot play on in it."))
    with transaction.atomic():
        Room.objects.select_for_update().get(pk=room.pk)
        name = rooms.clean_name(name, room.seats.exclude(name="").values_list("name", flat=True))
        free = room.seats.filter(number=number or freed[0], person="", agent="")
        if not free.update(person=person, name=name):
            raise Refused(_("Somebody sits there already."))
        store.sit_in(match.pk, number or freed[0], person)
    rooms.changed(room)
    return room.seats.get(person=person)


def knows_too_much(match: Match, person: str) -> bool:
    """Whether this person has looked at what is hidden in a match, or in one that begins with it."""
    account = access.account_of(person)
    matches = [match.pk, *match.forks.values_list("pk", flat=True)]
    return (
        account is not None
        and Audited.objects.filter(what=Audited.What.LOOKED, account=account, match__in=matches).exists()
    )


def leave(room: Room, person: str) -> None:
    """Get up. During a match an agent plays on; the host's chair passes to the next person."""
    seat = room.seats.filter(person=person).first()
    if seat is None:
        return
    with transaction.atomic():
        hosted = Room.objects.select_for_update().get(pk=room.pk)
        _vacate(hosted, seat)
        if hosted.host == person:
            heir = _heir(hosted)
            hosted.host = heir.person if heir is not None else ""  # whoever sits down next
            if heir is None and not (hosted.study and hosted.match is None):
                hosted.closed_at = clock.now()
            hosted.save(update_fields=["host", "closed_at"])
            room.host, room.closed_at = hosted.host, hosted.closed_at
    rooms.changed(room)


def kick(room: Room, host: str, number: int) -> None:
    """Ask a person to leave, for good, or take an agent off its seat."""
    rooms.only_host(room, host)
    rooms.refuse_where_set(room)
    if not view.names_agents(room):
        raise Refused(
            _("You cannot send anybody away from a table that does not name its agents: it would show who is an agent.")
        )
    seat = room.seats.filter(number=number).first()
    if seat is None or seat.free:
        raise NotThere(_("Nobody sits there."))
    if seat.person == host:
        raise Unfit(_("You cannot send yourself away; leave the table instead."))
    if seat.person:
        room.kicked = [*room.kicked, seat.person]
        room.save(update_fields=["kicked"])
    elif rooms.playing(room):
        raise Refused(_("Agents stay until the match is over."))
    _vacate(room, seat)
    rooms.changed(room)


def send_away(room: Room, person: str, reason: str) -> None:
    """Send a person away from a table for good, as an admin wants it. An agent goes on with a match that they play."""
    match = rooms.running(room)
    number = match.seat_of(person) if match is not None else None
    if match is not None and number is not None:
        free(room, number, reason)
        return
    leave(room, person)
    room.kicked = [*room.kicked, person]
    room.save(update_fields=["kicked"])
    rooms.changed(room)


def free(room: Room, number: int, reason: str) -> bool:
    """Take a seat at a running match from its person, as an admin wants it, so that another one may go on with it;
    whether that was done. They do not come back to this table."""
    match = rooms.running(room)
    sitter = None if match is None else next((one for one in match.seated if one.seat == number), None)
    if match is None or sitter is None or not sitter.person or sitter.kind == "agent":
        raise Refused(_("No person plays this seat."))
    if not view.names_agents(match):
        raise Refused(_("This table does not name its agents, and a free seat would show that a person played it."))
    with transaction.atomic():
        hosted = Room.objects.select_for_update().get(pk=room.pk)
        hosted.seats.filter(person=sitter.person).update(person="", name="", ready=False)
        hosted.kicked = [*hosted.kicked, sitter.person]
        if hosted.host == sitter.person:
            heir = _heir(hosted)
            hosted.host = heir.person if heir is not None else ""
        hosted.save(update_fields=["kicked", "host"])
        done = bool(store.free(match.pk, number, reason).events)
    rooms.changed(room)
    return done


def _vacate(room: Room, seat: Seat) -> None:
    match = room.match
    if match is not None and match.status == "running":
        number = match.seat_of(seat.person)
        if number is not None:
            store.take_over(match.pk, number)
    if seat.outside:
        _withdraw_its_key(seat)
    room.seats.filter(pk=seat.pk).update(person="", name="", agent="", ready=False)


def _withdraw_its_key(seat: Seat) -> None:
    """No agent from outside comes back to this chair."""
    seat.room.api_keys.filter(person=seat.person).update(withdrawn_at=Now())


def _heir(room: Room) -> Seat | None:
    """The person at a table who hosts it next."""
    return room.seats.exclude(person="").exclude(agent=OUTSIDE).first()


def agent_to_ask(game: str, wanted: str, researcher: bool) -> str:
    """The profile that is wanted, or the usual one for "". Raises `Unfit` where it cannot be asked to this game."""
    profiles = [name for name, _title in rooms.seatable(game, researcher)]
    wanted = wanted or next(iter(profiles), "")
    if wanted not in profiles:
        raise Unfit(_("That agent cannot sit down here. Choose another one, or play with friends."))
    return wanted


def fill(room: Room, host: str, agent: str, numbers: Sequence[int] | None = None) -> None:
    """Put an agent profile on the free seats, or on those named."""
    rooms.only_host(room, host)
    rooms.refuse_while_playing(room)
    rooms.refuse_where_set(room)
    for seat in room.seats.all():
        if seat.free and (numbers is None or seat.number in numbers):
            room.seats.filter(pk=seat.pk, person="", agent="").update(agent=agent, name="")
    rooms.changed(room)


def clear(room: Room, host: str) -> None:
    """Take all agents off their seats, before or after a match."""
    rooms.only_host(room, host)
    rooms.refuse_while_playing(room)
    rooms.refuse_where_set(room)
    for seat in room.seats.filter(agent=OUTSIDE):
        _withdraw_its_key(seat)
    room.seats.exclude(agent="").update(agent="", person="", name="")
    rooms.changed(room)
