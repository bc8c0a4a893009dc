"""The one choice of matches: what it finds, for whom, and how it is told and read back."""

from __future__ import annotations

from dataclasses import fields
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, Group, User
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection
from django.http import QueryDict

from agents.models import AgentProfile
from evaluation.desk.selection import PARTS, Selection
from evaluation.labelling.models import Final, Item, Round, Scheme, Task
from evaluation.models import Bout, Competition
from games.match import beginning, lookup, store
from games.match.erasing import erase
from games.models import AccountKey, Match
from games.rules.values import SeatInfo
from magic_site.rights import RESEARCHER
from tests.games.matches import dealt, play_on, stored, thoughts_of
from tests.kept import kept

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def matches(django_db_setup, django_db_blocker):
    """Two finished matches of Avalon, one of Undercover, one that runs, one that was ended."""
    with kept(django_db_blocker):
        for seed in (1, 2):
            play = play_on(dealt("avalon", "recon", 6, seed=seed))
            thoughts = [thought | {"method": "recon", "model": f"model-{seed}"} for thought in thoughts_of(play)]
            beginning.keep(play, seats=seats_of(play), thoughts=thoughts)
        stored(play_on(dealt("undercover", "wiu", 5)))
        stored(play_on(dealt("undercover", "wiu", 5, seed=3), 4))
        ended = stored(play_on(dealt("undercover", "wiu", 5, seed=4), 4))
        store.end(ended.pk, "abandoned", "Enough.")
        yield


def seats_of(play) -> list[dict]:
    def seat(one: SeatInfo) -> dict:
        return {"seat": one.seat, "name": one.name, "kind": "agent", "agent": f"agent-{one.seat % 2}"}

    return [seat(one) for one in play.header.seats]


def found(**params: str) -> list[Match]:
    return list(Selection.of(params).matches())


def of_the_log(match: Match, agent: str, role: str, won: bool) -> bool:
    """Whether one seat is all of this, read off the log itself."""
    play = store.load(match)
    cast, winners = play.rules.cast(play.state), play.state.outcome.winners
    seats = [(one.agent, cast[one.seat].role, one.seat in winners) for one in play.header.seats]
    return (agent, role, won) in seats


def test_its_parts_are_those_of_the_form():
    assert [one.name for one in fields(Selection) if one.name != "user"] == list(PARTS)


@pytest.mark.parametrize("agent", ["agent-0", "agent-1"])
@pytest.mark.parametrize("role", ["merlin", "assassin"])
@pytest.mark.parametrize("won", ["yes", "no"])
def test_an_agent_that_lost_as_a_role_is_one_seat(agent, role, won):
    expected = [
        match.pk for match in Match.objects.filter(game="avalon") if of_the_log(match, agent, role, won == "yes")
    ]
    assert {match.pk for match in found(agent=agent, role=role, won=won)} == set(expected)


def test_an_agent_and_a_role_are_found_as_pages_call_them():
    AgentProfile.objects.create(name="agent-0", title="The Zeroth")
    role = next(role for role in ("merlin", "assassin", "servant", "percival") if found(agent="agent-0", role=role))
    as_kept = [match.pk for match in found(agent="agent-0", role=role)]
    for agent in ("The Zeroth", "the zeroth", "AGENT-0"):
        assert [match.pk for match in found(agent=agent, role=role.title())] == as_kept


def test_there_are_matches_for_some_of_these_and_not_for_all():
    each = [found(agent=a, role=r) for a in ("agent-0", "agent-1") for r in ("merlin", "assassin")]
    assert any(each) and not all(len(one) == 2 for one in each)


@pytest.mark.parametrize(
    ("params", "count"),
    [
        ({}, 5),
        ({"game": "avalon"}, 2),
        ({"game": "undercover", "status": "running"}, 1),
        ({"status": "over"}, 4),
        ({"status": "abandoned"}, 1),
        ({"method": "recon"}, 2),
        ({"method": "recon", "model": "model-2"}, 1),
        ({"model": "model-1", "agent": "agent-0"}, 1),
        ({"model": "model-1", "agent": "nobody"}, 0),
        ({"method": "house", "game": "avalon"}, 0),
        ({"origin": "played"}, 5),
        ({"origin": "import"}, 0),
        ({"preset": "wiu"}, 3),
        ({"since": "2000-01-01", "until": "2000-01-01"}, 0),
        ({"sample": "3", "seed": "5"}, 3),
        ({"sample": "50"}, 5),
        ({"page": "2", "nonsense": "x"}, 5),
    ],
)
def test_each_part_narrows(params, count):
    assert len(found(**params)) == Selection.of(params).count() == count


