"""Cost Sharing: what is fair, proposals and votes, agreement and failure."""

import dataclasses
import json
import os
from fractions import Fraction
from pathlib import Path

import pytest

from games.cost_sharing.setting import in_core, most_shares, proportional, rounded, shapley, within
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import PUBLIC, Impossible, Refusal

RULES_OF = RULES["cost_sharing"]
ALONE = (50, 60, 80)
AIRLINES = [
    {"name": "Heron", "flights": 60, "passengers": 3000, "standalone": 50},
    {"name": "Swift", "flights": 30, "passengers": 4500, "standalone": 60},
    {"name": "Plover", "flights": 10, "passengers": 2500, "standalone": 80},
]
SETTINGS = Path(__file__).resolve().parents[2] / "games" / "cost_sharing" / "settings.json"
FIXTURES = json.loads(SETTINGS.read_text())["rows"]


def dealt(airlines=AIRLINES, preset="magic", fee=100, options=None, **setting) -> Play:
    seats = agents_and_people(len(airlines), 0)
    deal = {"airlines": airlines, "fee": fee} | setting
    return Play(RULES_OF, new_header(RULES_OF, preset, seats=seats, seed=1, options=options, setting=deal))


def do(play: Play, seat: int, action: dict):
    return play.act(seat, next(r.id for r in play.state.open.values() if r.seat == seat), action)


def play_round(play: Play, splits: list[list[int]], votes: list[int]) -> None:
    for seat, split in enumerate(splits, 1):
        do(play, seat, {"split": split})
    for seat, vote in enumerate(votes, 1):
        do(play, seat, {"seat": vote})


# What is fair --------------------------------------------------------------------------------------------------------


def test_the_initial_scheme_is_the_mean_of_the_shares_of_flights_and_passengers():
    # flights 60, 30, 10 percent; passengers 30, 45, 25 percent
    assert proportional(AIRLINES) == [45, 38, 17]
    assert proportional(AIRLINES, 5) == [45, 40, 15]


def test_the_shapley_split_is_the_one_computed_by_hand():
    # The six orders pay (50 50 0), (50 0 50), (40 60 0), (0 60 40), (20 0 80), (0 20 80): sums 160, 190, 250.
    assert shapley(100, ALONE) == [Fraction(160, 6), Fraction(190, 6), Fraction(250, 6)]


def test_equal_airlines_have_equal_shapley_shares_and_one_that_can_pay_all_alone_bears_more():
    assert shapley(100, (50, 50)) == [50, 50]
    assert shapley(100, (100, 20)) == [90, 10]  # (100 0) and (80 20)


@pytest.mark.parametrize(
    ("split", "inside"),
    [((20, 30, 50), True), ((50, 50, 0), True), ((51, 49, 0), False), ((0, 20, 80), True), ((0, 19, 81), False)],
)
def test_a_split_is_in_the_core_if_nobody_pays_more_than_alone(split, inside):
    assert in_core(split, 100, ALONE) == inside


def test_the_shapley_split_is_in_the_core_of_every_setting():
    for row in FIXTURES:
        alone = [Fraction(airline["standalone"]) for airline in row["data"]["airlines"]]
        shares = shapley(row["data"]["fee"], alone)
        assert sum(shares) == 100
        assert all(share * row["data"]["fee"] <= 100 * cost for share, cost in zip(shares, alone, strict=True))


def test_rounded_shares_sum_to_the_whole():
    assert rounded([Fraction(100, 3)] * 3, 1) == [34, 33, 33]
    assert rounded([Fraction(100, 3)] * 3, 5) == [35, 35, 30]


def test_core_and_shapley_are_not_available_without_costs_alone():
    bare = [{key: value for key, value in airline.items() if key != "standalone"} for airline in AIRLINES]
    play = dealt(bare, "party", options={"discussion": "none"})
    do(play, 1, {"split": [50, 30, 20]})
    public = RULES_OF.public(play.state)
    assert public["shapley"] is None and public["choices"][0]["core"] is None


def told(play: Play, viewer=PUBLIC) -> str:
    """Everything that a viewer gets of a match."""
    return json.dumps([event.data for event in play.visible(viewer)] + [RULES_OF.public(play.view(viewer))])


@pytest.mark.parametrize("preset", [name for name, preset in RULES_OF.presets.items() if not preset.title])
def test_no_preset_of_a_paper_tells_a_shapley_share(preset):
    play = dealt(preset=preset)
    do(play, 1, {"split": [45, 38, 17]})
    assert RULES_OF.public(play.state)["shapley"] is None
    assert not any(str(round(float(share), 2)) in told(play) for share in shapley(100, ALONE))


