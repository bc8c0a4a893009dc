"""Forks: from any moment of a match, by agents alone; their tree; who sees it."""

from __future__ import annotations

import html

import pytest
from django.test import Client

from benchmarks.forks import forked, played
from games.match import beginning, forks
from games.models import Match
from games.registry import RULES
from tests.games.matches import dealt, play_on, stored
from tests.games.tables import browser, match_at, play_out, room_of
from tests.people import researcher

pytestmark = pytest.mark.django_db


def text(response) -> str:
    return html.unescape(response.content.decode())


@pytest.mark.parametrize("game", RULES)
def test_a_fork_at_each_event_ends_and_its_log_gives_its_state(game):
    for number in (1, 2):
        assert [found for found in forked(played(game, number)) if found[1]] == []


def test_agents_play_on_from_the_moment_that_is_chosen():
    play = play_on(dealt("undercover", "magic", 3))
    match = stored(play, with_thoughts=False)
    page = researcher()
    assert f"/m/{match.pk}/forks/?seq=" in text(page.get(f"/m/{match.pk}/", {"as": "all"}))
    answer = page.post(f"/m/{match.pk}/forks/", {"seq": 8})
    fork = Match.objects.get(origin=Match.Origin.FORK)
    assert answer.url == f"/m/{fork.pk}/?as=all"
    assert fork.events.plain()[:8] == play.log[:8] and fork.parent == match and fork.seed != match.seed
    assert {sitter.person for sitter in fork.seated} == {""} and {sitter.kind for sitter in fork.seated} == {"agent"}
    assert fork not in Match.objects.originals()


def test_nothing_plays_on_after_the_end_and_the_tree_tells_the_last_event_that_is_shared():
    over, running = stored(play_on(dealt("undercover", "magic", 3)), with_thoughts=False), match_at(room_of(3))
    page = researcher()
    for seq in (over.events.count(), 99_999):
        refused = page.post(f"/m/{over.pk}/forks/", {"seq": seq})
        assert (refused.status_code, "At that moment the match is over." in text(refused)) == (422, True)
    assert not over.forks.exists()
    events = running.events.count()
    assert beginning.fork(running, 99_999).forked_from["seq"] == events


def test_the_tree_is_drawn_from_the_first_match_on():
    match = stored(play_on(dealt("undercover", "magic", 3)), with_thoughts=False)
    one, two = beginning.fork(match, 9), beginning.fork(match, 7)
    below = beginning.fork(one, 8)
    shown = text(researcher().get(f"/m/{below.pk}/forks/"))
    places = [shown.index(f'/m/{found.pk}/?seq={seq}"') for found, seq in ((match, 0), (one, 9), (below, 8), (two, 7))]
    assert places == sorted(places)
    seen = forks.tree(match, lambda found: found != one)
    assert [branch.match for branch in seen.forks] == [two], "what somebody may not see is left out with its forks"


def test_forks_are_for_researchers_who_may_see_everything():
    match = match_at(room_of(3))
    address = f"/m/{match.pk}/forks/"
    seated = researcher("key-1")
    for page in (browser("key-2"), seated, Client()):
        assert page.get(address).status_code == page.post(address, {"seq": 5}).status_code == 403
    play_out(match)
    assert seated.get(address).status_code == 200
    assert browser("key-2").post(address, {"seq": 5}).status_code == 403, "it may cost what agents cost"
    assert seated.post(address, {"seq": "x"}).status_code == 404
    assert not match.forks.exists()
