"""What goes into the audit, whatever way it is done; that it stays, and what erasing a person leaves of it."""

import csv
import json
import re
from io import StringIO
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from agents.models import AgentProfile, SpendingLimit
from games import audit
from games.audit import Audited
from games.match import beginning, erasing, store, writer
from games.models import Match, Room
from tests.games.matches import dealt, play_on, stored, visitor
from tests.people import account, signed_in
from tests.programs import key_of
from tests.site.test_admin_secrets import OF_A_MATCH

pytestmark = pytest.mark.django_db


def noted(what: str) -> list[Audited]:
    return list(Audited.objects.filter(what=what).order_by("pk"))


@pytest.fixture
def running() -> Match:
    room = Room.objects.create(game="undercover", preset="party", host="ann")
    return stored(play_on(dealt("undercover", "party", 5), 6), room=room)


# Who looked ---------------------------------------------------------------------------------------------------------


def pages_of_a_match(found: URLResolver | None = None, before: str = "") -> list[str]:
    """The address of every page that is of one match."""
    pages = []
    for one in (found or get_resolver()).url_patterns:
        path = before + str(one.pattern)
        if isinstance(one, URLResolver):
            pages += pages_of_a_match(one, path) if one.app_name != "admin" else []
        elif isinstance(one, URLPattern) and "<uuid:match_id>" in path:
            pages.append(path)
    return pages


def address(page: str, match: Match) -> str:
    key = match.thoughts.first().pk
    return "/" + page.replace("<uuid:match_id>", str(match.pk)).replace("<int:key>", str(key))


@pytest.mark.parametrize("page", pages_of_a_match())
def test_each_page_of_a_running_match_that_shows_what_is_hidden_is_noted_once(running, page):
    user = account("ada", "researcher")
    browser, at = signed_in(user), address(page, running)
    if page.startswith("api/"):  # where no cookie counts
        browser = Client(headers={"Authorization": f"Bearer {key_of('eve', user=user)}"})
    for _again in range(2):
        answer = browser.get(at, {"as": "all"})
        if answer.status_code == 422:  # it tells everything, and takes no viewer
            answer = browser.get(at)
    if answer.status_code == 405:  # it only takes posts, and shows nothing
        assert noted("looked") == []
        return
    (look,) = noted("looked")
    assert (look.account_id, look.match, look.about) == (user.pk, running.pk, "all")


def test_another_seat_is_another_look_and_the_public_view_is_none(running):
    browser = signed_in(account("ada", "researcher"))
    page = f"/m/{running.pk}/"
    browser.get(page)
    assert noted("looked") == []
    for seen_as in ("1", "2", "1"):
        browser.get(page, {"as": seen_as})
    assert [look.about for look in noted("looked")] == ["1", "2"]


def test_the_own_seat_and_a_match_that_is_over_are_no_looks(running):
    visitor("ann").get(f"/m/{running.pk}/")
    seated = account("ann", "researcher")
    signed_in(seated, "ann").get(f"/m/{running.pk}/", {"as": "1"})
    store.end(running.pk, "abandoned", "Tea.")
    signed_in(account("ada", "researcher")).get(f"/m/{running.pk}/", {"as": "all"})
    assert noted("looked") == []


def test_a_fork_that_is_over_tells_what_its_running_parent_hides(running):
    fork = beginning.fork(running, 8)
    store.end(fork.pk, "abandoned", "Tea.")
    signed_in(account("ada", "researcher")).get(f"/m/{fork.pk}/", {"as": "all"})
    assert [look.match for look in noted("looked")] == [fork.pk]


def test_who_tries_an_agent_at_a_running_match_looks_at_it(running):
    signed_in(account("ada", "researcher")).get("/try/", {"match": str(running.pk)})
    assert [(look.match, look.details["page"]) for look in noted("looked")] == [(running.pk, "try")]


def test_who_finds_words_that_were_thought_in_a_running_match_looks_at_it(running):
    browser = signed_in(account("ada", "researcher"))
    browser.get("/matches/", {"words": "coffee-like nonsense"})
    assert noted("looked") == []
    browser.get("/matches/", {"words": "REPLY"})
    assert [(look.match, look.details["page"]) for look in noted("looked")] == [(running.pk, "words")]