def test_the_second_edition_tells_nothing_of_a_fair_split():
    play = dealt()
    do(play, 1, {"split": [45, 38, 17]})
    public = RULES_OF.public(play.state)
    assert public["initial"] is None and public["choices"][0]["core"] is None
    assert "standalone" not in told(play, 1)


def test_in_the_first_edition_a_split_that_asks_more_than_alone_is_refused_and_kept():
    play = dealt(preset="magic_m1")
    assert RULES_OF.public(play.state)["initial"] == [45, 38, 17]
    refusal = do(play, 1, {"split": [51, 39, 10]})
    assert refusal.sentence == "Nobody may be asked to pay more than alone. The most for each, by seat: 50, 60, 80."
    assert [(attempt.code, attempt.action) for attempt in play.attempts] == [("unfair", {"split": [51, 39, 10]})]
    assert type(do(play, 1, {"split": [50, 40, 10]})) is list


def test_a_first_scheme_that_is_not_fair_makes_room_until_it_is():
    assert within([70, 20, 10], most_shares(100, ALONE, 1), 1) == [50, 27, 23]
    assert within([70, 20, 10], most_shares(100, ALONE, 5), 5) == [50, 25, 25]
    play = dealt([AIRLINES[0] | {"standalone": 40}, *AIRLINES[1:]], "magic_m1")
    play.expire(next(iter(play.state.open)))
    assert play.state.proposals[1] == play.state.initial == [40, 39, 21]


def test_fairness_cannot_be_checked_without_costs_alone_or_in_steps_that_are_too_large():
    bare = [{key: value for key, value in airline.items() if key != "standalone"} for airline in AIRLINES]
    with pytest.raises(Impossible, match="this setting does not say it"):
        dealt(bare, "magic_m1")
    tight = [airline | {"standalone": 34} for airline in AIRLINES]
    with pytest.raises(Impossible, match="Take smaller steps"):
        dealt(tight, "magic_m1", options={"step": 25})
    with pytest.raises(Impossible, match="pay more than they would alone"):
        dealt(preset="magic_m1", openings={"1": [{"split": [60, 20, 20]}]})


def test_matches_of_the_version_before_read_as_they_were_played():
    seats = agents_and_people(3, 0)
    header = new_header(RULES_OF, "magic", seats=seats, seed=1, setting={"airlines": AIRLINES, "fee": 100})
    old = dataclasses.replace(header, rules_version=1, options={"rounds": 5})
    assert Play(RULES_OF, old).state.initial == [45, 38, 17] and Play(RULES_OF, old).state.shapley is not None


# Play ----------------------------------------------------------------------------------------------------------------


def test_proposals_are_made_in_seat_order_and_seen_at_once():
    play = dealt()
    for seat in (1, 2, 3):
        assert [request.seat for request in play.requests(PUBLIC)] == [seat]
        do(play, seat, {"split": [50, 30, 20]})
        assert RULES_OF.public(play.view(PUBLIC))["choices"][0]["seats"][-1] == seat


def test_all_votes_for_one_split_end_it_in_agreement():
    play = dealt()
    play_round(play, [[45, 38, 17], [40, 40, 20], [50, 40, 10]], [2, 2, 2])
    assert play.state.outcome.result == "agreed" and play.state.outcome.winners == (1, 2, 3)
    assert play.state.outcome.returns == {1: 60, 2: 60, 3: 80}
    assert play.state.history[-1]["proposers"] == [2]


def test_equal_splits_are_one_choice_proposed_by_each_who_made_it():
    play = dealt()
    play_round(play, [[50, 40, 10], [40, 40, 20], [40, 40, 20]], [3, 2, 3])
    tally = play.state.history[-1]
    assert tally["split"] == [40, 40, 20] and tally["proposers"] == [2, 3]
    assert tally["votes"] == {"1": 2, "2": 2, "3": 2}


def test_five_rounds_without_agreement_fail():
    play = dealt()
    for _ in range(5):
        assert not play.over
        play_round(play, [[45, 38, 17], [40, 40, 20], [50, 40, 10]], [1, 2, 2])
    assert play.state.outcome.result == "failed" and play.state.outcome.winners == ()


def test_a_missing_vote_is_no_agreement_and_a_missing_proposal_is_the_initial_scheme():
    play = dealt()
    play.expire(next(iter(play.state.open)))
    assert play.state.proposals[1] == [45, 38, 17]
    do(play, 2, {"split": [45, 38, 17]})
    do(play, 3, {"split": [45, 38, 17]})
    do(play, 1, {"seat": 1})
    do(play, 2, {"seat": 1})
    play.expire(next(iter(play.state.open)))
    assert play.state.history[-1]["votes"]["3"] is None and play.state.agreed is None


