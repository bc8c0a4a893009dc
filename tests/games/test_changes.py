"""A change of a match, and whatever was kept of it: who was told lets go, and who was not notices."""

import ast
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from agents import tasks, turns
from agents.models import AgentProfile, Call
from games.match import access, beginning, changes, erasing, pending, store
from games.match.changes import SEATS, WORDS, Kept
from games.models import Match
from tests.games.matches import exported_text
from tests.games.tables import asked, match_at, room_of

SHELVES = {
    "games/jobs/kinds.py: KINDS": "all kinds of slow work",
    "games/jobs/leases.py: _held": "leases that this process renews",
    "agents/providers/openai_responses.py: STREAMED": "names of fields",
    "evaluation/counting/sums.py: _merged": "numbers, and by which rows of the database they are known to be old",
    "evaluation/exports/declared.py: COLLECTIONS": "all collections of exports",
    "evaluation/metrics/base.py: METRICS": "all metrics",
    "games/web/api/waiting.py: _benches": "programs that wait at a room, and how it was read for them last",
    "games/web/reading.py: _shared": "reads under way",
    "games/web/sockets.py: _gates": "how many pages are read at once",
    "games/web/watch.py: _watches": "open pages",
}
"""What modules keep beside `Kept`, none of it a match's."""


@pytest.fixture
def shelf():
    shelf = Kept(2, WORDS)
    yield shelf
    Kept.every.remove(shelf)


def test_a_thing_is_made_once_for_a_number_and_anew_for_another(shelf):
    match, made = uuid4(), iter("abcdef")
    got = [shelf.of(match, as_of, lambda: next(made), *key) for as_of, key in ((1, "x"), (1, "x"), (1, "y"), (2, "x"))]
    assert got == ["a", "a", "b", "c"]


def test_so_many_are_kept_and_those_of_a_match_go_with_what_makes_them_old(shelf):
    first, second = uuid4(), uuid4()
    for match in (uuid4(), first, second):
        shelf.of(match, 1, partial(UUID, str(match)))
    changes.let_go(first, SEATS)
    assert [match for (match,) in shelf._things] == [first, second]
    changes.let_go(first, WORDS)
    assert [match for (match,) in shelf._things] == [second]


def test_nothing_waits_while_another_thing_is_made(shelf):
    making, made = threading.Event(), threading.Event()

    def slowly():
        making.set()
        assert made.wait(10)

    slow = threading.Thread(target=shelf.of, args=(uuid4(), 1, slowly))
    slow.start()
    assert making.wait(10) and shelf.of(uuid4(), 1, lambda: "at once") == "at once"
    made.set()
    slow.join()


@pytest.mark.django_db
def test_who_has_a_seat_is_noticed_though_nobody_was_told(monkeypatch):
    monkeypatch.setattr(changes, "_tell_of", lambda *news: None)
    key = match_at(room_of()).pk

    def seats(person: str) -> tuple:
        match = Match.objects.select_related("room").get(pk=key)
        return match.seat_of(person), access.access_of(match, AnonymousUser(), person).viewer

    assert seats("key-1") == (1, 1)
    store.hand_over("key-1", "another")
    assert seats("another") == (1, 1) and seats("key-1")[0] is None


@pytest.mark.django_db
def test_what_is_kept_of_seats_learns_no_role_when_a_match_ends():
    """It is shared by threads, and the end may be rolled back."""
    match = match_at(room_of())
    kept = match.seated
    store.end(match.pk, "abandoned", "Enough.")
    assert match.sitters.exclude(role="").exists() and {sitter.role for sitter in kept} == {""}


