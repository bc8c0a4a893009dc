"""The writer of logs: what it adds, what it refuses, who is asked next, and what happens when nobody answers."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games.match import beginning, pending, store, sweeper
from games.match.rows import Event
from games.models import GameSetting, Match, Pending, Room
from games.refused import Refused
from games.room import chairs, rooms

WORDS = {"civilian_word": "coffee", "undercover_word": "tea", "undercovers": [3]}


@pytest.fixture
def sent(workers) -> list[tuple[str, float]]:
    """What is sent to agents' workers."""
    return workers.moves


@pytest.fixture
def words(transactional_db) -> None:
    GameSetting.objects.create(game="undercover", name="coffee and tea", data=WORDS)


def table_for(people: int = 3, **settings) -> Room:
    """A room for Undercover `magic`: Ann (the host), Ben and so on, agents on the seats that are left."""
    room = rooms.open_room(game="undercover", preset="magic", seats=3, person="ann", name="Ann", **settings)
    for person in ("ben", "cleo")[: people - 1]:
        chairs.sit(room, person, person.title())
    if people < 3:
        chairs.fill(room, "ann", "house")
    return room


def start(**arguments) -> Match:
    return rooms.start(table_for(**arguments), "ann")


def asked(match: Match):
    """The one open request."""
    (request,) = store.load(match).state.open.values()
    return request


def give_clue(match: Match, text: str) -> store.Moved:
    request = asked(match)
    return store.act(match.pk, request.seat, request.id, {"text": text})


def test_a_started_match_is_stored_as_its_log(words, sent):
    match = start()
    kinds = list(match.events.values_list("kind", flat=True))
    assert kinds == ["opened", "dealt", "dealt", "dealt", "record", "round", "turn"]
    assert store.load(match).state.civilian_word == "coffee"
    assert Pending.objects.get().request == asked(match).id


def test_a_move_is_appended_once_however_often_it_is_sent(words, sent):
    match = start()
    request = asked(match)
    first = store.act(match.pk, request.seat, request.id, {"text": "black"})
    again = store.act(match.pk, request.seat, request.id, {"text": "black"})
    assert first and again and not again.events
    assert match.events.filter(kind="clue").count() == 1


def test_a_late_different_move_is_refused_and_changes_nothing(words, sent):
    match = start()
    request = asked(match)
    store.act(match.pk, request.seat, request.id, {"text": "black"})
    before = match.events.count()
    late = store.act(match.pk, request.seat, request.id, {"text": "hot"})
    assert late.refusal.sentence == "This move is already made."
    assert match.events.count() == before


def test_nobody_moves_for_another_seat(words, sent):
    match = start()
    request = asked(match)
    moved = store.act(match.pk, request.seat % 3 + 1, request.id, {"text": "black"})
    assert moved.refusal.code == "over"
    assert not match.events.filter(kind="clue").exists()


def test_a_refused_clue_is_kept_as_an_attempt(words, sent):
    match = start()
    request = asked(match)
    word = store.load(match).state.words[request.seat]
    moved = store.act(match.pk, request.seat, request.id, {"text": f"the {word}s"})
    assert moved.refusal.sentence == "Your clue holds your word. Try another."
    assert match.attempts.get().code == "own_word"
    assert asked(match) == request


