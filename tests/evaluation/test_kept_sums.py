"""What a match gives is kept with it: merged in any order it comes to what is counted anew from all logs, whatever
happened to the matches meanwhile."""

from __future__ import annotations

import json
import random
import uuid
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.core.management import call_command

from agents.models import AgentProfile
from evaluation.competitions import running
from evaluation.counting import boards, stored, sums
from evaluation.metrics import METRICS, Combined
from evaluation.models import Bout, MatchSums
from evaluation.suites import Entry
from games.match import changes, erasing, writer
from games.match.rows import Attempt, Event, MatchSeat, Thought
from games.models import Detection, Match, Notebook
from magic_site import clock
from tests.kept import kept
from tests.workers import Workers

pytestmark = pytest.mark.django_db

SUITES = {"magic": {"take": 21}, "wiu": {"matches": 2}, "recon": {"matches": 1, "take": 2}, "spygame": {"take": 3}}


@pytest.fixture(scope="module")
def played_once(django_db_setup, django_db_blocker):
    """Matches of four suites by house agents, some seats given to a person, and some matches once more by each of two
    profiles that differ in their method alone."""
    with kept(django_db_blocker), pytest.MonkeyPatch.context() as patch:
        workers = Workers(patch)
        call_command("load_fixtures", verbosity=0)
        for name, method in (("plain", "direct"), ("method", "recon")):
            AgentProfile.objects.create(name=name, title=name, provider="openai", model="m", method=method)
        for suite, given in SUITES.items():
            running.start(running.make(suite, suite, Entry(("house",), **given)))
        workers.play()
        matches = list(Match.objects.order_by("bout__competition__suite", "bout__number"))
        for match in matches[::3]:
            match.events.filter(seat=1, by__startswith="agent:").update(by="person")
            match.sitters.filter(seat=1).update(agent="", kind="person", person="key")
        for match in matches[1:12:3]:
            for agent in ("plain", "method"):
                copy = again(match.pk, 0)
                copy.events.filter(by__startswith="agent:").update(by=f"agent:{agent}")
                copy.sitters.update(agent=agent)
        yield list(Match.objects.order_by("pk").values_list("pk", flat=True))


@pytest.fixture
def played(played_once):
    cache.clear()
    return played_once


def again(key, ago):
    """A match stored once more, of no competition, under another id, begun so many minutes ago."""
    match, rows = Match.objects.get(pk=key), []
    for model in (MatchSeat, Event, Thought, Attempt):
        rows.append((model, list(model.objects.filter(match=key))))
    match.pk, match.digest = uuid.uuid4(), ""
    match.save(force_insert=True)
    Match.objects.filter(pk=match.pk).update(created_at=clock.now() - timedelta(minutes=ago))
    for model, copies in rows:
        for row in copies:
            row.pk, row.match_id = None, match.pk
        model.objects.bulk_create(copies)
    return match


def anew(choice, part=()):
    """What is counted of a choice from its matches' logs, by nothing that is kept."""
    work = boards.work(choice, part)
    counting = work.make()
    for record in stored.records(work.matches, lenient=work.reading.lenient, apart=work.reading.apart):
        counting.merge(counting.of(record))
    return counting.to_json()


def as_json(data):
    return json.loads(json.dumps(data, sort_keys=True))


def choices(rng):
    """A choice of matches at random, and what is counted of them."""
    given = {
        "suite": ["magic", "wiu", "spygame"],
        "game": ["undercover", "avalon", "public_good"],
        "role": ["spy", "undercover", "chameleon"],
        "since": [str((clock.now() - timedelta(minutes=30)).date())],
        "until": [str(clock.now().date())],
        "seats": ["all"],
        "models": ["apart"],
        "competition": [str(key) for key in Bout.objects.order_by("competition").values_list("competition", flat=True)],
    }
    chosen = {name: rng.choice(values) for name, values in given.items() if values and rng.random() < 0.15}
    pair = ("pair", "leaderboard.m1", '"plain"', '"house"')
    return boards.Choice(**chosen), rng.choice([(), (), (), pair, boards.CALIBRATION])


