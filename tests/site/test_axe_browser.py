"""A table of each game in each of its states, looked over by axe: nothing that it knows to keep people out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.registry import RULES
from games.room.people import COOKIE
from tests.axe import Faults, by_day, by_night
from tests.browser import PHONE, Visitors
from tests.games.tables import cookie
from tests.players import open_table
from tests.stack import Stack

OPENED = """
from tests.games.tables import quick_match, room_of
from games.registry import RULES
preset, seats = RULES[{game!r}].quick
waiting = room_of(1, {game!r}, preset, seats)
match = quick_match({game!r})
result = {{"waiting": waiting.code, "code": match.room.code, "match": str(match.pk)}}
"""

PLAYED_ON = """
import random
from games.match import store
from games.models import Match
from games.rules.kit import WORDS
from games.rules.random_play import random_action
match = Match.objects.get(pk={match!r})
play, rng, result = store.load(match), random.Random({seed}), None
while not play.over:
    waiting = [request for request in play.state.open.values() if request.waits]
    new = [request for request in waiting if request.kind not in {seen!r}]
    out = sorted(map(int, play.rules.public(play.state).get("out", {{}})))
    idle = [seat for seat in range(1, len(play.header.seats) + 1) if seat not in {{r.seat for r in waiting}} | {{*out}}]
    if new or (out and "out" not in {seen!r}):
        result = {{"kind": new[0].kind if new else "", "seat": new[0].seat if new else 0, "out": out, "idle": idle}}
        break
    request = rng.choice(waiting or list(play.state.open.values()))
    moved = store.act(match.pk, request.seat, request.id, random_action(play, request, rng, WORDS))
    assert moved.refusal is None, moved.refusal
    play = store.load(match)
"""
"""Plays until somebody is asked for a kind of move that was not seen, or somebody is out; or to the end."""


@pytest.fixture
def faults() -> Iterator[Faults]:
    """Where tests look; what is found in any state fails them."""
    found = Faults()
    yield found
    assert not found, str(found)


def come(page: Page, address: str, seat: int = 0) -> None:
    """Open a page of the table as who sits there; 0: as somebody who does not."""
    page.context.clear_cookies()
    if seat:
        origin = page.evaluate("location.origin")
        page.context.add_cookies([{"name": COOKIE, "value": cookie(f"key-{seat}"), "url": origin}])
    page.goto(address)


@pytest.mark.parametrize("game", RULES)
def test_a_table_from_the_waiting_room_to_the_replay(stack: Stack, visit: Visitors, faults: Faults, game: str):
    page, number = visit(marked=True), [*RULES].index(game)
    page.goto("/join/")
    made = stack.shell(OPENED.format(game=game))
    table = f"/t/{made['code']}/"
    seen: list[str] = []
    states = count(number)

    def look(state: str) -> None:
        """At a laptop by day, or on a phone by night with all that is folded away; each state of a table in both, over
        all games."""
        if next(states) % 2:
            by_night(page)
            faults.look_unfolded(f"{game}: {state}", page)
            by_day(page)
        else:
            faults.look(f"{game}: {state}", page)

    def go_on() -> dict[str, Any] | None:
        return stack.shell(PLAYED_ON.format(match=made["match"], seen=seen, seed=len(seen)))

    come(page, f"/t/{made['waiting']}/", 1)
    look("the host waits")
    come(page, f"/t/{made['waiting']}/")
    look("somebody may sit down")
    while asked := go_on():
        if kind := asked["kind"]:
            seen.append(kind)
            come(page, table, asked["seat"])
            expect(page.locator(f"form.move[data-kind='{game}.{kind}']")).to_be_visible()
            look(f"asked for {kind}")
        if asked["idle"] and "idle" not in seen:
            seen.append("idle")
            come(page, table, asked["idle"][0])
            look("between moves")
        if asked["out"] and "out" not in seen:
            seen.append("out")
            come(page, table, asked["out"][0])
            look("out")
        if "watched" not in seen:
            seen.append("watched")
            come(page, table)
            look("watched")
            come(page, f"{table}screen/")
            faults.look(f"{game}: on a big screen", page)
    assert {"watched"} < {*seen}
    for seat in (1, 3):
        come(page, table, seat)
        expect(page.locator(".verdict")).to_be_visible()
        look(f"over, for seat {seat}")
    come(page, f"/m/{made['match']}/?as=1")
    look("the replay as a seat")
    come(page, f"/m/{made['match']}/?as=all&seat=every")
    look("the replay with everything")


def test_a_table_that_pauses_and_whose_host_looks_after_it(stack: Stack, visit: Visitors, faults: Faults):
    ann, ben = visit(), visit(PHONE, color_scheme="dark")
    address = open_table(ann, "undercover", "wiu", friends=1, agents=3, name="Ann")
    ben.goto(address)
    ben.get_by_placeholder("Your name").fill("Ben")
    ben.get_by_role("button", name="Sit down").click()
    expect(ben.get_by_role("button", name="Leave the table")).to_be_visible()
    faults.look("a guest waits", ben)
    ann.get_by_role("button", name=re.compile("^Start")).click()
    ann.get_by_text("Table", exact=True).click()
    ann.get_by_role("button", name="Pause").click()
    expect(ann.get_by_role("button", name="Go on")).to_be_visible()
    faults.look("a host paused", ann)
    faults.look("a guest at a paused table", ben)
