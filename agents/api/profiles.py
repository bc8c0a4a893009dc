"""Agent profiles by the API: all of them for researchers, and making and changing one for who may."""

from __future__ import annotations

import json
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from agents.api import shapes
from agents.forms import ProfileForm
from agents.models import AgentProfile
from agents.profiles import changeable, delete, may_change, may_make, plain_form
from games.match.access import RESEARCHER
from games.room import api_keys
from games.web.api.callers import Caller, caller_of
from games.web.api.once import once
from games.web.api.problems import malformed
from games.web.api.query import AT, page_at, query
from games.web.api.shapes import read

SIZE = 50


class Profiles(APIView):
    scopes = {"GET": (api_keys.RUN,), "POST": (api_keys.RUN,)}
    rights = (RESEARCHER,)
    takes = (AT,)

    @extend_schema(responses=shapes.ProfilesShape)
    def get(self, request: Request) -> Response:
        """All agents, the newest first, 50 at a time."""
        caller = caller_of(request)
        every = AgentProfile.objects.select_related("second", "owner")
        page = page_at(every, SIZE, query(request)["at"])
        results = [_told(profile, caller) for profile in page.rows]
        return Response({"results": results, "older": page.older, "newer": page.newer})

    @extend_schema(request=shapes.NewProfileShape, responses={201: shapes.ProfileShape})
    @once
    def post(self, request: Request) -> Response:
        """Make an agent: yours, or one for all if you may change all."""
        caller, sent = caller_of(request), read(shapes.NewProfileShape, request.data)
        if not may_make(caller.runs):
            raise PermissionDenied
        return Response(_told(_kept(AgentProfile(), sent, caller), caller), status.HTTP_201_CREATED)


class OneProfile(APIView):
    scopes = {"GET": (api_keys.RUN,), "PATCH": (api_keys.RUN,), "DELETE": (api_keys.RUN,)}
    rights = (RESEARCHER,)

    @extend_schema(responses=shapes.ProfileShape)
    def get(self, request: Request, name: str) -> Response:
        """One agent."""
        found = get_object_or_404(AgentProfile.objects.select_related("second", "owner"), name=name)
        return Response(_told(found, caller_of(request)))

    @extend_schema(request=shapes.ChangedProfileShape, responses=shapes.ProfileShape)
    def patch(self, request: Request, name: str) -> Response:
        """Change what is named of an agent that you may change; the rest stays."""
        caller, sent = caller_of(request), read(shapes.ChangedProfileShape, request.data)
        profile = changeable(caller.runs, name)
        return Response(_told(_kept(profile, _plain(profile) | sent, caller), caller))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, name: str) -> Response:
        """Delete an agent that you may change, and that no other one needs."""
        delete(caller_of(request).runs, name)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _kept(profile: AgentProfile, wanted: dict[str, Any], caller: Caller) -> AgentProfile:
    """The profile as it is wanted, written. Raises a `Problem` with what is wrong with it."""
    given = {name: json.dumps(value) if isinstance(value, dict) else value for name, value in wanted.items()}
    form = plain_form(caller.runs, given, profile)
    with transaction.atomic():
        if not form.is_valid():
            raise malformed(form.errors)
        return form.save()


def _plain(profile: AgentProfile) -> dict[str, Any]:
    found = {name: getattr(profile, name) for name in ProfileForm.Meta.fields}
    return found | {"second": profile.second.name if profile.second else ""}


def _told(profile: AgentProfile, caller: Caller) -> dict[str, Any]:
    """A profile as its page has it: of a key whether the environment holds it, and settings for who may change them."""
    changes = may_change(caller.runs, profile)
    return _plain(profile) | {
        "settings": profile.settings if changes else None,
        "has_key": not profile.lacks_key if profile.key_env else None,
        "trouble": profile.address_trouble,
        "owner": profile.owner.username if profile.owner else "",
        "changes": changes,
    }
