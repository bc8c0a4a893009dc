"""The place around a match: opening a table, sitting down, filling seats with agents, starting, playing again.

Every function checks, changes and tells those at the table; what cannot be done raises `Refused` with a sentence.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from games.audit import Audited
from games.match import access, changes, pending, store, view
from games.models import OUTSIDE, Match, Room, Seat
from games.refused import NotThere, NotYours, Refused, Unfit
from games.registry import RULES
from games.room import caps, dealing, names
from games.rules import values
from games.rules.fields import plain
from games.translation import translated
from magic_site import clock

UNUSED_LIFE = timedelta(days=2)
"""How long a table stays at which nothing was ever played."""


def nobody(game: str, researcher: bool = False) -> list[tuple[str, str]]:
    """Who can be asked to sit down at a game where there are no agents."""
    return []


# The agents app puts here who can be asked to a game, and by researchers: (profile name, title) of each, the usual one
# first.
seatable: Callable[[str, bool], list[tuple[str, str]]] = nobody


# The agents app puts here which of them play how well, the weakest first: (profile name, what the strength is called,
# whether it is the usual one).
by_strength: Callable[[], list[tuple[str, str, bool]]] = list

BY_LOT = 0
"""In place of a seat: one that is drawn."""


def clean_name(name: str, others: Iterable[str] = ()) -> str:
    """A person's name as others see it, which can be told from these others' (`games.room.names`)."""
    if problem := names.objection(name, others):
        raise Unfit(problem)
    return plain(name)


def refuse_name_of_another(name: str, story: Mapping[int, str], number: int) -> None:
    """Raise `Refused` for a name that a story calls another seat than this one."""
    if name and names.objection(name, [called for seat, called in story.items() if seat != number]):
        raise Refused(_("In the story played on here somebody else has that name, or one like it. Take another one."))


def open_room(
    *,
    game: str,
    preset: str,
    seats: int,
    person: str = "",
    name: str = "",
    options: dict[str, Any] | None = None,
    agents: Mapping[int, str] | None = None,
    place: int | None = BY_LOT,
    **settings: Any,
) -> Room:
    """Open a table and sit its host down; without a person it is the first's who sits down. agents: the profiles that
    have seats from the beginning. place: where the host sits; None for nowhere, to look on. settings: fields of
    `Room`."""
    if game not in RULES:
        raise Unfit(_("There is no game of that name."))
    try:
        chosen = RULES[game].options(preset, options or {}, seats)
        store.refuse_telling_talk(chosen, settings.get("agents_named", True))
    except values.Impossible as error:
        raise Unfit(translated(error.sentence)) from error
    name, agents = clean_name(name) if person else "", agents or {}
    with transaction.atomic():
        seen_at = clock.now() if person else None
        room = Room.objects.create(
            game=game,
            preset=preset,
            options=options or {},
            host=person,
            own_by=person if settings.get("own_words") else "",
            seen_at=seen_at,
            **settings,
        )
        chairs = [Seat(room=room, number=n, agent=agents.get(n, "")) for n in range(1, seats + 1)]
        if person and place is not None:
            free = [chair for chair in chairs if chair.free and place in (BY_LOT, chair.number)]
            hosts = random.SystemRandom().choice(free)
            hosts.person, hosts.name = person, "" if room.anonymous else name
        Seat.objects.bulk_create(chairs)
        if not room.study:
            _refuse_where_full(room)
    return room


def sit(room: Room, person: str, name: str, number: int | None = None) -> Seat:
    """Sit down on a free seat, a named one or the first. Who sits already keeps the seat.

    At an anonymous table neither name nor place is the sitter's own: both are drawn at the start."""
    if person in room.kicked:
        raise NotYours(_("The host has asked you to leave this table."))
    refuse_who_sat_before(room, person)
    mine = room.seats.filter(person=person).first()
    if mine is not None:
        return mine
    name, number = ("", None) if room.anonymous else (clean_name(name), number)
    if playing(room):
        return _sit_in(room, person, name, number)
    refuse_after_its_match(room)
    free = [seat for seat in room.seats.all() if seat.free and number in (None, seat.number)]
    story = dealing.story_of(room)
    for seat in sorted(free, key=lambda seat: story.get(seat.number) != name):  # who was called so there comes back
        refuse_name_of_another(name, story, seat.number)
        try:
            with transaction.atomic():
                Room.objects.select_for_update().get(pk=room.pk)  # of two with one name the second waits
                others = room.seats.exclude(name="").values_list("name", flat=True)
                name = name and clean_name(name, others)
                taken = room.seats.filter(pk=seat.pk, person="", agent="").update(person=person, name=name)
                if taken:  # a table that nobody opened, or that all have left, is the first's who sits down
                    Room.objects.filter(pk=room.pk, host="").update(host=person, closed_at=None)
        except IntegrityError:  # the same person sat down in another tab
            return room.seats.get(person=person)
        if taken:
            changed(room)
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
        name = clean_name(name, room.seats.exclude(name="").values_list("name", flat=True))
        free = room.seats.filter(number=number or freed[0], person="", agent="")
        if not free.update(person=person, name=name):
            raise Refused(_("Somebody sits there already."))
        store.sit_in(match.pk, number or freed[0], person)
    changed(room)
    return room.seats.get(person=person)


