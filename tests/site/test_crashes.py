"""Parts of the real site are killed while people and agents play: the match goes on, nothing lost, nothing twice."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from playwright.sync_api import expect

from tests.browser import PHONE
from tests.line import Line
from tests.model_server import ModelServer, slow
from tests.players import Player, open_table, play_to_the_end
from tests.stack import UNTIL_OVER, until

RECORD = """
from games.models import Match
match = Match.objects.order_by("-created_at").first()
events = list(match.events.order_by("seq"))
result = {
    "status": match.status,
    "seqs": [event.seq for event in events],
    "requests": [event.request for event in events if event.request],
    "by": sorted({event.by for event in events if event.request}),
    "pending": match.pending.count(),
}
"""


def record(stack) -> dict:
    """What is stored of the last match that was begun."""
    return stack.shell(RECORD)


def assert_whole(kept: dict) -> None:
    """No event is lost, none is there twice, and each request is answered once."""
    assert kept["status"] == "finished"
    assert kept["seqs"] == list(range(1, len(kept["seqs"]) + 1))
    assert len(set(kept["requests"])) == len(kept["requests"])
    assert kept["pending"] == 0


STRIKES = [("daphne",), ("house",), ("redis",), ("sweeper", "house"), ("redis", "daphne", "house", "sweeper")]
"""Parts that are killed together, each time after another of the person's moves."""


def test_matches_go_on_after_parts_were_killed_and_started_again(stack, visit):
    left = list(STRIKES)
    while left:
        ann = Player(visit(line_breaks=True))
        open_table(ann.page, "undercover", "wiu", friends=0, agents=4, name="Ann")
        struck_after = [0]

        def strike(ann=ann, struck_after=struck_after) -> None:
            if not left or len(ann.answered) == struck_after[-1]:
                return
            struck_after.append(len(ann.answered))
            parts = left.pop(0)
            for part in parts:
                stack.kill(part)
            for part in parts:
                stack.start(part)

        play_to_the_end([ann], strike)
        assert_whole(record(stack))
        expect(ann.page.locator(".over .hands li")).to_have_count(5)
        expect(ann.page.get_by_text("Reconnecting")).to_be_hidden(timeout=20_000)


MODELS_PLAY = """
from datetime import timedelta
from django.utils import timezone
from agents.models import AgentProfile
from games.match import beginning, store
from games.models import Room

AgentProfile.objects.update_or_create(name="wire", defaults=dict(
    title="Wire", provider="openai", base_url={url!r}, model="m", method="direct",
    settings={{"backoff": 0.01, "timeout": 100, "retries": 0}},
))
soon = timezone.now() + timedelta(hours=1)  # somebody sits there with the page open
room = Room.objects.create(game="undercover", preset="magic", host="host", pace=0, seen_at=soon)
seats = [dict(seat=n, name=f"Player {{n}}", kind="agent", agent="wire") for n in (1, 2, 3)]
setting = {{"civilian_word": "wig", "undercover_word": "hat"}}
beginning.begin(game=room.game, preset=room.preset, seats=seats, setting=setting, room=room)
"""


def test_a_worker_killed_while_it_waits_for_a_model_gives_its_decision_back_within_seconds(stack):
    with ModelServer([slow(90_000)]) as server:
        stack.shell(MODELS_PLAY.format(url=server.openai_url))
        until(lambda: server.calls, "a model is asked")
        stack.kill("models")
        stack.start("models")
        until(lambda: len(server.calls) > 1, "the model is asked again", seconds=40)
        stack.shell(UNTIL_OVER)
    kept = record(stack)
    assert_whole(kept)
    assert kept["by"] == ["agent:wire"]


def test_a_worker_that_waits_long_for_a_model_keeps_its_decision(stack):
    """Longer than a lease lasts: who lives and works renews it, so that no call is paid for twice."""
    with ModelServer([slow(12_000)]) as server:
        stack.shell(MODELS_PLAY.format(url=server.openai_url))
        stack.shell(UNTIL_OVER)
    assert len(server.calls) == len(record(stack)["requests"])


def test_workers_outlive_a_broker_that_goes_while_they_work_and_are_back_soon_however_long_it_was_away(stack):
    log = stack.said_since()

    def said(words: str) -> int:
        return log("models").count(words)

    def after(more: int, count: Callable[[], int]) -> Callable[[], bool]:
        before = count()
        return lambda: count() >= before + more

    with ModelServer([slow(1_500)]) as server:
        # Five at the table, so that the match is not over before the last outage, however busy the machine is.
        five = MODELS_PLAY.replace('"magic"', '"party"').replace("(1, 2, 3)", "(1, 2, 3, 4, 5)")
        stack.shell(five.format(url=server.openai_url))
        for seconds in (0, 0, 4):
            until(after(1, lambda: len(server.calls)), "a model is asked", seconds=120)
            missed, back = after(1, lambda: said("Redis cannot be reached")), after(1, lambda: said("Connected to"))
            stack.kill("redis")
            until(missed, "the worker says once that it knocks in vain", seconds=60)
            gone = monotonic()
            until(lambda since=gone, long=seconds: monotonic() > since + long, "the outage lasts", seconds=60)
            stack.start("redis")
            until(back, "the worker is back", seconds=60)
        stack.shell(UNTIL_OVER)
    until(
        lambda: said("Redis is back") == said("Redis cannot be reached"), "the end of each outage is told", seconds=30
    )
    assert said("Redis cannot be reached") == 3 and "Traceback" not in log("models")
    assert [name for name, part in stack.parts.items() if not part.alive] == []
    assert_whole(record(stack))


def test_who_was_away_finds_an_agent_in_the_seat_and_takes_it_back(stack, visit):
    """A laptop that was closed: no good-bye, the line dead, the time for a move long up."""
    watcher = visit(PHONE)
    with Line(stack.port) as line:
        ann = Player(visit(base_url=line.base_url, line_breaks=True, late=True))
        address = open_table(ann.page, "avalon", "recon", friends=0, agents=5, name="Ann", pace="Quickly")
        code = address.strip("/").split("/")[-1]

        def settle(settings: str) -> None:
            stack.shell(f"from games.models import Room; Room.objects.filter(code={code!r}).update({settings})")

        watcher.goto(address)
        settle("pace=0, move_seconds=6")
        ann.play_when_asked()
        settle("pace=0.5, move_seconds=1")
        line.cut()
        expect(watcher.get_by_text("An agent plays on for them").first).to_be_visible(timeout=60_000)
        line.mend()
        ann.page.get_by_role("button", name="Take my seat back").click(timeout=30_000)
        settle("pace=0, move_seconds=60")
        expect(watcher.get_by_text("is back").first).to_be_visible()
        play_to_the_end([ann])
    kept = record(stack)
    assert_whole(kept)
    assert {"person", "agent:house"} <= set(kept["by"])