@pytest.mark.parametrize("model", OF_A_MATCH, ids=lambda model: model.__name__)
def test_rows_of_running_matches_in_the_admin_are_looks(running, model):
    from agents import spending
    from agents.models import Call
    from games.match.rows import Attempt

    one = {"match": running, "seat": 3, "request": "r", "by": "agent:house", "code": "x", "sentence": "x"}
    Attempt.objects.create(**one, instead="asked again", at=running.created_at)
    Call.objects.create(
        match=running.pk, request="r", seat=3, stage="s", nth=1, key="k", provider="openai", model="m", reply="x"
    )
    spending.add(running.pk, 0.5)
    browser = signed_in(account("ada", "admin", is_staff=True))
    row = model.objects.filter(**OF_A_MATCH[model](running)).last()
    listed = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    assert browser.get(listed).status_code == 200
    assert browser.get(f"{listed}{row.pk}/change/").status_code == 200
    tells = model.__name__ != "Spent"
    assert [look.match for look in noted("looked")] == [running.pk] * tells


# What was taken away and brought ------------------------------------------------------------------------------------


def test_logs_that_are_taken_away_and_brought_are_noted(running, tmp_path):
    store.end(running.pk, "abandoned", "Tea.")
    admin = account("ada", "admin", is_staff=True)
    browser, file = signed_in(admin), tmp_path / "log.jsonl"
    browser.get(f"/m/{running.pk}/export/", {"as": "all"})
    browser.post("/admin/games/match/", {"action": "download", "_selected_action": str(running.pk)})
    call_command("export_match", str(running.pk), out=file)
    visitor("ben").get(f"/m/{running.pk}/export/")  # what anybody may have is nobody's doing
    assert [(one.account_id, one.by, one.details["seen_as"]) for one in noted("exported")] == [
        (admin.pk, "", "all"),
        (admin.pk, "", "all"),
        (None, "manage.py export_match", "all"),
    ]
    Match.objects.all().delete()
    call_command("import", str(file), stdout=StringIO(), stderr=StringIO())
    assert [(one.by, one.details["new"]) for one in noted("imported")] == [("manage.py import", 1)]


# Rights -------------------------------------------------------------------------------------------------------------


def test_whoever_changes_rights_is_noted_with_what_they_changed():
    chief = User.objects.create_superuser("chief")
    browser = signed_in(chief)
    bob = User.objects.create_user("bob")
    before = Audited.objects.count()
    page = f"/admin/auth/user/{bob.pk}/change/"
    form = {"username": "bob", "is_active": "on", "is_staff": "on", "groups": Group.objects.get(name="admin").pk}
    form |= {"date_joined_0": "2026-01-01", "date_joined_1": "10:00:00"}
    assert browser.post(page, form).status_code == 302
    SpendingLimit.objects.create(per_day=3)
    changes = [(one.account_id, one.whom_id, one.about, one.details) for one in noted("rights")[before:]]
    assert changes[:2] == [
        (chief.pk, bob.pk, f"account {bob.pk}", {"is_staff": [False, True]}),
        (chief.pk, bob.pk, f"account {bob.pk}", {"given": "admin"}),
    ]
    assert changes[2][:3] == (None, None, "spending limit") and changes[2][3]["per_day"] == [None, 3]


def test_each_kind_of_right_is_noted_from_either_side():
    bob, group = User.objects.create_user("bob"), Group.objects.get(name="researcher")
    right = Permission.objects.get(codename="see_thoughts")
    profile = AgentProfile.objects.create(name="m", title="M", provider="house", method="house")
    before = Audited.objects.count()
    group.user_set.add(bob)
    bob.groups.add(group)  # is in it already
    bob.groups.clear()
    bob.user_permissions.add(right)
    right.user_set.remove(bob)
    group.permissions.remove(right)
    profile.seated_by = "everyone" if profile.seated_by != "everyone" else "researchers"
    profile.save()
    bob.last_login = bob.date_joined
    bob.save()
    told = [(one.about, *one.details) for one in noted("rights")[before:]]
    holder = f"account {bob.pk}"
    assert told == [
        (holder, "given"), (holder, "taken"), (holder, "given"), (holder, "taken"), ("group researcher", "taken"),
        ("agent m", "seated_by"),
    ]  # fmt: skip


def test_a_new_version_gives_its_groups_their_rights_without_a_note():
    Group.objects.all().delete()
    before = Audited.objects.count()
    call_command("migrate", verbosity=0)
    assert Group.objects.get(name="admin").permissions.filter(codename="keep_order").exists()
    assert Audited.objects.count() == before


# That it stays ------------------------------------------------------------------------------------------------------


