"""One setting as several played it: what happened in each match stands beside its like in the others."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest
from django.core.cache import cache
from django.core.management import call_command

from agents.beliefs import Beliefs
from agents.situation import Thought
from evaluation.competitions import running
from evaluation.counting.boards import Choice
from evaluation.suites import Entry
from evaluation.web import cases
from games.models import Match
from tests.evaluation.played import dealt, record
from tests.games.tables import quick_match
from tests.markup import tight

WORDS = {"civilian_word": "violin", "undercover_word": "cello", "undercovers": [3]}


def chameleon(moves):
    """A match in which seat 2 thinks before its clue."""
    play = dealt("chameleon", "magic", 3, {"topic": "Music", "word": "violin", "chameleon": 3}, polls="magic")
    matrix = Beliefs(2, ("chameleon",), ("chameleon",), {2: {1: (0.25,), 3: (0.75,)}}, "subjects")
    at = next(event.seq for event in play.log if event.kind == "turn") + 1
    thought = Thought(f"{at}:2:clue", 2, "pgm", "views", data={"beliefs": matrix.to_json()})
    return record(play, moves, thoughts=[thought])


def opinion(odd):
    return {"side": "unsure", "odd_one": odd}


def steps_of(*records):
    columns = [cases.Column(one, "x", (1, 2)) for one in records]
    return cases.side_by_side(columns)


def test_the_same_step_of_each_match_stands_in_one_row():
    polls = [(seat, opinion(3)) for seat in (1, 2, 3)]
    one = chameleon([(1, {"text": "strings"}), *polls, (2, {"text": "a bow"}), *polls, (3, {"text": "wood"}), *polls])
    other = chameleon([(1, {"text": "wood"}), *polls, (2, {"text": "four"}), *polls])
    steps = steps_of(one, other)
    texts = [[" ".join(cell.lines) if cell else None for cell in step.cells] for step in steps]
    row = next(row for row in texts if "strings" in row[0])
    assert "wood" in row[1], "first clue beside first clue"
    last = next(row for row in texts if row[0] and "wood" in row[0])
    assert last[1] is None, "the other match has no such step"


def test_each_match_calls_its_seats_by_its_own_names():
    one, other = (chameleon([(1, {"text": "strings"})]) for _ in range(2))
    other.seats = tuple(replace(seat, name=f"Guest {seat.seat}") for seat in other.seats)
    told = [" ".join(line for step in steps_of(one, other) for line in step.cells[n].lines) for n in (0, 1)]
    assert "Player 1" in told[0] and "Guest" not in told[0]
    assert "Guest 1" in told[1] and "Player" not in told[1]


def test_all_answers_of_a_poll_are_one_cell_after_the_move_that_they_are_about():
    polls = [(seat, opinion(3)) for seat in (1, 2, 3)]
    steps = steps_of(chameleon([(1, {"text": "strings"}), *polls]))
    texts = [" ".join(step.cells[0].lines) for step in steps]
    clue = next(n for n, words in enumerate(texts) if "strings" in words)
    assert len(steps[clue + 1].cells[0].lines) == 3 or "Player 2" in texts[clue + 1]
    assert sum("Player 1" in words and "Player 2" in words and "Player 3" in words for words in texts[clue:]) == 1


def test_a_matrix_stands_beside_the_move_that_it_led_to():
    polls = [(seat, opinion(3)) for seat in (1, 2, 3)]
    found = chameleon([(1, {"text": "strings"}), *polls, (2, {"text": "a bow"})])
    (note,) = found.notes
    clue = next(event for event in found.of("clue") if event.seat == 2)
    found.notes = [note._replace(request=clue.request)]
    cell = next(step.cells[0] for step in steps_of(found) if step.cells[0] and step.cells[0].heats)
    assert any("a bow" in line for line in cell.lines)
    ((seat, heat),) = cell.heats
    assert seat == 2
    assert [one.truth for one in heat.rows[0].cells] == [False, True]


@pytest.mark.django_db
def test_a_setting_that_two_played_is_shown_side_by_side(researcher, workers, django_assert_max_num_queries):
    cache.clear()
    call_command("load_fixtures", verbosity=0)
    assert "No setting has been played by two" in html.unescape(researcher.get("/numbers/cases/").content.decode())
    more = {"game": "prisoners_dilemma", "preset": "magic"}
    who = ("house-always-defect", "house-always-cooperate")
    made = running.make("Two", "own", Entry(who, matches=2, more=more))
    running.start(made)
    workers.play()
    page = researcher.get("/numbers/cases/", {"competition": made.pk})
    shown = tight(page)
    assert [column["who"] for column in page.context["columns"]] == [
        "House agent: always cooperate",
        "House agent: always defect",
    ]
    assert len(re.findall(r"<tr><td>", shown)) >= 5
    assert "/m/" in shown
    case = page.context["chosen"].key
    alone = researcher.get("/numbers/cases/", {"case": case, "who": "house-always-defect"})
    assert len(alone.context["columns"]) == 1
    with django_assert_max_num_queries(19):
        researcher.get("/numbers/cases/", {"case": case})
    assert researcher.get("/numbers/cases/", {"case": "nonsense", "who": "nobody"}).status_code == 200
    assert f"/numbers/cases/?competition={made.pk}" in researcher.get(f"/competitions/{made.pk}/").content.decode()


@pytest.mark.django_db
def test_numbers_among_the_labels_of_a_file_are_read_as_words():
    for challenger, setting in (("x", 7), ("y", 7), (1, "seven"), (2, "seven")):
        match = quick_match("prisoners_dilemma")
        labels = {"challenger": challenger, "setting": setting, "role": 3}
        Match.objects.filter(pk=match.pk).update(status="finished", origin=Match.Origin.IMPORT, labels=labels)
    found = cases.cases(Choice())
    assert [(case.setting, sorted(played)) for case, played in found.items()] == [
        ("7", ["x", "y"]),
        ("seven", ["1", "2"]),
    ]
