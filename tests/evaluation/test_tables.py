"""The papers' tables from records: rows of who played, printed rows beside them, and what stands behind each number."""

from __future__ import annotations

import csv
import io
import json

import pytest

from evaluation.tables.contrasts import between
from evaluation.tables.filling import behind, tables
from evaluation.tables.gains import Pair, gains
from evaluation.tables.papers import SPECS
from evaluation.tables.people import COMMON, method_1, method_2
from tests.evaluation.played import clues, dealt, record, votes

WORDS = {"civilian_word": "violin", "undercover_word": "cello", "undercovers": [4, 5]}


def dilemma(letters, seats, setting="s", challenger="", **payoffs):
    play = dealt("prisoners_dilemma", "magic", seats, payoffs)
    choice = {"c": "cooperate", "d": "defect"}
    moves = [(n, {"choice": choice[letter]}) for _ in range(5) for n, letter in enumerate(letters, 1)]
    labels = {"challenger": challenger, "setting": setting, "role": "prisoners_dilemma"} if challenger else {}
    return record(play, moves, labels=labels)


def undercover(ballots, seats, words=WORDS):
    play = dealt("undercover", "wiu", seats, words)
    texts = iter(f"clue {number}" for number in range(100))
    moves = []
    alive = [1, 2, 3, 4, 5]
    for ballot in ballots:
        for seat, action in clues({seat: next(texts) for seat in alive}):
            moves.append((seat, action))
        moves += votes(ballot)
        alive = [seat for seat in alive if seat != max(ballot.values(), key=list(ballot.values()).count)]
    return in_order(play, moves)


def in_order(play, moves):
    """Clues stand in the order that is drawn; everything else as it comes."""
    waiting = list(moves)
    while waiting:
        open_for = {(r.seat, r.kind) for r in play.state.open.values()}
        n = next(k for k, (seat, action) in enumerate(waiting) if (seat, kind_of(action)) in open_for)
        record(play, [waiting.pop(n)])
    return record(play, [])


def kind_of(action):
    return "clue" if "text" in action else "vote"


GOOD_WINS = ({1: 4, 2: 4, 3: 4, 4: 1, 5: 4}, {1: 5, 2: 5, 3: 5, 5: 1})
GOOD_LOSES = ({1: 2, 2: 1, 3: 1, 4: 1, 5: 1}, {2: 3, 3: 2, 4: 2, 5: 2})


def row(table, label):
    return next(row for row in table.rows if row.label == label)


def test_a_challengers_row_counts_its_own_seats_also_against_itself():
    games = [dilemma("dcc", ["x", "y", "y"], challenger="x"), dilemma("dcc", ["x", "x", "x"], challenger="x")]
    games[1].setting = {"challenger": 1}
    table = tables(games, ["game_theory"])["game_theory"]
    cell = row(table, "x").cells["magic.rationality.prisoners_dilemma"]
    assert (cell.value, cell.n, cell.matches) == (1, 10, 2)
    assert [r.label for r in table.rows if not r.printed] == ["x"]


def test_printed_rows_stand_beside_ours_in_the_same_units_and_name_their_paper():
    table = tables([], ["game_theory"])["game_theory"]
    printed = row(table, "GPT-4+PGM")
    assert printed.printed and "MAgIC" in printed.source
    assert printed.cells["magic.cooperation"].value == pytest.approx(0.619)
    assert printed.cells["magic.payback"].value == 144.1
    assert printed.cells["magic.cooperation"].n is None
    board = tables([], ["leaderboard.m2"])["leaderboard.m2"]
    assert row(board, "GPT-4-turbo").cells["magic.radar_area.m2"].value == pytest.approx(0.932, abs=0.001)
    assert row(tables([], ["wiu.civilian"])["wiu.civilian"], "MPTT").cells["wiu.vote_success"].value == 0.37
    assert row(tables([], ["recon"])["recon"], "good · ReCon").cells["recon.success"].value == pytest.approx(0.833)


