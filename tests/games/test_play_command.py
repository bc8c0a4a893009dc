"""`manage.py play`: what agrees, what does not, and how it says so."""

import gzip
import json
import os
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.models import Match
from games.registry import RULES
from games.rules import kit

ROLES = ["merlin", "servant", "servant", "minion", "morgana"]


def quest(leader: int, team: list[int], cards: list[bool]) -> list[dict]:
    moves = [(leader, {"seats": team}), *((seat, {"approve": True}) for seat in range(1, 6))]
    moves += [(seat, {"success": card}) for seat, card in zip(team, cards, strict=True)]
    return [{"type": "action", "seat": seat, "action": action} for seat, action in moves]


def script(**expected) -> dict:
    """Three quests that fail by the minion's cards."""
    seats = [{"seat": seat, "name": f"Player {seat}", "kind": "human"} for seat in range(1, 6)]
    setting = {"roles": ROLES, "assassin": 4, "first_leader": 1}
    return {
        "header": {
            "game": "avalon",
            "preset": "official",
            "options": {"discussion": "none"},
            "setting": setting,
            "seed": 0,
            "seats": seats,
        },
        "actions": [
            *quest(1, [1, 4], [True, False]),
            *quest(2, [1, 2, 4], [True, True, False]),
            *quest(3, [3, 4], [True, False]),
        ],
        "expected": {"winner": "evil", "successes": 0, "fails": 3, "assassinated": None, "message": "x"} | expected,
    }


@pytest.fixture
def play(tmp_path, capsys):
    """Play a file of these lines; returns the exit code and what was printed."""

    def play(*lines, name="games.jsonl", save=False):
        text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
        file = tmp_path / name
        file.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        try:
            call_command("play", str(file), save=save)
            code = 0
        except SystemExit as stopped:
            code = stopped.code
        return code, capsys.readouterr().out.splitlines()

    return play


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_games_that_agree_are_counted(play, name):
    assert play(script(), script(), name=name) == (0, ["2 games, 2 agree"])


@pytest.mark.parametrize(
    ("expected", "sentence"),
    [
        ({"winner": "good"}, "game 1: winner: expected 'good', played 'evil'"),
        ({"successes": 1}, "game 1: successes: expected 1, played 0"),
        ({"fails": 2}, "game 1: fails: expected 2, played 3"),
        ({"assassinated": 1}, "game 1: assassinated: expected 1, played None"),
    ],
)
def test_a_recorded_result_that_the_cards_contradict_is_a_disagreement(play, expected, sentence):
    assert play(script(**expected), script()) == (1, [sentence, "2 games, 1 agree"])


def test_a_fail_of_a_good_seat_is_a_disagreement(play):
    game = script()
    game["actions"][6]["action"] = {"success": False}
    code, lines = play(game)
    assert code == 1
    assert lines[0] == "game 1: action 7 of seat 1: You are good: your card is always success."


def test_a_card_turned_is_a_disagreement(play):
    game = script()
    game["actions"][7]["action"] = {"success": True}
    code, lines = play(game)
    assert code == 1 and lines[-1] == "1 games, 0 agree"


def test_actions_left_over_or_missing_are_a_disagreement(play):
    longer, shorter = script(), script()
    longer["actions"].append({"seat": 4, "action": {"seat": 1}})
    shorter["actions"].pop()
    code, lines = play(longer, shorter)
    assert code == 1
    assert lines[0] == "game 1: action 26: nothing of that kind is asked of seat 4"
    assert "game 2: the actions end before the match does" in lines


def test_an_impossible_deal_is_a_disagreement(play):
    game = script()
    game["header"]["setting"]["assassin"] = 1
    assert play(game)[1][0] == "game 1: Seat 1 is good and cannot be the Assassin."


@pytest.mark.parametrize(
    "line", ['{"header": 3}', "{broken", "[]", '{"header": {"game": "go"}}', '{"header": {"game": "avalon"}}']
)
def test_a_line_that_is_no_game_is_a_disagreement(play, line):
    code, lines = play(script(), line, script())
    assert code == 1
    assert lines[0].startswith("game 2: ") and lines[-1] == "3 games, 2 agree"


def test_a_file_that_is_not_there_is_said_in_a_sentence(tmp_path):
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("play", str(tmp_path / "nothing.jsonl"))


def logs() -> list[str]:
    return [
        kit.file_of(kit.play_through(trial)) for rules in RULES.values() for trial in list(kit.kit_cases(rules))[:2]
    ]


def test_logs_are_played_too(play):
    games = len(logs())
    assert play(*logs()) == (0, [f"{games} games, {games} agree"])


def test_a_log_with_another_outcome_or_event_is_a_disagreement(play):
    first, second, *_ = logs()
    outcome = first.replace('{"type":"outcome","status":"finished"', '{"type":"outcome","status":"void"')
    event = second.replace('"kind":"tally"', '"kind":"telly"', 1)
    code, lines = play(outcome, event)
    assert code == 1 and lines[-1] == "2 games, 0 agree"


@pytest.mark.django_db
def test_games_that_agree_are_stored_on_request(play):
    play(script(), script(fails=0), *logs(), save=True)
    stored = Match.objects.filter(game="avalon", preset="official")
    assert Match.objects.count() == len(logs()) + 1
    assert stored.filter(result="evil_quests").exists()


@pytest.mark.slow
def test_the_recorded_games_of_people_agree(capsys):
    folder = os.environ.get("MAGIC_DATA")
    if not folder:
        pytest.skip("MAGIC_DATA does not name the folder of recorded games.")
    call_command("play", str(Path(folder) / "human_avalon_799.jsonl.gz"))
    assert capsys.readouterr().out.splitlines()[-1] == "799 games, 799 agree"
