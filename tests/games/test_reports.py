"""What people report, and what an admin decides about it."""

import pytest
from django.contrib.auth.models import Group, User
from django.core.cache import cache
from django.test import Client

from games.audit import Audited
from games.match import store
from games.models import AccountKey, Report, Room, RoomMessage, ShutOut
from games.rules.values import ERASED
from magic_site import rights
from tests.games.tables import browser
from tests.games.talking import page, playing, put_out, say, talkative

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


@pytest.fixture
def admin() -> Client:
    ada = User.objects.create_user("ada")
    ada.groups.add(Group.objects.get(name=rights.ADMIN))
    client = Client()
    client.force_login(ada)
    return client


def reported(room: Room, person: str, line: str) -> Report:
    answer = browser(person).post(f"/t/{room.code}/report/", {"line": line})
    assert answer.status_code == 302
    return Report.objects.latest("pk")


def decide(admin: Client, report: Report, *what: str, reason: str = "Rude words"):
    return admin.post(f"/desk/reports/{report.pk}/", {"what": what, "reason": reason})


def test_a_report_stands_in_the_queue_with_the_lines_around_it_and_without_who_sent_it(admin):
    room = talkative()
    for n in range(12):
        say("key-1", room, f"line {n}", "room")
    report = reported(room, "key-2", "m6")
    assert f"/desk/reports/{report.pk}/" in admin.get("/desk/reports/").content.decode()
    shown = admin.get(f"/desk/reports/{report.pk}/").content.decode()
    assert "<mark>line 5</mark>" in shown and "line 1\n" in shown and "line 9\n" in shown
    assert "line 0\n" not in shown and "line 10" not in shown and "Ben" not in shown and "key-2" not in shown
    assert "report" not in page("key-1", room).split('id="speak"')[0].casefold()


@pytest.mark.parametrize("running", [True, False])
def test_an_admin_deletes_the_words_of_one_line_and_says_why(admin, running):
    match = playing()
    room = match.room
    say("key-2", room, "xylophagous", "all")
    say("key-2", room, "and so on", "all")
    seq = store.load(match).log[-2].seq
    if not running:
        store.end(match.pk, "abandoned", "enough")
    report = reported(room, "key-1", f"e{seq}")
    assert decide(admin, report, "words", reason=" ").status_code == 422
    assert decide(admin, report).status_code == 422
    assert decide(admin, report, "words").status_code == 302
    match.refresh_from_db()
    log = store.load(match).log
    assert log[seq - 1].data["text"] == ERASED and log[seq].data["text"] == "and so on"
    assert "xylophagous" not in page("key-1", room) and match.names()[2] == "Ben"
    noted = Audited.objects.get(about="report: words")
    assert noted.details == {"reason": "Rude words"} and noted.account.username == "ada"
    assert decide(admin, report, "nothing").status_code == 422
    assert f"/desk/reports/{report.pk}/" not in admin.get("/desk/reports/").content.decode()


def test_words_in_the_waiting_room_are_taken_away_and_who_said_them_is_shut_out(admin):
    room = talkative()
    say("key-2", room, "xylophagous", "room")
    report = reported(room, "key-1", "m1")
    eve = User.objects.create_user("eve")
    AccountKey.objects.create(user=eve, key="key-2")
    assert decide(admin, report, "words", "talk").status_code == 302
    assert RoomMessage.objects.get().text == ERASED
    assert say("key-2", room, "again", "room").status_code == 422
    other = browser("another cookie")
    other.force_login(eve)
    assert other.post(f"/t/{room.code}/talk/", {"text": "again", "to": "room", "name": "Eve"}).status_code == 422
    (shut,) = ShutOut.objects.all()
    assert admin.post(f"/desk/reports/{shut.pk}/let-in/", {"reason": "Said sorry"}).status_code == 302
    assert say("key-2", room, "again", "room").status_code == 302


@pytest.mark.parametrize("running", [True, False])
def test_who_is_sent_away_from_the_table_does_not_come_back(admin, running):
    match = playing()
    room = match.room
    say("key-2", room, "xylophagous", "all")
    seq = store.load(match).log[-1].seq
    if not running:
        store.end(match.pk, "abandoned", "enough")
    assert decide(admin, reported(room, "key-1", f"e{seq}"), "table").status_code == 302
    room.refresh_from_db()
    assert room.kicked == ["key-2"] and not room.seats.filter(person="key-2").exists()
    assert browser("key-2").get(room.link).status_code == 403
    assert say("key-2", room, "again", "all").status_code == 403


def test_the_queue_is_for_admins_who_do_not_play_there(admin):
    match = playing()
    room = match.room
    put_out(match, 1)
    say("key-1", room, "giraffe", "out")
    report = reported(room, "key-1", f"e{store.load(match).log[-1].seq}")
    shown = admin.get(f"/desk/reports/{report.pk}/").content.decode()
    assert "giraffe" in shown
    assert Audited.objects.filter(what=Audited.What.LOOKED, match=match.pk, about="1").exists()
    AccountKey.objects.filter(user__username="ada").update(key="key-3")
    shown = admin.get(f"/desk/reports/{report.pk}/").content.decode()
    assert "giraffe" not in shown and decide(admin, report, "nothing").status_code == 422
    for address in ("/desk/reports/", f"/desk/reports/{report.pk}/", "/desk/reports/1/let-in/"):
        assert Client().post(address).status_code in (302, 403, 405)
        assert browser("key-2").get(address).status_code in (302, 403, 405)
