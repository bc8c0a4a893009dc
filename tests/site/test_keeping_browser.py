"""An admin keeps order in a real browser: a table that its person left is ended, and everybody reads why."""

import pytest
from playwright.sync_api import expect

from tests.browser import PHONE

pytestmark = pytest.mark.slow

OPEN = """
from games.models import GameSetting
from games.room import rooms
from django.core.management import call_command
call_command("load_fixtures", verbosity=0)
room = rooms.open_room(
    game="undercover", preset="party", seats=5, agents={n: "house" for n in range(1, 5)}, absence="wait",
    options={"discussion": "none"}, move_seconds=0,
)
type(room).objects.filter(pk=room.pk).update(pace=0)  # agents speak at once
result = [room.code, room.link]
"""

ADMIN = """
from django.contrib.auth.models import Group, User
from tests.stack import PASSWORD
user, _ = User.objects.get_or_create(username="orderly")
user.set_password(PASSWORD)
user.save()
user.groups.add(Group.objects.get(name="admin"))
"""

COUNTED = """
from evaluation.counting import stored
from games.models import Match
match = Match.objects.get(room__code={code!r})
mine = Match.objects.filter(pk=match.pk)
result = [match.status, mine.originals().count(), len(list(stored.records(mine)))]
"""


def test_an_admin_voids_a_table_that_its_person_left_and_the_replay_says_why(visit, stack):
    code, link = stack.shell(OPEN)
    stack.shell(ADMIN)
    ann = visit(PHONE)
    ann.goto(link)
    ann.fill("#sit-name", "Ann")
    ann.get_by_role("button", name="Sit down").click()
    ann.get_by_role("button", name="Start", exact=True).click()
    ann.locator("form.move[data-request]").first.wait_for(timeout=60_000)
    ann.goto("about:blank")  # she is gone, and the table waits for her
    admin = visit()
    admin.goto("/sign-in/?next=/desk/")
    visit.sign_in(admin, "orderly")
    admin.get_by_role("link", name="Keeping order").click()
    row = admin.get_by_role("row").filter(has_text=code)
    expect(row.get_by_role("cell").nth(2)).to_contain_text("Ann")
    row.get_by_role("link", name=code).click()
    admin.get_by_role("button", name="Declare it void").click()
    expect(admin.get_by_label("Why")).to_be_focused()  # the browser asks for a reason
    admin.get_by_label("Why").fill("Ann had to catch a train.")
    admin.get_by_role("button", name="Declare it void").click()
    expect(admin.get_by_role("status")).to_contain_text("Done.")
    assert stack.shell(COUNTED.format(code=code)) == ["void", 0, 0]
    admin.get_by_role("link", name="Replay", exact=True).click()
    feed = admin.locator("[data-feed]")
    expect(feed).to_contain_text("An admin ended it: Ann had to catch a train.")
    expect(feed).to_contain_text("It counts nowhere.")
    admin.goto("/desk/audit/?what=table")
    expect(admin.get_by_role("row").filter(has_text="Ann had to catch a train.")).to_have_count(1)
    ann.goto(link)
    expect(ann.locator("#feed")).to_contain_text("Ann had to catch a train.")