def knows_too_much(match: Match, person: str) -> bool:
    """Whether this person has looked at what is hidden in a match, or in one that begins with it."""
    account = User.objects.filter(person_keys__key=person).first()
    matches = [match.pk, *match.forks.values_list("pk", flat=True)]
    return (
        account is not None
        and Audited.objects.filter(what=Audited.What.LOOKED, account=account, match__in=matches).exists()
    )


def free(room: Room, number: int, reason: str) -> bool:
    """Take a seat at a running match from its person, as an admin wants it, so that another one may go on with it;
    whether that was done. They do not come back to this table."""
    match = room.matches.filter(status="running").first()
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
    changed(room)
    return done


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
    changed(room)


def kick(room: Room, host: str, number: int) -> None:
    """Ask a person to leave, for good, or take an agent off its seat."""
    only_host(room, host)
    refuse_where_set(room)
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
    elif playing(room):
        raise Refused(_("Agents stay until the match is over."))
    _vacate(room, seat)
    changed(room)


def send_away(room: Room, person: str, reason: str) -> None:
    """Send a person away from a table for good, as an admin wants it. An agent goes on with a match that they play."""
    match = room.matches.filter(status="running").first()
    number = match.seat_of(person) if match is not None else None
    if match is not None and number is not None:
        free(room, number, reason)
        return
    leave(room, person)
    room.kicked = [*room.kicked, person]
    room.save(update_fields=["kicked"])
    changed(room)


def fill(room: Room, host: str, agent: str, numbers: Sequence[int] | None = None) -> None:
    """Put an agent profile on the free seats, or on those named."""
    only_host(room, host)
    refuse_while_playing(room)
    refuse_where_set(room)
    for seat in room.seats.all():
        if seat.free and (numbers is None or seat.number in numbers):
            room.seats.filter(pk=seat.pk, person="", agent="").update(agent=agent, name="")
    changed(room)


def clear(room: Room, host: str) -> None:
    """Take all agents off their seats, before or after a match."""
    only_host(room, host)
    refuse_while_playing(room)
    refuse_where_set(room)
    for seat in room.seats.filter(agent=OUTSIDE):
        _withdraw_its_key(seat)
    room.seats.exclude(agent="").update(agent="", person="", name="")
    changed(room)


def start(room: Room, host: str, researcher: bool = False) -> Match:
    """Deal: freeze the seats and begin. Every seat must be taken, and by no agent that only researchers may let play
    where none of them starts it."""
    only_host(room, host)
    if (running := room.matches.filter(status="running").first()) is not None:
        return running
    refuse_after_its_match(room)
    try:
        with transaction.atomic():
            return _begin(room, host, researcher)
    except values.Impossible as error:
        raise Unfit(translated(error.sentence)) from error
    except IntegrityError:  # two tabs started it at once; the match that is there counts
        return room.matches.latest("number")


