"""A key goes where the environment says and nowhere else, and nothing secret stands in an address."""

from importlib import import_module

import pytest
from django.apps import apps as current
from django.contrib.auth.models import Group, User

from agents.models import AgentProfile, Call, Endpoint
from agents.providers import MisconfiguredError, RefusedError, addresses, connect
from agents.seating import seatable
from evaluation.models import Competition
from evaluation.studies import trials
from tests.agents.test_providers import ASK, provider_for
from tests.model_server import Behaviour, ModelServer


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("https://API.OpenAI.com:443/v1", "OPENAI_API_KEY"),
        ("https://models.example/v1", ""),
        ("https://models.example/v1", "MINE_API_KEY"),
        ("https://other.example:8443", "MINE_API_KEY"),
        ("http://127.0.0.1:8091/v1", ""),
        ("http://localhost:8091/v1", ""),
        ("http://[::1]:8091", ""),
    ],
)
def test_where_a_key_may_go(address, key, monkeypatch):
    monkeypatch.setenv("API_KEY_HOSTS", " MINE_API_KEY=models.example , MINE_API_KEY=other.example:8443,,x")
    assert addresses.trouble(address, key) is None


@pytest.mark.parametrize(
    ("address", "key", "sentence"),
    [
        ("https://thief.example/v1", "OPENAI_API_KEY", "set API_KEY_HOSTS=OPENAI_API_KEY=thief.example in"),
        ("https://api.openai.com.thief.example", "OPENAI_API_KEY", "may not be sent to api.openai.com.thief.example"),
        ("https://api.anthropic.com", "OPENAI_API_KEY", "may not be sent to api.anthropic.com"),
        ("https://models.example:444/v1", "NEW_API_KEY", "set API_KEY_HOSTS=NEW_API_KEY=models.example"),
        ("https://other.example", "MINE_API_KEY", "may not be sent to other.example"),
        ("http://127.0.0.1:9/v1", "MINE_API_KEY", "may not be sent to 127.0.0.1"),
        ("https://api.openai.com", "SECRET_KEY", "must end in _API_KEY"),
        ("http://api.openai.com/v1", "OPENAI_API_KEY", "must begin with https"),
        ("http://models.example", "", "must begin with https"),
        ("http://127.0.0.1.thief.example", "", "must begin with https"),
        ("http://10.0.0.1", "", "must begin with https"),
        *(
            (address, key, "must be a full address")
            for key in ("", "OPENAI_API_KEY")
            for address in (
                "https://ann:pa55word@api.openai.com/v1",
                "https://pa55word@api.openai.com",
                "https://api.openai.com\\@thief.example/pa55word",
                "https://thief.example#@api.openai.com/pa55word",
                "https://api.openai.com/v1?key=pa55word",
                "https://api.openai.com/v1#pa55word",
                "ftp://api.openai.com/pa55word",
                "//api.openai.com/pa55word",
                "pa55word",
                "https://",
            )
        ),
    ],
)
def test_where_a_call_may_not_go(address, key, sentence, monkeypatch):
    monkeypatch.setenv("API_KEY_HOSTS", "MINE_API_KEY=models.example,MINE_API_KEY=other.example:8443")
    field, told = addresses.trouble(address, key)
    assert sentence in told and "pa55word" not in told
    assert field in ("base_url", "key_env")
    with pytest.raises(MisconfiguredError, match=r"^[^@]*$"):
        connect("openai", address, key)


def test_the_environment_of_an_sdk_does_not_lead_a_key_elsewhere(monkeypatch):
    for kind in ("openai", "anthropic"):
        name = f"{kind.upper()}_API_KEY"
        monkeypatch.setenv(name, "sk-test")
        monkeypatch.setenv(f"{kind.upper()}_BASE_URL", "https://thief.example")
        connect.cache_clear()
        assert str(connect(kind)._client.base_url).startswith(addresses.USUAL[kind])
    connect.cache_clear()


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_of_what_a_server_says_of_a_refusal_only_the_protocols_own_words_are_told(kind):
    """An address may lead to any server, and so its answer may be anything."""
    page = Behaviour(status=400, message="the page behind the wall")
    with ModelServer(then=page) as server, pytest.raises(RefusedError) as refused:
        provider_for(kind, server, "").complete(ASK, model="small-1")
    assert "behind the wall" not in str(refused.value)
    assert "status 400" in str(refused.value)


