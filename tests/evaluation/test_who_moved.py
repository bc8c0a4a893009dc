"""Outcomes are those of who made the moves: a seat that others moved for has none; a useless reply is one's own."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from agents.situation import Thought
from evaluation.metrics import METRICS, Counted, agent, measure
from evaluation.records.record import GIVEN, NOBODY, OTHER, OWN, UNUSABLE, of_play
from evaluation.tables.filling import tables
from evaluation.tables.papers import SPECS, WHO_MOVED
from evaluation.tables.ratings import Ratings
from games.registry import RULES
from games.rules import kit
from games.rules.values import Attempt, SeatInfo
from tests.evaluation.played import dealt, move, record

TRIALS = {
    (rules.name, trial.preset, trial.overrides["polls"]): trial
    for rules in RULES.values()
    for trial in kit.kit_cases(rules)
    if trial.seats <= 7
}


def by_seat(record, seat):
    return seat


@pytest.mark.parametrize("by", ["default", "agent:stranger"])
@pytest.mark.parametrize("game", RULES)
def test_nothing_that_became_of_a_seat_counts_where_others_moved_for_it(game, by):
    """Whatever a metric counts at a seat that never moved itself, it must say that it tells of the match (`beside`)."""
    records = []
    for number, trial in enumerate(one for key, one in TRIALS.items() if key[0] == game):
        play = trial.begin()
        kit.finish(play, random.Random(number), trial.words)
        found = of_play(play)
        seats = tuple(SeatInfo(n, f"Player {n}", "agent", "x") for n in found.numbers)
        records.append(replace(moved_by(found, by), id=str(number), seats=seats))
    assert any(found.finished for found in records)

    def by_seat_that_moved(record, seat):
        return seat if any(event.seat == seat for event in record.moves) else None

    for seat, row in measure(records, by_seat_that_moved, METRICS).values.items():
        for name, metric in METRICS.items():
            if isinstance(metric, Counted) and not metric.beside:
                assert not row[name].n, f"{name} counts seat {seat}, whose moves were made by {by}"
    for found in records:
        found.lenient = True
    assert measure(records, lambda record, seat: "all", ["ours.wins"]).values["all"]["ours.wins"].n, "if asked for"


@pytest.mark.parametrize("by", ["agent:house", "agent:x"])
def test_what_a_stand_in_thought_is_nothing_of_the_seat(by):
    """No metric of thoughts counts those of whoever stood in; the seat's own player is called x."""
    play = dealt("undercover", "magic", 3, {"civilian_word": "violin", "undercover_word": "cello", "undercovers": [3]})
    matrix = {"owner": 1, "labels": ["civilian", "undercover"], "suspects": ["undercover"]}
    matrix |= {"rows": {"1": {"2": [0.75, 0.25], "3": [0.25, 0.75]}}}
    request = next(iter(play.state.open.values())).id
    thought = Thought(request, 1, "pgm", "view", reply="cello", data={"beliefs": matrix}, model="m", tokens_in=9)
    clues = [
        (seat, {"text": text})
        for seat, text in zip((1, 2, 3) * 2, "strings wood bow case row old".split(), strict=True)
    ]
    votes = [(1, {"seat": 3}), (2, {"seat": 3}), (3, {"seat": 1})]
    found = moved_by(record(play, [*clues, *votes], thoughts=[thought]), by)
    with_it, without = (measure([one], by_seat, METRICS).values.get(1, {}) for one in (found, replace(found, notes=[])))
    told = {name for name, row in with_it.items() if (row.n, row.value) != (without[name].n, without[name].value)}
    assert found.notes_of(1) == (found.notes if by == "agent:x" else [])
    assert told >= {"ours.log_loss", "ours.calls"} if by == "agent:x" else not told


def moved_by(found, by, *seats):
    """The same match, with all moves, or those of these seats, made by somebody."""
    events = [
        event._replace(by=by) if event.request is not None and (not seats or event.seat in seats) else event
        for event in found.events
    ]
    return replace(found, events=events)


