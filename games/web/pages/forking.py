"""Forks of a match: their tree, agents that play on from a moment, and tables at which people do."""

from collections.abc import Mapping
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from games.match import access, beginning
from games.match.forks import tree
from games.models import new_seed
from games.refused import Refused
from games.registry import RULES
from games.room import forking, rooms
from games.room.people import name_of, person_of, remember
from games.rules.values import OMNISCIENT
from games.web.limits import ACTING, JOINING, limited
from games.web.pages.replay import match_and_access
from magic_site import addresses
from magic_site.numbers import number_in
from magic_site.requests import SiteRequest

NOWHERE = "0"
"""In place of a seat: the host looks on."""


@limited(ACTING)
def forks(request: SiteRequest, match_id: UUID) -> HttpResponse:
    """The matches that begin with one another, of which this is one; a POST lets its agents play on from event `seq`,
    with a seed of its own. For researchers who may see everything of it."""
    match, allowed = match_and_access(request, match_id)
    if not allowed.everything or not request.user.has_perm(access.RESEARCHER):
        raise PermissionDenied(_("You may not see all of this match, so nothing can begin with it."))
    access.looked(match, allowed, OMNISCIENT, request.user, "forks")
    given, refused = request.POST if request.method == "POST" else request.GET, ""
    if request.method == "POST":
        try:
            begun = beginning.fork(match, _moment(given), seed=new_seed())
        except Refused as refusal:
            refused = str(refusal)
        else:
            return redirect(f"{reverse('games:replay', args=[begun.pk])}?as=all")
    person = person_of(request)
    found = tree(match, lambda one: access.access_of(one, request.user, person) is not None)
    context = {
        "match": match,
        "rules": RULES[match.game],
        "branches": [found],
        "here": _moment(given),
        "refused": refused,
    }
    return render(request, "games/forks.html", context, status=422 if refused else 200)


@limited(JOINING)
def play_on(request: SiteRequest, match_id: UUID) -> HttpResponse:
    """The form of a table at which people play on from event `seq`, for who may see all of the match; a POST opens
    it."""
    match, allowed = match_and_access(request, match_id)
    if not allowed.everything:
        raise PermissionDenied(_("You may not see all of this match, so nothing can begin with it."))
    access.looked(match, allowed, OMNISCIENT, request.user, "play_on")
    given = request.POST if request.method == "POST" else request.GET
    drawn = forking.draws_seats(match)
    seats = {} if drawn else match.names()
    name, seat, refused = given.get("name", name_of(request)), given.get("seat", NOWHERE), ""
    if seat not in {NOWHERE, *map(str, seats)}:
        raise Http404
    if request.method == "POST":
        try:
            room = forking.open_table(
                match,
                _moment(given),
                person=person_of(request),
                name=name,
                place=rooms.BY_LOT if drawn else int(seat) or None,
                origin=addresses.mark(addresses.of_request(request)),
            )
        except Refused as refusal:
            refused = str(refusal)
        else:
            return remember(request, redirect("games:table", room.code), rooms.clean_name(name))
    context = {
        "match": match,
        "rules": RULES[match.game],
        "here": _moment(given),
        "seats": seats,
        "seat": seat,
        "name": name,
        "refused": refused,
    }
    return render(request, "games/play_on.html", context, status=422 if refused else 200)


def _moment(given: Mapping[str, str]) -> int:
    """The seq that a form or an address names; the first where it names none."""
    seq = number_in(given.get("seq", "1"))
    if seq is None:
        raise Http404
    return seq