# Profiles -----------------------------------------------------------------------------------------------------------

PROFILE = {
    "title": "Model A",
    "name": "model-a",
    "provider": "openai",
    "model": "model-a",
    "method": "direct",
    "settings": "{}",
    "switches": "{}",
    "active": "on",
}


@pytest.fixture
def admin(client, db):
    user = User.objects.create_user("ada", is_staff=True)
    user.groups.add(Group.objects.get(name="admin"))
    client.force_login(user)
    return client


@pytest.mark.parametrize("page", ["/agents/new/", "/admin/agents/agentprofile/add/"])
@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"base_url": "https://thief.example/v1", "key_env": "OPENAI_API_KEY"}, "API_KEY_HOSTS"),
        ({"base_url": "", "key_env": "OTHER_API_KEY"}, "API_KEY_HOSTS"),
        ({"base_url": "http://models.example/v1", "key_env": ""}, "must begin with https"),
        ({"base_url": "https://ann:word@models.example/v1", "key_env": ""}, "without a name, a password"),
    ],
)
def test_a_profile_that_would_send_a_key_elsewhere_is_refused(admin, page, fields, sentence):
    answer = admin.post(page, PROFILE | fields)
    assert sentence in answer.content.decode()
    assert not AgentProfile.objects.filter(name="model-a").exists()


def test_an_endpoint_has_no_password(admin):
    fields = {"provider": "openai", "base_url": "https://ann:word@models.example/v1", "at_once": "4"}
    assert "without a name, a password" in admin.post("/admin/agents/endpoint/add/", fields).content.decode()
    assert not Endpoint.objects.exists()


def test_a_profile_from_before_is_not_seated_and_says_why(db, monkeypatch):
    monkeypatch.setenv("OTHER_API_KEY", "sk-test")
    profile = AgentProfile.objects.create(
        name="old", title="Old", provider="openai", model="m", method="direct",
        base_url="https://models.example/v1", key_env="OTHER_API_KEY",
    )  # fmt: skip
    assert "old" not in dict(seatable("undercover", researcher=True))
    assert "API_KEY_HOSTS=OTHER_API_KEY=models.example" in trials.why_not(profile)
    monkeypatch.setenv("API_KEY_HOSTS", "OTHER_API_KEY=models.example")
    assert "old" in dict(seatable("undercover", researcher=True))
    assert trials.why_not(profile) == ""


def test_passwords_in_stored_addresses_go(db):
    once = {"base_url": "https://ann:pa55word@models.example:8443/v1"}
    secret = "https://ann:pa55word@models.example:8443/v1?key=pa55word"
    AgentProfile.objects.create(name="old", title="Old", provider="openai", base_url=secret)
    Endpoint.objects.create(provider="openai", base_url=secret)
    Endpoint.objects.create(provider="openai", base_url="https://models.example:8443/v1")
    Call.objects.create(request="r", seat=1, stage="s", nth=1, key="k", provider="openai", base_url=secret, model="m")
    Competition.objects.create(
        name="c",
        suite="own",
        entry={},
        manifest={"profiles": {"a": {"base_url": secret, "second": once}}},
    )
    import_module("agents.migrations.0005_no_secret_in_addresses").forwards(current, None)
    import_module("evaluation.migrations.0007_no_secret_in_addresses").forwards(current, None)
    models = (AgentProfile, Endpoint, Call, Competition)
    kept = [row for model in models for row in model.objects.values()]
    assert "pa55word" not in str(kept)
    assert str(kept).count("https://models.example:8443/v1") == 5
