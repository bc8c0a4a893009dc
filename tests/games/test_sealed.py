"""What one seat is asked in secret takes the same time whoever is asked and whatever they do."""

from __future__ import annotations

import html
from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache

from agents.models import AgentProfile
from agents.tasks import answer_next
from games.match import cache as mirrors
from games.match import pending, sealing, store
from games.match.sweeper import sweep
from games.models import Match, Pending, Room
from games.registry import RULES
from games.room import chairs
from tests.games.tables import HTMX, SPY, asked, browser, form_data, match_at, post_move, room_of

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 1, 1, tzinfo=UTC)
BLINK = timedelta(milliseconds=10)
SECRETS = [(name, kind) for name, rules in RULES.items() for kind in sorted(rules.secret)]


@pytest.fixture(autouse=True)
def sealed(settings, workers):
    cache.clear()
    settings.SEALED_SECONDS = (10.0, 14.0)
    AgentProfile.objects.get_or_create(name="house", defaults={"title": "House", "provider": "house"})
    return workers.moves


def asking(agents=(), people=5, **settings) -> Match:
    """A match at SpyGame whose spy, on seat 3, is being asked whether to stand up."""
    room = room_of(people, "spygame", "party", 5, **settings)
    for seat in agents:
        room.seats.filter(number=seat).update(person="", agent="house", name="")
    room.seats.filter(person="", agent="").update(agent="house")
    setting = SPY | {"roles": SPY["roles"][:5]}
    match = match_at(room, setting)
    for action in ({"seat": 2, "text": "Is it loud?", "accuse": False}, {"text": "Rather quiet."}):
        request = asked(match)
        assert store.act(match.pk, request.seat, request.id, action)
    assert asked(match).kind == "reveal"
    return match


def row(match) -> Pending:
    return match.pending.get()


def say(match, place="", certainty=0) -> int:
    request = asked(match)
    data = form_data({"place": place, "certainty": certainty}, request)
    data |= {"match": match.pk, "request": request.id}
    return browser("key-3").post(f"/t/{match.room.code}/act/", data, **HTMX).status_code


def kinds(match) -> list[str]:
    return [event.kind for event in store.load(match).log]


def agent_answers(match):
    answer_next("house")


def nobody_answers(match):
    pass


def person_answers(match):
    assert say(match) == 200


def person_guesses(match):
    assert say(match, "museum", 100) == 200


def person_is_refused(match):
    assert say(match, "museum", 1000) == 422


def person_leaves(match):
    chairs.leave(match.room, "key-3")
    agent_answers(match)


def agent_finds_nothing(match):
    AgentProfile.objects.update(active=False)
    agent_answers(match)


@pytest.mark.parametrize(
    ("agents", "people", "do"),
    [
        ((3,), 5, agent_answers),
        ((3,), 5, nobody_answers),
        ((3,), 5, agent_finds_nothing),
        ((), 1, agent_answers),
        ((), 5, nobody_answers),
        ((), 5, person_answers),
        ((), 5, person_guesses),
        ((), 5, person_is_refused),
        ((), 5, person_leaves),
    ],
)
@pytest.mark.parametrize("table_settings", [{}, {"move_seconds": 0, "pace": 0.0, "absence": Room.Absence.WAIT}])
def test_it_takes_its_time_and_no_more_or_less(agents, people, do, table_settings):
    match = asking(agents, people, **table_settings)
    before, request = kinds(match), asked(match)
    deadline = sealing.deadline(match, request, row(match).opened_at)
    do(match)
    assert row(match).deadline == deadline
    assert (row(match).kept is not None) == (do not in (nobody_answers, person_is_refused))
    sweep(deadline - BLINK)
    assert [kind for kind in kinds(match) if kind != "taken_over"] == before
    assert sweep(deadline + BLINK)
    assert "reveal" in kinds(match) and kinds(match)[-1] in ("turn", "finished")


def test_its_time_follows_from_what_everybody_sees():
    match = asking()
    request = asked(match)
    times = {sealing.deadline(match, request._replace(seat=seat, id=f"{seat}"), NOW) for seat in range(1, 6)}
    assert len(times) == 1
    others = [(sealing.deadline(match, request._replace(opened_at=n), NOW) - NOW).total_seconds() for n in range(200)]
    assert all(10 <= seconds <= 14 for seconds in others) and max(others) - min(others) > 3.5


def test_an_answer_that_is_kept_moves_nothing_that_others_see():
    match = asking()

    def seen_by_others():
        mirrors._mirrors.clear()
        return [browser(key).get(f"/m/{match.pk}/export/").content for key in ("key-1", "key-2", "key-9")]

    before = seen_by_others()
    person_guesses(match)
    assert seen_by_others() == before
    assert not match.thoughts.exists()


def test_who_has_answered_is_told_that_it_is_kept_and_cannot_change_it():
    match = asking()
    page = lambda: html.unescape(browser("key-3").get(f"/t/{match.room.code}/").content.decode())  # noqa: E731
    assert "Where are you?" in page() and "data-clock" in page()
    person_answers(match)
    assert "Where are you?" not in page() and "Your answer is kept." in page()
    assert say(match) == 200
    assert say(match, "museum", 100) == 409
    assert "Your answer is kept." not in html.unescape(browser("key-2").get(f"/t/{match.room.code}/").content.decode())


def test_a_kept_guess_counts_when_its_time_is_up():
    match = asking()
    person_guesses(match)
    sweep(row(match).deadline + BLINK)
    match.refresh_from_db()
    assert (match.status, match.result) == ("finished", "right_guess")


def test_an_agent_s_thoughts_come_with_its_answer():
    match = asking((3,))
    agent_answers(match)
    assert not match.thoughts.filter(request=asked(match).id).exists()
    request = asked(match).id
    sweep(row(match).deadline + BLINK)
    assert match.thoughts.filter(request=request).exists()
    assert store.load(match).log[-2].by == "agent:house"


def test_an_agent_is_asked_at_once_and_once(sealed):
    match = asking((3,))
    assert row(match).due_at == row(match).opened_at
    agent_answers(match)
    assert row(match).kept and row(match).attempts == 1
    Pending.objects.update(lease_until=None, nudge_at=row(match).opened_at)
    sealed.clear()
    sweep(row(match).opened_at + timedelta(seconds=9))
    assert not sealed and pending.claim("house", 5) is None


def test_a_pause_keeps_the_answer_and_gives_the_whole_time_again():
    match = asking()
    person_guesses(match)
    store.pause(match.pk)
    assert row(match).deadline is None and row(match).kept
    store.resume(match.pk)
    deadline = row(match).deadline
    assert deadline and not sweep(deadline - BLINK) and sweep(deadline + BLINK)
    match.refresh_from_db()
    assert match.result == "right_guess"


def test_ordinary_votes_are_not_slowed():
    match = match_at(room_of())
    while asked(match).kind != "vote":
        request = asked(match)
        assert store.act(match.pk, request.seat, request.id, {"text": f"word {request.seat} {request.opened_at}"})
    request = asked(match)
    assert (
        post_move(browser(f"key-{request.seat}"), match, request, {"seat": request.seat % 3 + 1}, **HTMX).status_code
        == 200
    )
    assert any(event.request == request.id for event in store.load(match).log)


@pytest.mark.parametrize(("game", "kind"), SECRETS)
def test_every_request_that_a_game_declares_secret_is_sealed(game, kind):
    assert sealing.applies(RULES[game], kind)
    assert kind in RULES[game].kinds