def test_days_are_whole():
    match = Match.objects.order_by("pk").first()
    day = match.created_at.date()
    assert match in found(since=str(day), until=str(day))
    assert match not in found(until=str(day - timedelta(days=1))) + found(since=str(day + timedelta(days=1)))


def test_a_competition_and_its_suite():
    match = Match.objects.filter(game="avalon").first()
    competition = Competition.objects.create(name="c", suite="wiu", entry={})
    common = {"competition": competition, "game": "avalon", "preset": "recon", "agents": [], "seed": 1}
    Bout.objects.create(number=1, match=match, **common)
    Bout.objects.create(number=2, **common)
    assert found(competition=str(competition.pk)) == found(suite="wiu") == [match]
    assert found(suite="magic") == []


def test_a_label_that_holds_of_something_in_it_once_its_round_is_closed():
    match = Match.objects.filter(game="avalon").first()
    scheme = Scheme.objects.create(name="deception", title="d", labels=[])
    task = Task.objects.create(name="t", scheme=scheme)
    around = Round.objects.create(task=task, number=1, scheme=scheme)
    item = Item.objects.create(round=around, number=1, match=match, anchor={"event": 3})
    Final.objects.create(item=item, labels=["omission", "défi"], how="agreed")
    assert found(label="deception:omission") == []
    Round.objects.update(status=Round.Status.CLOSED)
    assert found(label="deception:omission") == found(label="deception") == found(label="deception:défi") == [match]
    assert found(label="deception:omissio") == found(label="other:omission") == found(label="deception:%") == []


def test_ids_of_matches_come_several_times_or_with_commas():
    one, two = Match.objects.all()[:2]
    assert {m.pk for m in found(match=f"{one.pk}, {two.pk}")} == {one.pk, two.pk}
    assert set(Selection.of(QueryDict(f"match={one.pk}&match={two.pk}")).matches()) == {one, two}


def test_a_sample_is_the_same_for_the_same_seed_and_another_for_another():
    draws = [tuple(match.pk for match in found(sample="2", seed=str(seed))) for seed in (1, 1, 2, 3, 4, 5)]
    assert draws[0] == draws[1] and len(set(draws)) > 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("game", "chess"),
        ("won", "perhaps"),
        ("competition", "x"),
        ("since", "yesterday"),
        ("until", "9999-12-31"),
        ("match", "1,2"),
        ("sample", "0"),
        ("sample", "some"),
        ("words", '"!"'),
        ("agent", "a\0b"),
        ("status", "lost"),
    ],
)
def test_what_makes_no_sense_is_said_by_field(name, value):
    with pytest.raises(ValidationError) as raised:
        Selection.of({name: value})
    assert list(raised.value.message_dict) == [name]


def test_it_is_read_back_from_what_it_says_of_itself():
    params = {"agent": "agent-1", "won": "no", "role": "merlin", "sample": "2", "seed": "7", "since": "2026-01-02"}
    one = Selection.of(params)
    assert one.params() == params
    assert Selection.of(QueryDict(one.query())) == one
    assert "Agent: agent-1" in one.sentence() and "Won or lost: Lost" in one.sentence()
    assert Selection.of({}).sentence() == "All matches"


# Words --------------------------------------------------------------------------------------------------------------


def said(match: Match) -> str:
    return match.events.filter(kind="clue").first().data["text"]


def test_words_are_found_in_speech_and_thoughts():
    match = Match.objects.filter(game="undercover", status="finished").get()
    assert match in found(words=said(match))
    thought = match.thoughts.first()
    assert found(words=f'"{thought.reply}"', game="undercover", status="finished") == [match]
    assert found(words=thought.reply + " marzipan") == []


