"""The list of matches that are being played: which stand in it, and what is told of each."""

import pytest

from games.match import store
from games.models import Match, Room
from tests.games.tables import WORDS, asked, browser, match_at, play_out, room_of
from tests.games.test_lobby import text

pytestmark = pytest.mark.django_db


DEAL = WORDS | {"undercovers": [3, 5]}


def clues(match: Match, *words: str) -> None:
    for said in words:
        request = asked(match)
        assert store.act(match.pk, request.seat, request.id, {"text": said}).refusal is None


def votes_for(match: Match, target: int, other: int) -> None:
    for request in list(store.load(match).state.open.values()):
        chosen = other if request.seat == target else target
        assert store.act(match.pk, request.seat, request.id, {"seat": chosen}).refusal is None


def test_a_match_that_anybody_may_watch_is_listed_with_game_round_and_seats(client):
    match = match_at(room_of(5, "undercover", "wiu", 5), DEAL)
    assert f"Undercover wiu 1 5 Watch {match.room.code}" in text(client.get("/playing/"))
    clues(match, "one", "two", "three", "four", "five")
    votes_for(match, 4, 5)
    assert f"Undercover wiu 2 5 Watch {match.room.code}" in text(client.get("/playing/"))
    assert f"Undercover wiu 2 5 Watch {match.room.code}" in text(client.get("/"))


def test_who_watches_a_round_behind_is_told_of_the_round_that_they_see(client):
    match = match_at(room_of(5, "undercover", "wiu", 5, watching=Room.Watching.DELAYED), DEAL)
    clues(match, "one", "two", "three", "four", "five")
    votes_for(match, 4, 5)
    assert f"Undercover wiu 1 one round behind 5 Watch {match.room.code}" in text(client.get("/playing/"))


@pytest.mark.parametrize(
    "hidden", [{"listed": False}, {"watching": Room.Watching.NOBODY}, {"closed_at": "2026-01-01T00:00Z"}]
)
def test_what_not_anybody_may_watch_is_not_listed(client, hidden):
    match = match_at(room_of(3, **hidden))
    for address in ("/", "/playing/"):
        assert match.room.code not in text(client.get(address))


def test_neither_a_finished_match_nor_one_one_was_sent_away_from_is_listed(client):
    over, shut = match_at(room_of(3)), match_at(room_of(3, kicked=["key-8"]))
    play_out(over)
    assert over.room.code not in text(client.get("/playing/"))
    assert shut.room.code in text(client.get("/playing/"))
    assert shut.room.code not in text(browser("key-8").get("/playing/"))


def test_more_than_a_page_go_on_beside_it_and_cost_no_more_queries(client, django_assert_num_queries):
    first = match_at(room_of(3))
    with django_assert_num_queries(3):
        client.get("/playing/")
    for _n in range(25):
        match_at(room_of(3))
    with django_assert_num_queries(3):
        page = client.get("/playing/")
    assert first.room.code not in text(page) and 'rel="next"' in page.content.decode()
    older = page.context["page"].older
    assert first.room.code in text(client.get("/playing/", {"at": older}))
    assert "All matches that are being played" in text(client.get("/"))