def test_a_tendency_has_a_row_for_each_setting_of_payoffs():
    other = {"cooperate": 4, "defect": 2, "one_defect": 6, "two_defect": 3}
    games = [dilemma("dcc", ["x", "y", "y"], challenger="x"), dilemma("ccc", ["x", "y", "y"], challenger="x", **other)]
    table = tables(games, ["tendency"])["tendency"]
    assert len(table.rows) == 2
    assert row(table, "x · 2-6-3").cells["magic.rationality.prisoners_dilemma"].value == 0


def test_agents_teams_have_tables_of_their_own_and_matches_with_people_stay_out():
    games = [undercover(GOOD_WINS, ["x"] * 5), undercover(GOOD_LOSES, ["x"] * 5), undercover(GOOD_WINS, ["", *"xxxx"])]
    found = tables(games, ["wiu.civilian", "wiu.undercover"])
    civilian, under = (row(found[f"wiu.{team}"], "x") for team in ("civilian", "undercover"))
    assert civilian.cells["wiu.victory"].value + under.cells["wiu.victory"].value == 1
    assert found["wiu.civilian"].records == 2
    assert civilian.cells["wiu.trust"].value is None, "nobody was polled"


def test_what_a_number_counts_can_be_listed_by_its_row_and_column():
    games = [undercover(GOOD_WINS, ["x"] * 5)]
    table = tables(games, ["wiu.civilian"])["wiu.civilian"]
    cell = row(table, "x").cells["wiu.vote_success"]
    listed = list(behind(games, "wiu.civilian", "x", "wiu.vote_success"))
    assert len(listed) == cell.n == 6
    assert {games[0].events[one.item.seq - 1].kind for one in listed} == {"vote"}


def test_tables_are_plain_values_and_csv_with_n_and_interval():
    games = [dilemma("dcc", ["=x", "y", "y"], challenger="=x")]
    table = tables(games, ["game_theory"])["game_theory"]
    assert json.loads(json.dumps(table.to_json()))["rows"][0]["cells"]["magic.score"]["n"] == 1
    lines = list(csv.DictReader(io.StringIO(table.csv())))
    assert lines[0]["who"] == "'=x", "no spreadsheet takes it for a formula"
    assert float(lines[0]["magic.rationality.prisoners_dilemma"]) == 1
    assert lines[0]["magic.rationality.prisoners_dilemma n"] == "5"
    assert lines[0]["magic.cost"] == "", "no data is empty, not 0"


def test_every_column_counts_in_a_match_that_the_table_keeps():
    for name, spec in SPECS.items():
        assert set(spec.columns), name
        assert len(set(spec.columns)) == len(spec.columns), name


def test_the_gain_of_a_method_is_paired_by_setting():
    games = []
    for number in range(8):
        plain = "cdd" if number % 2 else "ccc"
        games.append(dilemma(plain, ["plain", "y", "y"], f"s{number}", "plain"))
        games.append(dilemma("d" + plain[1:], ["method", "y", "y"], f"s{number}", "method"))
    (gain,), averages = gains(games, [Pair("plain", "method", "pgm")], ["magic.rationality.prisoners_dilemma"])
    assert gain.difference.value == 1
    assert gain.difference.paired
    assert gain.difference.units == (8, 8)
    assert gain.difference.p == pytest.approx(2 / 2**8)
    assert averages == [], "one model is no average"
    assert gains(games, [Pair("plain", "nobody", "pgm")]) == ([], [])


def test_the_gain_of_a_method_is_averaged_over_models():
    games, pairs = [], []
    for model, letter in (("strong", "d"), ("weak", "c")):
        pairs.append(Pair(model, f"{model}-pgm", "pgm"))
        for number in range(8):
            games.append(dilemma("ccc", [model, "y", "y"], f"s{number}", model))
            games.append(dilemma(f"{letter}cc", [f"{model}-pgm", "y", "y"], f"s{number}", f"{model}-pgm"))
    _each, (mean,) = gains(games, pairs, ["magic.rationality.prisoners_dilemma"])
    assert (mean.way, mean.difference.value, mean.difference.models) == ("pgm", 0.5, 2)
    assert mean.difference.interval == (0.5, 0.5)


