"""An admin erases a person from a page: found by name, account or seat, also in imports; it says what will be gone."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from evaluation.exports.models import Ids
from evaluation.models import Export
from games.audit import Audited
from games.jobs import jobs
from games.match import importing, store, writer
from games.models import AccountKey, Job, Match
from tests.games.matches import dealt, exported, play_on, stored
from tests.people import account, signed_in

pytestmark = pytest.mark.django_db

ERASE = "/desk/erase/"


@pytest.fixture
def match() -> Match:
    return stored(play_on(dealt("undercover", "party", 5)))


@pytest.fixture
def admin() -> Client:
    return signed_in(account("ada", "admin"))


def erased(admin: Client, match: Match, seat: int = 1, **more) -> str:
    """Has whoever played a seat erased; gives what the page says afterwards."""
    given = {"match": str(match.pk), "seat": seat, "sure": "on"} | more
    answer = admin.post(ERASE, given)
    assert answer.status_code == 302, re.findall(r'role="alert">([^<]*)', answer.content.decode())
    jobs.work(Job.objects.latest("asked_at").pk)
    return admin.get(answer["Location"]).content.decode()


@pytest.mark.parametrize(("group", "status"), [("researcher", 403), ("rater", 403), ("admin", 200), ("", 302)])
def test_only_admins_erase(match, group, status):
    browser = signed_in(account("ada", group)) if group else Client()
    assert browser.get(ERASE).status_code == status
    answer = browser.post(ERASE, {"match": str(match.pk), "seat": 1, "sure": "on"})
    assert answer.status_code == (302 if status in (200, 302) else status)
    assert Job.objects.filter(kind="erase").exists() is (status == 200)


def test_a_post_needs_a_token(match):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(account("ada", "admin"))
    assert browser.post(ERASE, {"match": str(match.pk), "seat": 1, "sure": "on"}).status_code == 403


def test_a_person_is_found_by_name_account_and_seat_and_their_key_is_never_shown(admin, match):
    key = "k" * 24
    writer.reseat(match, 1, name="Quixotica", person=key)
    AccountKey.objects.create(user=User.objects.create_user("dulcinea"), key=key)
    for words in ("quixo", "DULCI"):
        shown = admin.get(ERASE, {"words": words}).content.decode()
        assert "Quixotica" in shown and "dulcinea" in shown and key not in shown
        assert f"?match={match.pk}&amp;seat=1" in shown
    about = admin.get(ERASE, {"match": str(match.pk), "seat": "1"}).content.decode()
    assert "Quixotica" in about and "dulcinea" in about and key not in about
    assert "Nobody was called so" in admin.get(ERASE, {"words": "Rocinante"}).content.decode()


@pytest.mark.parametrize(("match_id", "seat"), [("x", "1"), ("own", "x"), ("own", "3"), ("own", "99"), ("own", "")])
def test_who_cannot_be_found_is_a_sentence(admin, match, match_id, seat):
    given = {"match": str(match.pk) if match_id == "own" else match_id, "seat": seat}
    for ask in (admin.get, admin.post):
        answer = ask(ERASE, given)
        assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()


def test_what_it_says_will_be_gone_is_gone_with_the_account_and_it_is_noted(admin, match):
    user = account("ann-of-green", "rater")
    AccountKey.objects.create(user=user, key="ann")
    said = int(
        re.search(r"said</dt>\s*<dd>(\d+)", admin.get(ERASE, {"match": str(match.pk), "seat": "1"}).content.decode())[1]
    )
    assert said > 0
    shown = erased(admin, match, account="on")
    assert f"from how many matches: 1; things that they had said: {said}." in " ".join(shown.split())
    match.refresh_from_db()
    user.refresh_from_db()
    assert match.names()[1] == "Player 1" and match.seat_of("ann") is None
    assert (user.username, user.is_active, user.groups.count()) == (f"erased-{user.pk}", False, 0)
    note = Audited.objects.get(what="erased")
    assert note.account.username == "ada" and note.details["words"] == said and "ann" not in str(note.details)


def test_nobody_is_erased_unasked_twice_or_while_they_play(admin, match):
    assert admin.post(ERASE, {"match": str(match.pk), "seat": 1}).status_code == 422
    running = stored(play_on(dealt("undercover", "party", 5, seed=9), 4))
    answer = admin.post(ERASE, {"match": str(running.pk), "seat": 1, "sure": "on"})
    assert answer.status_code == 422 and "still play a match" in answer.content.decode()
    store.end(running.pk, "abandoned", "Tea.")
    erased(admin, match)
    assert admin.post(ERASE, {"match": str(match.pk), "seat": 1, "sure": "on"}).status_code == 422


def test_a_person_of_an_import_is_erased_by_match_and_seat(admin, match):
    lines = exported(match)
    match.delete()
    copy = importing.import_log(lines)
    assert "imported" in admin.get(ERASE, {"words": "Ann"}).content.decode()
    erased(admin, copy)
    copy.refresh_from_db()
    assert copy.names()[1] == "Player 1"


def test_the_last_admin_s_account_is_not_taken(match):
    ada = account("ada", "admin")
    AccountKey.objects.create(user=ada, key="ann")
    shown = erased(signed_in(ada, "ann"), match, account="on")
    assert "cannot switch your own account off" in shown
    match.refresh_from_db()
    assert match.names()[1] == "Ann"


def test_a_worker_that_dies_after_it_was_done_says_what_was_done(admin, match):
    erased(admin, match)
    job = Job.objects.get(kind="erase")
    Job.objects.filter(pk=job.pk).update(state=Job.State.WAITING, result=None)
    jobs.work(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE and job.result["matches"] == 1
    assert Audited.objects.filter(what="erased").count() == 1


def test_it_names_the_exports_that_held_them(admin, match):
    Export.objects.create(name="for Bob", sha256="0" * 64, holds=Ids.of([match.pk]))
    Export.objects.create(name="for Cleo", sha256="0" * 64, holds=Ids.of([]))
    shown = erased(admin, match)
    assert "for Bob" in shown and "for Cleo" not in shown
    file = admin.get(re.search(r"/withdrawals/[^\"]+", shown)[0])
    assert file.json()["seats"][0]["match"] == str(match.pk)