def change(rng, played):
    """Something that may happen to matches after they were counted."""
    match = rng.choice(list(Match.objects.exclude(status="running").order_by("pk")))
    what = rng.choice(
        ("stored", "stored", "stored", "guess", "guess", "marks", "erased", "seated", "gone", "unplanned")
    )
    if what == "stored":
        there = list(Match.objects.filter(pk__in=played).order_by("pk").values_list("pk", flat=True))
        again(rng.choice(there), rng.randrange(60))
    elif what == "guess":
        Detection.objects.get_or_create(match=match, seat=1, defaults={"agents": rng.choice([[2], [2, 3], None])})
    elif what == "marks":
        Notebook.objects.get_or_create(match=match, seat=1, defaults={"marks": [[5, 2, "doubt"], [9, 3, "trust"]]})
    elif what == "erased":
        erasing.erase_seat(match, 1)
    elif what == "seated":
        writer.reseat(match, rng.choice([1, 2]), agent=rng.choice(["house", "plain", "method"]), kind="agent")
    elif what == "gone":
        match.delete()
    else:
        Bout.objects.filter(match=match).delete()
    return what


def compare_at_random(seed, steps, played):
    rng = random.Random(seed)
    for _ in range(steps):
        happened = [change(rng, played) for _ in range(rng.choice([1, 1, 3]))]
        choice, part = choices(rng) if rng.random() < 0.6 else (boards.Choice(), ())
        found, state = boards.counted(choice, part)
        assert as_json(found) == as_json(anew(choice, part)), (happened, choice, part)
        assert state == boards.state(choice, part)


@pytest.mark.parametrize("seed", [1, 2])
def test_numbers_from_kept_sums_are_those_counted_anew(played, seed):
    compare_at_random(seed, 8, played)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 104))
def test_numbers_from_kept_sums_are_those_counted_anew_after_many_changes(played, seed):
    compare_at_random(seed, 30, played)


def test_there_are_people_pairs_and_guesses_among_what_is_compared(played):
    """Else the tests above would compare nothing."""
    Detection.objects.create(match=Match.objects.filter(sitters__kind="person").first(), seat=1, agents=[2])
    data, _ = boards.counted(boards.Choice())
    assert data["gains"] and data["contrasts"]["1"] and data["contrasts"]["2"] and data["detection"] and data["ratings"]
    assert any(gain["difference"] for gain in data["gains"])


def reads(monkeypatch):
    """The matches that are read from now on."""
    read, records = [], stored.records

    def noted(*given, **how):
        for record in records(*given, **how):
            read.append(record.id)
            yield record

    monkeypatch.setattr(stored, "records", noted)
    return read


def test_each_match_is_read_once_for_all_tables_of_all_choices(played, monkeypatch):
    read = reads(monkeypatch)
    for choice in (boards.Choice(), boards.Choice(game="undercover"), boards.Choice(suite="magic")):
        boards.counted(choice)
    boards.counted(boards.Choice(), ("pair", "leaderboard.m1", '"plain"', '"house"'))
    assert len(read) == len(set(read)) == len(played)
    again(played[0], 0)
    boards.counted(boards.Choice())
    assert len(read) == len(played) + 1, "of one match more that one is read"