def test_nothing_noted_can_be_changed_or_deleted():
    row = audit.note("table", by="a test", about="end", reason="Tea.")
    row.what = "looked"
    for change in (row.save, row.delete, Audited.objects.all().delete, lambda: Audited.objects.update(what="looked")):
        with pytest.raises(TypeError):
            change()
    for column, value in (("what", "looked"), ("at", "2026-01-01"), ("match", uuid4().hex), ("account_id", 1)):
        with pytest.raises(DatabaseError, match="cannot be changed"), transaction.atomic(), connection.cursor() as sql:
            sql.execute(f"UPDATE games_audited SET {column} = %s", [value])  # noqa: S608
    assert Audited.objects.get().what == "table"


def test_an_erased_person_is_not_named_and_what_was_done_stays(running):
    store.end(running.pk, "abandoned", "Tea.")
    writer.reseat(running, 1, name="Quixotica")
    audit.note("table", by="a test", match=running, about="end", reason="Quixotica went away.")
    erasing.erase("ann")
    (row,) = noted("table")
    assert row.details == {"reason": "Player 1 went away."}


def test_it_holds_no_role_word_or_thought(running):
    browser = signed_in(account("ada", "researcher"))
    for page in pages_of_a_match():
        browser.get(address(page, running), {"as": "all"})
    held = json.dumps([[row.about, row.details] for row in Audited.objects.all()]).casefold()
    secrets = [*running.setting.values(), "undercover", "civilian", "reply", "prompt"]
    assert not [secret for secret in secrets if str(secret).casefold() in held]


# The page -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["/desk/audit/", "/desk/audit/audit.csv"])
@pytest.mark.parametrize(("group", "status"), [("researcher", 403), ("rater", 403), ("admin", 200), ("", 302)])
def test_only_admins_read_it_and_nobody_posts_to_it(page, group, status):
    browser = signed_in(account("ada", group)) if group else visitor("eve")
    assert browser.get(page).status_code == status
    assert browser.post(page).status_code == 405


def test_it_is_chosen_by_what_who_whom_match_and_day():
    ada, bob = account("ada", "admin"), account("bob", "researcher")
    browser, match = signed_in(ada), uuid4()
    audit.note("looked", by=bob, match=match, about="all", page="replay")
    audit.note("erased", by="manage.py erase_person", about="seat 3")
    today = str(Audited.objects.latest("pk").at.date())
    shown = {
        "what=looked": ["replay"],
        "what=erased": ["seat 3"],
        f"match={match}": ["replay"],
        "who=BOB&what=looked": ["replay"],
        f"who={bob.pk}&what=rights": ["researcher"],
        "who=manage.py+erase_person": ["seat 3"],
        f"since={today}&until={today}&what=erased": ["seat 3"],
        "until=2020-01-01": [],
    }
    for given, words in shown.items():
        page = browser.get(f"/desk/audit/?{given}")
        found = [word for word in ("replay", "seat 3") if word in page.content.decode()]
        assert page.status_code == 200
        assert found == [word for word in words if word in ("replay", "seat 3")], given
        assert all(word in page.content.decode() for word in words)
    for wrong in ("match=x", "since=x", "until=9999-12-31"):
        assert browser.get(f"/desk/audit/?{wrong}").status_code == 422


def test_a_page_of_it_begins_beside_a_row(django_assert_max_num_queries):
    browser = signed_in(account("ada", "admin"))
    for number in range(120):
        audit.note("table", by="a test", about=f"order {number:03}")
    seen, address = [], "/desk/audit/?what=table"
    for _page in range(3):
        with django_assert_max_num_queries(9):
            answer = browser.get(address)
        seen += re.findall(r"order \d{3}", answer.content.decode())
        older = answer.context["page"].older
        address = f"/desk/audit/?what=table&at={older}"
    assert seen == [f"order {number:03}" for number in reversed(range(120))] and not older


def test_the_file_of_it_is_noted_and_no_cell_of_it_is_a_formula():
    ada = account("ada", "admin")
    audit.note("table", by="=cmd()", about="end", reason="a, b")
    rows = list(csv.DictReader(StringIO(b"".join(signed_in(ada).get("/desk/audit/audit.csv")).decode())))
    assert [(row["what"], row["who"], row["details"]) for row in rows if row["what"] != "rights"] == [
        ("table", "'=cmd()", '{"reason": "a, b"}'),
        ("exported", "ada", '{"chosen": {}}'),
    ]
    assert noted("exported")[0].about == "audit"


def test_an_account_that_is_gone_is_a_number():
    ada, bob = account("ada", "admin"), account("bob", "researcher")
    key = bob.pk
    bob.delete()
    shown = signed_in(ada).get("/desk/audit/", {"who": str(key)}).content.decode()
    assert f"account {key}" in shown and "bob" not in shown
