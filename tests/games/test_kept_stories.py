"""A replay takes much drawing: each story is drawn once, one at a time, and shown to nobody whom it is not for."""

from __future__ import annotations

import threading

import pytest

from games.match import erasing, store
from games.models import Match
from games.rules.values import OMNISCIENT, PUBLIC
from games.web import replay
from tests.games.tables import asked, browser, match_at, play_out, room_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawings(monkeypatch) -> list[tuple]:
    """The stories that were drawn, as (match, viewer), from an empty shelf on."""
    drawn: list[tuple] = []
    draw = replay._drawn_story
    monkeypatch.setattr(replay, "_drawn_story", lambda *of: (drawn.append((of[0].pk, of[3])), draw(*of))[1])
    replay._kept.clear()
    return drawn


@pytest.fixture
def match() -> Match:
    match = match_at(room_of())
    request = asked(match)
    store.act(match.pk, request.seat, request.id, {"text": "zanzibar"})
    play_out(match)
    return Match.objects.get(pk=match.pk)


def page(match: Match, viewer: str = "", seq: int = 1) -> str:
    return browser("key-1").get(f"/m/{match.pk}/?as={viewer}&seq={seq}").content.decode()


def test_a_story_is_drawn_once_for_whoever_may_see_it_and_at_whatever_moment(drawings, match):
    assert page(match, "public", 1) != page(match, "public", 9)
    page(match, "all"), page(match, "all", 5)
    assert drawings == [(match.pk, PUBLIC), (match.pk, OMNISCIENT)]


def test_what_is_erased_is_not_shown_from_a_kept_story(drawings, match):
    assert "zanzibar" in page(match)
    seat = next(e.seat for e in store.load(match).log if e.kind == "clue")
    erasing.erase(f"key-{seat}")
    assert "zanzibar" not in page(match)


def test_stories_are_drawn_one_at_a_time_and_so_many_are_kept(drawings, match, monkeypatch):
    under_way, most, guard = 0, 0, threading.Lock()
    monkeypatch.setattr(replay, "KEPT_STORIES", 3)

    def draw(*of) -> replay.Story:
        nonlocal under_way, most
        with guard:
            under_way += 1
            most = max(most, under_way)
        threading.Event().wait(0.001)
        with guard:
            under_way -= 1
        return replay.Story([], [], [], [], [])

    monkeypatch.setattr(replay, "_drawn_story", draw)
    asked_for = [threading.Thread(target=replay.story, args=(match, None, [None] * n, PUBLIC)) for n in range(8)]
    for thread in asked_for:
        thread.start()
    for thread in asked_for:
        thread.join()
    assert most == 1 and len(replay._kept) == 3