def test_two_writers_at_once_lose_nothing_and_add_nothing_twice(words, sent):
    match = start()
    for text in ("black", "hot", "bean", "cup", "morning", "mug"):
        give_clue(match, text)
    votes = list(store.load(match).state.open.values())
    assert len(votes) == 3
    barrier = threading.Barrier(len(votes))
    moves: list[store.Moved] = []

    def vote(request) -> None:
        barrier.wait()
        moves.append(store.act(match.pk, request.seat, request.id, {"seat": request.fields[0].seats[0]}))
        connection.close()

    threads = [threading.Thread(target=vote, args=(request,)) for request in votes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(moves) == 3 and all(moves)
    match.refresh_from_db()
    assert match.status == "finished"
    assert list(match.events.values_list("seq", flat=True)) == list(range(1, match.events.count() + 1))


def test_a_full_table_may_vote_in_the_same_moment(words, sent):
    GameSetting.objects.update(data={"civilian_word": "coffee", "undercover_word": "tea"})
    people = [f"key {n}" for n in range(1, 11)]
    room = rooms.open_room(game="undercover", preset="party", seats=10, person=people[0], name="Ann")
    for n, person in enumerate(people[1:], 2):
        chairs.sit(room, person, f"Guest {n}")
    match = rooms.start(room, people[0])
    while len(votes := list(store.load(match).state.open.values())) == 1:
        give_clue(match, f"clue {match.events.count()}")
    assert len(votes) == 10
    barrier = threading.Barrier(len(votes))
    moves: list[store.Moved] = []

    def vote(request) -> None:
        barrier.wait()
        moves.append(store.act(match.pk, request.seat, request.id, {"seat": request.fields[0].seats[0]}))
        connection.close()

    threads = [threading.Thread(target=vote, args=(request,)) for request in votes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(moves) == 10 and all(moves)
    assert match.events.filter(kind="vote").count() == 10
    assert list(match.events.values_list("seq", flat=True)) == list(range(1, match.events.count() + 1))


def test_one_message_goes_out_for_each_request_to_an_agent_when_it_opens(words, sent):
    match = start(people=1, pace=0)
    people = {sitter.seat for sitter in match.seated if sitter.kind == "person"}
    asked_of_agents = 0
    for _ in range(3):
        asked_of_agents += asked(match).seat not in people
        assert len(sent) == asked_of_agents
        give_clue(match, f"clue {match.events.count()}")


def until_an_agent_is_asked(match: Match) -> str:
    """The request to an agent that is open after the person, if they are first, has moved."""
    if Pending.objects.filter(match=match, agent="").exists():
        give_clue(match, "black")
    return Pending.objects.exclude(agent="").get(match=match).request


def test_a_request_is_claimed_by_one_worker_only(words, sent):
    request = until_an_agent_is_asked(start(people=1, pace=0))
    assert pending.claim("house", 30).request == request
    assert pending.claim("house", 30) is None


def test_a_request_is_not_claimed_before_its_time(words, sent, monkeypatch):
    monkeypatch.setattr(pending, "pace", lambda *asked: 3.0)
    request = until_an_agent_is_asked(start(people=1))
    assert sent[-1] == ("house", 3.0)
    assert pending.claim("house", 30) is None
    Pending.objects.update(due_at=timezone.now())
    assert pending.claim("house", 30).request == request


def test_the_sweeper_sends_again_what_a_dead_worker_held(words, sent):
    request = until_an_agent_is_asked(start(people=1, pace=0))
    pending.claim("house", 30)
    sent.clear()
    assert sweeper.sweep() == 0
    later = timezone.now() + timedelta(seconds=31)
    assert sweeper.sweep(later) == 1
    assert sweeper.sweep(later) == 0
    assert sent == [("house", 0.0)]
    Pending.objects.update(lease_until=timezone.now())
    assert pending.claim("house", 30).request == request


def test_what_could_not_be_sent_is_sent_by_the_first_round_that_can(words, sent, monkeypatch):
    def unreachable(*call):
        raise pending.Unsent("nobody is there")

    reachable = pending.dispatch
    monkeypatch.setattr(pending, "dispatch", unreachable)
    until_an_agent_is_asked(start(people=1, pace=0))
    assert sweeper.sweep() == 0 and not sent
    monkeypatch.setattr(pending, "dispatch", reachable)
    assert sweeper.sweep() == 1 and sent == [("house", 0.0)]
    assert sweeper.sweep() == 0


def test_messages_about_a_request_that_no_worker_takes_come_more_and_more_seldom(words, sent):
    until_an_agent_is_asked(start(people=1, pace=0))
    opened = Pending.objects.get().opened_at
    for second in range(10, 541, 10):
        sweeper.sweep(opened + timedelta(seconds=second))
    assert len(sent) == 7  # with the first one, in nine minutes


def test_what_no_worker_has_taken_for_days_is_still_sent_again(words, sent):
    until_an_agent_is_asked(start(people=1, pace=0))
    Pending.objects.update(messages=2000, nudge_at=timezone.now() - timedelta(seconds=1))
    sent.clear()
    assert sweeper.sweep() == 1 and len(sent) == 1


def test_a_decision_that_no_worker_takes_leaves_a_trace_each_time_it_is_sent_again(words, sent, caplog):
    match = start(people=1, pace=0)
    until_an_agent_is_asked(match)
    for seconds in (11, 22):
        ago = timezone.now() - timedelta(seconds=seconds)
        Pending.objects.filter(match=match).update(opened_at=ago, nudge_at=ago)
        sweeper.sweep()
        assert f"of match {match.pk} waits for {seconds} s: no worker has taken it" in caplog.text


def together(*jobs) -> None:
    """Run these in threads that begin at the same moment."""
    barrier = threading.Barrier(len(jobs))

    def run(job) -> None:
        barrier.wait()
        job()
        connection.close()

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_two_sweepers_at_once_send_a_decision_once_and_let_a_deadline_pass_once(words, sent):
    until_an_agent_is_asked(start(people=1, pace=0))
    silent = rooms.open_room(
        game="undercover", preset="magic", seats=3, person="dora", name="Dora", move_seconds=30, absence="default"
    )
    for person in ("emil", "fred"):
        chairs.sit(silent, person, person.title())
    late = rooms.start(silent, "dora")
    late_request = asked(late).id
    sent.clear()
    later = timezone.now() + timedelta(seconds=31)
    together(*[lambda: sweeper.sweep(later)] * 3)
    assert sent == [("house", 0.0)]
    assert late.events.get(request=late_request).by == "default"
    requests = list(late.events.exclude(request=None).values_list("request", flat=True))
    assert len(requests) == len(set(requests)) == late.events.filter(kind="clue").count()


def test_a_match_that_cannot_be_moved_on_holds_up_no_other(words, sent):
    broken = start(absence=Room.Absence.DEFAULT, move_seconds=30)
    room = rooms.open_room(
        game="undercover", preset="magic", seats=3, person="dora", name="Dora", move_seconds=30, absence="default"
    )
    for person in ("emil", "fred"):
        chairs.sit(room, person, person.title())
    whole = rooms.start(room, "dora")
    Match.objects.filter(pk=broken.pk).update(game="a game of yesterday")
    sweeper.sweep(timezone.now() + timedelta(seconds=31))
    assert whole.events.filter(kind="clue", by="default").count() == 1


def test_a_move_waits_for_a_busy_database_and_is_made(words, sent):
    match = start()
    request = asked(match)
    moves: list[store.Moved] = []

    def move() -> None:
        moves.append(store.act(match.pk, request.seat, request.id, {"text": "black"}))
        connection.close()

    mover = threading.Thread(target=move)
    with transaction.atomic():
        Match.objects.filter(pk=match.pk).update(result="")
        mover.start()
        mover.join(0.3)
        assert mover.is_alive() and not moves
    mover.join(20)
    assert moves and moves[0] and match.events.filter(kind="clue").count() == 1


def test_two_people_who_want_one_seat_get_two_or_one_is_told(words, sent):
    room = rooms.open_room(game="undercover", preset="magic", seats=3, person="ann", name="Ann")
    number = next(seat.number for seat in room.seats.all() if seat.free)
    told: list[str] = []

    def sit(person: str) -> None:
        try:
            chairs.sit(room, person, person.title(), number)
        except Refused as refused:
            told.append(str(refused))

    together(lambda: sit("ben"), lambda: sit("cleo"))
    assert told == ["Somebody sits there already."]
    assert room.seats.get(number=number).person in ("ben", "cleo")


def test_an_agent_that_never_answers_does_not_hold_up_the_table(words, sent):
    match = start(people=1, pace=0)
    request = until_an_agent_is_asked(match)
    Pending.objects.filter(request=request).update(attempts=sweeper.DISPATCHES, nudge_at=timezone.now())
    sweeper.sweep(timezone.now() + timedelta(seconds=1))
    event = match.events.get(request=request)
    assert event.by == "default" and event.data == {"text": None}
    assert match.attempts.get(request=request).code == "lost"


def test_a_person_who_does_not_answer_is_silent_by_default(words, sent):
    match = start(absence=Room.Absence.DEFAULT, move_seconds=30)
    request = asked(match)
    assert sweeper.sweep() == 0
    sweeper.sweep(timezone.now() + timedelta(seconds=31))
    event = match.events.get(request=request.id)
    assert (event.by, event.data) == ("default", {"text": None})


def test_an_agent_takes_the_seat_of_an_absent_person_until_they_act(words, sent):
    match = start(absence=Room.Absence.AGENT, move_seconds=30)
    request = asked(match)
    sweeper.sweep(timezone.now() + timedelta(seconds=31))
    assert store.load(match).state.stand_ins == {request.seat: "house"}
    assert sent and Pending.objects.get().agent == "house"
    assert store.act(match.pk, request.seat, request.id, {"text": "black"})
    assert store.load(match).state.stand_ins == {}


def test_who_spoke_in_the_talk_is_not_away_when_it_ends_by_its_time(words, sent):
    match = start(options={"discussion": "free", "clue_rounds": 1}, absence=Room.Absence.AGENT, move_seconds=30)
    for clue in ("black", "hot", "cup"):
        assert give_clue(match, clue)
    say = next(one for one in store.load(match).state.open.values() if one.kind == "say" and one.seat == 2)
    assert store.act(match.pk, 2, say.id, {"text": "I have a bad feeling about this."})
    sweeper.sweep(timezone.now() + timedelta(seconds=31))
    assert store.load(match).state.stand_ins == {1: "house", 3: "house"}
    ready = match.events.get(kind="ready", seat=2)
    assert (ready.by, ready.data) == ("default", {"text": None})


def test_who_talks_beside_the_game_is_late_and_not_away(words, sent):
    match = start(options={"table_talk": True}, absence=Room.Absence.AGENT, move_seconds=30)
    request = asked(match)
    assert store.talk(match.pk, request.seat, "chat", {"text": "Let me think.", "to": "all"})
    sweeper.sweep(timezone.now() + timedelta(seconds=31))
    assert not store.load(match).state.stand_ins
    assert match.events.get(request=request.id).by == "default"
    sweeper.sweep(timezone.now() + timedelta(seconds=62))
    assert set(store.load(match).state.stand_ins) == {asked(match).seat}


def test_a_table_that_waits_has_no_deadline(words, sent):
    start(absence=Room.Absence.WAIT)
    assert Pending.objects.get().deadline is None


def test_a_paused_table_refuses_moves_and_goes_on_with_fresh_clocks(words, sent):
    match = start(absence=Room.Absence.DEFAULT, move_seconds=30)
    request = asked(match)
    store.pause(match.pk)
    assert not Pending.objects.exists()
    assert store.act(match.pk, request.seat, request.id, {"text": "black"}).refusal.code == "paused"
    store.resume(match.pk)
    assert Pending.objects.get().deadline > timezone.now()
    assert store.act(match.pk, request.seat, request.id, {"text": "black"})


def test_a_match_that_is_ended_early_publishes_the_deal_and_takes_no_move(words, sent):
    match = start()
    request = asked(match)
    store.end(match.pk, "abandoned", "The host ended it.")
    match.refresh_from_db()
    assert match.status == "abandoned" and not Pending.objects.exists()
    assert match.events.last().data["deal"]["civilian_word"] == "coffee"
    assert store.act(match.pk, request.seat, request.id, {"text": "black"}).refusal.sentence == "The match is over."


def test_pending_rows_can_be_rebuilt_from_the_log(words, sent):
    match = start(people=1, pace=0)
    before = set(Pending.objects.values_list("request", "seat", "agent"))
    Pending.objects.all().delete()
    pending.project(match, store.load(match))
    assert set(Pending.objects.values_list("request", "seat", "agent")) == before


def test_a_fork_shares_the_log_up_to_its_moment_and_goes_its_own_way(words, sent):
    match = start()
    give_clue(match, "black")
    other = beginning.fork(match, until=match.events.count())
    give_clue(match, "hot")
    request = asked(other)
    assert store.act(other.pk, request.seat, request.id, {"text": "sour"})
    assert other.forked_from == {"match": str(match.pk), "seq": 9}
    shared = [(e.seq, e.kind, e.data) for e in Event.objects.filter(match=match, seq__lte=9)]
    assert shared == [(e.seq, e.kind, e.data) for e in Event.objects.filter(match=other, seq__lte=9)]


def test_only_one_match_is_played_at_a_table_at_a_time(words, sent):
    room = table_for()
    assert rooms.start(room, "ann") == rooms.start(room, "ann")
    assert Match.objects.count() == 1


def test_the_host_s_chair_passes_on_and_an_agent_plays_for_who_has_left(words, sent):
    match = start()
    chairs.leave(match.room, "ann")
    match.room.refresh_from_db()
    assert match.room.host in ("ben", "cleo")
    assert match.seat_of("ann") in store.load(match).state.stand_ins


def test_who_was_sent_away_does_not_come_back(words, sent):
    room = table_for(people=2)
    ben = room.seats.get(person="ben").number
    chairs.kick(room, "ann", ben)
    with pytest.raises(Refused, match="asked you to leave"):
        chairs.sit(room, "ben", "Ben")
    with pytest.raises(Refused, match="Only the host"):
        chairs.kick(room, "ben", ben)


def test_a_table_with_free_seats_does_not_start(words, sent):
    room = rooms.open_room(game="undercover", preset="magic", seats=3, person="ann", name="Ann")
    with pytest.raises(Refused, match="2 seats are still free"):
        rooms.start(room, "ann")


def test_two_people_have_two_names_and_one_person_has_one_seat(words, sent):
    room = rooms.open_room(game="undercover", preset="magic", seats=3, person="ann", name="Ann")
    with pytest.raises(Refused, match="Somebody here has that name"):
        chairs.sit(room, "ann 2", "Ann")
    other = chairs.sit(room, "ann 2", "Anna")
    assert other.number != room.seats.get(person="ann").number
    assert chairs.sit(room, "ann 2", "Anna") == other
