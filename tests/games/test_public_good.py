"""Public Good: what comes out of the pool, who wins, contributions over the budget."""

import itertools
import json
import os
from pathlib import Path

import pytest

from games.public_good.rules import share_of
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import PUBLIC, Impossible, Refusal

RULES_OF = RULES["public_good"]
SETTINGS = Path(__file__).resolve().parents[2] / "games" / "public_good" / "settings.json"
FIXTURES = json.loads(SETTINGS.read_text())["rows"]


def dealt(preset="magic", seats=3, options=None, **setting) -> Play:
    header = new_header(RULES_OF, preset, seats=agents_and_people(seats, 0), seed=1, options=options, setting=setting)
    return Play(RULES_OF, header)


def put_in(play: Play, seat: int, amount: int):
    return play.act(seat, next(r.id for r in play.state.open.values() if r.seat == seat), {"points": amount})


def play_round(play: Play, *amounts: int) -> None:
    for seat, amount in enumerate(amounts, 1):
        put_in(play, seat, amount)


@pytest.mark.parametrize("multiplier", [1, 1.2, 1.5, 1.8, 2, 2.5, 3, 3.5])
@pytest.mark.parametrize("amounts", list(itertools.combinations_with_replacement((0, 10, 100), 3)))
def test_points_are_what_was_kept_and_an_even_share_of_the_pool(multiplier, amounts):
    play = dealt(options={"rounds": 1}, multiplier=multiplier, rounds=1)
    play_round(play, *amounts)
    for seat, amount in enumerate(amounts, 1):
        wanted = 100 - amount + sum(amounts) * multiplier / 3
        assert play.state.outcome.returns[seat] == pytest.approx(wanted, abs=0.006)
    least = min(amounts)
    assert play.state.outcome.winners == tuple(seat for seat, n in enumerate(amounts, 1) if n == least)


def test_shares_are_exact_to_the_hundredth_at_any_size_of_table():
    assert share_of(10, 1.2, 3) == 4
    assert share_of(100, 1.8, 8) == 22.5
    assert share_of(1, 1, 3) == 0.33


def test_five_rounds_by_hand():
    play = dealt(multiplier=1.5)
    for amounts in ((10, 20, 0), (10, 20, 0), (10, 0, 0), (10, 0, 30), (10, 0, 0)):
        play_round(play, *amounts)
    # 120 in the pool, times 1.5, among 3: 60 each
    assert play.state.outcome.returns == {1: 110, 2: 120, 3: 130}
    assert (play.state.outcome.result, play.state.outcome.winners) == ("single", (3,))


def test_with_a_share_after_each_round_it_can_be_put_in_again():
    play = dealt("party", 2, {"points": 10, "rounds": 2, "multiplier": "3", "discussion": "none"})
    play_round(play, 10, 0)
    assert play.state.has(1) == 15 and play.state.has(2) == 25
    play_round(play, 0, 25)
    assert play.state.outcome.returns == {1: 15 + 37.5, 2: 37.5}


def test_more_than_one_has_is_refused_in_words_and_the_attempt_kept():
    play = dealt(options={"over_budget": "refuse"})
    play_round(play, 70, 0, 0)
    refusal = put_in(play, 1, 40)
    assert type(refusal) is Refusal and refusal.code == "over_budget"
    assert refusal.sentence == "You have 30 points left, so you cannot put in 40. Give a smaller number."
    put_in(play, 1, 500)
    assert [(attempt.code, attempt.action) for attempt in play.attempts] == [
        ("over_budget", {"points": 40}),
        ("over_budget", {"points": 500}),
    ]
    assert type(put_in(play, 1, 30)) is list


def test_as_the_paper_let_them_debts_are_accepted_and_counted():
    play = dealt(multiplier=3)
    for _ in range(5):
        play_round(play, 60, 10, 0)
    public = RULES_OF.public(play.view(PUBLIC))
    assert public["debts"] == {"1": 4, "2": 0, "3": 0}
    assert play.attempts == [] and play.state.outcome.returns == {1: 150, 2: 400, 3: 450}


