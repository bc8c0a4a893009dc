"""The API for people: pages that list its addresses, and show what one of them answers to the person who looks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any
from urllib.parse import quote, unquote, urlencode

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import resolve
from django.utils.functional import Promise
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from rest_framework.response import Response

from games.models import ApiKey
from games.room import api_keys
from games.room.people import person_of, remember
from games.web.api.docs import described

ASK = "ask"
"""In an address: the form was sent."""

READS = [scope for scope in api_keys.SCOPES if scope != api_keys.PLAY]
"""All scopes but that of a player, who by looking would come back to a seat."""

LONGEST = 100_000
"""Characters of an answer on a page."""


@dataclass(frozen=True)
class Way:
    """A way to call, out of the OpenAPI document. fields: what an address may hold; shows: the answer is JSON, and can
    be looked at."""

    name: str
    method: str
    path: str
    about: str
    tag: str
    scopes: tuple[str, ...]
    fields: tuple[dict[str, Any], ...]
    shows: bool

    @property
    def titles(self) -> list[str | Promise]:
        """The scopes for people."""
        return [api_keys.SCOPES[scope].title for scope in self.scopes]


@cache
def ways() -> dict[str, Way]:
    """All of them, by name."""
    found = (
        _way(method, path, told) for path, methods in described()["paths"].items() for method, told in methods.items()
    )
    return {way.name: way for way in found}


def _way(method: str, path: str, told: dict[str, Any]) -> Way:
    answer = told["responses"].get("200", {}).get("content", {})
    return Way(
        name=told["operationId"],
        method=method.upper(),
        path=path,
        about=_plain(told),
        tag=told["tags"][0],
        scopes=tuple(told.get("x-scopes", ())),
        fields=tuple(
            one | {"about": _plain(one)} for one in told.get("parameters", ()) if one["in"] in ("path", "query")
        ),
        shows=method == "get" and "application/json" in answer,
    )


def _plain(told: dict[str, Any]) -> str:
    """A description without the marks of code."""
    return told.get("description", "").replace("`", "")


@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    """All ways to call, by what they are about."""
    groups = [(tag, list(group)) for tag, group in groupby(ways().values(), key=lambda way: way.tag)]
    return render(request, "games/api_ways.html", {"groups": groups})


@require_safe
@never_cache
def one(request: HttpRequest, name: str) -> HttpResponse:
    """One way to read, with a form for what its address holds, and what is answered."""
    way = ways().get(name)
    if way is None or not way.shows:
        raise Http404
    given = {field["name"]: request.GET.get(field["name"], "")[:400] for field in way.fields}
    context: dict[str, Any] = {
        "way": way,
        "fields": [field | {"given": given[field["name"]], "of": field["schema"].get("enum")} for field in way.fields],
    }
    if ASK in request.GET and all(given[field["name"]] for field in way.fields if field["in"] == "path"):
        address = _address(way, given)
        status, said = _answered(request, address)
        context |= {"address": address, "status": status, "said": said[:LONGEST], "cut": len(said) > LONGEST}
    return remember(request, render(request, "games/api_way.html", context))


def _address(way: Way, given: dict[str, str]) -> str:
    places = {field["name"]: quote(given[field["name"]], safe="") for field in way.fields if field["in"] == "path"}
    query = urlencode({name: value for name, value in given.items() if value and name not in places})
    return way.path.format_map(places) + (f"?{query}" if query else "")


def _answered(request: HttpRequest, address: str) -> tuple[int, str]:
    """What the person who looks is answered there, by a key for reading that is good for this once."""
    path, _mark, query = address.partition("?")
    asked = HttpRequest()
    asked.method, asked.path, asked.path_info, asked.GET = "GET", path, unquote(path), QueryDict(query)
    asked.META = {name: value for name, value in request.META.items() if not name.startswith("HTTP_IF_")}
    account = request.user if isinstance(request.user, User) else None
    key = ApiKey(person=person_of(request), user=account, scopes=READS)
    vars(asked).update(_force_auth_user=request.user, _force_auth_token=key)  # as DRF is told who calls
    found = resolve(asked.path_info)
    answer = found.func(asked, *found.args, **found.kwargs)
    if not isinstance(answer, Response):  # a value with a slash in it led to a file
        raise Http404
    answer.render()
    return answer.status_code, json.dumps(json.loads(answer.content), indent=2, ensure_ascii=False)
