"""Agents that play like people take as long as people to read, to decide and to type, by published rates."""

import statistics
from datetime import timedelta

import pytest

from agents import pace, tasks
from agents.models import AgentProfile
from games.match import store
from games.models import Pending
from games.registry import RULES
from games.rules.fields import OneSeat, Text
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import Request
from magic_site import clock
from tests.games.tables import WORDS, asked, match_at, room_of

CLUE = "it has foam on top and people drink it in the evening"
SPEECH = "I have my doubts about Player 4: quest 2 failed with them aboard. Let us look for another team this time."


def speech(seed: int, seat: int = 2) -> tuple[Request, int]:
    return Request(f"9:{seat}:speech", "speech", seat, (Text("text"),), 9), seed


def test_a_clue_is_typed_at_the_published_speeds_of_keyboards_and_phones():
    words = len(CLUE) / pace.CHARACTERS_A_WORD
    speeds = [60 * words / pace.typing(*_with(CLUE, seed)) for seed in range(1000)]
    assert statistics.mean(speeds) == pytest.approx((51.6 + 36.2) / 2, rel=0.08)
    assert statistics.stdev(speeds) > 12
    assert min(speeds) > 5


def test_no_table_waits_long_for_a_long_speech_of_a_slow_typist():
    assert max(pace.typing(*_with(3 * SPEECH, seed)) for seed in range(200)) == pace.LONGEST_TYPING


def _with(text, seed):
    request, seed = speech(seed)
    return request, {"text": text}, seed


def test_what_is_chosen_or_left_out_is_not_typed():
    request, seed = speech(1)
    assert pace.typing(request, {"text": None}, seed) == 0
    assert pace.typing(request, None, seed) == 0
    vote = Request("9:2:vote", "vote", 2, (OneSeat("seat", seats=(1, 3)),), 9)
    assert pace.typing(vote, {"seat": 1}, seed) == 0


def after_clue(text: str) -> tuple[Play, Request]:
    """A match in which somebody has just said this, and the request of who comes next."""
    rules = RULES["undercover"]
    play = Play(rules, new_header(rules, "magic", seats=agents_and_people(0, 3), seed=1, setting=WORDS))
    first = next(iter(play.state.open.values()))
    play.act(first.seat, first.id, {"text": text})
    return play, next(iter(play.state.open.values()))


def test_what_was_said_last_is_read_at_the_published_speed():
    short, long = (after_clue(text) for text in ("warm", CLUE))
    more = len(CLUE.split()) - 1
    taken = [pace.before(*long, seed) - pace.before(*short, seed) for seed in range(1000)]
    assert statistics.mean(taken) == pytest.approx(60 * more / 238, rel=0.1)


def test_a_vote_takes_seconds_and_not_always_as_many():
    play, _ = after_clue(CLUE)
    vote = Request("9:2:vote", "vote", 2, (OneSeat("seat", seats=(1, 3)),), len(play.log))
    times = [pace.before(play, vote, seed) for seed in range(500)]
    assert statistics.mean(times) > 4
    assert statistics.stdev(times) > 1.5


def test_one_who_types_fast_does_so_all_through_the_match():
    fast, slow = sorted(range(40), key=lambda seed: pace.typing(*_with(SPEECH, seed)))[::39]
    for number in range(10, 30):
        request = Request(f"{number}:2:speech", "speech", 2, (Text("text"),), number)
        assert pace.typing(request, {"text": SPEECH}, fast) < pace.typing(request, {"text": SPEECH}, slow)


def test_the_role_of_a_seat_does_not_change_its_pace():
    rules = RULES["undercover"]
    times = []
    for odd in (1, 2, 3):
        setting = WORDS | {"undercovers": [odd]}
        play = Play(rules, new_header(rules, "magic", seats=agents_and_people(0, 3), seed=5, setting=setting))
        request = next(iter(play.state.open.values()))
        times.append((request.id, pace.before(play, request, 5), pace.typing(request, {"text": CLUE}, 5)))
    assert len(set(times)) == 1


# At a live table -----------------------------------------------------------------------------------------------------


@pytest.fixture
def sent(workers):
    return workers.moves


def agents_turn(**settings):
    """A match at which the second seat, an agent's, is to give a clue."""
    AgentProfile.objects.get_or_create(name="house", provider="house", method="house")
    match = match_at(room_of(1, **settings), WORDS)
    store.act(match.pk, 1, asked(match).id, {"text": "warm"})
    return match


@pytest.fixture
def still(monkeypatch):
    """The clock stands still; what is in the list is the time."""
    clock.now()
    moment = [clock.carried_on()]
    monkeypatch.setattr(clock, "now", lambda: moment[0])
    return moment


@pytest.mark.django_db(transaction=True)
def test_an_agent_says_its_words_when_they_would_have_been_typed(sent, still):
    match = agents_turn(pace=1.0)
    (_, wait) = sent[-1]
    assert wait > 1
    row = Pending.objects.get(match=match)
    Pending.objects.update(due_at=still[0])
    tasks.answer_next("house")
    assert asked(match).seat == 2
    (_, left) = sent[-1]
    assert len(sent) == 2 and 1 < left < 90
    row.refresh_from_db()
    assert row.lease_until is None and row.attempts == 0
    still[0] += timedelta(seconds=wait + left)
    Pending.objects.update(due_at=row.opened_at)
    tasks.answer_next("house")
    assert asked(match).seat == 3


@pytest.mark.django_db(transaction=True)
def test_an_agent_that_plays_at_once_neither_reads_nor_types(sent):
    match = agents_turn(pace=0.0)
    assert sent == [("house", 0.0)]
    tasks.answer_next("house")
    assert asked(match).seat == 3


@pytest.mark.django_db
def test_a_table_in_twice_the_time_waits_twice_as_long(sent):
    match = agents_turn(pace=1.0)
    play, request = store.load(match), asked(match)
    once = tasks.pause_before(match, play, request)
    match.room.pace = 2.0
    assert tasks.pause_before(match, play, request) == pytest.approx(2 * once, abs=0.02)
