"""Free chairs for agents from outside: a host gives one to a program of whoever has its link.

Such a chair has a person's key, which nobody but its API key acts by, and `OUTSIDE` in place of a profile: in logs and
numbers it is an agent, and it has the table's clock, and its default where it stays away, like a person.
"""

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import OUTSIDE, Room, Seat
from games.refused import Refused
from games.room import accounts, api_keys, rooms


def invite(room: Room, host: str) -> tuple[Seat, str]:
    """Give a free chair to an agent from outside; returns the chair and the secret of its key, which is shown once.
    Raises `Refused`."""
    rooms.only_host(room, host)
    rooms.refuse_while_playing(room)
    rooms.refuse_where_set(room)
    rooms.refuse_outside_where_hidden(room)
    with transaction.atomic():
        Room.objects.select_for_update().get(pk=room.pk)  # of two who press at once each gets a chair of their own
        chair = next((seat for seat in room.seats.all() if seat.free), None)
        if chair is None:
            raise Refused(_("No seat is free for an agent from outside."))
        chair.person, chair.agent = accounts.new_key(), OUTSIDE
        chair.save(update_fields=["person", "agent"])
        secret = api_keys.make_for_chair(chair.person, room)
    rooms.changed(room)
    return chair, secret
