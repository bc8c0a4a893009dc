"""The settings for MAgIC's suite: as many as the paper has, of its form, and played by their openings."""

import json
from collections import Counter
from pathlib import Path

import pytest

from games.rules import RULES
from games.rules.play import Play, agents_and_people, new_header

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ROWS = json.loads((FIXTURES / "magic_suite.json").read_text(encoding="utf-8"))["rows"]


def test_there_are_twenty_of_each_game_with_the_odd_one_at_every_seat():
    assert Counter(row["game"] for row in ROWS) == {"chameleon": 20, "undercover": 20}
    odd = Counter((row["game"], row["data"].get("chameleon") or row["data"]["undercovers"][0]) for row in ROWS)
    assert set(odd.values()) == {6, 7}
    assert all(row["origin"].endswith("constructed after MAgIC's rule") for row in ROWS)


def test_none_is_drawn_for_casual_play():
    assert not any(row["active"] for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
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