@pytest.mark.parametrize(
    ("split", "sentence"),
    [
        ([50, 30, 30], "The shares must sum to 100; yours sum to 110."),
        ([50, 50], "Give 3 shares; you gave 2."),
        ([120, -20, 0], "Each share must be at least 0 and a multiple of 1."),
    ],
)
def test_a_split_that_does_not_add_up_is_refused_in_words(split, sentence):
    refusal = do(dealt(), 1, {"split": split})
    assert type(refusal) is Refusal and refusal.sentence == sentence


def test_votes_are_sealed_until_all_are_in():
    play = dealt()
    for seat in (1, 2, 3):
        do(play, seat, {"split": [50, 30, 20] if seat == 1 else [40, 30, 30]})
    do(play, 1, {"seat": 2})
    assert [event.data for event in play.visible(2) if event.kind == "vote"] == [None]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"airlines": AIRLINES[:2]}, "needs the use data of 3 airlines; this setting has 2"),
        ({"airlines": [*AIRLINES[:2], {"name": "Plover", "flights": 10}]}, "'passengers' is missing for Plover"),
        ({"airlines": [*AIRLINES[:2], AIRLINES[0]]}, "Two airlines have the same name."),
        ({"airlines": [*AIRLINES[:2], AIRLINES[2] | {"flights": 0}]}, "'flights' of Plover is a number from 1 to"),
        ({"airlines": [*AIRLINES[:2], AIRLINES[2] | {"planes": 3}]}, "An airline has no 'planes'."),
        ({"fee": 200}, "no split could be fair"),
        ({"challenger": 4}, "The challenger is one of the seats 1 to 3."),
        ({"weather": "fair"}, "A setting of Cost Sharing has no 'weather'."),
        ({"openings": {"1": [{"split": [50, 50, 50]}]}}, "The shares must sum to 100; yours sum to 150."),
    ],
)
def test_a_setting_that_cannot_be_played_is_refused_with_its_reason(change, sentence):
    seats, setting = agents_and_people(3, 0), {"airlines": AIRLINES, "fee": 100} | change
    with pytest.raises(Impossible, match=sentence):
        new_header(RULES_OF, "magic", seats=seats, seed=1, setting=setting)


def test_steps_that_do_not_add_up_are_refused():
    with pytest.raises(Impossible, match=r"Steps of 3 do not add up to 100\."):
        dealt(options={"step": 3})


# Settings ------------------------------------------------------------------------------------------------------------


def test_there_are_seven_bases_with_each_seat_put_to_the_test_once():
    bases: dict[str, list[int]] = {}
    for row in FIXTURES:
        if "challenger" in row["data"]:
            assert "constructed after MAgIC's rule" in row["origin"]
            bases.setdefault(json.dumps(row["data"]["airlines"]), []).append(row["data"]["challenger"])
    assert len(bases) == 7 and all(seats == [1, 2, 3] for seats in bases.values())


def test_every_size_of_table_has_settings():
    assert {len(row["data"]["airlines"]) for row in FIXTURES} == {2, 3, 4, 5, 6}
    for row in FIXTURES:
        seats = len(row["data"]["airlines"])
        RULES_OF.check_setting(RULES_OF.options("party", {}, seats), row["data"])


def test_the_published_setting_begins_with_the_split_in_proportion_to_use():
    folder = os.environ.get("MAGIC_DATA")
    if not folder:
        pytest.skip("MAGIC_DATA does not name the folder of published settings.")
    path = Path(folder) / "magic_settings" / "topics_release" / "airportfee" / "settings" / "0.json"
    published = json.loads(path.read_text())
    flights, passengers = (90, 50, 50), (7000, 7500, 7500)
    for flight, load in zip(flights, passengers, strict=True):
        assert f"Flights: {flight}/" in published["topic"] and f"Passengers: {load:,}/" in published["topic"]
    airlines = [
        {"name": name, "flights": f, "passengers": p} for name, f, p in zip("ABC", flights, passengers, strict=True)
    ]
    assert proportional(airlines) == published["proposal"]["Player 1"]
    openings = {name[-1]: [{"split": split}] for name, split in published["proposal"].items()}
    play = dealt(airlines, fee=1_000_000, options={"scripted": [1, 2, 3]}, openings=openings)
    assert [play.state.proposals[seat] for seat in (1, 2, 3)] == list(published["proposal"].values())