def test_any_two_rows_of_a_table_are_set_against_one_another_in_pairs():
    games = [
        dilemma(f"{letter}cc", [who, "y", "y"], f"s{number}", who)
        for who, letter in (("cot", "c"), ("recon", "d"), ("mptt", "c"))
        for number in range(8)
    ]
    found = {one.column: one for one in between(games, "game_theory", "recon", "cot")}
    defections = found["magic.rationality.prisoners_dilemma"]
    assert (defections.one.value, defections.other.value) == (1, 0)
    assert (defections.difference.paired, defections.difference.units) == (True, (8, 8))
    assert defections.difference.p == pytest.approx(2 / 2**8)
    assert found["magic.cost"].difference is None, "neither played it"
    same = {one.column: one for one in between(games, "game_theory", "mptt", "cot")}
    assert same["magic.rationality.prisoners_dilemma"].difference.p == 1
    by_payoffs = between(games, "tendency", ["recon", "1-5-3"], ["nobody", "1-5-3"])
    assert by_payoffs == [], "one of the rows is not there"
    assert between(games, "game_theory", {"no": "key"}, "cot") == []


def spies(spy, place="school", citizens="strong"):
    play = dealt("spygame", "seed004", [spy, *["z"] * 6], {"place": place, "roles": list("abcdef"), "spy": 1})
    leader = next(request.seat for request in play.state.open.values() if request.kind == "lead")
    accused = 1 if leader != 1 else 2
    moves = [(leader, {"accuse": True, "seat": accused, "text": None})]
    moves += [(seat, {"agree": True}) for seat in range(1, 8) if seat not in (leader, accused)]
    return record(play, moves, labels={"challenger": spy, "citizens": citizens, "suite": "spygame"})


def test_the_row_total_has_all_others_together_and_leads_to_what_it_counts():
    games = [spies("one"), spies("one"), spies("two")]
    table = tables(games, ["spygame.strong"])["spygame.strong"]
    own = [found for found in table.rows if not found.printed]
    assert [found.label for found in own] == ["one", "two", "Total"]
    assert [found.cells["spygame.winning_rate"].n for found in own] == [2, 1, 3]
    assert own[2].conditions["matches"] == 3
    assert len(list(behind(games, "spygame.strong", "Total", "spygame.winning_rate"))) == 3


def test_how_spygames_went_is_of_all_players_by_their_citizens():
    games = [spies("one"), spies("two", citizens="weak")]
    table = tables(games, ["spygame.logs"])["spygame.logs"]
    cells = {found.label: found.cells for found in table.rows if not found.printed}
    assert cells.keys() == {"strong", "weak", "Total"}
    assert cells["Total"]["spygame.living_round"].value == 1
    assert cells["Total"]["spygame.utterances"].value == 0
    assert (cells["Total"]["spygame.steps"].value, cells["Total"]["spygame.words"].value) == (0, None)


def test_teams_stand_by_part_of_the_word_network():
    game = undercover(GOOD_WINS, ["x"] * 5)
    game.labels = {"part": "polysemous"}
    table = tables([game, undercover(GOOD_WINS, ["x"] * 5)], ["wiu.parts"])["wiu.parts"]
    assert [found.label for found in table.rows] == ["polysemous · civilian · x", "polysemous · undercover · x"]
    assert [found.cells["wiu.victory"].value for found in table.rows] == [1, 0]


def test_matches_that_nothing_was_fixed_for_are_no_pairs():
    games = [record(dealt("avalon", "official", 5, {}), []) for _ in range(2)]
    assert games[0].case != games[1].case


