"""Prisoner's Dilemma: the payoffs for every combination, sealed choices, who wins."""

import itertools
import json
import os
from pathlib import Path

import pytest

from games.prisoners_dilemma.rules import COOPERATE, DEFECT, PAYOFFS, points
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import PUBLIC, Impossible

RULES_OF = RULES["prisoners_dilemma"]
SET = {"cooperate": 3, "defect": 1, "one_defect": 5, "two_defect": 2}
C, D = COOPERATE, DEFECT
THREE = {
    (C, C, C): (3, 3, 3),
    (D, C, C): (5, 0, 0),
    (C, D, C): (0, 5, 0),
    (C, C, D): (0, 0, 5),
    (D, D, C): (2, 2, 0),
    (D, C, D): (2, 0, 2),
    (C, D, D): (0, 2, 2),
    (D, D, D): (1, 1, 1),
}
SETTINGS = Path(__file__).resolve().parents[2] / "games" / "prisoners_dilemma" / "settings.json"
FIXTURES = json.loads(SETTINGS.read_text())["rows"]


def dealt(preset="magic", seats=3, options=None, **setting) -> Play:
    header = new_header(
        RULES_OF, preset, seats=agents_and_people(seats, 0), seed=1, options=options, setting=setting or dict(SET)
    )
    return Play(RULES_OF, header)


def play_round(play: Play, *choices: str) -> None:
    for seat, choice in enumerate(choices, 1):
        play.act(seat, next(r.id for r in play.state.open.values() if r.seat == seat), {"choice": choice})


@pytest.mark.parametrize("choices", list(itertools.product((C, D), repeat=3)))
def test_the_payoffs_of_every_combination_of_three(choices):
    play = dealt(options={"rounds": 1})
    play_round(play, *choices)
    assert tuple(play.state.outcome.returns.values()) == THREE[choices]


@pytest.mark.parametrize("seats", [2, 4, 5, 8])
def test_the_payoffs_at_other_tables_are_the_papers_with_two_for_several(seats):
    for choices in itertools.product((C, D), repeat=seats):
        defectors = choices.count(D)
        got = points(SET, dict(enumerate(choices, 1)))
        wanted = 3 if not defectors else 1 if defectors == seats else 5 if defectors == 1 else 2
        kept = 3 if not defectors else 0
        assert list(got.values()) == [wanted if choice == D else kept for choice in choices]


def test_defecting_is_better_whatever_the_others_do_and_worse_for_all_in_every_setting():
    for payoffs in [PAYOFFS, *(row["data"] for row in FIXTURES)]:
        for others in itertools.product((C, D), repeat=2):
            mine = {choice: points(payoffs, dict(enumerate((choice, *others), 1)))[1] for choice in (C, D)}
            assert mine[D] > mine[C]
        assert payoffs["cooperate"] > payoffs["defect"]


def test_choices_are_sealed_until_all_are_in():
    play = dealt()
    request = next(iter(play.state.open))
    play.act(1, request, {"choice": D})
    for viewer in (PUBLIC, 2, 3):
        assert [event.data for event in play.visible(viewer) if event.kind == "choice"] == [None]
        assert RULES_OF.card(play.view(viewer), 1)["choice"] is None
    assert RULES_OF.card(play.view(1), 1)["choice"] == D


@pytest.mark.parametrize(
    ("choices", "result", "winners"),
    [((D, C, C), "single", (1,)), ((D, D, C), "tied", (1, 2)), ((C, C, C), "level", (1, 2, 3))],
)
def test_who_is_not_surpassed_wins(choices, result, winners):
    play = dealt()
    for _ in range(5):
        play_round(play, *choices)
    assert (play.state.outcome.result, play.state.outcome.winners) == (result, winners)


def test_points_add_up_over_five_rounds():
    play = dealt()
    for choices in ((C, C, C), (D, C, C), (D, D, C), (D, D, D), (C, C, D)):
        play_round(play, *choices)
    assert play.state.outcome.returns == {1: 3 + 5 + 2 + 1, 2: 3 + 2 + 1, 3: 3 + 1 + 5}


def test_who_does_not_answer_cooperates():
    play = dealt()
    for request in list(play.state.open):
        play.expire(request)
    assert set(play.state.history[0]["choices"].values()) == {C}


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"cooperate": 3}, "The payoff 'defect' is missing."),
        (SET | {"one_defect": 3}, "defecting must give more"),
        (SET | {"two_defect": 0}, "defecting must give more"),
        (SET | {"cooperate": 1}, "if all cooperate, each must get more"),
        (SET | {"cooperate": 2.5}, "is a whole number"),
        (SET | {"mood": 1}, "A setting of Prisoner’s Dilemma has no 'mood'."),
        (SET | {"challenger": 0}, "The challenger is one of the seats 1 to 3."),
        (SET | {"openings": {"1": [{"choice": "betray"}]}}, "Choose one of: cooperate, defect."),
    ],
)
def test_payoffs_that_make_no_dilemma_are_refused_with_the_reason(setting, sentence):
    with pytest.raises(Impossible, match=sentence):
        dealt(**setting)


def test_there_are_seven_payoff_sets_with_each_seat_put_to_the_test_once():
    sets: dict[tuple, list[int]] = {}
    for row in (row for row in FIXTURES if "challenger" in row["data"]):
        assert "constructed after MAgIC's rule" in row["origin"]
        sets.setdefault(tuple(row["data"][name] for name in SET), []).append(row["data"]["challenger"])
    assert len(sets) == 7 and all(seats == [1, 2, 3] for seats in sets.values())


def test_the_payoffs_that_the_paper_prints_can_be_chosen():
    assert dealt(options={"payoffs": "2/1/4/2"}, challenger=1).state.payoffs == dict(
        zip(SET, (2, 1, 4, 2), strict=True)
    )
    assert [2, 1, 4, 2] in [[row["data"][name] for name in SET] for row in FIXTURES], "and are drawn at tables"
    with pytest.raises(Impossible, match="ask for the points 2/1/4/2"):
        dealt(options={"payoffs": "2/1/4/2"}, **dict(zip(SET, (3, 1, 5, 2), strict=True)))


def test_the_published_payoffs_are_played():
    folder = os.environ.get("MAGIC_DATA")
    if not folder:
        pytest.skip("MAGIC_DATA does not name the folder of published settings.")
    path = Path(folder) / "magic_settings" / "topics_release" / "prisoner" / "settings" / "0.json"
    payoffs = json.loads(path.read_text())["topic_values"]
    assert payoffs == dict(zip(SET, (2, 1, 4, 2), strict=True))
    play = dealt(options={"rounds": 1}, **payoffs)
    play_round(play, D, D, C)
    assert play.state.outcome.returns == {1: payoffs["two_defect"], 2: payoffs["two_defect"], 3: 0}


def test_where_the_table_talks_it_does_so_before_each_round_and_the_choices_come_after():
    play = dealt(options={"rounds": 2, "discussion": "free"})
    for number in (1, 2):
        assert {request.kind for request in play.state.open.values()} == {"say", "ready"}
        assert play.log[-1].data["round"] == number
        for request in [one for one in play.state.open.values() if one.kind == "ready"]:
            play.act(request.seat, request.id, {"text": "I cooperate." if request.seat == 1 else None})
        assert {request.kind for request in play.state.open.values()} == {"choice"}
        for request in list(play.state.open.values()):
            play.act(request.seat, request.id, {"choice": "cooperate"})
    assert play.over and [said["round"] for said in play.state.talk] == [1, 2]