def test_full_text_is_used_where_the_database_has_it_and_says_the_same_without(monkeypatch):
    assert lookup.has_full_text()
    words = said(Match.objects.filter(game="undercover", status="finished").get())
    plan = Selection.of({"words": words}).matches().explain()
    assert "VIRTUAL TABLE" in plan or connection.vendor == "postgresql"
    indexed = found(words=words.upper())
    monkeypatch.setattr(lookup, "has_full_text", lambda: False)
    if connection.vendor == "sqlite":
        assert found(words=words.upper()) == indexed != []


@pytest.mark.parametrize("odd", ['"', "*", "NEAR(", "a AND", "-x", "text:x", "'; --", "(", '"a b', "%", "_"])
def test_signs_in_words_mean_nothing(odd):
    try:
        found(words=odd)
    except ValidationError as error:
        assert list(error.message_dict) == ["words"]


def test_words_are_written_down_again_from_the_logs():
    before = sorted(lookup.Text.objects.values_list("match", "seat", "seq", "request", "text"), key=str)
    methods = set(lookup.SeatMethod.objects.values_list("match", "seat", "method", "model"))
    assert before and methods
    lookup.Text.objects.all().delete()
    lookup.SeatMethod.objects.all().delete()
    assert found(words="warm") == []
    call_command("rebuild_seats")
    assert sorted(lookup.Text.objects.values_list("match", "seat", "seq", "request", "text"), key=str) == before
    assert set(lookup.SeatMethod.objects.values_list("match", "seat", "method", "model")) == methods


def test_what_was_erased_is_not_found_any_more():
    match = stored(play_on(dealt("undercover", "wiu", 5, seed=9)))
    seat = match.seat_of("ann")
    words = match.events.filter(kind="clue", seat=seat).first().data["text"]
    assert match in found(words=f'"{words}"')
    store.end(Match.objects.get(status="running").pk, "abandoned", "Enough.")
    erase("ann")
    match.refresh_from_db()
    own = lookup.Text.objects.filter(match=match, seat=seat)
    assert own.filter(text="[erased]") and not own.filter(text__icontains=words)
    assert match in found(words="erased")


def test_words_of_a_deleted_match_are_gone():
    match = Match.objects.filter(game="undercover", status="finished").get()
    words = said(match)
    key = match.pk
    match.delete()
    assert key not in {one.pk for one in found(words=words)}
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO games_text_words(games_text_words, rank) VALUES ('integrity-check', 1)")


# Who finds what -----------------------------------------------------------------------------------------------------


def researcher(key: str = "") -> User:
    user = User.objects.create_user("rita")
    user.groups.add(Group.objects.get(name=RESEARCHER))
    if key:
        AccountKey.objects.create(user=user, key=key)
    return user


@pytest.mark.parametrize("who", ["visitor", "player", "staff"])
def test_who_may_not_see_thoughts_finds_nothing(who):
    user = AnonymousUser() if who == "visitor" else User.objects.create_user("bob", is_staff=who == "staff")
    if user.pk:
        AccountKey.objects.create(user=user, key="ann")
    for params in ({}, {"words": "REPLY"}, {"role": "merlin"}):
        assert not Selection.of(params, user).matches().exists()
        assert Selection.of(params).count(user) == 0


def test_who_plays_a_match_does_not_find_it_by_what_is_hidden_while_it_runs():
    match = Match.objects.get(status="running")
    thought = match.thoughts.first() or match.events.filter(kind="clue").first()
    words = thought.reply if hasattr(thought, "reply") else thought.data["text"]
    other, own = researcher(), User.objects.create_superuser("eve")
    AccountKey.objects.create(user=own, key="ann")
    assert match in Selection.of({"words": words}, other).matches()
    assert match not in Selection.of({"words": words}, own).matches()
    assert match not in Selection.of({}, own).matches()
    fork = beginning.fork(match, 3)
    assert fork not in Selection.of({}, own).matches() and fork in Selection.of({}, other).matches()
    store.end(match.pk, "abandoned", "Enough.")
    assert match in Selection.of({"words": words}, own).matches()