@pytest.mark.django_db(transaction=True)
def test_each_change_is_told_to_the_room_once_it_is_committed(monkeypatch):
    match, told = match_at(room_of()), []
    monkeypatch.setattr(changes, "tell", lambda code, part, match=None, n=0: told.append((part, n)))
    monkeypatch.setattr(changes, "send", lambda to, message: told.append((to, message["what"])))
    store.act(match.pk, asked(match).seat, asked(match).id, {"text": "bitter"})
    assert told == [("log", 9)]
    store.hand_over("key-1", "another")
    store.end(match.pk, "abandoned", "Enough.")
    erasing.erase("another")
    assert told[1:] == [
        ("processes", "seats"), ("seats", 0), ("log", 10), ("processes", "seats"), ("seats", 0),
        ("processes", "words"), ("words", 0),
    ]  # fmt: skip


def a_running_fork() -> tuple[Match, Match]:
    """Of a match that is over, in which the first speaker said "black"; it is the next one's turn."""
    match = match_at(room_of())
    store.act(match.pk, asked(match).seat, asked(match).id, {"text": "black"})
    fork = beginning.fork(match, match.events.count())
    store.end(match.pk, "abandoned", "Enough.")
    return match, fork


@pytest.mark.django_db
def test_what_was_decided_on_words_that_are_erased_meanwhile_counts_for_nothing(monkeypatch):
    AgentProfile.objects.create(name="house", title="House", provider="house")
    match, fork = a_running_fork()
    decide, speaker = turns.decide, match.events.get(kind="clue").seat

    def quote(play, request, *rest, **more):
        Call.objects.create(match=fork.pk, request=request.id, seat=request.seat, nth=1, reply="black, they said")
        erasing.erase(f"key-{speaker}")
        return decide(play, request, *rest, **more)

    monkeypatch.setattr(turns, "decide", quote)
    tasks.answer_next(tasks.HOUSE)
    assert asked(fork).seat != speaker and fork.events.filter(kind="clue").count() == 1
    assert not fork.thoughts.exists() and not Call.objects.filter(match=fork.pk).exists()
    monkeypatch.setattr(turns, "decide", decide)
    row = pending.Pending.objects.get(match=fork)
    tasks._answer(fork.pk, row.request, row.agent)
    assert fork.events.filter(kind="clue").count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_fork_that_is_begun_while_its_parent_is_erased_has_none_of_the_words(monkeypatch):
    match, _fork = a_running_fork()
    speaker = match.events.get(kind="clue").seat
    erasing_now, read, load = threading.Event(), threading.Event(), store.load

    def fork():
        assert erasing_now.wait(10)
        monkeypatch.setattr(store, "load", lambda match: (load(match), read.set())[0])
        forked.append(beginning.fork(match, match.events.count() - 1))
        connection.close()

    forked: list[Match] = []
    monkeypatch.setattr(erasing, "also", [lambda match, without: (erasing_now.set(), read.wait(0.3))])
    other = threading.Thread(target=fork)
    other.start()
    erasing.erase(f"key-{speaker}")
    other.join()
    assert "black" not in exported_text(forked[0])


EMPTY = ("{}", "dict()", "OrderedDict()", "defaultdict(", "WeakKeyDictionary()", "WeakValueDictionary()")


def shelves(path: Path) -> Iterator[str]:
    """The names of a module that begin as something empty to keep things in."""
    for line in ast.parse(path.read_text()).body:
        target = line.target if isinstance(line, ast.AnnAssign) else getattr(line, "targets", [None])[0]
        if isinstance(target, ast.Name) and line.value and ast.unparse(line.value).startswith(EMPTY):
            yield f"{path.relative_to(settings.BASE_DIR)}: {target.id}"


def test_what_a_process_keeps_of_matches_is_kept_in_one_way():
    """No module has a shelf of its own that nobody tells of a change."""
    apps = ("games/jobs", "games/match", "games/room", "games/web", "agents", "evaluation")
    paths = [path for app in apps for path in (settings.BASE_DIR / app).rglob("*.py") if "migrations" not in path.parts]
    assert {shelf for path in paths for shelf in shelves(path)} == set(SHELVES)
