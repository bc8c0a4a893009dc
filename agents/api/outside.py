"""Agents from outside: a program asks what their profile is asked, and answers, over all tables and competitions."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from agents.api import shapes
from agents.api.waiting import ForAnAgent
from agents.models import AgentProfile
from agents.profiles import changeable
from agents.turns import REMOTE
from games.match import contract, pending
from games.match.access import RESEARCHER, sat_at_while_running
from games.match.cache import cached_match
from games.models import Match, Pending
from games.room import api_keys
from games.web.api.callers import Caller, caller_of
from games.web.api.problems import nothing, refused
from games.web.api.query import query
from games.web.api.shapes import ActedShape, read
from games.web.api.tables import WAIT
from games.web.api.waiting import held_back, seconds_of

MOST = 50
"""So many requests are told at a time."""

KNOWN = OpenApiParameter(
    "known",
    str,
    description="Numbers of requests that you are at already, as in 7,9: they are not told again.",
    pattern=r"^[0-9]{1,15}(,[0-9]{1,15})*$",
)


class Requests(APIView):
    """What the agent is asked and has not answered, the longest ago first, 50 at most. With `wait` the answer comes
    when there is something, or after so many seconds."""

    scopes, rights = {"GET": (api_keys.RUN,)}, (RESEARCHER,)
    takes = (WAIT, KNOWN)

    @extend_schema(responses=shapes.AsksShape)
    def get(self, request: Request, name: str) -> Response:
        caller = caller_of(request)
        known = query(request)["known"]
        new = asked(answered_by(caller, name), caller, known)
        told = [one for one in map(_told, new[:MOST]) if one is not None]
        seconds = 0 if told else seconds_of(request)
        return held_back(Response({"requests": told}), ForAnAgent(name, new, seconds) if seconds else None, request)


class Answer(APIView):
    """Answer a request to the agent. The same answer again is success and adds nothing."""

    scopes, rights = {"POST": (api_keys.RUN,)}, (RESEARCHER,)

    @extend_schema(request=shapes.AnswerShape, responses=ActedShape)
    def post(self, request: Request, name: str) -> Response:
        caller, sent = caller_of(request), read(shapes.AnswerShape, request.data)
        profile = answered_by(caller, name)
        match = Match.objects.select_related("room").filter(pk=sent["match"]).first()
        own = [one.seat for one in match.seated if one.agent == profile.name] if match is not None else []
        if match is None or not own or _plays(caller).filter(pk=match.pk).exists():
            raise nothing(_("This agent plays in no such match."))
        if Pending.objects.filter(match=match, request=sent["request"]).exclude(agent=profile.name).exists():
            raise refused(contract.NOT_YOURS)
        seat = next((one for one in own if sent["request"].split(":")[1:2] == [str(one)]), own[0])
        about = {name: sent[name] for name in ("why", "beliefs")}
        moved = contract.act(match, seat, sent["request"], sent["action"], agent=profile.name, **about)
        if moved.refusal is not None:
            raise refused(moved.refusal)
        return Response({"events": len(moved.events)})


def answered_by(caller: Caller, name: str) -> AgentProfile:
    """The profile from outside of this name, for who may change it. Raises what becomes a problem."""
    profile = changeable(caller.runs, name)
    if profile.provider != REMOTE:
        raise nothing(_("This agent is asked by the site itself."))
    return profile


def asked(profile: AgentProfile, caller: Caller, known: str) -> QuerySet[Pending]:
    """What a program is to answer for the profile. known: numbers of requests that it has already. Who plays in a match
    is told of no other seat of it."""
    numbers = [int(one) for one in known.split(",")[: 4 * MOST] if one]
    return pending.asked_outside(profile.name).exclude(match__in=_plays(caller)).exclude(pk__in=numbers)


def _plays(caller: Caller) -> QuerySet[Match]:
    return sat_at_while_running(caller.person)


def _told(row: Pending) -> dict[str, Any] | None:
    """A request with what its seat sees; None where it is open no more."""
    seen = contract.observe(cached_match(row.match).catch_up(), row.seat)
    request = next((one for one in seen["requests"] if one["id"] == row.request), None)
    if request is None:
        return None
    return {
        "number": row.pk,
        "match": row.match_id,
        "seat": row.seat,
        "request": request,
        "observation": seen,
    }
