"""A judging in a real browser: planned, worked through by real workers, and checked by a person."""

import json
import re

from evaluation.metrics.recon import DIMENSIONS
from tests.model_server import ModelServer, good

MATCH = """
from agents.models import AgentProfile
from games.match import pending
from tests.games.tables import match_at, play_out, room_of
pending.dispatch = lambda *call: None
play_out(match_at(room_of(6, "avalon", "recon", 6)))
for name, method in (("plain", "direct"), ("deep", "recon"), ("judge", "direct")):
    AgentProfile.objects.create(
        name=name, title=name, provider="openai", base_url={address!r}, model=name, method=method
    )
"""


def answer(call):
    """The judge prefers the longer reply; everybody else gives any legal answer."""
    if call.model != "judge":
        return good()
    first, second = re.findall(r"REPLY\n<said>(.*?)</said>", call.prompt)
    said = "tie" if len(first) == len(second) else "first" if len(first) > len(second) else "second"
    return good(json.dumps({"thought": "Longer."} | dict.fromkeys(DIMENSIONS, said)))


def test_a_judging_is_begun_followed_and_checked(stack, visit):
    with ModelServer(answer) as server:
        stack.shell(MATCH.format(address=server.openai_url))
        page = visit()
        page.goto("/judge/new/")
        visit.sign_in(page, stack.researcher("judith"))
        page.fill("[name=name]", "Deep beside plain")
        page.select_option("[name=judge]", "judge")
        page.check("input[value=plain]")
        page.check("input[value=deep]")
        page.select_option("[name=source]", "game:avalon")
        page.fill("[name=take]", "2")
        page.click("button:has-text('Begin')")
        page.get_by_role("heading", name="8 of 8 replies and verdicts").wait_for()
        page.get_by_role("heading", name="deep beside plain", exact=True).wait_for()
        assert page.locator("meter").count() == len(DIMENSIONS)
    page.set_viewport_size({"width": 375, "height": 740})
    page.get_by_role("link", name="Check some").click()
    for done in range(2):
        page.get_by_text(f"{done} of 2 done.").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 375
        for question in page.locator("main form").get_by_role("group").all():
            question.get_by_text("Reply A").click()
        page.get_by_role("button", name="Next").click()
    page.get_by_text("That was all.").wait_for()
