"""Talk before a vote: who may say what and when, and when it is over."""

from games.registry import RULES
from games.rules.discussion import MESSAGES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import PUBLIC, Refusal

UNDERCOVER = RULES["undercover"]
WORDS = {"civilian_word": "violin", "undercover_word": "cello", "undercovers": [2]}


def talking(seats: int = 4, **options) -> Play:
    """A match whose first clues are given: the talk begins."""
    options = {"undercovers": 1, "discussion": "free"} | options
    people = agents_and_people(seats, 0)
    play = Play(UNDERCOVER, new_header(UNDERCOVER, "party", seats=people, seed=1, options=options, setting=WORDS))
    while request := next((r for r in play.state.open.values() if r.kind == "clue"), None):
        play.act(request.seat, request.id, {"text": f"hint {len(play.log)}"})
    return play


def asked(play: Play, seat: int, kind: str):
    return next((r for r in play.state.open.values() if (r.seat, r.kind) == (seat, kind)), None)


def say(play: Play, seat: int, text: str):
    return play.act(seat, asked(play, seat, "say").id, {"text": text})


def ready(play: Play, seat: int, text: str | None = None):
    return play.act(seat, asked(play, seat, "ready").id, {"text": text})


def test_without_the_option_the_vote_follows_the_clues():
    play = talking(discussion="none")
    assert {request.kind for request in play.state.open.values()} == {"vote"}


def test_everybody_may_talk_again_and_again_until_all_are_ready():
    play = talking()
    say(play, 1, "I suspect 2")
    say(play, 2, "not me")
    say(play, 1, "yes, you")
    for seat in (1, 2, 3):
        ready(play, seat)
    say(play, 1, "hurry")
    assert [line["text"] for line in play.state.talk] == ["I suspect 2", "not me", "yes, you", "hurry"]
    ready(play, 4, "it was 2")
    assert play.state.talk[-1] == {"round": 1, "seat": 4, "text": "it was 2"}
    assert {request.kind for request in play.state.open.values()} == {"vote"}


def test_who_does_not_answer_in_time_is_ready():
    play = talking()
    for seat in (1, 2, 3, 4):
        play.expire(asked(play, seat, "ready").id)
    assert play.state.talk == []
    assert {request.kind for request in play.state.open.values()} == {"vote"}


def test_what_is_said_after_the_talk_comes_too_late():
    play = talking()
    late = asked(play, 1, "say")
    for seat in (1, 2, 3, 4):
        ready(play, seat)
    refusal = play.act(1, late.id, {"text": "wait"})
    assert type(refusal) is Refusal and refusal.code == "over"


def test_the_own_word_may_not_be_said_and_others_may():
    play = talking()
    assert say(play, 1, "A Violin, of course").code == "own_word"
    assert ready(play, 1, "violins").code == "own_word"
    assert type(say(play, 2, "a violin?")) is list


def test_a_seat_sends_so_many_messages_and_no_more():
    play = talking()
    for number in range(MESSAGES):
        assert asked(play, 1, "say")
        say(play, 1, f"again {number}")
    assert asked(play, 1, "say") is None
    assert asked(play, 2, "say") and asked(play, 1, "ready")


def test_who_is_out_does_not_talk_in_the_next_round():
    play = talking()
    for seat in (1, 2, 3, 4):
        ready(play, seat)
    for request in list(play.state.open.values()):
        play.act(request.seat, request.id, {"seat": 4 if request.seat != 4 else 1})
    while request := next((r for r in play.state.open.values() if r.kind == "clue"), None):
        play.act(request.seat, request.id, {"text": f"hint {len(play.log)}"})
    assert UNDERCOVER.public(play.view(PUBLIC))["talking"] == [1, 2, 3]
    assert asked(play, 4, "say") is None


def test_a_runoff_is_voted_on_without_more_talk():
    play = talking()
    for seat in (1, 2, 3, 4):
        ready(play, seat)
    for request in list(play.state.open.values()):
        play.act(request.seat, request.id, {"seat": {1: 2, 2: 1, 3: 2, 4: 1}[request.seat]})
    assert play.state.runoff
    assert {request.kind for request in play.state.open.values()} == {"vote"}
