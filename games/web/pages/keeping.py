"""Keeping order: the tables that are played, who is waited for there, and what an admin may order at one.

An admin sees here what everybody at a table sees, and no more.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from games.match.cache import CachedMatch, cached_match
from games.match.view import names_agents
from games.models import Match, Room
from games.refused import Refused
from games.registry import RULES
from games.room import orders, presence, rooms
from games.room.people import person_of
from games.rules.values import PUBLIC
from games.web.wording import in_words
from magic_site import clock
from magic_site.numbers import number_in
from magic_site.rights import for_holders

RIGHT = "games.keep_order"
MOST = 300
"""Tables that are shown at once."""

LONG = 300
"""Seconds after which somebody is waited for long."""

STATES = {
    "": gettext_lazy("All"),
    "long": gettext_lazy("Waiting for more than five minutes"),
    "left": gettext_lazy("A person has left"),
    "paused": gettext_lazy("Paused"),
}


class Waited(NamedTuple):
    """Somebody who is waited for, what for, and since when."""

    request: str
    name: str
    kind: str
    since: datetime


class Sitter(NamedTuple):
    """A seat as everybody may know it. kind: '' where it is not told."""

    seat: int
    name: str
    kind: str
    stood_in: bool
    left: bool
    freed: bool


class Played(NamedTuple):
    """A running match at a table."""

    match: Match
    room: Room
    title: str
    paused: bool
    waited: list[Waited]
    sitters: list[Sitter]

    @property
    def since(self) -> datetime | None:
        """Since when it has waited for the one whom it has waited for longest."""
        return min((one.since for one in self.waited), default=None)

    def fits(self, state: str, words: str) -> bool:
        """Whether it is among the chosen ones."""
        of_state = {
            "paused": self.paused,
            "left": any(sitter.left or sitter.freed for sitter in self.sitters),
            "long": self.since is not None and (clock.now() - self.since).total_seconds() > LONG,
        }
        named = [self.room.code, *(sitter.name for sitter in self.sitters)]
        return of_state.get(state, True) and any(words in name.casefold() for name in named)


@require_safe
@for_holders(RIGHT)
def tables(request: HttpRequest) -> HttpResponse:
    """The tables that are played now: ?game=, ?state= and ?words= (a code or a name) choose among them."""
    chosen = {name: request.GET.get(name, "").strip()[:60] for name in ("game", "state", "words")}
    found = _running(game=chosen["game"]) if chosen["game"] in RULES else _running()
    shown = [played for played in found if played.fits(chosen["state"], chosen["words"].casefold())]
    context = {"tables": shown, "chosen": chosen, "games": RULES.values(), "states": STATES, "most": MOST}
    return render(request, "games/keeping/tables.html", context | {"more": len(found) == MOST})


@require_http_methods(["GET", "HEAD", "POST"])
@for_holders(RIGHT)
def table(request: HttpRequest, code: str) -> HttpResponse:
    """One of them; a POST gives an order there."""
    room = get_object_or_404(Room, code=code)
    typed, trouble = "", ""
    if request.method == "POST":
        typed = request.POST.get("reason", "")
        name, _space, about = request.POST.get("order", "").partition(" ")
        try:
            _give(request, room, name, about)
        except Refused as error:
            trouble = str(error)
        else:
            messages.success(request, _("Done. The reason stands in the log and in the audit."))
            return redirect("games:keeping_table", room.code)
    match = Match.objects.select_related("room").filter(room=room).order_by("-number").first()
    running = match is not None and match.status == "running"
    context = {
        "room": room,
        "match": match,
        "title": RULES[room.game].title,
        "table": _played(match) if match is not None and running else None,
        "own": match is not None and running and match.seat_of(person_of(request)) is not None,
        "named": names_agents(room),
        "agents": rooms.seatable(room.game, True),
        "typed": typed,
        "trouble": trouble,
        "most_letters": orders.MOST_LETTERS,
        "orders": {name: order.title for name, order in orders.ORDERS.items()},
    }
    return render(request, "games/keeping/table.html", context, status=422 if trouble else 200)


def _give(request: HttpRequest, room: Room, name: str, about: str) -> None:
    """about: the request or the seat that the button was at."""
    try:
        match = Match.objects.select_related("room").filter(room=room, pk=UUID(request.POST.get("match", ""))).first()
    except ValueError:
        match = None
    if match is None:
        raise Refused(_("That match is over; your order came too late."))
    seat = number_in(about, 2) or 0
    wish = orders.Wish(match, request.POST.get("reason", ""), seat, about, request.POST.get(f"agent {seat}", ""))
    orders.give(name, wish, request.user, person_of(request))


def _running(**only: str) -> list[Played]:
    matches = Match.objects.filter(status="running", room__isnull=False, game__in=RULES, **only)
    newest = matches.select_related("room").prefetch_related("room__seats").order_by("-created_at")[:MOST]
    return [_played(match) for match in newest]


def _played(match: Match) -> Played:
    assert match.room is not None  # noqa: S101
    source = cached_match(match).catch_up()
    with source.lock:
        seen = source.view(PUBLIC)
        waited = [] if seen.state.paused else list(_waited(source))
        return Played(match, match.room, source.rules.title, seen.state.paused, waited, _sitters(source, match.room))


def _waited(source: CachedMatch) -> Iterable[Waited]:
    """Whom everybody may know to be waited for."""
    for request in source.view(PUBLIC).requests:
        if request.waits:
            since = source.waits_since(request.opened_at)
            yield Waited(request.id, source.names[request.seat], in_words(request.kind), since)


def _sitters(source: CachedMatch, room: Room) -> list[Sitter]:
    seen = source.view(PUBLIC)
    chairs = {chair.number: chair for chair in room.seats.all()}
    people = [seat for seat, kind in seen.kinds.items() if kind == "person"]
    gone = {seat for seat in people if seat in chairs and not chairs[seat].person}
    away = presence.exchange([], [(room.code, seat) for seat in people])
    gone |= {seat for seat in people if (room.code, seat) in away}
    freed = source.match.freed()
    return [
        Sitter(seat, name, seen.kinds.get(seat, ""), seat in seen.stand_ins, seat in gone, seat in freed)
        for seat, name in source.names.items()
    ]
