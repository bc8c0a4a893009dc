"""The settings for MAgIC's suite: as many as the paper has, of its form, and played by their openings."""

import json
from collections import Counter
from pathlib import Path

import pytest

from games.cost_sharing.setting import most_shares, proportional, standalone, within
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ROWS = json.loads((FIXTURES / "magic_suite.json").read_text(encoding="utf-8"))["rows"]
WORDS = [row for row in ROWS if row["game"] != "cost_sharing"]
COSTS = [row for row in ROWS if row["game"] == "cost_sharing"]
PRINTED_AIRLINES = [
    {"name": name, "flights": flights, "passengers": passengers, "standalone": 10**6}
    for name, flights, passengers in (("A", 90, 7000), ("B", 50, 7500), ("C", 50, 7500))
]


def test_there_are_twenty_of_each_game_with_the_odd_one_at_every_seat():
    assert Counter(row["game"] for row in ROWS) == {"chameleon": 20, "undercover": 20, "cost_sharing": 21}
    odd = Counter((row["game"], row["data"].get("chameleon") or row["data"]["undercovers"][0]) for row in WORDS)
    assert set(odd.values()) == {6, 7}
    assert all("constructed after MAgIC's rule" in row["origin"] for row in ROWS)


def test_none_is_drawn_for_casual_play():
    assert not any(row["active"] for row in ROWS)


def proposals(airlines, fee):
    """Who uses most proposes the split in proportion to use; the others that this one pays 10 more and they 5 less
    each; nobody is asked for more than alone."""
    fair = proportional(airlines, 5)
    most, top = most_shares(fee, standalone(airlines), 5), fair.index(max(fair))
    other = [share + 10 if seat == top else share - 5 for seat, share in enumerate(fair)]
    return [within(fair if seat == top else other, most, 5) for seat in range(3)]


def test_first_proposals_follow_the_rule_of_the_printed_setting():
    assert proposals(PRINTED_AIRLINES, 10**6) == [[40, 30, 30], [50, 25, 25], [50, 25, 25]], "as printed"
    for row in COSTS:
        moves = row["data"]["openings"].values()
        assert [move["split"] for (move,) in moves] == proposals(row["data"]["airlines"], row["data"]["fee"])


@pytest.mark.parametrize("preset", ["magic", "magic_m1"])
def test_first_proposals_are_played_in_either_edition(preset):
    rules = RULES["cost_sharing"]
    for row in COSTS:
        people, options = agents_and_people(3, 0), {"scripted": [1, 2, 3]}
        play = Play(rules, new_header(rules, preset, seats=people, seed=1, options=options, setting=row["data"]))
        assert play.state.phase == "votes"


@pytest.mark.parametrize("row", WORDS, ids=lambda row: row["name"])
def test_the_openings_of_every_seat_are_played_in_turn(row):
    rules = RULES[row["game"]]
    people = agents_and_people(3, 0)
    options = {"scripted": [1, 2, 3]}
    play = Play(rules, new_header(rules, "magic", seats=people, seed=1, options=options, setting=row["data"]))
    clues = [(clue["seat"], clue["text"]) for clue in play.state.clues]
    openings = row["data"]["openings"]
    rounds = 1 if row["game"] == "chameleon" else 2
    assert clues == [(seat, openings[str(seat)][turn]["text"]) for turn in range(rounds) for seat in (1, 2, 3)]
    assert {request.kind for request in play.state.open.values()} == {"vote"}


# The games that MAgIC prints in figure 6 (arXiv) and 7 (ACL), by their votes. The clues are stand-ins: some of those
# printed hold the word, or say an earlier clue again.

PRINTED = {
    "Llama-2-70B": ((2, 3, 2), "civilians"),
    "GPT-3.5": ((2, 3, 2), "civilians"),
    "GPT-4": ((2, 3, 1), "even"),
    "GPT-3.5+PGM": ((2, 3, 2), "civilians"),
    "GPT-4+PGM": ((3, 3, 1), "undercovers"),
}


@pytest.mark.parametrize("game", PRINTED)
def test_the_printed_games_of_undercover_end_as_printed(game):
    votes, result = PRINTED[game]
    rules = RULES["undercover"]
    setting = {"civilian_word": "wig", "undercover_word": "haircut", "undercovers": [2]}
    play = Play(rules, new_header(rules, "magic", seats=agents_and_people(3, 0), seed=1, setting=setting))
    while len(play.state.clues) < 6:
        (request,) = play.state.open.values()
        play.act(request.seat, request.id, {"text": f"stand-in {len(play.state.clues)}"})
    for request in list(play.state.open.values()):
        play.act(request.seat, request.id, {"seat": votes[request.seat - 1]})
    assert play.state.outcome.result == result