CHANGES = {
    "a guess": lambda match: Detection.objects.create(match=match, seat=1, agents=[2]),
    "marks": lambda match: Notebook.objects.create(match=match, seat=1, marks=[[5, 2, "doubt"]]),
    "erased": lambda match: erasing.erase_seat(match, 1),
    "seated": lambda match: writer.reseat(match, 1, name="Somebody"),
    "thoughts": lambda match: changes.changed(match, changes.THOUGHTS),
    "unplanned": lambda match: match.bout.delete(),
    "competition": lambda match: match.bout.competition.delete(),
    "planned otherwise": lambda match: match.bout.save(),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_match_that_changes_is_counted_anew(played, monkeypatch, what):
    boards.counted(boards.Choice())
    before, read = boards.state(boards.Choice()), reads(monkeypatch)
    match = Match.objects.filter(game="prisoners_dilemma").first()
    CHANGES[what](match)
    assert boards.state(boards.Choice()) != before, "pages that show the numbers know that they are old"
    found, _ = boards.counted(boards.Choice())
    assert str(match.pk) in read
    assert as_json(found) == as_json(anew(boards.Choice()))


def test_what_a_match_gave_before_it_changed_is_not_kept_by_who_read_it_meanwhile(played, monkeypatch):
    """The count has read the match as it was when somebody's guess comes in."""
    records, late = stored.records, []

    def slow(*given, **how):
        for record in records(*given, **how):
            if not late:
                late.append(Detection.objects.create(match_id=record.id, seat=1, agents=[2]))
            yield record

    monkeypatch.setattr(stored, "records", slow)
    boards.counted(boards.Choice())
    monkeypatch.setattr(stored, "records", records)
    assert not MatchSums.objects.filter(match=late[0].match).exists()
    assert as_json(boards.counted(boards.Choice())[0]) == as_json(anew(boards.Choice()))


def test_sums_of_other_code_are_not_used(played, monkeypatch):
    boards.counted(boards.Choice())
    before, read = boards.state(boards.Choice()), reads(monkeypatch)
    monkeypatch.setattr(sums, "version", lambda: "other")
    assert boards.state(boards.Choice()) != before
    boards.counted(boards.Choice())
    assert len(read) == len(played)
    assert set(MatchSums.objects.values_list("version", flat=True)) == {"other"}


def test_the_version_is_that_of_all_code_that_counts():
    names = {f"{path.parent.name}/{path.name}" for path in sums._code()}
    assert {"metrics/base.py", "records/record.py", "tables/board.py", "rules/core.py", "avalon/rules.py"} <= names
    assert {"posterior/behaviour.json", "undercover/setting.py"} <= names


def test_all_that_is_kept_can_be_counted_again(played, capsys):
    boards.counted(boards.Choice())
    call_command("recount")
    assert f"{len(played)} were counted again. They came to the same." in capsys.readouterr().out
    MatchSums.objects.filter(match=played[0]).update(given=b"")
    call_command("recount")
    assert "1 of them came to something else" in capsys.readouterr().out
    assert as_json(boards.counted(boards.Choice())[0]) == as_json(anew(boards.Choice()))


def test_who_waits_is_told_how_far_the_reading_is(played, monkeypatch):
    monkeypatch.setattr(stored, "CHUNK", 10)
    told = []
    boards.count(SimpleNamespace(tell=lambda *given: told.append(given)), {}, [])
    assert told == [(min(first + 10, len(played)), len(played)) for first in range(0, len(played), 10)]


def test_no_tally_grows_with_matches_that_gave_the_same(played):
    """Ten times as many matches that differ in nothing take no more room."""
    board = boards.work(boards.Choice()).make()
    given = [board.of(record) for record in stored.records(Match.objects.filter(pk__in=played[:12]))]

    def size():
        tables = (meter.numbers for table in board.tables.values() for meter, _ in table.counted)
        return sum(len(tally._alike) for one in tables for row in one._tallies.values() for tally in row.values())

    for one in given:
        board.merge(one)
    once = size()
    for one in given * 10:
        board.merge(one)
    assert size() == once > 0


def test_every_made_number_takes_many_values_at_once():
    """Resamples are worked out as arrays: each number is then what its own parts give."""
    import numpy as np

    rng = np.random.default_rng(1)
    for metric in METRICS.values():
        if isinstance(metric, Combined):
            value = metric.made({})
            ratios = rng.random((6, len(value.leaves())))
            ratios[0] = np.nan
            together = value.recombined(ratios)
            alone = np.concatenate([value.recombined(row[None]) for row in ratios])
            assert np.array_equal(together, alone, equal_nan=True), metric.name
