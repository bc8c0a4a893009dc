"""The first match of a game is guided: weak agents, no clock, the rules on cards, and a hint at each kind of move."""

import pytest

from games.models import Match, Room
from games.registry import GAMES
from games.room import rooms
from tests.games.tables import HTMX, asked, browser, match_at, play_out, quick_match, room_of
from tests.games.test_lobby import site, text  # noqa: F401 (a fixture)

pytestmark = pytest.mark.django_db

CARDS = "Your first match of"


@pytest.mark.usefixtures("site")
def test_a_guided_match_has_the_weakest_agents_no_clock_and_the_rules_beside_it(client, monkeypatch):
    strengths = [("house", "Easy", False), ("wire", "Hard", True)]
    monkeypatch.setattr(rooms, "by_strength", lambda: strengths)
    answer = client.post("/play/undercover/", {"name": "Ann", "guided": "1", "agent": "wire"})
    room = Room.objects.get()
    assert {seat.agent for seat in room.seats.all()} == {"", "house"}
    assert room.move_seconds == 0
    assert f"{CARDS} Undercover" in text(client.get(answer.url))


def test_the_cards_are_there_at_the_first_match_of_a_game_and_not_later():
    match = match_at(room_of(3))
    address = f"/t/{match.room.code}/"
    assert CARDS in text(browser("key-1").get(address))
    assert CARDS not in text(browser("nobody").get(address))
    play_out(match)
    assert CARDS not in text(browser("key-1").get(address))
    other = match_at(room_of(3)).room.code
    assert CARDS not in text(browser("key-1").get(f"/t/{other}/"))
    assert CARDS in text(browser("key-1").get(f"/t/{other}/?guided=1"))
    assert CARDS in text(browser("key-1").get(f"/t/{quick_match('avalon').room.code}/"))


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_each_kind_of_move_has_a_hint_that_says_what_others_see(rules):
    match = quick_match(rules.name)
    seen: dict[str, str] = {}
    while Match.objects.get(pk=match.pk).status == "running":
        request = asked(match)
        page = browser(f"key-{request.seat}").get(f"/t/{match.room.code}/", **HTMX).content.decode()
        hint = page.split("data-hint>")[1].split("</p>")[0] if "data-hint>" in page else ""
        seen.setdefault(request.kind, " ".join(hint.split()))
        play_out(match, stop=2)
    assert seen and all(len(hint) > 40 for hint in seen.values()), seen
