"""Without Redis each page comes or says in a sentence that something is away; none breaks."""

from collections.abc import Iterator

import pytest
from celery.app.task import Task
from django.conf import settings as site
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, get_resolver
from kombu.exceptions import OperationalError

from agents.models import AgentProfile
from evaluation.competitions import running
from evaluation.models import Judging, Lab, Trial
from evaluation.suites import Entry
from games.room import rooms
from tests.games.matches import dealt, play_on, stored

AWAY = "cannot reach its data just now"


def routes(patterns, prefix: str = "/") -> Iterator[tuple[str, str]]:
    """The address of each page of our own, as it is written, and its name."""
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield route, pattern.name or ""
        elif not route.startswith("/admin/"):
            yield from routes(pattern.url_patterns, route)


@pytest.fixture
def addresses(db) -> list[str]:
    """Every address of the site with something real in it."""
    call_command("load_fixtures", verbosity=0)
    match = stored(play_on(dealt("undercover", "magic", 3)))
    room = rooms.open_room(game="undercover", preset="magic", seats=3, person="ann", name="Ann")
    entry = Entry(("house",), matches=1, more={"game": "prisoners_dilemma", "preset": "magic"})
    competition = running.make("Dilemmas", "own", entry)
    request = match.events.exclude(request=None).first().request
    position = {"match": str(match.pk), "game": "undercover", "request": request}
    trial = Trial.objects.create(agent="house", position=position)
    judging = Judging.objects.create(
        name="j", judge="house", arms=["house", "b"], prompts=[{"match": str(match.pk), "request": request}]
    )
    lab = Lab.objects.create(match=match, seq=3, arms=[{}], rollouts=2)
    keys = {"lab": lab.pk, "competitions": competition.pk, "trials": trial.pk, "try": trial.pk, "judge": judging.pk}
    thought = match.thoughts.first().pk
    found = []
    for route, _name in routes(get_resolver().url_patterns):
        key = keys.get(route.split("/")[1], competition.pk)
        for hole, value in {
            "<slug:game>": "undercover", "<slug:code>": room.code, "<uuid:match_id>": match.pk, "<int:key>": thought,
            "<uuid:key>": key, "<int:number>": 1, "<slug:suite>": "own", "<slug:verb>": "start", "<str:table>": "ours",
            "<str:form>": "csv", "<slug:form>": "csv", "<slug:name>": AgentProfile.objects.first().name,
            "<str:name>": "magic.m1", "<uuid:rater>": key, "<uidb64>": "MQ", "<token>": "x-y",
            "<path:rest>": "nowhere", "<str:board>": "magic", "<uuid:competition>": competition.pk,
            "<uuid:lab>": lab.pk, "<uuid:task>": key, "<uuid:export>": key, "<uuid:brought>": key, "<int:item>": 1,
        }.items():  # fmt: skip
            route = route.replace(hole, str(value))
        assert "<" not in route, f"{route}: say in this test what stands there"
        found.append(route)
    return found


@pytest.fixture
def away(settings, monkeypatch) -> None:
    """No cache, no channel layer and no broker can be reached."""
    nowhere = f"unix://{site.VAR_DIR}/nowhere.sock"
    settings.CACHES = settings.CACHES | {"default": settings.CACHES["default"] | {"LOCATION": nowhere}}
    layer = settings.CHANNEL_LAYERS["default"]
    settings.CHANNEL_LAYERS = {"default": layer | {"CONFIG": layer["CONFIG"] | {"hosts": [{"address": nowhere}]}}}

    def refuse(*_: object, **__: object) -> None:
        raise OperationalError("nobody there")

    monkeypatch.setattr(Task, "apply_async", refuse)


@pytest.mark.slow
def test_each_page_comes_or_says_what_is_away(addresses, away):
    client = Client(raise_request_exception=False)
    user, said = User.objects.create_superuser("ada"), set()
    for address in addresses:
        client.force_login(user)  # one of the pages signs out
        for answer in (client.get(address), client.post(address)):
            assert answer.status_code != 500, address
            if answer.status_code == 503 and not address.startswith("/readyz"):
                assert AWAY in answer.content.decode(), address
                said.add(address)
    assert any(address.startswith("/numbers/") for address in said)
