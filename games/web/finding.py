"""The way to a table by its code. A code is short, so wrong ones count by address; whoever has the table's link, sits
there, or finds it in the lobby needs no luck and is never held up by what others at their address have tried."""

from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from games.models import Room
from games.room.people import person_of
from games.web.limits import MISSING, allow, used_up
from games.web.visits import Place, place
from magic_site import addresses


class TooManyMisses(Exception):
    """From this address too many codes of no table were tried."""


def find(code: str, *, person: str, address: str, key: str = "", known: Place | None = None) -> Place | None:
    """The table with this code; None, which counts as a miss, where there is none. key: what the table's link has
    beside the code; known: the table, where it need not be read. Raises `TooManyMisses`."""
    try:
        found = known or place(code=code.upper())
    except Room.DoesNotExist:
        found = None
    if found is not None and _open_to(found, person, key):
        return found
    if used_up(MISSING, address):
        raise TooManyMisses
    if found is None:
        allow((MISSING, address))
    return found


def find_for(request: HttpRequest, code: str) -> Place | None:
    """The same for a page's request; the key may stand in its address or its form."""
    key = (request.POST.get("key") or request.GET.get("key") or "")[:80]
    return find(code, person=person_of(request), address=addresses.of_request(request), key=key)


def _open_to(found: Place, person: str, key: str) -> bool:
    return (
        found.room.listed
        or (bool(key) and constant_time_compare(key, found.room.key))
        or (bool(person) and any(chair.person == person for chair in found.chairs))
    )
