"""A replay takes much drawing: each story is drawn once, one at a time, and shown to nobody whom it is not for."""

from __future__ import annotations

import statistics
import threading

import pytest

from games.match import cache, erasing, store
from games.models import Match
from games.rules import values
from games.rules.values import OMNISCIENT, PUBLIC
from games.web import replay
from tests.games.tables import asked, browser, match_at, play_out, quick_match, room_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawings(monkeypatch) -> list[tuple]:
    """The events that were drawn, as (match, viewer, seq), from an empty shelf on."""
    drawn: list[tuple] = []
    draw = replay.Telling._draw

    def counted(telling: replay.Telling, event: values.Event) -> None:
        drawn.append((telling.source.match.pk, telling.viewer, event.seq))
        draw(telling, event)

    monkeypatch.setattr(replay.Telling, "_draw", counted)
    replay._told.clear()
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
    assert {viewer for _match, viewer, _seq in drawings} == {PUBLIC, OMNISCIENT}
    assert len(drawings) == len(set(drawings))


@pytest.mark.parametrize("viewer", [PUBLIC, 1, OMNISCIENT])
@pytest.mark.parametrize("game", ["undercover", "avalon"])
def test_a_story_that_grew_step_by_step_is_the_story_drawn_at_once(drawings, game, viewer):
    match = quick_match(game)
    source = cache.cached_match(match).catch_up()
    grown = replay.story(source, source.view(viewer))
    while Match.objects.get(pk=match.pk).status == "running" and source.catch_up().length < 60:
        since = source.view(viewer).seq
        play_out(match, seed=source.length, stop=2)
        share = source.catch_up().view(viewer)
        grown = replay.Story(
            *(a + b for a, b in zip(grown, replay.story(source, share).between(since, share.seq), strict=True))
        )
    assert len(drawings) == len(set(drawings)), "no event is drawn twice"
    replay._told.clear()
    assert grown == replay.story(source, source.view(viewer))


def test_a_step_of_a_running_match_is_a_small_frame(drawings):
    match = quick_match("avalon")
    source, sizes = cache.cached_match(match).catch_up(), []
    while source.length < 60:
        since = source.view(OMNISCIENT).seq
        play_out(match, seed=source.length, stop=2)
        share = source.catch_up().view(OMNISCIENT)
        sizes.append(len(replay.news(source, share, since).encode()) / (share.seq - since))
    assert statistics.median(sizes) < 2000


def test_what_is_erased_is_not_shown_from_a_kept_story(drawings, match):
    assert "zanzibar" in page(match)
    seat = next(e.seat for e in store.load(match).log if e.kind == "clue")
    erasing.erase(f"key-{seat}")
    assert "zanzibar" not in page(match)


def test_stories_are_drawn_one_at_a_time_and_so_many_are_kept(drawings, match, monkeypatch):
    under_way, most, guard = 0, 0, threading.Lock()
    monkeypatch.setattr(replay._told, "most", 3)

    def draw(telling: replay.Telling, events) -> None:
        nonlocal under_way, most
        with guard:
            under_way += 1
            most = max(most, under_way)
        threading.Event().wait(0.001)
        with guard:
            under_way -= 1

    monkeypatch.setattr(replay.Telling, "draw", draw)
    source = cache.cached_match(match).catch_up()
    shares = [source.view(viewer) for viewer in (PUBLIC, OMNISCIENT, 1, 2, 3)]
    asked_for = [threading.Thread(target=replay.story, args=(source, share)) for share in shares]
    for thread in asked_for:
        thread.start()
    for thread in asked_for:
        thread.join()
    assert most == 1 and len(replay._told._things) == 3
