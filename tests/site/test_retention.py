"""What is let go of after so many days: by default nothing; what would go is told before, and no number changes."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import models
from django.test import Client

from evaluation.counting import boards
from games import audit, retention
from games.audit import Audited
from games.match.rows import Event, PromptText
from games.models import Match, Room, RoomMessage
from magic_site import clock
from tests.games.matches import dealt, play_on, prompted, stored
from tests.people import account, signed_in

pytestmark = pytest.mark.django_db

PAGE = "/desk/retention/"


@pytest.fixture
def admin() -> Client:
    return signed_in(account("ada", "admin"))


@pytest.fixture
def old() -> dict[str, object]:
    """One thing of each kind that is a hundred days old; as much is new."""
    long_ago = clock.now() - timedelta(100)
    for since in (None, long_ago):
        over = stored(play_on(dealt("undercover", "wiu", 5, seed=1 if since else 2)))
        over.thoughts.update(pieces=prompted(over, "You are Ann."))
        room = Room.objects.create(game="undercover", preset="party", host="ann")
        running = stored(play_on(dealt("undercover", "party", 5), 4), room=room)
        user = User.objects.create_user("old" if since else "new")
        Event.objects.filter(match=running).update(at=since or clock.now())
        if since:
            Match.objects.filter(pk=over.pk).update(ended_at=since)
            User.objects.filter(pk=user.pk).update(date_joined=since)
        said = RoomMessage.objects.create(
            room=room, number=1, channel="room", person="ann", mark="m", name="Ann", text="Hi"
        )
        RoomMessage.objects.filter(pk=said.pk).update(at=since or clock.now())
    return {"over": over, "running": running, "user": user}


@pytest.mark.parametrize(("group", "status"), [("researcher", 403), ("rater", 403), ("admin", 200), ("", 302)])
def test_only_admins_say_how_long_things_are_kept(group, status):
    browser = signed_in(account("ada", group)) if group else Client()
    assert browser.get(PAGE).status_code == status
    browser.post(PAGE, {"prompts": "5", "keep": "1"})
    assert (retention.days()["prompts"] == 5) is (status == 200)


def test_by_default_all_is_kept(old):
    before = {model: model.objects.count() for model in (Audited, PromptText, Match)}
    assert retention.let_go() == {}
    assert {model: model.objects.count() for model in before} == before
    assert set(retention.days().values()) == {None}


def test_what_would_go_is_told_and_goes_only_when_it_is_kept_so_and_is_noted(admin, old):
    models.QuerySet(Audited)  # the audit's own rows are of today
    before = boards.counted(boards.Choice())[0]
    shown = admin.post(PAGE, {"prompts": "50", "tables": "50", "accounts": "50", "audit": "90", "talk": "50"})
    assert {row["name"]: row["would"] for row in shown.context["rows"]} == {
        "prompts": 1, "tables": 1, "accounts": 1, "audit": 0, "talk": 1,
    }  # fmt: skip
    assert retention.let_go() == {}
    wanted = {"prompts": "50", "tables": "50", "accounts": "50", "talk": "50"}
    assert admin.post(PAGE, wanted | {"keep": "1"}).status_code == 302
    assert retention.let_go() == dict.fromkeys(wanted, 1)
    assert RoomMessage.objects.count() == 1
    for row in old.values():
        row.refresh_from_db()
    assert not old["over"].prompt_texts.exists() and old["over"].thoughts.exists()
    assert old["running"].status == "abandoned"
    assert "50 days" in old["running"].events.get(kind="ended").data["reason"]
    assert not old["user"].is_active and User.objects.get(username="new").is_active
    assert Match.objects.filter(status="running").count() == 1 and PromptText.objects.exists()
    assert retention.let_go() == {}
    noted = [(row.by, row.about, row.details) for row in Audited.objects.filter(what="retention").order_by("pk")]
    assert ("", "prompts", {"days": 50}) in noted and ("retention", "tables", {"gone": 1, "days": 50}) in noted
    old["running"].delete()
    assert boards.counted(boards.Choice())[0] == before


def test_admins_are_never_switched_off(admin):
    User.objects.create_superuser("chief")
    User.objects.update(date_joined=clock.now() - timedelta(1000), last_login=None)
    retention.put({"accounts": 30}, None)
    assert retention.let_go() == {}


def test_old_notes_go_and_that_they_went_is_noted(monkeypatch):
    audit.note("table", by="a test", about="old")
    monkeypatch.setattr(retention, "_before", lambda days: clock.now() + timedelta(days))
    retention.put({"audit": 90}, None)
    retention.let_go()
    assert list(Audited.objects.values_list("about", "details__gone")) == [("audit", 2)]


@pytest.mark.parametrize("wrong", ["x", "0", "-3", "1.5", "99999999", "29"])
def test_days_that_make_no_sense_are_said_and_nothing_holds(admin, wrong):
    answer = admin.post(PAGE, {"accounts": wrong, "keep": "1"})
    assert answer.status_code == 422 and f'value="{wrong}"' in answer.content.decode()
    assert retention.days()["accounts"] is None
