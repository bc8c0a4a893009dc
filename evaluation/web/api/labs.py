"""The lab by the API: what a change of a move would take, having it played, how far it is, and what came of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Count
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from evaluation.lab import arms, counted, labs
from evaluation.lab.arms import Arm, LabError
from evaluation.lab.models import Lab
from evaluation.web.access import RUNS
from evaluation.web.api import running_shapes as shapes
from evaluation.web.api.answering import paged, told_standing
from evaluation.web.api.competitions import RUN, runner
from games.jobs import jobs, news
from games.jobs.standing import standing
from games.match.access import RESEARCHER, access_of, looked, open_to
from games.models import Match
from games.rules.values import OMNISCIENT
from games.web.api.callers import Caller, caller_of
from games.web.api.once import once
from games.web.api.problems import Problem, nothing
from games.web.api.query import AT
from games.web.api.shapes import read, read_nothing
from magic_site.numbers import number_in


class LabExpected(APIView):
    """What a lab will take; nothing is played."""

    scopes, rights = {"POST": RUN}, (RUNS,)

    @extend_schema(request=shapes.NewLabShape, responses=shapes.ExpectedShape)
    def post(self, request: Request) -> Response:
        return Response(labs.expected(_prepared(request))._asdict())


class Labs(APIView):
    scopes, rights = {"GET": RUN, "POST": RUN}, (RESEARCHER,)
    takes = (AT,)

    @extend_schema(responses=shapes.LabsShape)
    def get(self, request: Request) -> Response:
        """The labs of matches of which you may see everything, the newest first, 50 at a time."""
        seen = Lab.objects.filter(match__in=open_to(caller_of(request).runs)).annotate(numbers=Count("played"))
        return Response(paged(request, seen, lambda lab: _listed(lab, lab.numbers)))

    @extend_schema(request=shapes.NewLabShape, responses={201: shapes.LabShape})
    @once
    def post(self, request: Request) -> Response:
        """Have a lab played. One that was asked for before is gone on with, with more rollouts if more are wanted."""
        user = runner(request)
        lab = labs.make(_prepared(request), user)
        labs.begin(lab, user)
        return Response(_told(lab), status.HTTP_201_CREATED)


class OneLab(APIView):
    """One lab: how far it is, and by arm what came of what was played."""

    scopes, rights = {"GET": RUN}, (RESEARCHER,)

    @extend_schema(responses=shapes.LabShape)
    def get(self, request: Request, lab: UUID) -> Response:
        return Response(_told(_found(request, lab)))


class LabGoOn(APIView):
    """Play what is missing."""

    scopes, rights = {"POST": RUN}, (RUNS,)

    @extend_schema(request=None, responses=shapes.LabShape)
    def post(self, request: Request, lab: UUID) -> Response:
        read_nothing(request.data)
        found = _found(request, lab)
        labs.begin(found, caller_of(request).runs)
        return Response(_told(found))


class StopLab(APIView):
    """Play no more; what was played stays, and it can go on later."""

    scopes, rights = {"POST": RUN}, (RUNS,)

    @extend_schema(request=None, responses=shapes.LabShape)
    def post(self, request: Request, lab: UUID) -> Response:
        read_nothing(request.data)
        found = _found(request, lab)
        jobs.stop(labs.KIND, key=str(found.pk))
        news.tell(found.pk)
        return Response(_told(found))


def _prepared(request: Request) -> labs.Prepared:
    """What is to be played, with all that plays it. Raises a `Problem` or `LabError`."""
    sent, caller = read(shapes.NewLabShape, request.data), caller_of(request)
    match = Match.objects.select_related("room").filter(pk=sent["match"]).first()
    if match is None:
        raise nothing()
    _refuse_unless_seen(match, caller)
    at = arms.forked(match, sent["seq"])
    changes = tuple(arms.checked(at, Arm(one["action"], _seats(one["agents"]))) for one in sent["arms"])
    return labs.Prepared(match, labs.Plan(at, changes, sent["rollouts"], sent["house"], sent["talk"]))


def _seats(agents: dict[str, str]) -> dict[int, str]:
    """The agents by seat. Raises `LabError`."""
    found = {number_in(seat, 3): name for seat, name in agents.items()}
    if None in found:
        raise LabError(_("Agents are named by the number of a seat."))
    return {seat: name for seat, name in found.items() if seat is not None}


def _found(request: Request, key: UUID) -> Lab:
    found = get_object_or_404(Lab.objects.select_related("match__room"), pk=key)
    _refuse_unless_seen(found.match, caller_of(request))
    return found


def _refuse_unless_seen(match: Match, caller: Caller) -> None:
    seen = access_of(match, caller.runs, caller.person)
    if seen is None or not seen.everything:
        raise Problem(403, "not_allowed", _("You may not see all of this match, so you cannot change a move of it."))
    looked(match, seen, OMNISCIENT, caller.user, "api")


def _listed(lab: Lab, played: int) -> dict[str, Any]:
    """A lab as lists have it. played: how many of its rollouts."""
    names = ("id", "seq", "rollouts", "house", "talk", "created_at")
    return {name: getattr(lab, name) for name in names} | {"match": lab.match_id, "played": played}


def _told(lab: Lab) -> dict[str, Any]:
    endings = labs.endings_of(lab)
    rows = counted.rows(endings, labs.shares(lab)) or [[] for _arm in lab.arms]
    return _listed(lab, len(endings)) | {
        "cost": labs.cost_of(lab),
        "shares": labs.shares(lab),
        "really": labs.really(lab.match),
        "arms": counted.told(lab.arms, rows),
        "standing": told_standing(standing(labs.KIND, key=str(lab.pk))),
    }
