"""Pages of agent profiles: who may see and change them, what is refused, and that a key is never shown."""

from __future__ import annotations

import html

import pytest
from django.contrib.auth.models import Group, User
from django.urls import reverse

from agents.models import AgentProfile

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixtures")]


def member(client, group):
    user = User.objects.create_user(group, password="a")
    user.groups.add(Group.objects.get(name=group))
    client.force_login(user)
    return client


def form(**fields):
    usual = {"title": "Mine", "name": "mine", "provider": "openai", "model": "small-1", "method": "direct"}
    return usual | {"settings": "{}", "switches": "{}", "active": "on"} | fields


def make(client, **fields):
    return client.post(reverse("agents:new"), form(**fields))


def text(response):
    return html.unescape(response.content.decode())


def test_researchers_see_profiles_and_only_admins_change_those_of_all(client):
    assert client.get(reverse("agents:profiles")).status_code == 302
    member(client, "researcher")
    assert "House agent" in text(client.get(reverse("agents:profiles")))
    assert client.get(reverse("agents:edit", args=["house"])).status_code == 403
    assert client.post(reverse("agents:switch", args=["house"])).status_code == 403
    assert client.post(reverse("agents:delete", args=["house"])).status_code == 403
    member(client, "admin")
    assert client.get(reverse("agents:edit", args=["house"])).status_code == 200


def test_a_key_is_never_shown_only_whether_it_is_there(client, monkeypatch):
    monkeypatch.setenv("MINE_API_KEY", "sk-very-secret")
    member(client, "admin")
    make(client, key_env="MINE_API_KEY")
    page = text(client.get(reverse("agents:profiles"))) + text(client.get(reverse("agents:edit", args=["mine"])))
    assert "MINE_API_KEY is set" in page
    assert "sk-very-secret" not in page


def test_a_profile_is_made_from_its_parts(client):
    member(client, "admin")
    answer = make(client, temperature="0.5", max_tokens="300", settings='{"timeout": 20}', games=["avalon"])
    assert answer.url == reverse("agents:profiles")
    made = AgentProfile.objects.get(name="mine")
    assert made.settings == {"timeout": 20, "temperature": 0.5, "max_tokens": 300}
    assert made.switches == {"games": ["avalon"]}


def test_what_was_made_is_shown_again_in_the_same_parts(client):
    member(client, "admin")
    make(client, temperature="0.5", games=["avalon"])
    page = client.get(reverse("agents:edit", args=["mine"]))
    shown = page.context["form"]
    assert (shown["temperature"].value(), shown["games"].value()) == (0.5, ["avalon"])
    assert (shown["settings"].value(), shown["switches"].value()) == ("{}", "{}")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"model": ""}, "Which of the provider's models?"),
        ({"name": "no spaces"}, "Enter a valid"),
        ({"provider": "house"}, "House agents have their own method"),
        ({"settings": '{"warmth": 1}'}, "Unknown model setting: warmth."),
        ({"provider": "anthropic", "api": "responses"}, "Anthropic has no API called responses."),
        ({"settings": "[1]"}, "The settings of a model are named values in braces."),
        ({"settings": "{"}, "This is not JSON"),
        ({"switches": '{"loud": true}'}, "The method direct has no switch called loud."),
        ({"settings": "[" * 5000 + "]" * 5000}, "This is not JSON: it is nested too deep."),
        ({"switches": '{"games": ' + "[" * 50 + "]" * 50 + "}"}, "This is not JSON: it is nested too deep."),
        ({"switches": "[]x"}, "This is not JSON"),
        ({"key_env": "SECRET_KEY"}, "must end in _API_KEY"),
        ({"base_url": "nowhere"}, "Enter a valid URL"),
        ({"temperature": "9"}, "At most 2"),
        ({"settings": '{"timeout": 1e999}'}, "a number is too large"),
        ({"switches": '{"games": 5}'}, "The games are a list of some of these names"),
        ({"switches": '{"games": ["chess"]}'}, "The games are a list of some of these names"),
        ({"name": "new"}, "The page for new agents uses this name"),
    ],
)
def test_what_could_not_play_is_refused_in_a_sentence_and_nothing_is_lost(client, wrong, sentence):
    member(client, "admin")
    answer = make(client, about="Keep these words", **wrong)
    assert answer.status_code == 422
    assert sentence in text(answer)
    assert "Keep these words" in text(answer)
    assert not AgentProfile.objects.filter(title="Mine").exists()


def test_a_copy_begins_like_the_other_one(client):
    member(client, "admin")
    make(client, model="large-1")
    page = client.get(reverse("agents:new") + "?like=mine")
    assert page.context["form"]["model"].value() == "large-1"
    assert make(client, name="mine-2", title="Mine 2", model="large-1").status_code == 302
    assert AgentProfile.objects.filter(model="large-1").count() == 2


def test_a_profile_is_switched_off_and_on(client):
    member(client, "admin")
    for active in (False, True):
        client.post(reverse("agents:switch", args=["house"]))
        assert AgentProfile.objects.get(name="house").active is active


def test_a_profile_that_another_one_needs_is_not_deleted(client):
    member(client, "admin")
    make(client)
    make(client, name="two", title="Two", second=AgentProfile.objects.get(name="mine").pk)
    answer = client.post(reverse("agents:delete", args=["mine"]))
    assert answer.status_code == 409
    assert "Another profile uses this one's model." in text(answer)
    client.post(reverse("agents:delete", args=["two"]))
    assert client.post(reverse("agents:delete", args=["mine"])).status_code == 302
    assert not AgentProfile.objects.filter(name="mine").exists()


def test_settings_that_are_no_object_are_refused_for_a_house_agent_too(client):
    member(client, "admin")
    answer = make(client, provider="house", method="house", model="", settings="5")
    assert answer.status_code == 422
    assert "named values in braces" in text(answer)


def test_a_refused_new_name_leaves_the_page_about_the_same_agent(client):
    member(client, "admin")
    make(client)
    answer = client.post(reverse("agents:edit", args=["mine"]), {"name": "house"})
    assert reverse("agents:delete", args=["mine"]) in text(answer)
    assert reverse("agents:delete", args=["house"]) not in text(answer)
