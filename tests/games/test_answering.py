"""Whom something said at a table asks for an answer."""

import pytest

from games.match import pending, store, sweeper
from games.models import Match, Pending
from games.rules import answering, table_talk
from games.rules.play import Play
from tests.games.tables import match_at, room_of
from tests.games.test_table_talk import said, vote_out, with_talk

AGENTS = range(3, 7)


def heard(play: Play, seat: int, text: str, to: str = "all", by: str = "person") -> list[int]:
    """The seats that are called by what this one says."""
    return [call.seat for call in answering.calls(play, said(play, seat, text, to, by))]


def talk() -> Play:
    """Six seats, the last four of them agents, called Player 3 to Player 6."""
    return with_talk("party", 6)


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("Player 4, why did you vote so?", [4]),
        ("seat 5 and PLAYER 3: hello", [5, 3]),
        ("#6?", [6]),
        ("Player 2, what do you think?", []),
        ("Player 3, player 4, player 5, who is it?", [3, 4]),
        ("I have said all that I know.", []),
        ("Player 44 is nobody, and so is 3rd.", []),
    ],
)
def test_who_is_spoken_to_by_name_or_number_is_called(text, called):
    assert heard(talk(), 1, text) == called


def test_one_or_two_are_called_by_a_question_to_the_table_the_same_for_the_same_match():
    counts = set()
    for n in range(40):
        plays = [talk(), talk()]
        for play in plays:
            for _ in range(n):
                said(play, 1, "so so")
        first, second = (heard(play, 1, "Who is it?") for play in plays)
        assert first == second and set(first) <= set(AGENTS)
        counts.add(len(first))
    assert counts == {1, 2}


def test_agents_answer_no_agents_and_no_stand_ins():
    play = talk()
    assert heard(play, 3, "Player 4, who is it?", by="agent:house") == []
    assert heard(play, 1, "Player 4, who is it?", by="agent:house") == []


def test_who_is_out_is_called_by_those_who_are_out_alone():
    play = vote_out(vote_out(talk(), 1), 3)
    assert heard(play, 2, "Player 3, are you there?") == []
    assert heard(play, 1, "Player 3, and player 4?", "out") == [3]
    (call,) = answering.calls(play, [play.log[-1]])
    assert call.audience == (1, 3) and call.fields[1].options == (table_talk.OUT,)


def test_nobody_is_called_where_there_is_no_talk_or_as_much_was_answered_as_may_be():
    play = talk()
    for n in range(answering.MOST):
        said(play, 3, f"so {n}", by="agent:house")
    assert heard(play, 1, "Player 4?") == []


def test_a_call_is_too_late_after_the_round_or_much_talk():
    play = talk()
    said(play, 1, "Player 4?")
    (call,) = answering.calls(play, [play.log[-1]])
    assert answering.call(play, call.id) == call
    other = play.fork(len(play.log))
    for n in range(answering.LATE + 1):
        said(other, 2, f"so {n}")
    assert answering.call(other, call.id) is None
    assert answering.call(vote_out(play, 6), call.id) is None


# At live tables -------------------------------------------------------------------------------------------------------


@pytest.fixture
def match(workers, db) -> Match:
    """Ann and Ben at a table with three agents."""
    return match_at(room_of(2, preset="party", seats=5, options={"table_talk": True}), {**WORDS})


WORDS = {"civilian_word": "coffee", "undercover_word": "tea", "undercovers": [5]}


def ask(match: Match, text: str = "Agent 3, hello?") -> Pending:
    assert store.talk(match.pk, 1, "chat", {"text": text, "to": "all"})
    return match.pending.get(request__endswith=":chat")


def chats(match: Match) -> list[str]:
    return [event.data["text"] for event in store.load(match).log if event.kind == "chat"]


def test_an_answer_is_said_once_however_often_it_is_given(match):
    row = ask(match)
    assert (row.agent, row.seat, row.queue) == ("house", 3, "house")
    for _ in range(2):
        assert store.answer(match.pk, row.request, {"text": "Hello!", "to": "all"}, "agent:house")
    assert chats(match) == ["Agent 3, hello?", "Hello!"] and not match.pending.filter(pk=row.pk)


def test_silence_and_what_comes_too_late_leave_nothing_behind(match):
    row = ask(match)
    store.answer(match.pk, row.request, {"text": None, "to": "all"}, "agent:house")
    assert not match.pending.filter(pk=row.pk) and len(chats(match)) == 1
    row = ask(match)
    store.end(match.pk, "abandoned", "enough")
    assert not match.pending.exists()
    store.answer(match.pk, row.request, {"text": "Hello!", "to": "all"}, "agent:house")
    assert len(chats(match)) == 2


def test_other_moves_leave_a_call_open_and_a_lost_one_is_sent_again_until_it_is_given_up(match, workers):
    row = ask(match)
    request = next(one for one in store.load(match).state.open.values() if one.waits)
    store.expire(match.pk, request.id)
    assert match.pending.filter(pk=row.pk).exists()
    Pending.objects.filter(pk=row.pk).update(nudge_at=row.opened_at)
    assert sweeper.sweep()
    Pending.objects.filter(pk=row.pk).update(nudge_at=row.opened_at, attempts=sweeper.DISPATCHES)
    sweeper.sweep()
    assert not match.pending.filter(pk=row.pk).exists() and len(chats(match)) == 1


def test_a_call_waits_for_nothing_and_nothing_waits_for_it(match):
    row = ask(match)
    assert row.deadline is None
    assert pending.unheld().filter(pk=row.pk).exists()
