"""What an admin sets and sees of model calls: prices, limits, endpoints, what was spent and asked."""

import pytest

from agents.models import Call, Endpoint, ModelPrice, SpendingLimit, Spent
from tests.agents.model_matches import dealt, played, profile
from tests.model_server import ModelServer

pytestmark = pytest.mark.django_db
ADD = "/admin/agents/{}/add/"


def test_prices_endpoints_and_limits_are_set(admin_client):
    admin_client.post(ADD.format("modelprice"), {"model": "small", "tokens_in": "0.5", "tokens_out": "2", "cached": ""})
    admin_client.post(
        ADD.format("endpoint"),
        {"provider": "openai", "base_url": "https://models.example/v1", "at_once": "4", "a_minute": "60"},
    )
    admin_client.post(ADD.format("spendinglimit"), {"per_match": "0.5", "per_day": ""})
    assert ModelPrice.objects.values_list("model", "tokens_in", "tokens_out", "cached").get() == ("small", 0.5, 2, None)
    assert Endpoint.objects.values_list("at_once", "a_minute").get() == (4, 60)
    assert SpendingLimit.objects.values_list("per_match", "per_day").get() == (0.5, None)


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        ("modelprice", {"model": "small", "tokens_in": "-1", "tokens_out": "2"}),
        ("endpoint", {"provider": "openai", "base_url": "", "at_once": "0"}),
        ("endpoint", {"provider": "oracle", "base_url": "", "at_once": "3"}),
        ("spendinglimit", {"per_match": "-1"}),
    ],
)
def test_what_makes_no_sense_is_refused(admin_client, model, fields):
    page = admin_client.post(ADD.format(model), fields)
    assert page.status_code == 200
    assert b"errorlist" in page.content


def test_there_is_one_row_of_limits(admin_client):
    SpendingLimit.objects.create(per_day=1)
    assert admin_client.get(ADD.format("spendinglimit")).status_code == 403


def test_calls_and_sums_are_seen_and_cannot_be_changed(admin_client):
    ModelPrice.objects.create(model="small", tokens_in=1, tokens_out=1)
    with ModelServer() as server:
        profile(server)
        played(dealt("wire", "wire", "wire"))
    call, spent = Call.objects.first(), Spent.objects.get(what__startswith="match:")
    listed = admin_client.get("/admin/agents/call/").content.decode()
    assert "small-1" in listed and call.request in listed
    assert f"{call.match}" in admin_client.get("/admin/agents/spent/").content.decode()
    for path in (f"call/{call.pk}", f"spent/{spent.pk}"):
        assert admin_client.get(f"/admin/agents/{path}/change/").status_code == 200
        assert admin_client.post(f"/admin/agents/{path}/change/", {}).status_code == 403
        assert admin_client.post(f"/admin/agents/{path}/delete/", {"post": "yes"}).status_code == 403
    assert admin_client.get(ADD.format("call")).status_code == 403
