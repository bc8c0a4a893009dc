"""Calibration: what matrices, polls, marks and the posterior say of who is what, by round."""

from __future__ import annotations

import html
import math

import pytest
from django.core.cache import cache
from django.core.management import call_command

from agents.beliefs import Beliefs
from agents.situation import Thought
from evaluation.competitions import running
from evaluation.metrics.beliefs import STATED, marked, stated
from evaluation.records.record import Mark
from evaluation.suites import Entry
from evaluation.tables.calibration import ALL, calibrated
from tests.evaluation.played import dealt, record

WORDS = {"civilian_word": "violin", "undercover_word": "cello", "undercovers": [3]}


def undercover(*seats, beliefs=(), marks=()):
    """One round of clues with polls: all say that seat 3 is the odd one, which is so, but seat 3 names seat 1."""
    play = dealt("undercover", "magic", list(seats), WORDS, polls="magic")
    moves = []
    for number in range(2):
        for seat in (1, 2, 3):
            moves.append((seat, {"text": f"clue {number} {seat}"}))
        moves += [(seat, {"side": "unsure", "odd_one": 3 if seat != 3 else 1}) for seat in (1, 2, 3)]
    moves += [(1, {"seat": 3}), (2, {"seat": 3}), (3, {"seat": 1})]
    thoughts = [
        Thought(f"{at}:{seat}:clue", seat, "pgm", "views", data={"beliefs": row(seat, p).to_json()})
        for at, seat, p in beliefs
    ]
    found = record(play, moves, thoughts=thoughts)
    found.marks = marks
    return found


def row(seat, p):
    others = [other for other in (1, 2, 3) if other != seat]
    cells = {other: (p, 1 - p) if other == 3 else (1 - p, p) for other in others}
    return Beliefs(seat, ("undercover", "civilian"), ("undercover",), {seat: cells})


def test_who_is_named_in_a_poll_is_a_suspect_and_the_others_are_not():
    found = stated(undercover("x", "x", "x"), 1)
    assert [(one.subject, one.p, one.truth) for one in found[:2]] == [(2, pytest.approx(0.1), False), (3, STATED, True)]
    assert len(found) == 4, "two polls about two others"


def test_wius_polls_say_who_is_on_the_other_team():
    play = dealt("undercover", "wiu", 5, WORDS | {"undercovers": [4, 5]}, polls="wiu")
    moves = []
    while play.state.phase == "clues":
        request = next(request for request in play.state.open.values() if request.waits)
        moves.append(request.seat)
        said = {"text": f"clue {len(moves)}"} if request.kind == "clue" else {"side": "unsure"}
        if any(field.name == "trusted" for field in request.fields):
            break
        play.act(request.seat, request.id, said, "agent:x")
    play.act(1, next(r.id for r in play.state.open.values() if r.seat == 1),
             {"side": "unsure", "trusted": [2], "suspected": [3, 4], "same_word": None}, "agent:x")  # fmt: skip
    found = [(one.subject, one.p, one.truth) for one in stated(record(play, []), 1)]
    assert found == [(3, STATED, False), (4, STATED, True), (2, pytest.approx(0.1), False)]


def test_marks_are_statements_of_people():
    found = undercover("", "x", "x", marks=[Mark(1, 3, True, 9), Mark(1, 2, False, 9), Mark(2, 1, True, 9)])
    assert [(one.subject, one.p, one.truth) for one in marked(found, 1)] == [
        (3, STATED, True),
        (2, pytest.approx(0.1), False),
    ]


def test_the_table_has_each_source_by_round_and_in_all():
    found = undercover("", "x", "x", beliefs=[(9, 2, 0.75)], marks=[Mark(1, 3, True, 9)])
    rows, lines = calibrated([found])
    scores = {(one.source, one.kind, one.round): (one.log_loss.value, one.brier.value) for one in rows}
    assert scores["matrices", "agent", ALL] == scores["matrices", "agent", 1] == (
        pytest.approx(-math.log(0.75)), pytest.approx(0.0625),
    )  # fmt: skip
    assert scores["polls", "person", ALL] == (pytest.approx(-math.log(STATED)), pytest.approx(0.01))
    assert scores["polls", "agent", 2][0] > scores["polls", "person", 2][0], "seat 3 names seat 1"
    assert scores["marks", "person", 1] == (pytest.approx(-math.log(STATED)), pytest.approx(0.01))
    assert ("even", "", ALL) in scores and ("posterior", "", ALL) not in scores
    (line,) = [one for one in lines if one.source == "marks"]
    assert [(b.n, b.true.value) for b in line.bins if b.n] == [(1, 1)]


@pytest.mark.django_db
def test_the_page_is_counted_by_a_worker_and_has_the_posterior_beside_the_agents(
    researcher, workers, django_assert_max_num_queries
):
    cache.clear()
    call_command("load_fixtures", verbosity=0)
    more = {"game": "avalon", "preset": "official", "seats": 5}
    running.start(running.make("One", "own", Entry(("house",), matches=1, more=more)))
    workers.play()
    address = "/numbers/calibration/"
    assert "Matches are being counted" in researcher.get(address).content.decode()
    workers.work("count")
    with django_assert_max_num_queries(10):
        page = researcher.get(address)
    shown = html.unescape(page.content.decode())
    for who in ("Agents: belief matrices", "The exact posterior (Avalon)", "An even guess"):
        assert who in shown
    assert "<svg" in shown and "Reliability" in shown
    losses = {one["who"]: float(one["scores"][0]["value"]) for one in page.context["rows"] if one["all"]}
    assert losses["The exact posterior (Avalon)"] < losses["An even guess"]