@pytest.mark.parametrize("amount", [-1, 1.5, "ten", None, 10_000])
def test_what_is_no_contribution_is_refused(amount):
    play = dealt()
    assert type(put_in(play, 1, amount)) is Refusal


def test_contributions_are_sealed_and_then_public_by_seat():
    play = dealt()
    put_in(play, 1, 30)
    assert [event.data for event in play.visible(2) if event.kind == "contribution"] == [None]
    assert RULES_OF.card(play.view(1), 1) == {"points": 70, "contribution": 30}
    assert RULES_OF.card(play.view(2), 1)["contribution"] is None
    put_in(play, 2, 0)
    put_in(play, 3, 5)
    assert RULES_OF.public(play.view(PUBLIC))["history"][0]["contributions"] == {"1": 30, "2": 0, "3": 5}


def test_where_only_totals_are_told_nobody_learns_who_gave():
    plays = [dealt(options={"reveal": "total"}) for _ in range(2)]
    play_round(plays[0], 30, 5, 0)
    play_round(plays[1], 30, 0, 5)
    assert plays[0].visible(1) == plays[1].visible(1) and plays[0].visible(PUBLIC) == plays[1].visible(PUBLIC)
    assert RULES_OF.public(plays[0].view(1))["totals"] is None


def test_in_the_first_edition_amounts_are_told_without_names():
    plays = [dealt("magic_m1", multiplier=2) for _ in range(2)]
    play_round(plays[0], 30, 5, 0)
    play_round(plays[1], 30, 0, 5)
    assert plays[0].visible(1) == plays[1].visible(1) and plays[0].visible(PUBLIC) == plays[1].visible(PUBLIC)
    public = RULES_OF.public(plays[0].view(1))
    assert public["totals"] is None and public["history"][0]["amounts"] == [30, 5, 0]


def test_who_does_not_answer_puts_in_nothing():
    play = dealt()
    for request in list(play.state.open):
        play.expire(request)
    assert play.state.history[0]["total"] == 0


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"multiplier": 0}, "'multiplier' in the setting is a number above 0"),
        ({"multiplier": "2"}, "'multiplier' in the setting is a number above 0"),
        ({"points": 5}, "'points' in the setting is a whole number from 10 to 1000."),
        ({"rounds": 0}, "'rounds' in the setting is a whole number from 1 to 50."),
        ({"tax": 1}, "A setting of Public Good has no 'tax'."),
        ({"openings": {"1": [{"points": -5}]}}, "Give a number from 0 to"),
    ],
)
def test_a_setting_that_cannot_be_played_is_refused_with_its_reason(setting, sentence):
    with pytest.raises(Impossible, match=sentence):
        dealt(**setting)


def test_a_multiplier_that_the_host_chose_is_not_changed_by_a_setting():
    with pytest.raises(Impossible, match=r"The setting multiplies by 3; the options ask for 2\."):
        dealt(options={"multiplier": "2"}, multiplier=3)
    assert dealt(options={"multiplier": "2"}, multiplier=2).state.multiplier == 2
    assert dealt(options={"multiplier": "2"}).state.multiplier == 2


def test_the_settings_are_the_seven_multipliers_with_each_seat_put_to_the_test_once():
    seats: dict[float, list[int]] = {}
    for row in FIXTURES:
        assert "constructed after MAgIC's rule" in row["origin"]
        seats.setdefault(row["data"]["multiplier"], []).append(row["data"]["challenger"])
    assert seats == {multiplier: [1, 2, 3] for multiplier in (1, 1.2, 1.5, 1.8, 2, 2.5, 3)}


def test_the_published_setting_is_played():
    folder = os.environ.get("MAGIC_DATA")
    if not folder:
        pytest.skip("MAGIC_DATA does not name the folder of published settings.")
    path = Path(folder) / "magic_settings" / "topics_release" / "public_good" / "settings" / "0.json"
    published = json.loads(path.read_text())
    play = dealt(rounds=published["game_round"], multiplier=published["multiplier"])
    for _ in range(5):
        play_round(play, 6, 0, 0)
    assert play.state.outcome.returns == {1: 105, 2: 135, 3: 135}
