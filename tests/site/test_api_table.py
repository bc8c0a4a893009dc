"""Who may call what: each way to call the API, by each person with each scope alone, cell by cell.

A line stands here for every address under /api/v1/ and each method of it: one that is missing fails.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from games.match.changes import Kept
from games.room import api_keys
from games.web import limits
from tests import callers
from tests.games.tables import asked
from tests.kept import kept

pytestmark = pytest.mark.django_db

PERSONS = ("guest", "account", "rater", "researcher", "admin")
EVERY = " ".join(api_keys.SCOPES)
READS = "read"

TABLE: dict[str, tuple[str, str]] = {
    #                                        scopes          nobody guest account rater researcher admin
    "GET ": (EVERY,                                            "200 200 200 200 200 200"),
    "GET schema/": (EVERY,                                     "200 200 200 200 200 200"),
    "GET games/": (READS,                                      "200 200 200 200 200 200"),
    "GET tables/": (READS,                                     "200 200 200 200 200 200"),
    "POST tables/": ("play",                                   "401 201 201 201 201 201"),
    "GET tables/<code>/": (READS,                              "200 200 200 200 200 200"),
    "GET tables/<code>/observation/": ("play read",            "200 200 200 200 200 200"),
    "POST tables/<code>/act/": ("play",                        "401 200 403 403 403 403"),
    "POST tables/<code>/sit/": ("play",                        "401 200 409 409 409 409"),
    "POST tables/<code>/fill/": ("play",                       "401 409 403 403 403 403"),
    "POST tables/<code>/start/": ("play",                      "401 200 403 403 403 403"),
    "POST tables/<code>/end/": ("play",                        "401 200 403 403 403 403"),
    "POST tables/<code>/leave/": ("play",                      "401 200 200 200 200 200"),
    "POST tables/<code>/rematch/": ("play",                    "401 409 409 409 409 409"),
    "GET profiles/": ("run",                                   "401 403 403 403 200 200"),
    "POST profiles/": ("run",                                  "401 403 403 403 201 201"),
    "GET profiles/<name>/": ("run",                            "401 403 403 403 200 200"),
    "PATCH profiles/<name>/": ("run",                          "401 403 403 403 200 200"),
    "DELETE profiles/<name>/": ("run",                         "401 403 403 403 204 204"),
    "GET profiles/<name>/requests/": ("run",                   "401 403 403 403 200 200"),
    "POST profiles/<name>/act/": ("run",                       "401 403 403 403 404 404"),
    "GET matches/": (READS,                                    "200 200 200 200 200 200"),
    "GET matches/<match_id>/": ("read read_hidden",            "200 200 200 200 200 200"),
    "GET matches/<match_id>/thoughts/": ("read_hidden",        "401 403 403 403 200 200"),
    "GET matches/<match_id>/log/": ("export",                  "401 200 200 200 200 200"),
    "GET matches/<match_id>/forks/": ("read_hidden",           "401 403 403 403 200 200"),
    "POST matches/<match_id>/forks/": ("run",                  "401 403 403 403 201 201"),
    "POST matches/<match_id>/play-on/": ("play",               "401 201 201 201 201 201"),
    "GET numbers/": ("read_hidden",                            "401 403 403 403 200 200"),
    "GET numbers/<board>/": ("read_hidden",                    "401 403 403 403 200 200"),
    "GET numbers/<board>/behind/": ("read_hidden",             "401 403 403 403 200 200"),
    "GET labels/": ("admin",                                   "401 403 403 200 200 200"),
    "GET labels/<task>/": ("admin",                            "401 403 403 200 200 200"),
    "GET labels/<task>/next/": ("admin",                       "401 403 403 200 403 404"),
    "PUT labels/<task>/items/<item>/": ("admin",               "401 403 403 204 403 404"),
    "DELETE labels/<task>/items/<item>/": ("admin",            "401 403 403 204 403 404"),
    "GET labels/<task>/rounds/<number>/agreement/": ("admin",  "401 403 403 403 200 200"),
    "GET labels/<task>/rounds/<number>/matrix/": ("admin",     "401 403 403 403 200 200"),
    "GET exports/": ("export",                                 "401 403 403 403 200 200"),
    "POST exports/": ("export",                                "401 403 403 403 201 201"),
    "GET exports/<export>/": ("export",                        "401 403 403 403 200 200"),
    "GET exports/<export>/file/": ("export",                   "401 403 403 403 200 200"),
    "GET imports/": ("admin",                                  "401 403 403 403 200 200"),
    "POST imports/": ("admin",                                 "401 403 403 403 201 201"),
    "GET imports/<brought>/": ("admin",                        "401 403 403 403 200 404"),
    "PUT imports/<brought>/pieces/<number>/": ("admin",        "401 403 403 403 204 404"),
    "POST imports/<brought>/read/": ("admin",                  "401 403 403 403 409 404"),
    "POST imports/<brought>/stop/": ("admin",                  "401 403 403 403 200 200"),
    "GET suites/": ("run",                                     "401 403 403 403 200 200"),
    "GET competitions/": ("run",                               "401 403 403 403 200 200"),
    "POST competitions/": ("run",                              "401 403 403 403 201 201"),
    "GET competitions/<competition>/": ("run",                 "401 403 403 403 200 200"),
    "GET competitions/<competition>/matches/": ("run",         "401 403 403 403 200 200"),
    "POST competitions/<competition>/<verb>/": ("run",         "401 403 403 403 200 200"),
    "GET labs/": ("run",                                       "401 403 403 403 200 200"),
    "POST labs/": ("run",                                      "401 403 403 403 201 201"),
    "POST labs/expected/": ("run",                             "401 403 403 403 200 200"),
    "GET labs/<lab>/": ("run",                                 "401 403 403 403 200 200"),
    "POST labs/<lab>/go-on/": ("run",                          "401 403 403 403 200 200"),
    "POST labs/<lab>/stop/": ("run",                           "401 403 403 403 200 200"),
    "GET audit/": ("admin",                                    "401 403 403 403 403 200"),
}  # fmt: skip
"""By way: the scopes of which one is needed, and what each person is answered who has it; nobody has no key. The guest
plays the match that is running, the rater has the task, and the researcher brings the file."""

SENT: dict[str, dict[str, Any]] = {
    "POST tables/": {"game": "undercover", "name": "Zoe"},
    "POST tables/<code>/act/": {"match": "<match_id>", "request": "<request>", "action": {"text": "warm by day"}},
    "POST tables/<code>/sit/": {"name": "Ann"},
    "POST profiles/<name>/act/": {"match": "<match_id>", "request": "<request>", "action": {"text": "warm by day"}},
    "POST matches/<match_id>/forks/": {"seq": "<seq>"},
    "POST matches/<match_id>/play-on/": {"seq": "<seq>", "name": "Zoe"},
    "PUT labels/<task>/items/<item>/": {"labels": ["a"]},
    "POST profiles/": {"name": "guest", "title": "Guest", "provider": "remote", "method": "remote"},
    "PATCH profiles/<name>/": {"title": "Other"},
    "POST competitions/": {"suite": "own", "challengers": ["house"], "game": "undercover", "preset": "magic"},
    "POST labs/": {
        "match": "<over>",
        "seq": "<seq>",
        "rollouts": 2,
        "house": True,
        "arms": [{"agents": {"1": "house"}}],
    },
    "POST labs/expected/": {
        "match": "<over>",
        "seq": "<seq>",
        "rollouts": 2,
        "house": True,
        "arms": [{"agents": {"1": "house"}}],
    },
    "POST exports/": {"formats": ["jsonl"]},
    "POST imports/": {"name": "logs.jsonl", "size": 4},
}
"""What is sent, where that is anything."""

ASKED = {"GET numbers/<board>/behind/": "?column=ours.own_moves&row=%22Total%22"}
"""What stands behind an address, where that is anything."""

PLACES = {
    "PUT imports/<brought>/pieces/<number>/": {"number": 0},
    "POST matches/<match_id>/play-on/": {"match_id": "<over>"},
}
"""What stands in an address, where it is not the first of what may."""


def ways() -> list[str]:
    """Each method of each address of the API."""
    return [f"{method} {route}" for route, view in _routes(get_resolver().url_patterns) for method in _methods(view)]


def _routes(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[tuple[str, Any]]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        elif route.startswith("api/v1/") and pattern.name != "nowhere":
            yield re.sub(r"<\w+:", "<", route.removeprefix("api/v1/")), pattern.callback


def _methods(view: Any) -> list[str]:
    return [name.upper() for name in ("get", "post", "put", "patch", "delete") if hasattr(view.view_class, name)]


@pytest.fixture(scope="module")
def there(fixtures, django_db_setup, django_db_blocker) -> Iterator[callers.World]:
    """What is called, for all tests here."""
    with kept(django_db_blocker):
        yield callers.world()


@pytest.fixture(scope="module")
def keys(there) -> dict[tuple[str, str], str]:
    """By person and scope a key that is good for that alone."""
    return {(who, scope): callers.key_for(who, there, scope) for who in PERSONS for scope in api_keys.SCOPES}


@pytest.fixture(autouse=True)
def as_often_as_one_likes(monkeypatch) -> None:
    monkeypatch.setattr(limits, "_counted", lambda tries, more: [0 for _one in tries])


def test_the_table_has_a_line_for_every_way_to_call_and_no_other():
    assert sorted(TABLE) == sorted(ways())


@pytest.mark.parametrize("way", TABLE)
def test_each_person_with_each_scope_is_answered_as_the_table_says(way, there, keys):
    scopes, answers = TABLE[way]
    expected = dict(zip(("nobody", *PERSONS), map(int, answers.split()), strict=True))
    assert _called(way, there, "") == (expected["nobody"], False)
    for person in PERSONS:
        for scope in api_keys.SCOPES:
            shut = scope not in scopes.split()
            answer = _called(way, there, keys[person, scope])
            assert answer == ((403, True) if shut else (expected[person], False)), (person, scope)


@pytest.mark.parametrize("way", TABLE)
def test_what_an_address_does_not_take_is_refused_there_by_its_name(way, there, keys):
    scope = TABLE[way][0].split()[0]
    others = [one.name for one in getattr(_view(way), "takes", ())] if way.startswith("GET") else []
    for name in ("x", *(f"{one}s" for one in others)):
        answer = _answer(way, there, keys[_reader(way), scope], f"?{name}=1")
        assert (answer.status_code, list(answer.json()["fields"])) == (422, [name]), way
        sentence = answer.json()["detail"].removeprefix(f"{name}: There is no such field")
        if name != "x":
            assert sentence == f". Did you mean {name[:-1]}?"
        elif others:
            assert sentence == f". There are: {', '.join(others)}."
        else:
            assert sentence == ": nothing is to be said here."


def _view(way: str) -> Any:
    """What answers there."""
    found = (view for route, view in _routes(get_resolver().url_patterns) if route == way.partition(" ")[2])
    return next(found).view_class


def _reader(way: str) -> str:
    """A person who may call it."""
    return next(
        who for who, status in zip(PERSONS, TABLE[way][1].split()[1:], strict=True) if status not in ("401", "403")
    )


def _called(way: str, there: callers.World, secret: str) -> tuple[int, bool]:
    """What is answered, and whether it is that the key lacks the scope; nothing comes of the call."""
    answer = _answer(way, there, secret, ASKED.get(way, ""))
    if answer.status_code < 400:
        return answer.status_code, False
    assert answer["Content-Type"] == "application/problem+json" and answer.json()["detail"]
    return answer.status_code, answer.json()["detail"].startswith("This needs a key with the scope")


def _answer(way: str, there: callers.World, secret: str, query: str) -> Any:
    """What is answered; nothing comes of the call."""
    method, route = way.split(" ")
    found = {name: places[0] for name, places in there.places.items()} | PLACES.get(way, {})
    found["request"] = asked(there.running, 1).id
    body = json.dumps(SENT.get(way, {}))
    for name, value in found.items():
        route, body = route.replace(f"<{name}>", str(value)), body.replace(f"<{name}>", str(value))
    what = {"content_type": "application/json"}
    if "<number>" in way and method == "PUT":
        what, body = {"content_type": "application/octet-stream"}, "four"
    client = Client(headers={"Authorization": f"Bearer {secret}"} if secret else {})
    with transaction.atomic():
        answer = client.generic(method, f"/api/v1/{route}{query}", body, **what)
        transaction.set_rollback(True)
    for one in Kept.every:
        one.clear()
    return answer
