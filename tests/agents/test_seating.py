"""What costs money is asked to a table by researchers, unless an admin has opened it to all and its price is known; and
a day's spending has an end before any admin has set one."""

from __future__ import annotations

import json

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from agents import call_settings, seating, spending
from agents.models import AgentProfile, ModelPrice, SpendingLimit
from games.models import GameSetting
from games.refused import Refused
from games.registry import RULES
from games.room import chairs, rooms
from games.room.people import COOKIE
from magic_site.rights import RESEARCHER
from tests.games.tables import WORDS, browser, cookie, room_of

pytestmark = pytest.mark.django_db
EVERYONE = AgentProfile.SeatedBy.EVERYONE


def model_agent(name: str = "wire", model: str = "m-1", **fields) -> AgentProfile:
    fields |= {"provider": "openai", "method": "direct", "base_url": "http://127.0.0.1:1/v1"}
    return AgentProfile.objects.create(name=name, title=name.title(), model=model, **fields)


def price(model: str, dollars: float = 1.0) -> None:
    ModelPrice.objects.create(model=model, tokens_in=dollars, tokens_out=dollars)


def names(game: str = "undercover", researcher: bool = False) -> list[str]:
    return [name for name, _title in seating.seatable(game, researcher)]


def researcher(person: str) -> Client:
    client = Client()
    user = User.objects.create_user("ada")
    user.groups.add(*user.groups.model.objects.filter(name=RESEARCHER))
    client.force_login(user)
    client.cookies[COOKIE] = cookie(person, "Ada")
    return client


def test_of_all_profiles_that_come_with_the_site_only_house_agents_are_open_to_all(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "x")
    call_command("load_fixtures", verbosity=0)
    AgentProfile.objects.update(active=True)
    house = set(AgentProfile.objects.filter(provider="house").values_list("name", flat=True))
    assert {name for game in RULES for name in names(game)} == house
    assert {name for game in RULES for name in names(game, researcher=True)} > house
    rows = json.loads((settings.BASE_DIR / "fixtures" / "agent_profiles.json").read_text())["rows"]
    assert {row["name"] for row in rows if "seated_by" in row} == {"local"}


def test_an_agent_that_is_open_to_all_waits_for_its_price():
    model_agent("open", seated_by=EVERYONE)
    model_agent("shut")
    price("m")
    assert names() == ["open"]
    ModelPrice.objects.all().delete()
    assert names() == []
    price("m", 0)  # a model that is known to be free
    assert names() == ["open"]


def test_both_models_of_an_agent_have_a_price():
    second = model_agent("second", model="n-1")
    model_agent("open", seated_by=EVERYONE, second=second)
    price("m")
    assert names() == []
    price("n")
    assert names() == ["open"]


def test_no_post_seats_what_only_researchers_may():
    model_agent()
    room = room_of(1)
    anybody = browser("key-1", "Ann")
    assert anybody.post(f"/t/{room.code}/fill/", {"agent": "wire"}).status_code == 409
    assert anybody.post(f"/t/{room.code}/start/", {"agent": "wire", "fill": "1"}).status_code == 409
    form = {"name": "Ann", "preset": "magic", "shown": "magic", "friends": "0", "agents": "2", "agent": "wire"}
    form |= {"move_seconds": "90", "absence": "agent", "pace": "1.0", "watching": "live", "afterwards": "anyone"}
    form |= {"option-polls": "none", "option-discussion": "none"}
    assert anybody.post("/tables/new/undercover/", form).status_code == 422
    assert not room.seats.filter(agent="wire").exists()
    assert researcher("key-1").post(f"/t/{room.code}/fill/", {"agent": "wire"}).status_code == 302
    assert room.seats.filter(agent="wire").count() == 2


def test_who_takes_over_a_table_of_a_researcher_does_not_let_its_models_play_on():
    model_agent()
    GameSetting.objects.create(game="undercover", name="coffee and tea", data=WORDS)
    room = room_of(1)
    chairs.fill(room, "key-1", "wire")
    with pytest.raises(Refused, match="Only researchers may let Wire play"):
        rooms.start(room, "key-1")
    assert researcher("key-1").post(f"/t/{room.code}/start/").status_code == 302
    assert rooms.playing(room)


def test_trials_are_for_those_who_may_run_competitions(client):
    assert client.post("/try/", {"agent": "house", "game": "undercover"}).url.startswith("/sign-in/")
    client.force_login(User.objects.create_user("nobody"))
    assert client.post("/try/", {"agent": "house", "game": "undercover"}).status_code == 403


def test_a_day_has_a_limit_before_an_admin_sets_one(settings):
    settings.MOST_DOLLARS_A_DAY = 2.0
    spending.add(None, 1.99)
    assert spending.refusal(None) == ""
    spending.add(None, 0.02)
    assert "spending limit of $2 is reached" in spending.refusal(None)
    limit = SpendingLimit.objects.create(per_match=0.5)
    call_settings.forget()
    assert "spending limit of $2 is reached" in spending.refusal(None)
    limit.per_day = 100
    limit.save()
    assert spending.refusal(None) == ""