# Human against agent ------------------------------------------------------------------------------------------------

MIXED = ["", "x", "x", "x", "x"]


def by_column(found, group):
    return {contrast.column: contrast for contrast in found if contrast.group == group}


def test_method_1_compares_people_and_agents_of_one_team_in_the_same_matches():
    found = by_column(method_1([undercover(GOOD_WINS, MIXED), undercover(GOOD_LOSES, MIXED)]), "civilian")
    survival = found["wiu.survival"]
    assert (survival.one.value, survival.other.value) == (0.5, 3 / 4)
    assert survival.difference.paired
    assert survival.difference.verdict == "few"
    assert survival.difference.exact is not None
    assert "wiu.comprehension" not in found, "nobody was polled"


def test_method_1_leaves_a_team_out_that_has_agents_only():
    assert by_column(method_1([undercover(GOOD_WINS, MIXED)]), "undercover") == {}
    assert method_1([undercover(GOOD_WINS, ["x"] * 5)]) == []


def test_method_2_compares_tables_with_a_person_and_tables_of_agents_dealt_alike():
    games = [undercover(GOOD_WINS, MIXED), undercover(GOOD_LOSES, ["x"] * 5), undercover(GOOD_LOSES, [""] * 5)]
    elsewhere = dilemma("ccc", ["x", "x", "x"])
    contrasts = method_2([*games, elsewhere])
    found = by_column(contrasts, "civilian")
    assert (found["wiu.victory"].one.value, found["wiu.victory"].other.value) == (1, 0)
    assert found["wiu.victory"].difference.units == (1, 1)
    assert found["wiu.survival"].one.n == 3
    assert by_column(contrasts, "undercover") == {}, "no person sat there"


def test_method_2_counts_for_each_team_the_matches_in_which_the_person_was_put_into_it_and_their_twins():
    """Table 3's victories planted: each team in its own six deals, 4 of 6 with a person in it, 1 of 6 without."""
    games = []
    for team, seat, wins, loses in (("civilian", 0, GOOD_WINS, GOOD_LOSES), ("undercover", 3, GOOD_LOSES, GOOD_WINS)):
        with_person = ["x"] * 5
        with_person[seat] = ""
        for deal in range(6):
            words = WORDS | {"civilian_word": f"{team} {deal}"}
            games.append(undercover(wins if deal < 4 else loses, with_person, words))
            games.append(undercover(wins if deal < 1 else loses, ["x"] * 5, words))
    games.append(undercover(GOOD_WINS, ["x"] * 5, WORDS | {"civilian_word": "dealt to nobody"}))
    contrasts = method_2(games)
    for team in ("civilian", "undercover"):
        victory = by_column(contrasts, team)["wiu.victory"]
        assert victory.one.value == pytest.approx(4 / 6), "0.67, as table 3 has it"
        assert victory.other.value == pytest.approx(1 / 6), "0.17, as table 3 has it"
        assert victory.difference.paired and victory.difference.units == (6, 6)


def test_method_2_counts_only_the_persons_team_also_where_nothing_was_dealt_alike():
    alone = undercover(GOOD_LOSES, ["x"] * 5, WORDS | {"civilian_word": "viola"})
    contrasts = method_2([undercover(GOOD_WINS, MIXED), alone])
    victory = by_column(contrasts, "civilian")["wiu.victory"]
    assert (victory.one.value, victory.other.value, victory.difference.paired) == (1, 0, False)
    assert by_column(contrasts, "undercover") == {}


def test_people_and_agents_are_compared_in_every_ability_that_both_have():
    games = [dilemma("dcc", ["", "x", "x"]), dilemma("ccd", ["", "x", "x"])]
    found = by_column(method_1(games, COMMON), "prisoners_dilemma")
    assert (found["magic.rationality"].one.value, found["magic.rationality"].other.value) == (0.5, 0.25)
    assert "magic.judgement" not in found
