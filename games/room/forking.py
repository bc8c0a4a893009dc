"""Tables at which people play on from a moment of a match that is over."""

from django.utils.translation import gettext as _

from games.match import access, beginning, view
from games.models import Match, Room
from games.refused import Refused
from games.room import rooms
from games.rules.play import deal_ends


def draws_seats(match: Match) -> bool:
    """Whether seats and names are drawn for everybody at a table that plays on from this match, as they were there."""
    return not view.names_agents(match) or (match.room is not None and match.room.anonymous)


def open_table(match: Match, seq: int, *, person: str, name: str, place: int | None, origin: str = "") -> Room:
    """Open a table whose first match begins with this one's log up to and with event `seq`. place: where the host sits;
    None for nowhere. Who may see how much of it is as it was at the match, or less; and where it was hidden who is who,
    it is here. Raises `Refused`, or `LogError` for the log of other rules."""
    if access.being_played(match) or match.status != "finished":
        raise Refused(_("People can play on from a match that was finished, and from no other."))
    seq = max(seq, deal_ends(len(match.seated)))
    beginning.open_fork(match, seq)
    if place is not None and not draws_seats(match):
        rooms.refuse_name_of_another(rooms.clean_name(name), match.names(), place)
    was, example = match.room, match.origin == Match.Origin.EXAMPLE
    open_to_all = example or (was is not None and was.afterwards == Room.Afterwards.ANYONE)
    return rooms.open_room(
        game=match.game,
        preset=match.preset,
        seats=len(match.seated),
        options=match.options,
        person=person,
        name=name,
        place=place,
        fork_of=match,
        fork_at=seq,
        agents_named=view.names_agents(match),
        pseudonyms=was is not None and was.pseudonyms,
        listed=False,
        move_seconds=Room.usual("move_seconds") if was is None else was.move_seconds,
        watching=Room.Watching.LIVE if example else Room.Watching.NOBODY if was is None else was.watching,
        afterwards=Room.Afterwards.ANYONE if open_to_all else Room.Afterwards.RESEARCHERS,
        origin=origin,
    )