CHOICES = {"c": {"choice": "cooperate"}, "d": {"choice": "defect"}}


def dilemma(code=None, by="", **attempt):
    """Seat 1 defects in every round but the last, which is not its own: made `by` another, or a default, before which
    it made an attempt that came to nothing."""
    play = dealt("prisoners_dilemma", "magic", ["x", "y", "z"], {})
    for number in range(5):
        for seat, letter in ((1, "d"), (2, "c"), (3, "c")):
            last = (number, seat) == (4, 1)
            request = next(one.id for one in play.state.open.values() if one.seat == seat)
            move(play, seat, None if last and not by else CHOICES[letter], by if last else "")
            if last and code:
                tried = {"by": "agent:x", "instead": "default"} | attempt
                attempts = [Attempt(request, 1, tried["by"], code, "A sentence.", None, tried["instead"])]
    return record(play, [], attempts=attempts if code else ())


@pytest.mark.parametrize(
    ("found", "maker"),
    [
        (dilemma("malformed"), UNUSABLE),
        (dilemma("not_your_turn"), UNUSABLE),
        (dilemma(), NOBODY),
        (dilemma("provider"), NOBODY),
        (dilemma("setup"), NOBODY),
        (dilemma("profile"), NOBODY),
        (dilemma("lost"), NOBODY),
        (dilemma("malformed", instead="asked again"), NOBODY),
        (dilemma("malformed", by="agent:house"), OTHER),
        (dilemma("spending", by="agent:house"), OTHER),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_who_made_a_move_is_told_in_one_place(found, maker):
    last = [event for event in found.moves if event.seat == 1][-1]
    assert found.maker(last) == maker
    assert {found.maker(event) for event in found.moves if event != last} == {OWN}
    whole = maker == UNUSABLE
    values = measure([found], by_seat, METRICS).values[1]
    assert values["ours.own_moves"].value == (1 if whole else 4 / 5)
    assert values["ours.unusable"].value == (1 / 5 if whole else 0)
    assert values["magic.rationality"].n == 4, "the single move was not chosen"
    for name in ("ours.wins", "magic.win_rate.prisoners_dilemma", "magic.score"):
        assert values[name].n == whole, name
        assert measure([found], by_seat, [name]).values[2][name].n == 1, "of the others it counts"
    assert bool(rated(found).found) == whole
    assert rated(found).left_out == (not whole)


def test_what_was_dealt_is_nobodys_move_and_costs_no_seat_its_outcome():
    found = moved_by(dilemma("malformed"), "opening")
    assert {found.maker(event) for event in found.moves} == {GIVEN}
    assert all(map(found.counts, found.numbers))


def rated(found):
    ratings = Ratings()
    ratings.add(found)
    return ratings


def test_every_table_says_who_moved():
    found = [dilemma(), dilemma("malformed")]
    for table in tables(found).values():
        assert [metric.name for metric in table.columns][-2:] == list(WHO_MOVED)
    assert set(WHO_MOVED) <= METRICS.keys()
    row = next(row for row in tables(found, ["game_theory"])["game_theory"].rows if row.label == "x")
    assert row.cells["ours.own_moves"].value == 9 / 10
    assert row.cells["magic.score"].matches == 1, "of the other match it is not told"
    assert all(spec.measured for spec in SPECS.values())


def test_a_team_is_counted_by_those_of_its_seats_that_played():
    """A stand-in at one seat does not take the match from the rest of the team."""
    from tests.evaluation.test_tables import GOOD_WINS, undercover

    found = undercover(GOOD_WINS, ["x"] * 5)
    seat = next(event.seat for event in found.moves)
    found = moved_by(found, "agent:house", seat)
    values = measure([found], lambda record, seat: (agent(record, seat), record.sides[seat]), METRICS).values
    assert values["x", "civilian"]["wiu.victory"].n == 1
    assert values["x", "civilian"]["wiu.survival"].n == (2 if found.sides[seat] == "civilian" else 3)
