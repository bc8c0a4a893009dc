"""The place around a match: opening a table, beginning and ending a match there, and what cannot be done when.

Every function checks, changes and tells those at the table; what cannot be done raises `Refused` with a sentence. Who
sits down and gets up is in `games.room.chairs`.
"""

import random
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from games.match import access, beginning, changes, pending, store
from games.models import Match, Room, Seat
from games.refused import NotYours, Refused, Unfit
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
        beginning.refuse_telling_talk(chosen, settings.get("agents_named", True))
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


def start(room: Room, host: str, researcher: bool = False) -> Match:
    """Deal: freeze the seats and begin. Every seat must be taken, and by no agent that only researchers may let play
    where none of them starts it."""
    only_host(room, host)
    if (played := running(room)) is not None:
        return played
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
    if any(pending.from_outside(seat.agent) for seat in seats if seat.agent):
        refuse_outside_where_hidden(room)
    match = dealing.begin(room, seats)
    for seat in seats:
        if seat.person in reading:
            store.take_over(match.pk, seat.number)
    room.seats.update(ready=False)
    return match


def end(room: Room, host: str) -> None:
    """End the match that is played here; nobody wins it."""
    store.end(hosted(room, host).pk, "abandoned", _("The host ended it."))


def remove_unused() -> int:
    """Take away old tables at which nothing was ever played, and nothing is to be; returns how many they were."""
    unused = Room.objects.filter(matches=None, study=False, created_at__lt=clock.after(-UNUSED_LIFE))
    return unused.delete()[1].get("games.Room", 0)


def playing(room: Room) -> bool:
    """Whether a match is under way here."""
    return room.matches.filter(status="running").exists()


def running(room: Room) -> Match | None:
    """The match that is under way here."""
    return room.matches.filter(status="running").first()


def hosted(room: Room, person: str) -> Match:
    """The match that is under way here, for the host alone. Raises `Refused`."""
    only_host(room, person)
    if (match := running(room)) is None:
        raise Refused(_("No match is being played here."))
    return match


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


def refuse_outside_where_hidden(room: Room) -> None:
    """Raise `Refused` for agents from outside where it is hidden who is an agent: whoever runs the program knows what
    it is asked, and when."""
    if room.anonymous:
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
    """Raise `Refused` where the one match that a table was opened for has been played."""
    if room.study and room.match is not None:
        raise Refused(_("This table was opened for one match, and that has been played."))


def changed(room: Room) -> None:
    """Something at the table is not as it was: count it, and tell the pages."""
    Room.objects.filter(pk=room.pk).update(revision=F("revision") + 1)
    transaction.on_commit(lambda: changes.tell(room.code, "room"))
