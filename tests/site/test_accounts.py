"""Admins make accounts and say who is in which group, without being superusers and without getting beyond an admin."""

import re

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

from games.audit import Audited
from games.room import membership
from tests.people import account, signed_in

pytestmark = pytest.mark.django_db

ACCOUNTS = "/desk/accounts/"


@pytest.fixture
def admin() -> User:
    return account("ada", "admin")


def page(user: User) -> str:
    return f"{ACCOUNTS}{user.pk}/"


def groups_of(user: User) -> set[str]:
    return set(user.groups.values_list("name", flat=True))


@pytest.mark.parametrize(("group", "status"), [("researcher", 403), ("rater", 403), ("admin", 200), ("", 302)])
def test_only_admins_keep_accounts(group, status):
    bob = account("bob", "rater")
    browser = signed_in(account("ada", group)) if group else Client()
    assert browser.get(ACCOUNTS).status_code == browser.get(page(bob)).status_code == status
    refused = status if status != 200 else None
    for address in (ACCOUNTS, page(bob), f"{page(bob)}link/"):
        answer = browser.post(address, {"name": "cleo", "groups": "admin"})
        assert refused in (None, answer.status_code)
    assert (groups_of(bob) == {"rater"}) is (refused is not None)
    assert browser.get(f"{page(bob)}link/").status_code == 405


def test_a_post_needs_a_token(admin):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(admin)
    assert browser.post(ACCOUNTS, {"name": "cleo", "groups": "admin"}).status_code == 403
    assert not User.objects.filter(username="cleo").exists()


def test_a_new_account_chooses_its_password_by_a_link_that_works_once(admin):
    shown = signed_in(admin).post(ACCOUNTS, {"name": "cleo", "groups": ["rater", "researcher"]}).content.decode()
    cleo = User.objects.get(username="cleo")
    assert groups_of(cleo) == {"rater", "researcher"} and not (cleo.is_staff or cleo.is_superuser)
    assert not cleo.has_usable_password()
    path = re.search(r'value="http://testserver(/sign-in/choose/[^"]+)"', shown)[1]
    owner = Client()
    form = owner.get(path, follow=True)
    chosen = {"new_password1": "a quiet morning", "new_password2": "a quiet morning"}
    assert owner.post(form.redirect_chain[-1][0], chosen).status_code == 302
    assert Client().login(username="cleo", password="a quiet morning")
    assert "was used already" in Client().get(path, follow=True).content.decode()
    noted = [(row.account_id, row.whom_id, row.details) for row in Audited.objects.filter(whom=cleo).order_by("pk")]
    assert noted[0] == (admin.pk, cleo.pk, {"is_superuser": [None, False], "is_staff": [None, False]} | noted[0][2])
    assert {row[2]["given"] for row in noted[1:]} == {"rater", "researcher", "a link to choose a password"}


@pytest.mark.parametrize("name", ["", "  ", "a b", "ADA", "x" * 61])
def test_a_name_that_cannot_be_is_said_and_what_was_typed_stays(admin, name):
    answer = signed_in(admin).post(ACCOUNTS, {"name": name, "groups": "rater"})
    assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()
    assert User.objects.count() == 1


def test_groups_are_given_and_taken_and_accounts_are_switched_off(admin):
    bob, browser = account("bob", "researcher"), signed_in(admin)
    owner = signed_in(bob)
    assert browser.post(page(bob), {"groups": ["rater"], "active": "on"}).status_code == 302
    assert groups_of(bob) == {"rater"}
    assert browser.post(page(bob), {"groups": ["rater"]}).status_code == 302
    bob.refresh_from_db()
    assert not bob.is_active
    assert owner.get("/desk/").status_code == 302  # signed out


def test_nobody_gets_beyond_an_admin(admin):
    browser, chief = signed_in(admin), User.objects.create_superuser("chief")
    assert browser.post(page(chief), {"groups": []}).status_code == 422
    assert browser.post(f"{page(chief)}link/").status_code == 422
    chief.refresh_from_db()
    assert chief.is_active
    for more in ({"is_superuser": "on"}, {"is_staff": "on"}, {"user_permissions": "1"}):
        browser.post(page(admin), {"groups": ["admin"], "active": "on"} | more)
    admin.refresh_from_db()
    assert not (admin.is_superuser or admin.is_staff or admin.user_permissions.exists())
    special = Group.objects.create(name="special")
    special.permissions.add(Permission.objects.get(codename="delete_user"))
    assert browser.post(page(admin), {"groups": ["admin", "special"], "active": "on"}).status_code == 422
    Group.objects.get(name="rater").permissions.add(Permission.objects.get(codename="delete_user"))
    bob = account("bob", "researcher")
    assert browser.post(page(bob), {"groups": ["rater"], "active": "on"}).status_code == 422
    assert groups_of(bob) == {"researcher"} and groups_of(admin) == {"admin"}


def test_the_last_admin_stays(admin):
    browser = signed_in(admin)
    for form in ({"groups": ["researcher"], "active": "on"}, {"groups": ["admin"]}):
        answer = browser.post(page(admin), form)
        assert answer.status_code == 422
    assert groups_of(admin) == {"admin"}
    bob = account("bob", "admin")
    assert browser.post(page(bob), {"groups": ["researcher"], "active": "on"}).status_code == 302
    assert browser.post(page(admin), {"groups": ["researcher"], "active": "on"}).status_code == 422


def test_each_group_of_the_site_is_offered():
    assert set(membership.GROUPS) == set(Group.objects.values_list("name", flat=True))


def test_the_list_is_chosen_by_name_and_group(admin):
    for name in ("bob", "bobby", "cleo"):
        account(name, "rater")
    browser = signed_in(admin)
    for given, there in (({"words": "BOB"}, {"bob", "bobby"}), ({"group": "admin"}, {"ada"}), ({"words": "zz"}, set())):
        shown = browser.get(ACCOUNTS, given)
        assert {user.username for user in shown.context["page"].rows} == there
