"""Matches by the API: those that the caller may see, as one of the viewers that they may see them as."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import audit
from games.match import access, contract
from games.match.access import Access, viewer_name
from games.match.cache import cached_match
from games.models import Match
from games.registry import RULES
from games.room import api_keys
from games.rules.values import OMNISCIENT, PUBLIC, Viewer
from games.web import downloads
from games.web.api import shapes
from games.web.api.callers import Caller, caller_of, refuse_without
from games.web.api.problems import Problem, nothing
from games.web.api.query import AT, page_at, query
from games.web.api.tables import AFTER, READING
from games.web.api.tags import tagged

SIZE = 50
AS = OpenApiParameter(
    "as",
    str,
    description="As whom: public, a seat's number, or all, which needs `read_hidden`.",
    pattern=r"^(public|all|[0-9]{1,2})$",
)
GAME = OpenApiParameter("game", str, enum=list(RULES))


class Matches(APIView):
    """The matches that you may see, the newest first, 50 at a time."""

    scopes = READING
    takes = (AT, GAME)

    @extend_schema(responses=shapes.MatchesShape)
    def get(self, request: Request) -> Response:
        caller = caller_of(request)
        seen = access.watchable(caller.sees, caller.person).filter(game__in=RULES)
        if caller.key is not None and caller.key.room_id is not None:
            seen = seen.filter(room=caller.key.room_id)
        asked = query(request)
        if asked["game"]:
            seen = seen.filter(game=asked["game"])
        page = page_at(seen, SIZE, asked["at"], "created_at")
        rows = [(match, allowed_to(match, caller)) for match in page.rows]
        results = [match_told(match, allowed, caller) for match, allowed in rows if allowed is not None]
        return Response({"results": results, "older": page.older, "newer": page.newer})


class OneMatch(APIView):
    """One match with its events, as you may see it. Of one that is over the answer has an ETag."""

    scopes = {"GET": (api_keys.READ, api_keys.HIDDEN)}
    takes = (AS, AFTER)

    @extend_schema(responses={200: shapes.ObservationShape, 304: None})
    def get(self, request: Request, match_id: UUID) -> HttpResponse:
        asked = query(request)
        after = asked["after"]
        match, allowed, viewer = _seen(caller_of(request), match_id, asked["as"])

        def told() -> dict[str, Any]:
            source = cached_match(match).catch_up()
            return contract.observe(source, viewer, delayed=allowed.delayed, after=after)

        return tagged(request, _tag(match, viewer, after), told)


class Thoughts(APIView):
    """What agents thought in a match of which you may see everything, oldest first, with the prompts."""

    scopes = {"GET": (api_keys.HIDDEN,)}

    @extend_schema(responses=shapes.ThoughtsShape)
    def get(self, request: Request, match_id: UUID) -> Response:
        caller = caller_of(request)
        match, allowed = one_match(match_id, caller, caller.sees)
        if not allowed.everything:
            raise Problem(403, "not_allowed", _("You may not read the thoughts of this match."))
        access.looked(match, allowed, OMNISCIENT, caller.user, "api")
        return Response({"thoughts": access.view(match, allowed, OMNISCIENT).thoughts})


class Log(APIView):
    """The log file of a match as you may see it, as docs/log.md has it."""

    scopes = {"GET": (api_keys.EXPORT,)}
    takes = (AS,)

    @extend_schema(responses={(200, "application/jsonl"): OpenApiTypes.STR})
    def get(self, request: Request, match_id: UUID) -> HttpResponse:
        match, allowed, viewer = _seen(caller_of(request), match_id, query(request)["as"])
        audit.note("exported", by=caller_of(request).user, match=match, about="log", seen_as=viewer_name(viewer))
        return downloads.log_file(access.view(match, allowed, viewer))


def one_match(match_id: UUID, caller: Caller, user: User | AnonymousUser) -> tuple[Match, Access]:
    """A match, and what the caller may see of it by this account's rights. Raises a `Problem` where that is nothing."""
    match = Match.objects.select_related("room").filter(pk=match_id, game__in=RULES).first()
    allowed = None if match is None else allowed_to(match, caller, user)
    if match is None or allowed is None:
        raise nothing()
    return match, allowed


def _seen(caller: Caller, match_id: UUID, seen_as: str) -> tuple[Match, Access, Viewer]:
    match, allowed = one_match(match_id, caller, caller.sees)
    viewer = allowed.chosen(seen_as)
    if viewer is None or viewer not in _viewers(allowed, caller):
        if (whole := access.access_of(match, caller.user, caller.person)) and whole.chosen(seen_as) is not None:
            refuse_without(caller, (api_keys.HIDDEN,))
        raise Problem(403, "not_allowed", _("You cannot see this match that way."))
    access.looked(match, allowed, viewer, caller.user, "api")
    return match, allowed, viewer


def allowed_to(match: Match, caller: Caller, user: User | AnonymousUser | None = None) -> Access | None:
    """What the caller may see of a match, by the rights of an account: that by which they see."""
    if match.room is not None and caller.stays_out(match.room):
        return None
    return access.access_of(match, user or caller.sees, caller.person)


def _viewers(allowed: Access, caller: Caller) -> list[Viewer]:
    """As whom a caller may see a match: as their seat or the public, and as more by a key for what is hidden."""
    usual = {PUBLIC, allowed.viewer}
    return [viewer for viewer in allowed.choices if viewer in usual or caller.may(api_keys.HIDDEN)]


def _tag(match: Match, viewer: Viewer, after: int) -> str:
    """Changes whenever a match that is over is told otherwise; "" of one that is played."""
    if match.status == "running":
        return ""
    return f"{match.pk.hex}-{match.erasures}-{match.seating}-{viewer_name(viewer)}-{after}"


def match_told(match: Match, allowed: Access | None, caller: Caller) -> dict[str, Any]:
    """A match as lists have it. allowed: what this key may see of it."""
    return {
        "id": str(match.pk),
        "game": match.game,
        "preset": match.preset,
        "status": match.status,
        "result": match.result,
        "seats": len(match.seated),
        "created_at": match.created_at,
        "ended_at": match.ended_at,
        "views": [viewer_name(viewer) for viewer in _viewers(allowed, caller)] if allowed else [],
    }
