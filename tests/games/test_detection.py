"""After a match at a table that names no agents, each person is asked once who was one, and sees how they did."""

from __future__ import annotations

import html

import pytest
from django.core.cache import cache

from games.match import detection, store
from games.models import Detection, GameSetting, Room
from games.room import rooms
from tests.games.tables import HTMX, WORDS, browser, match_at, play_out, room_of

pytestmark = pytest.mark.django_db
QUESTION = "Who was an agent?"


@pytest.fixture(autouse=True)
def words_and_an_agent(db, monkeypatch):
    cache.clear()
    GameSetting.objects.create(game="undercover", name="coffee and tea", data=WORDS)
    monkeypatch.setattr(rooms, "seatable", lambda game, researcher=False: [("house", "House agent")])


def played(people=2, **settings):
    room = room_of(people, **{"agents_named": False} | settings)
    room.seats.filter(person="").update(agent="house", name="Hugo")
    match = match_at(room)
    play_out(match)
    match.refresh_from_db()
    return room, match


def page(room, key="key-1"):
    return words(browser(key).get(f"/t/{room.code}/"))


def words(answer):
    return " ".join(html.unescape(answer.content.decode()).split())


def say(room, key="key-1", **data):
    return browser(key).post(f"/t/{room.code}/who/", data, **HTMX)


def test_who_played_is_asked_and_sees_how_they_did():
    room, match = played()
    assert QUESTION in page(room)
    say(room, "key-2", agents=["3"])
    answer = say(room, agents=["3"])
    shown = words(answer)
    assert answer.status_code == 200
    assert "Hugo was an agent. You were right." in shown
    assert "Ben was a person. You were right." in shown
    assert list(Detection.objects.order_by("pk").values_list("match", "seat", "agents")) == [
        (match.pk, 2, [3]),
        (match.pk, 1, [3]),
    ]


def test_a_wrong_guess_is_told_plainly():
    room, _ = played()
    say(room, "key-2", skip="1")
    shown = words(say(room, agents=["2"]))
    assert "Ben was a person. You were wrong." in shown
    assert "Hugo was an agent. You were wrong." in shown


def test_the_question_can_be_skipped_and_does_not_come_again():
    room, _ = played()
    shown = words(say(room, skip="1"))
    assert QUESTION not in shown
    assert "was an agent" not in shown
    assert Detection.objects.get().agents is None


def test_the_first_answer_stands():
    room, _ = played()
    say(room, agents=["2"])
    say(room, agents=["3"])
    assert Detection.objects.get().agents == [2]


def test_an_answer_is_told_to_the_pages_once():
    room, _ = played()
    for key, told in (("key-1", 1), ("key-2", 2), ("key-2", 2)):
        say(room, key, agents=["3"])
        now = Room.objects.get(pk=room.pk)
        assert now.revision - room.revision == told


def test_nobody_knows_who_was_an_agent_before_all_have_answered():
    room, _ = played()
    kept = "Your guess is kept."
    assert not any("Hugo was an agent" in page(room, key) or kept in page(room, key) for key in ("key-1", "key-2"))
    assert kept in html.unescape(say(room, "key-2", agents=["3"]).content.decode())
    assert not any("Hugo was an agent" in page(room, key) for key in ("key-1", "key-2"))
    say(room, skip="1")
    assert "Hugo was an agent. You were right." in page(room, "key-2")


def test_it_is_told_after_a_while_even_if_somebody_does_not_answer():
    room, match = played()
    say(room, agents=["3"])
    match.ended_at -= detection.ASKED_FOR
    match.save()
    assert "Hugo was an agent. You were right." in page(room)


def shown(match, key):
    """Whether the replay's log with everything is given to this person."""
    answer = browser(key).get(f"/m/{match.pk}/export/?as=all")
    return answer.status_code == 200 and '"kind":"agent"' in b"".join(answer).decode()


def test_the_replay_shows_who_was_an_agent_once_everybody_has_said_it():
    room, match = played()
    assert not any(shown(match, key) for key in ("key-1", "key-2", "key-9"))
    say(room, agents=["3"])
    assert not any(shown(match, key) for key in ("key-1", "key-2", "key-9"))
    say(room, "key-2", skip="1")
    assert all(shown(match, key) for key in ("key-1", "key-2", "key-9"))


def test_it_is_asked_for_a_while_and_then_the_replay_is_open():
    room, match = played()
    match.ended_at -= detection.ASKED_FOR
    match.save()
    assert QUESTION not in page(room)
    assert shown(match, "key-9")
    answer = say(room, agents=["3"])
    assert answer.status_code == 409
    assert "The time for guesses is over" in html.unescape(answer.content.decode())


def test_who_hosts_sees_no_list_of_who_sits_where():
    room, _ = played()
    for _answer in range(3):
        assert "Free the seat" not in page(room) and "Hugo</span><button" not in page(room)
        say(room, f"key-{1 + _answer % 2}", agents=["3"])


def test_agents_are_taken_off_all_at_once_and_only_when_nobody_guesses_any_more():
    room, _ = played()
    clear = lambda: browser("key-1").post(f"/t/{room.code}/clear/", {}, **HTMX)  # noqa: E731
    assert "Take the agents off" not in page(room)
    assert clear().status_code == 409
    for key in ("key-1", "key-2"):
        say(room, key, agents=["3"])
    assert "Take the agents off" in page(room)
    assert clear().status_code == 200
    assert [seat.free for seat in room.seats.all()] == [False, False, True]


def test_sending_away_tells_nothing():
    room = room_of(2, agents_named=False)
    room.seats.filter(person="").update(agent="house", name="Hugo")

    def answers():
        posts = [browser("key-1").post(f"/t/{room.code}/kick/", {"seat": number}, **HTMX) for number in (1, 2, 3)]
        return {
            (post.status_code, "You cannot send anybody away" in html.unescape(post.content.decode())) for post in posts
        }

    assert answers() == {(409, True)}
    match_at(room)
    assert answers() == {(409, True)}


def test_one_who_only_watched_is_not_asked():
    room, _ = played()
    assert QUESTION not in page(room, "key-9")
    assert say(room, "key-9", agents=["3"]).status_code == 409
    assert not Detection.objects.exists()


def test_where_agents_are_named_there_is_nothing_to_guess():
    room, _ = played(agents_named=True)
    assert QUESTION not in page(room)
    assert say(room, agents=["3"]).status_code == 409


def test_it_is_not_asked_while_the_match_is_played():
    room = room_of(3, agents_named=False)
    match = match_at(room)
    assert QUESTION not in page(room)
    assert say(room, agents=["3"]).status_code == 409
    assert store.load(match).over is False


@pytest.mark.parametrize("agents", [["1"], ["7"], ["2", "99"]])
def test_only_the_other_players_can_be_named(agents):
    room, _ = played()
    answer = say(room, agents=agents)
    assert answer.status_code == 409
    assert "Choose from the other players." in html.unescape(answer.content.decode())
