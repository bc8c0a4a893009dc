"""One match, three ways to its record: from memory, from its exported file, from the database."""

from __future__ import annotations

import uuid
from functools import cache

import pytest
from django.core.management import call_command

from agents import headless
from agents.models import AgentProfile
from evaluation import metrics
from evaluation.competitions import running
from evaluation.counting.stored import records
from evaluation.records.record import of_log, of_play
from evaluation.suites import SUITES, Entry
from games.files.log_files import lines_of
from games.match import beginning
from games.models import Detection, Match
from games.rules import logfile
from tests.games.matches import exported

pytestmark = pytest.mark.django_db

SUITE_PARTS = (("magic", 0, 12), ("wiu", 1, 1), ("recon", 1, 1), ("spygame", 0, 2))
"""Suite, matches a challenger, and how many of those are played here."""


@pytest.fixture
def profile():
    call_command("load_fixtures", verbosity=0)
    return AgentProfile.objects.get(name="house")


@cache
def house_matches(profile):
    """What the house agents played, once for all tests."""
    mind = headless.of_profile(profile)
    played = []
    for suite, matches, take in SUITE_PARTS:
        for planned in SUITES[suite].plan(Entry(("house",), matches=matches, take=take), running.settings_of):
            bout = running.Bout(
                competition_id=uuid.uuid4(),
                number=1,
                game=planned.game,
                preset=planned.preset,
                options=dict(planned.options),
                setting=dict(planned.setting),
                agents=["house"] * len(planned.agents),
                seed=planned.seed,
            )
            play = running.begin(bout)
            seats = range(1, len(planned.agents) + 1)
            played.append(headless.play_out(play, dict.fromkeys(seats, mind), dict.fromkeys(seats, "agent:house")))
    return played


def numbers(found):
    """Every number of every group, with how many items it has and its interval."""
    return {
        (group, name): (value.value, value.n, value.interval())
        for group, row in found.values.items()
        for name, value in row.items()
    }


BY = metrics.together(metrics.agent, metrics.role)


@pytest.mark.slow
def test_memory_file_and_database_give_the_same_numbers(profile, tmp_path):
    played = house_matches(profile)
    memory, files = [], []
    for number, one in enumerate(played):
        match = beginning.keep(one.play, thoughts=one.thoughts, attempts=one.attempts)
        found = of_play(one.play, one.thoughts, one.attempts)
        found.id = str(match.pk)
        memory.append(found)
        path = tmp_path / f"{number}.jsonl"
        path.write_text("\n".join(exported(match)), encoding="utf-8")
        files.append(path)
    stored = list(records(Match.objects.all()))
    assert {one.id: one.events for one in stored} == {one.id: one.events for one in memory}
    expected = numbers(metrics.measure(memory, BY))
    assert {value for value, _, _ in expected.values()} - {None}
    assert numbers(metrics.measure(stored, BY)) == expected
    assert numbers(metrics.measure([of_log(logfile.read(lines_of(file))) for file in files], BY)) == expected


def test_everything_counted_can_be_listed_and_is_the_number(profile):
    found = [of_play(one.play, one.thoughts) for one in house_matches(profile)]
    for number, one in enumerate(found):
        one.id = str(number)
    measured = metrics.measure(found, BY)
    assert measured.values
    for group, row in measured.values.items():
        for name, value in row.items():
            listed = list(metrics.seen(found, BY, group, name))
            assert {one.metric for one in listed} <= set(metrics.METRICS[name].needs)
            assert all(any(event.seq == one.item.seq for event in one.record.events) for one in listed), name
            if isinstance(value, metrics.Sums):
                assert sum(one.item.value for one in listed) == pytest.approx(value.numerator), name
                assert sum(one.item.weight for one in listed) == value.denominator, name


def test_labels_detections_and_people_come_with_the_record(profile):
    competition = running.make(
        "Dilemma", "own", Entry(("house",), matches=1, more={"game": "prisoners_dilemma", "preset": "magic"})
    )
    bout = competition.bouts.get()
    match = beginning.keep(running.begin(bout))
    type(bout).objects.filter(pk=bout.pk).update(match=match)
    Detection.objects.create(match=match, seat=1, agents=[2])
    (found,) = records(Match.objects.all())
    assert found.labels["suite"] == "own"
    assert found.labels["competition"] == str(competition.pk)
    assert found.labels["challenger"] == "house"
    assert found.detections == {1: [2]}
    assert not found.finished


def test_a_chunk_of_matches_is_read_with_as_many_queries_as_one(profile, django_assert_num_queries):
    one, *more = house_matches(profile)
    beginning.keep(one.play, thoughts=one.thoughts)
    with django_assert_num_queries(11):
        list(records(Match.objects.all()))
    for other in more:
        beginning.keep(other.play, thoughts=other.thoughts)
    with django_assert_num_queries(11):
        list(records(Match.objects.all()))
