"""How a row was played, and why it may not be set beside what a paper prints."""

from __future__ import annotations

import pytest

from evaluation.metrics import challenger
from evaluation.records.record import Note
from evaluation.suites import SUITES
from evaluation.tables.conditions import AGAINST, FEWER, SUITE, ByRow, objections
from evaluation.tables.filling import tables
from evaluation.tables.published import PROTOCOLS, TABLES, protocol_of
from games.rules.schema import Cost
from tests.evaluation.played import dealt, record

MAGIC = PROTOCOLS["magic"]


def played(count=143, defender="y", model="gpt-4-0613", suite="magic", by_default=0, with_model=(2, 3)):
    """The conditions of challenger "x" after so many matches."""
    rows = ByRow(challenger)
    play = dealt("prisoners_dilemma", "magic", ["x", defender, defender], {})
    for _ in range(5):
        for seat in (1, 2, 3):
            request = next(one.id for one in play.state.open.values() if one.seat == seat)
            play.act(seat, request, {"choice": "defect"}, f"agent:{'x' if seat == 1 else defender}")
    notes = [Note("1:1:choice", seat, "answer", model, Cost(1, 0, 0.0, 1)) for seat in with_model] if model else []
    for number in range(count):
        found = record(play, [], labels={"challenger": "x", "setting": f"s{number % 20}", "suite": suite})
        found.notes = notes
        if number < by_default:
            found.events = [
                one._replace(by="default") if one.seat == 1 and one.request else one for one in found.events
            ]
        rows.merge(rows.of(found))
    return rows.found["x"].to_json()


def test_a_row_of_the_papers_own_kind_may_be_compared():
    found = played()
    assert objections(MAGIC, found) == []
    assert (found["matches"], found["settings"], found["against"], found["left_out"]) == (143, 20, ["y"], 0)


@pytest.mark.parametrize(
    ("other", "reasons"),
    [
        ({"model": "gpt-4-turbo"}, [AGAINST]),
        ({"model": ""}, [AGAINST]),
        ({"with_model": (2,)}, [AGAINST]),
        ({"count": 26}, [FEWER]),
        ({"suite": "own"}, [SUITE]),
        ({"suite": "own", "count": 3, "model": ""}, [SUITE, AGAINST, FEWER]),
    ],
)
def test_why_a_row_may_not_be_compared_is_told_with_its_figures(other, reasons):
    found = objections(MAGIC, played(**other))
    assert [reason for reason, _ in found] == reasons
    for reason, figures in found:
        if reason == FEWER:
            assert figures == {"n": other["count"], "of": 143}


def test_matches_in_which_others_moved_are_told():
    assert played(4, by_default=3)["left_out"] == 3


def test_every_printed_table_says_how_it_was_played():
    for name in TABLES:
        assert protocol_of(name).suite in SUITES
    for table in tables([]).values():
        assert all(row.source and not row.conditions for row in table.rows)
