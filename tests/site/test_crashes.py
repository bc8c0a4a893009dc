"""Parts of the real site are killed while people and agents play: the match goes on, nothing is lost, nothing doubled."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import pytest
from playwright.sync_api import expect

from tests.model_server import ModelServer, good, slow
from tests.players import Player, open_table, play_to_the_end
from tests.stack import until

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


def once_after(moves: int, player: Player, strike: Callable[[], None]) -> Callable[[], None]:
    """Something to do between moves: `strike`, once, as soon as the player has made so many."""
    struck: list[bool] = []

    def between() -> None:
        if not struck and len(player.answered) >= moves:
            struck.append(True)
            strike()

    return between


@pytest.mark.parametrize(
    "parts", [("daphne",), ("house",), ("redis",), ("sweeper", "house"), ("redis", "daphne", "house", "sweeper")]
)
def test_a_match_goes_on_after_parts_were_killed_and_started_again(stack, visit, parts):
    ann = Player(visit(line_breaks=True))
    open_table(ann.page, "undercover", "wiu", friends=0, agents=4, name="Ann")

    def strike() -> None:
        for part in parts:
            stack.kill(part)
        for part in parts:
            stack.start(part)

    play_to_the_end([ann], once_after(1, ann, strike))
    assert_whole(record(stack))
    expect(ann.page.locator(".over .hands li")).to_have_count(5)
    expect(ann.page.get_by_text("Reconnecting")).to_be_hidden(timeout=20_000)
