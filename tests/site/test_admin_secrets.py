"""An admin who sits at a running match sees of it in the admin what a player sees: nothing of the other seats."""

import pytest
from django.contrib import admin as site
from django.contrib.auth.models import Group, User
from django.test import Client

from agents import spending
from agents.models import AgentProfile, Call, Endpoint, ModelPrice, SpendingLimit, Spent
from games.admin import MatchDataAdmin
from games.match.rows import Attempt, Event, Thought
from games.models import AccountKey, GameSetting, Match
from games.room.people import COOKIE
from games.rules.values import Attempt as Tried
from tests.games.matches import dealt, play_on, stored, visitor

pytestmark = pytest.mark.django_db

OF_A_MATCH = {
    Match: lambda match: {"pk": match.pk},
    Event: lambda match: {"match": match},
    Thought: lambda match: {"match": match},
    Attempt: lambda match: {"match": match},
    Call: lambda match: {"match": match.pk},
    Spent: lambda match: {"what__in": spending.names(match.pk)},
}
"""Where each kind of row that the admin shows of matches is found. A new one has its line here, or below."""

OF_NO_MATCH = {User, Group, AgentProfile, ModelPrice, Endpoint, SpendingLimit, GameSetting}


@pytest.fixture
def match() -> Match:
    """A match that Ann and Ben play, with an agent's thoughts, attempts, calls and costs."""
    play = play_on(dealt("undercover", "wiu", 5), 6)
    asked = next(event for event in play.log if event.by.startswith("agent:"))
    attempts = [Tried(asked.request, asked.seat, "agent:house", "malformed", "No.", {"text": "x"})]
    match = stored(play, attempts=attempts)
    Call.objects.create(
        match=match.pk, request=asked.request, seat=asked.seat, stage="s", nth=1, key="k", provider="openai", model="m",
        reply="REPLY",
    )  # fmt: skip
    spending.add(match.pk, 0.5)
    return match


def signed_in(person: str, name: str = "ada") -> Client:
    client = visitor(person)
    user, new = User.objects.get_or_create(username=name, is_staff=True)
    if new:
        user.groups.add(Group.objects.get(name="admin"))
    client.force_login(user)
    return client


def test_each_model_of_the_admin_is_known_to_hold_data_of_matches_or_not():
    assert set(site.site._registry) == OF_A_MATCH.keys() | OF_NO_MATCH
    for model in OF_A_MATCH:
        assert isinstance(site.site._registry[model], MatchDataAdmin), f"{model.__name__} is shown unfiltered"


@pytest.mark.parametrize("model", OF_A_MATCH, ids=lambda model: model.__name__)
def test_of_the_own_running_match_nothing_is_listed_and_no_row_opens(match, model):
    rows = model.objects.filter(**OF_A_MATCH[model](match))
    listed = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    seated, other = signed_in("ann"), signed_in("eve", "eve")
    assert rows.exists()
    assert other.get(listed).context["cl"].result_count == model.objects.count()
    assert seated.get(listed).context["cl"].result_count == model.objects.count() - rows.count()
    row = rows.last()
    assert other.get(f"{listed}{row.pk}/change/").status_code == 200
    for page in ("change", "history"):
        assert seated.get(f"{listed}{row.pk}/{page}/").status_code in (302, 404)


# The account is the person ------------------------------------------------------------------------------------------


def taken_away(client: Client, match: Match) -> str:
    """The log that this browser may take away."""
    return client.get(f"/m/{match.pk}/export/").content.decode()


def test_who_throws_the_cookie_away_sits_where_they_sat(match):
    client = signed_in("ann")
    before = taken_away(client, match)
    assert '"thought"' not in before and '"seed":0' in before
    del client.cookies[COOKIE]
    assert taken_away(client, match) == before
    assert client.get("/admin/games/event/").context["cl"].result_count == 0
    client.cookies[COOKIE] = visitor("somebody-else").cookies[COOKIE].value
    assert taken_away(client, match) == before


def test_who_signs_in_elsewhere_sits_where_they_sat(match):
    before = taken_away(signed_in("ann"), match)
    elsewhere = Client()
    elsewhere.force_login(User.objects.get(username="ada"))
    assert taken_away(elsewhere, match) == before


def test_the_seats_of_a_browser_become_the_accounts(match):
    signed_in("first").get("/")
    assert '"seed":0' in taken_away(signed_in("ann"), match)
    match.refresh_from_db()
    assert match.seat_of("first") == 1
    assert set(AccountKey.objects.values_list("key", flat=True)) == {"first", "ann"}


def test_the_person_of_one_account_never_becomes_anothers(match):
    signed_in("ann").get("/")
    signed_in("ann", "eve").get("/")
    match.refresh_from_db()
    assert match.seat_of("ann") == 1
    assert AccountKey.objects.get(key="ann").user.username == "ada"
    assert AccountKey.objects.filter(user__username="eve").count() == 1


def test_who_sits_twice_keeps_both_seats(match):
    signed_in("ann").get("/")
    signed_in("ben").get("/")
    match.refresh_from_db()
    assert (match.seat_of("ann"), match.seat_of("ben")) == (1, 2)


def test_the_key_is_on_no_page(match):
    client = signed_in("a-very-secret-key")
    client.get("/")
    user = User.objects.get()
    User.objects.filter(pk=user.pk).update(is_superuser=True)
    for page in ("change", "delete"):
        assert "a-very-secret-key" not in client.get(f"/admin/auth/user/{user.pk}/{page}/").content.decode()
