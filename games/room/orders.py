"""What an admin orders at somebody else's running table. Each order has a reason, which stands in the log of the match,
where everybody reads it, and in the audit. Nothing hidden is needed for any of it, and nothing hidden is told."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import audit
from games.match import pending, store
from games.models import Match
from games.refused import Refused
from games.room import chairs, rooms
from games.rules.fields import plain

MOST_LETTERS = 200
"""Of a reason."""


class Wish(NamedTuple):
    """What is wanted at a match: seat, request, agent: where the order is about one."""

    match: Match
    reason: str
    seat: int = 0
    request: str = ""
    agent: str = ""


class Order(NamedTuple):
    """What can be ordered: what it is called, and what does it and says whether anything changed by it."""

    title: str | Promise
    do: Callable[[Wish], bool]


def _replace(wish: Wish) -> bool:
    if pending.from_outside(wish.agent) or wish.agent not in dict(rooms.seatable(wish.match.game, True)):
        raise Refused(_("That agent cannot sit down here. Choose another one."))
    if wish.seat not in wish.match.names():
        raise Refused(_("Nobody sits there."))
    return bool(store.take_over(wish.match.pk, wish.seat, wish.agent, reason=wish.reason))


def _free(wish: Wish) -> bool:
    return wish.match.room is not None and chairs.free(wish.match.room, wish.seat, wish.reason)


def _ended(wish: Wish, status: str) -> bool:
    reason = _("An admin ended it: %(reason)s") % {"reason": wish.reason}
    return bool(store.end(wish.match.pk, status, reason).events)


ORDERS: dict[str, Order] = {
    "pause": Order(gettext_lazy("Pause"), lambda wish: bool(store.pause(wish.match.pk, wish.reason).events)),
    "resume": Order(gettext_lazy("Let it go on"), lambda wish: bool(store.resume(wish.match.pk, wish.reason).events)),
    "move_on": Order(
        gettext_lazy("Make the usual move"),
        lambda wish: bool(store.move_on(wish.match.pk, wish.request, wish.reason).events),
    ),
    "replace": Order(gettext_lazy("Let an agent play"), _replace),
    "free": Order(gettext_lazy("Free the seat"), _free),
    "end": Order(gettext_lazy("End the match"), lambda wish: _ended(wish, "abandoned")),
    "void": Order(gettext_lazy("Declare it void"), lambda wish: _ended(wish, "void")),
}


def reason_in(typed: str, asked: str) -> str:
    """The reason that an admin typed; raises `Refused` for too long a one, and for none with the sentence that asks for
    it."""
    reason = plain(typed).strip()
    if not reason:
        raise Refused(asked)
    if len(reason) > MOST_LETTERS:
        raise Refused(_("A reason has %(most)d letters at most.") % {"most": MOST_LETTERS})
    return reason


def give(name: str, wish: Wish, by: User | AnonymousUser, person: str) -> None:
    """Carry out an order. person: the key of who gives it, who may not sit at that match. Raises `Refused`."""
    if name not in ORDERS:
        raise Refused(_("There is no such order."))
    reason = reason_in(wish.reason, _("Say why: everybody at the table and in the replay reads it."))
    if wish.match.seat_of(person) is not None:
        raise Refused(_("You play in this match. Ask another admin."))
    with transaction.atomic():
        if wish.match.status != "running" or not ORDERS[name].do(wish._replace(reason=reason)):
            raise Refused(_("That could not be done any more: the table has moved on meanwhile. Look at it again."))
        details: dict[str, Any] = {"seat": wish.seat} if wish.seat else {}
        audit.note("table", by=by, match=wish.match, about=name, reason=reason, **details)
