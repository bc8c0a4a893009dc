"""Competitions by the API: which there are, how far one is, making one, and what a person does with one by its page."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from evaluation.competitions import running
from evaluation.models import Bout, Competition
from evaluation.suites import SUITES
from evaluation.web.access import RUNS
from evaluation.web.api import running_shapes as shapes
from evaluation.web.api.answering import paged
from evaluation.web.forms import CompetitionForm
from evaluation.web.pages.competitions import VERBS
from games.match.access import RESEARCHER
from games.registry import RULES
from games.room import api_keys
from games.translation import translated
from games.web.api import options
from games.web.api.callers import caller_of
from games.web.api.once import once
from games.web.api.problems import Problem, malformed, nothing
from games.web.api.query import AT
from games.web.api.shapes import read, read_nothing

RUN = (api_keys.RUN,)


class Suites(APIView):
    """The suites that a competition can be made from."""

    scopes, rights = {"GET": RUN}, (RESEARCHER,)

    @extend_schema(responses=shapes.SuiteShape(many=True))
    def get(self, request: Request) -> Response:
        return Response([_suite(name) for name in SUITES])


class Competitions(APIView):
    scopes, rights = {"GET": RUN, "POST": RUN}, (RESEARCHER,)
    takes = (AT,)

    @extend_schema(responses=shapes.CompetitionsShape)
    def get(self, request: Request) -> Response:
        """All competitions, the newest first, 50 at a time."""
        return Response(paged(request, Competition.objects.all(), told))

    @extend_schema(request=shapes.NewCompetitionShape, responses={201: shapes.OneCompetitionShape})
    @once
    def post(self, request: Request) -> Response:
        """Make a competition, and begin it unless `begin` is false."""
        sent, user = read(shapes.NewCompetitionShape, request.data), runner(request)
        _refuse_what_another_asks(sent)
        if unknown := sent["defenders"].keys() - SUITES[sent["suite"]].parts.keys():
            raise malformed({"defenders": [_("This suite has no part %(name)s.") % {"name": min(unknown)}]})
        form = _form(sent)
        if not form.is_valid():
            raise malformed({_sent_as(name): said for name, said in form.errors.items()})
        made = running.make(
            form.cleaned_data["name"], sent["suite"], form.entry, at_once=form.cleaned_data["at_once"], user=user
        )
        if sent["begin"]:
            running.start(made)
            made.refresh_from_db()
        return Response(_whole(made), status.HTTP_201_CREATED)


class OneCompetition(APIView):
    """One competition, with how far it is."""

    scopes, rights = {"GET": RUN}, (RESEARCHER,)

    @extend_schema(responses=shapes.OneCompetitionShape)
    def get(self, request: Request, competition: UUID) -> Response:
        return Response(_whole(get_object_or_404(Competition, pk=competition)))


class Change(APIView):
    """`start` begins or goes on after a pause; `pause` lets what is being played end; `stop` ends it for good; `again`
    plays the failed matches again."""

    scopes, rights = {"POST": RUN}, (RUNS,)

    @extend_schema(request=None, responses=shapes.OneCompetitionShape)
    def post(self, request: Request, competition: UUID, verb: str) -> Response:
        read_nothing(request.data)
        found = get_object_or_404(Competition, pk=competition)
        if verb not in VERBS:
            raise nothing(_("A competition can be told these: %(verbs)s.") % {"verbs": ", ".join(VERBS)})
        VERBS[verb](found)
        found.refresh_from_db()
        if found.status == Competition.Status.STOPPED and verb != "stop":
            raise Problem(409, "refused", _("This competition was stopped for good. Make another one."))
        return Response(_whole(found))


class Bouts(APIView):
    """The matches of a competition, as they were planned and what came of them, the last one first, 50 at a time."""

    scopes, rights = {"GET": RUN}, (RESEARCHER,)
    takes = (AT,)

    @extend_schema(responses=shapes.BoutsShape)
    def get(self, request: Request, competition: UUID) -> Response:
        found = get_object_or_404(Competition, pk=competition)
        return Response(paged(request, found.bouts.all(), _bout, by="pk"))


def runner(request: Request) -> Any:
    """The account that calls, if it may run competitions and labs; raises `PermissionDenied`."""
    user = caller_of(request).runs
    if not user.has_perm(RUNS):
        raise PermissionDenied
    return user


def told(found: Competition) -> dict[str, Any]:
    """A competition as lists have it."""
    names = ("id", "name", "suite", "status", "at_once", "paused_because", "created_at", "started_at", "ended_at")
    return {name: getattr(found, name) for name in names}


def _whole(found: Competition) -> dict[str, Any]:
    return told(found) | {"entry": found.entry, "progress": running.progress(found)}


def _refuse_what_another_asks(sent: dict[str, Any]) -> None:
    """Raises a `Problem` for what this suite does not ask for, and where only half is said of what is played."""
    asked = {_sent_as(name) for name in CompetitionForm(SUITES[sent["suite"]]).fields}
    if "game" in asked:
        asked.add("preset")
        if (rules := RULES.get(sent.get("game", ""))) is not None:
            options.preset_of(rules, sent.get("preset", ""))
    if unknown := sent.keys() - asked - {"suite", "defenders", "begin"}:
        raise malformed({name: [_("This suite does not ask for it.")] for name in sorted(unknown)})


def _form(sent: dict[str, Any]) -> CompetitionForm:
    """What was sent as the page's form takes it; what is left out is as there."""
    suite = SUITES[sent["suite"]]
    given: dict[str, Any] = {
        name: sent[name] for name in ("name", "challengers", "take", "seed", "at_once") if name in sent
    }
    given |= {name: sent[name] for name in ("seats", "mode", "source", "topics") if name in sent}
    given |= {f"defender_{part}": profile for part, profile in sent["defenders"].items()}
    given |= {"how_many": sent["matches"]} if "matches" in sent else {}
    given |= {"game": f"{sent['game']}:{sent['preset']}"} if "game" in sent and "preset" in sent else {}
    usual = {name: field.initial for name, field in CompetitionForm(suite).fields.items()}
    return CompetitionForm(suite, usual | given)


def _sent_as(name: str) -> str:
    """What programs call a field of the form."""
    return "matches" if name == "how_many" else name.replace("defender_", "defenders.")


def _bout(bout: Bout) -> dict[str, Any]:
    names = ("number", "game", "preset", "agents", "seed", "labels", "status", "seconds", "cost", "calls", "error")
    return {name: getattr(bout, name) for name in names} | {"match": bout.match_id}


def _suite(name: str) -> dict[str, Any]:
    suite = SUITES[name]
    return {
        "name": name,
        "title": translated(suite.title),
        "about": translated(suite.about),
        "parts": dict(suite.parts),
        "matches": suite.matches,
        "games": list(suite.games),
    }
