"""Researchers make agents of their own: by what admins opened, within a budget, and nobody else's."""

from __future__ import annotations

import html

import pytest
from django.contrib.auth.models import Group, User

from agents import call_settings, spending
from agents.models import AgentProfile, ModelPrice, SpendingLimit
from agents.seating import seatable
from tests.agents import model_matches
from tests.games.matches import dealt, play_on, stored, visitor
from tests.model_server import ModelServer

pytestmark = pytest.mark.django_db
SHARED = {"provider": "openai", "base_url": "http://127.0.0.1:1/v1"}


@pytest.fixture(autouse=True)
def opened():
    AgentProfile.objects.create(name="shared", title="Shared", model="small-1", method="direct", **SHARED)
    ModelPrice.objects.create(model="small", tokens_in=1_000_000, tokens_out=1_000_000)
    call_settings.forget()


def member(group: str, name: str = ""):
    user = User.objects.create_user(name or group)
    user.groups.add(Group.objects.get(name=group))
    client = visitor(name or group)
    client.force_login(user)
    return client, user


def form(**fields):
    usual = {"title": "Mine", "name": "mine", "model": "small-1", "method": "cot", "settings": "{}", "switches": "{}"}
    return usual | SHARED | {"active": "on"} | fields


def text(answer) -> str:
    return html.unescape(answer.content.decode())


def test_a_researcher_makes_changes_and_deletes_their_own():
    client, user = member("researcher")
    assert client.get("/agents/new/?like=shared").status_code == 200
    assert client.post("/agents/new/", form(seated_by="everyone")).status_code == 302
    made = AgentProfile.objects.get(name="mine")
    assert (made.owner, made.seated_by) == (user, "researchers"), "nobody but researchers asks it to a table"
    assert ("mine", "Mine") in seatable("undercover", True) and ("mine", "Mine") not in seatable("undercover")
    assert client.post("/agents/mine/", form(title="Other")).status_code == 302
    assert client.post("/agents/mine/switch/").status_code == 302
    made.refresh_from_db()
    assert (made.title, made.active, made.owner) == ("Other", False, user)
    assert client.post("/agents/mine/delete/").status_code == 302
    assert not AgentProfile.objects.filter(name="mine").exists()


def test_nobody_changes_what_is_not_theirs_but_admins():
    member("researcher", "ada")[0].post("/agents/new/", form())
    bob, _user = member("researcher", "bob")
    for name in ("mine", "shared"):
        assert bob.get(f"/agents/{name}/").status_code == 403
        assert bob.post(f"/agents/{name}/", form(name=name)).status_code == 403
        assert bob.post(f"/agents/{name}/switch/").status_code == 403
        assert bob.post(f"/agents/{name}/delete/").status_code == 403
    listed = text(bob.get("/agents/"))
    assert "/agents/mine/" not in listed and "/agents/new/?like=mine" in listed
    admin, _user = member("admin")
    assert admin.post("/agents/mine/", form(title="Kept")).status_code == 302
    assert AgentProfile.objects.get(name="mine").owner.username == "ada", "whose it is stays"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"base_url": "http://127.0.0.1:2/v1"}, "No agent that admins keep uses this provider, address and key"),
        ({"base_url": ""}, "No agent that admins keep uses this provider, address and key"),
        ({"model": "unknown-1"}, "What this model costs is not known here"),
    ],
)
def test_what_admins_did_not_open_is_refused_in_a_sentence(fields, sentence):
    client, _user = member("researcher")
    answer = client.post("/agents/new/", form(**fields))
    assert answer.status_code == 422 and sentence in text(answer)
    assert not AgentProfile.objects.filter(name="mine").exists()


def test_what_another_opened_for_themselves_opens_nothing():
    AgentProfile.objects.filter(name="shared").update(owner=User.objects.create_user("eve"))
    client, _user = member("researcher")
    assert client.post("/agents/new/", form()).status_code == 422


def test_calls_count_on_the_budget_of_whose_agent_it_is_and_end_with_it():
    user = User.objects.create_user("ada")
    SpendingLimit.objects.create(per_day=1e9, per_owner_day=1.0)
    call_settings.forget()
    with ModelServer() as server:
        model_matches.profile(server, "mine", owner=user)
        model_matches.profile(server, "others")
        played = model_matches.played(model_matches.dealt("mine", "others", "others"))
    spent = spending.budget(user.pk)
    assert spent.today == spent.in_all > 1
    used_up = [attempt for attempt in played.attempts if attempt.code == "spending"]
    assert {attempt.seat for attempt in used_up} == {1}, "others play on"
    assert used_up[0].sentence == "Today's budget of $1 for the agents of the researcher who made this one is used up."


def test_a_researcher_sees_their_budget_but_not_while_they_play():
    client, user = member("researcher")
    spending.add(None, 0.25, user.pk)
    told = "spent $0.25 of $1.00 today"
    assert told in " ".join(text(client.get("/agents/")).split())
    stored(play_on(dealt("undercover", "magic", 3), 2)).sitters.filter(seat=1).update(person="researcher")
    assert "spent" not in text(client.get("/agents/"))


def test_the_agents_of_an_account_that_is_deleted_sit_down_no_more():
    client, user = member("researcher")
    client.post("/agents/new/", form())
    assert AgentProfile.objects.get(name="mine").active
    user.delete()
    left = AgentProfile.objects.get(name="mine")
    assert (left.active, left.owner) == (False, None)