def _begin(room: Room, host: str, researcher: bool) -> Match:
    seats = list(room.seats.select_for_update())
    # Who has not said so after the last match may still be reading: an agent plays for them until they come.
    asked = [seat for seat in seats if not seat.ready and not seat.outside] if room.match is not None else []
    reading = {seat.person for seat in asked} - {"", host}
    if room.study and {seat.agent for seat in seats} - {"", *(name for name, _title in seatable(room.game, True))}:
        raise Refused(_("This table cannot be played at the moment. Tell the person who sent you the link."))
    free = sum(seat.free for seat in seats)
    if free:
        raise Refused(_("%(free)d seats are still free. Wait for friends or fill them with agents.") % {"free": free})
    if not room.study:
        _refuse_where_full(room)
        _refuse_what_costs(room, seats, researcher)
    _refuse_outside_where_hidden(room, seats)
    match = dealing.begin(room, seats)
    for seat in seats:
        if seat.person in reading:
            store.take_over(match.pk, seat.number)
    room.seats.update(ready=False)
    return match


def end(room: Room, host: str) -> None:
    """End the match that is played here; nobody wins it."""
    only_host(room, host)
    if (match := room.matches.filter(status="running").first()) is None:
        raise Refused(_("No match is being played here."))
    store.end(match.pk, "abandoned", _("The host ended it."))


def remove_unused() -> int:
    """Take away old tables at which nothing was ever played, and nothing is to be; returns how many they were."""
    unused = Room.objects.filter(matches=None, study=False, created_at__lt=clock.after(-UNUSED_LIFE))
    return unused.delete()[1].get("games.Room", 0)


def playing(room: Room) -> bool:
    """Whether a match is under way here."""
    return room.matches.filter(status="running").exists()


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


def only_host(room: Room, person: str) -> None:
    """Raise `Refused` for everybody but the host."""
    if room.host != person:
        raise NotYours(_("Only the host of the table can do that."))


def refuse_while_playing(room: Room) -> None:
    """Raise `Refused` while a match is played here."""
    if playing(room):
        raise Refused(_("A match is being played here. Wait for the next one, or watch."))


def refuse_where_set(room: Room) -> None:
    """Raise `Refused` where nobody but who opened the table says who sits there."""
    if room.study:
        raise Refused(_("The seats of this table were set when it was opened."))


def _refuse_outside_where_hidden(room: Room, seats: list[Seat]) -> None:
    """Whoever runs the program that answers for an agent knows what it is asked, and when: at a table that hides who is
    an agent it would tell."""
    if room.anonymous and any(pending.from_outside(seat.agent) for seat in seats if seat.agent):
        raise Refused(
            _("At this table nobody is told who is who, and an agent from outside would be known. Open another one.")
        )


def _refuse_where_full(room: Room) -> None:
    if sentence := caps.trouble(room):
        raise Refused(sentence)


def _refuse_what_costs(room: Room, seats: list[Seat], researcher: bool) -> None:
    asked = {seat.agent for seat in seats} - {""}
    if researcher or not asked:
        return
    free = dict(seatable(room.game, False))
    costly = [title for name, title in seatable(room.game, True) if name in asked - set(free)]
    if costly:
        raise NotYours(_("Only researchers may let %(agent)s play. Ask another agent.") % {"agent": ", ".join(costly)})


def refuse_who_sat_before(room: Room, person: str) -> None:
    """Raise `Refused` for a person who had a seat in the match that is played on here and may not see the others."""
    if room.fork_of is not None and access.knows_its_seat_alone(room.fork_of, person):
        raise NotYours(_("You played the match with which this one begins, and may not see all of it. You can watch."))


def refuse_after_its_match(room: Room) -> None:
    if room.study and room.match is not None:
        raise Refused(_("This table was opened for one match, and that has been played."))


def changed(room: Room) -> None:
    """Something at the table is not as it was: count it, and tell the pages."""
    Room.objects.filter(pk=room.pk).update(revision=F("revision") + 1)
    transaction.on_commit(lambda: changes.tell(room.code, "room"))
