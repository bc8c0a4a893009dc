"""Seats of matches as rows: found by person, what came of them, and matches that begin with another's log."""

from __future__ import annotations

import random
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.counting.boards import Choice
from games.match import access, beginning, store
from games.match.erasing import erase
from games.match.rows import MatchSeat
from games.match.view import everything, whole
from games.models import Match, Pending
from games.registry import GAMES, RULES
from games.rules.sample import sample_of
from tests.games.matches import dealt, exported_text, play_on, stored
from tests.games.tables import asked, match_at, play_out, room_of

pytestmark = pytest.mark.django_db


def test_a_persons_matches_are_looked_up_and_not_searched_for():
    match = stored(play_on(dealt("undercover", "magic", 3)))
    stored(dealt("undercover", "magic", 3, seed=2))
    assert [found.pk for found in access.sat_at("ann").filter(pk=match.pk)] == [match.pk]
    if connection.vendor == "sqlite":
        plan = access.sat_at("ann").explain()
        assert "games_matchseat_person" in plan and "SCAN games_matchseat" not in plan


def test_a_match_is_read_from_its_own_rows_alone():
    match = stored(play_on(dealt("undercover", "magic", 3)))
    rows = (
        match.events.all(),
        match.sitters.all(),
        match.thoughts.all(),
        match.attempts.all(),
        match.prompt_texts.all(),
    )
    with CaptureQueriesContext(connection) as asked_for:
        whole(match).file()
        everything([match.pk])
        assert all(list(found) is not None for found in rows)
    reads = [query["sql"] for query in asked_for.captured_queries if 'FROM "games_' in query["sql"]]
    assert len(reads) > len(rows) and not [sql for sql in reads if 'JOIN "games_match"' in sql]


@pytest.mark.parametrize("game", RULES)
def test_what_came_of_each_seat_is_read_off_the_log_at_the_end_and_again(game):
    rules = RULES[game]
    preset, seats = rules.quick
    setting = sample_of(RULES[game]).setting(rules.options(preset, {}, seats), random.Random(1))
    match = stored(play_on(dealt(game, preset, seats, setting=setting)))
    play = store.load(match)
    known = MatchSeat.objects.filter(match=match).values_list("seat", "side", "role", "won")
    then = list(known)
    sides = rules.sides(play.state)
    assert [(seat, side, won) for seat, side, _role, won in then] == [
        (seat, sides.get(seat, ""), seat in play.state.outcome.winners) for seat in range(1, seats + 1)
    ]
    MatchSeat.objects.update(side="", role="", won=None)
    call_command("rebuild_seats")
    assert list(known.all()) == then


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_what_came_of_seats_before_they_had_one_word_is_called_by_it(rules):
    preset, seats = rules.quick
    setting = sample_of(rules).setting(rules.options(preset, {}, seats), random.Random(1))
    match = stored(play_on(dealt(rules.name, preset, seats, setting=setting)))
    known = MatchSeat.objects.filter(match=match).values_list("seat", "side", "role")
    now = list(known)
    renaming = import_module("games.migrations.0021_one_word_for_sides")
    for before, (side, role) in renaming.WORDS.get(rules.name, {}).items():
        MatchSeat.objects.filter(side=side).update(side=before, **({"role": ""} if role else {}))
    assert list(known.all()) != now or rules.name not in renaming.WORDS
    renaming.rename(apps, None)
    assert list(known.all()) == now


def test_nothing_is_known_of_the_seats_of_a_match_that_is_played():
    match = stored(play_on(dealt("avalon", "recon", 6), 5))
    assert set(match.sitters.values_list("side", "role", "won")) == {("", "", None)}


def fork_of_a_hidden_table():
    room = room_of(2, agents_named=False)
    match = match_at(room)
    store.act(match.pk, asked(match).seat, asked(match).id, {"text": "black"})
    store.pause(match.pk)
    return match, beginning.fork(match, match.events.count())


def test_a_fork_hides_agents_has_nobodys_key_and_is_played_on():
    match, fork = fork_of_a_hidden_table()
    assert (fork.origin, fork.parent, fork.kinds_named) == (Match.Origin.FORK, match, False)
    assert {sitter.person for sitter in fork.seated} == {""}
    assert {sitter.kind for sitter in fork.seated} == {"agent"}
    waiting = {request.id for request in store.load(fork).state.open.values() if request.waits}
    assert waiting and set(Pending.objects.filter(match=fork).values_list("request", flat=True)) == waiting
    assert all(row.agent for row in fork.pending.all())
    assert '"kind":"agent"' not in exported_text(fork, 0).replace(" ", "")


def test_who_plays_a_match_sees_nothing_of_its_forks_before_it_is_over():
    match, fork = fork_of_a_hidden_table()
    own, again = f"key-{asked(match).seat}", beginning.fork(fork, 3)
    researcher = User.objects.create_superuser("eve")
    assert set(access.sat_at_while_running(own).values_list("pk", flat=True)) == {match.pk, fork.pk, again.pk}
    assert access.access_of(fork, researcher, own) is access.access_of(again, researcher, own) is None
    assert access.access_of(fork, researcher, "key-99").everything
    store.end(match.pk, "abandoned", "Enough.")
    fork, again = Match.objects.get(pk=fork.pk), Match.objects.get(pk=again.pk)
    assert access.access_of(fork, researcher, own).everything and access.access_of(again, researcher, own).everything


def test_a_fork_is_no_further_match_in_the_numbers():
    match = stored(play_on(dealt("undercover", "wiu", 5)))
    fork = beginning.fork(match, match.events.count() // 2)
    play_out(fork)
    assert Match.objects.get(pk=fork.pk).status == "finished"
    assert list(Choice().matches()) == [match]


def test_who_is_erased_from_a_match_is_erased_from_its_forks():
    match, fork = fork_of_a_hidden_table()
    store.end(match.pk, "abandoned", "Enough.")
    speaker = match.events.exclude(request=None).get()
    erase(f"key-{speaker.seat}")
    assert "black" not in exported_text(fork) + exported_text(match)
    fork.refresh_from_db()
    assert fork.names()[speaker.seat] == f"Player {speaker.seat}"
