"""Forks by the API: the tree of which a match is part, agents that play on from a moment, and tables at which people
do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.match import access, beginning
from games.match.access import RESEARCHER, Access
from games.match.forks import Branch, shared, tree
from games.models import Match, new_seed
from games.room import api_keys, forking, rooms
from games.rules.values import OMNISCIENT
from games.web.api import shapes
from games.web.api.callers import Caller, caller_of
from games.web.api.matches import allowed_to, match_told, one_match
from games.web.api.once import once
from games.web.api.problems import Problem, malformed
from games.web.api.tables import refuse_chairs, table_told
from magic_site import addresses


class Forks(APIView):
    scopes = {"GET": (api_keys.HIDDEN,), "POST": (api_keys.RUN,)}
    rights = (RESEARCHER,)

    @extend_schema(responses=shapes.ForkShape(many=True))
    def get(self, request: Request, match_id: UUID) -> Response:
        """The tree of which a match is part: all that begin with one another, each one before those that begin with it,
        500 at most. Of a match of which you may see everything."""
        caller = caller_of(request)
        match = _seen_whole(match_id, caller, caller.sees)

        @cache
        def allowed(one: Match) -> Access | None:
            return allowed_to(one, caller)

        top = tree(match, lambda one: allowed(one) is not None)
        return Response(
            [
                match_told(one.match, allowed(one.match), caller) | {"parent": parent, "seq": one.seq}
                for parent, one in _with_parents(top)
            ]
        )

    @extend_schema(request=shapes.MomentShape, responses={201: shapes.ForkShape})
    @once
    def post(self, request: Request, match_id: UUID) -> Response:
        """Let agents play on from an event, with other luck: those that sat there, and a house agent for each
        person."""
        sent, caller = shapes.read(shapes.MomentShape, request.data), caller_of(request)
        match = _seen_whole(match_id, caller, caller.runs)
        fork = beginning.fork(match, sent["seq"], seed=new_seed())
        told = match_told(fork, allowed_to(fork, caller), caller)
        return Response(told | {"parent": match.pk, "seq": shared(fork)}, status.HTTP_201_CREATED)


class PlayOn(APIView):
    """Open a table at which people play on from an event of a match that is over, and of which you may see everything.
    Where it was hidden who is who, it is hidden there too."""

    scopes = {"POST": (api_keys.PLAY,)}

    @extend_schema(request=shapes.PlayOnShape, responses={201: shapes.TableShape})
    @once
    def post(self, request: Request, match_id: UUID) -> Response:
        sent, caller = shapes.read(shapes.PlayOnShape, request.data), caller_of(request)
        refuse_chairs(caller)
        match = _seen_whole(match_id, caller, caller.sees)
        drawn, seat = forking.draws_seats(match), sent["seat"]
        if seat is not None and drawn:
            raise malformed({"seat": [_("At this table seats are drawn for everybody when the match begins.")]})
        if seat is not None and seat not in match.names():
            raise malformed({"seat": [_("There is no seat %(seat)d.") % {"seat": seat}]})
        room = forking.open_table(
            match,
            sent["seq"],
            person=caller.person,
            name=sent["name"],
            place=rooms.BY_LOT if drawn else seat,
            origin=addresses.mark(addresses.of_request(request)),
        )
        return Response(table_told(room, caller), status.HTTP_201_CREATED)


def _seen_whole(match_id: UUID, caller: Caller, user: User | AnonymousUser) -> Match:
    """A match of which the caller may see everything by this account's rights; that they look is noted."""
    match, allowed = one_match(match_id, caller, user)
    if not allowed.everything:
        raise Problem(403, "not_allowed", _("You may not see all of this match, so nothing can begin with it."))
    access.looked(match, allowed, OMNISCIENT, user, "api")
    return match


def _with_parents(branch: Branch, parent: UUID | None = None) -> Iterator[tuple[UUID | None, Branch]]:
    yield parent, branch
    for fork in branch.forks:
        yield from _with_parents(fork, branch.match.pk)
