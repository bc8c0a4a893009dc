"""Suites plan the papers' matches: how many, who sits where, and the same ones for the same seed."""

from __future__ import annotations

import json
import os
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from evaluation.competitions.balancing import Tried, rows
from evaluation.metrics.magic import ROLES
from evaluation.suites import SUITES, Entry, SuiteError
from evaluation.suites.base import sides_of
from games.files import paper_settings
from games.registry import RULES
from games.rules.play import agents_and_people, new_header

ROOT = Path(__file__).parent.parent.parent


@cache
def settings(game):
    rows = []
    for file in sorted([*ROOT.glob("fixtures/*.json"), *ROOT.glob("games/*/settings.json")]):
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["model"] == "games.gamesetting":
            rows += [(row["name"], row["data"]) for row in data["rows"] if row["game"] == game]
    return rows


def plan(suite, *challengers, **entry):
    return SUITES[suite].plan(Entry(challengers or ("x",), **entry), settings)


def test_magic_is_143_matches_a_challenger_in_seven_roles():
    planned = plan("magic", "x", "y", defenders={"defender": "d"})
    assert len(planned) == 286
    roles = Counter(match.labels["role"] for match in planned if match.labels["challenger"] == "x")
    assert roles == {
        **dict.fromkeys(("chameleon", "non-chameleon", "undercover", "civilian"), 20),
        **dict.fromkeys(("cost_sharing", "prisoners_dilemma", "public_good"), 21),
    }


def test_magic_seats_the_challenger_on_both_good_seats_or_on_the_odd_one():
    for match in plan("magic", "x", defenders={"defender": "d"}):
        if match.game == "chameleon":
            odd = match.setting["chameleon"]
        elif match.game == "undercover":
            (odd,) = match.setting["undercovers"]
        else:
            assert match.agents.count("x") == 1
            assert match.agents[match.setting["challenger"] - 1] == "x"
            continue
        is_odd = match.labels["role"] in ("chameleon", "undercover")
        assert [n for n, agent in enumerate(match.agents, 1) if agent == "x"] == (
            [odd] if is_odd else [n for n in (1, 2, 3) if n != odd]
        )
        before = match.agents.index("x")
        assert match.options["scripted"] == list(range(1, before + 1))
        assert all(len(moves) == 1 for moves in match.setting["openings"].values())


def test_both_editions_play_the_same_settings_each_by_its_own_preset():
    second, first = plan("magic", "x"), plan("magic_m1", "x")
    assert [match.setting for match in first] == [match.setting for match in second]
    assert {match.preset for match in second} == {"magic"}
    assert {match.game for match in first if match.preset == "magic_m1"} == {"cost_sharing", "public_good"}


def test_defenders_before_the_challenger_open_with_the_settings_proposals():
    for match in plan("magic", "x"):
        if match.game == "cost_sharing":
            assert match.options == {"scripted": list(range(1, match.agents.index("x") + 1))}
            assert set(match.setting["openings"]) == {"1", "2", "3"}


def published_too(game):
    path = os.environ.get("MAGIC_DATA")
    if not path:
        pytest.skip("MAGIC_DATA does not name the folder of published settings.")
    rows = (row for _, row in paper_settings.read_magic(Path(path) / "magic_settings"))
    return [(row["name"], row["data"]) for row in rows if row["game"] == game] + settings(game)


def test_the_settings_of_the_authors_are_a_suite_of_their_own():
    planned = SUITES["magic_published"].plan(Entry(("x",)), published_too)
    assert Counter(match.labels["role"] for match in planned) == dict.fromkeys(ROLES, 1)
    dilemma = next(match.setting for match in planned if match.game == "prisoners_dilemma")
    assert [dilemma[name] for name in ("cooperate", "defect", "one_defect", "two_defect")] == [2, 1, 4, 2]
    for match in planned:
        rules = RULES[match.game]
        new_header(
            rules,
            match.preset,
            seats=agents_and_people(0, 3),
            seed=match.seed,
            options=dict(match.options),
            setting=dict(match.setting),
        )
    assert SUITES["magic"].plan(Entry(("x",)), published_too) == plan("magic", "x"), "and in no other one"


def test_settings_that_the_protocol_chose_are_played_by_a_suite_of_their_own():
    def with_balanced(game):
        words = {"chameleon": "chameleon", "undercover": "undercovers"}
        found = [(name, data) for name, data in settings(game) if words.get(game) in data and "openings" in data]
        chosen = [Tried(name, data, 0.0) for name, data in found]
        return [(row["name"], row["data"]) for row in rows(game, chosen, "house")] + settings(game)

    planned = SUITES["magic_balanced"].plan(Entry(("x",)), with_balanced)
    assert len(planned) == 143
    assert {m.labels["setting"].startswith("balanced") for m in planned if m.game == "undercover"} == {True}
    assert SUITES["magic"].plan(Entry(("x",)), with_balanced) == plan("magic", "x"), "and by no other one"
    with pytest.raises(SuiteError, match="balance_settings GAME"):
        plan("magic_balanced", "x")


def test_without_the_authors_settings_the_suite_says_how_to_get_them():
    with pytest.raises(SuiteError, match="import_settings FOLDER --magic"):
        plan("magic_published", "x")


def test_wiu_deals_every_challenger_the_same_topics_and_roles_from_all_parts():
    x, y = plan("wiu", "x", matches=10), plan("wiu", "y", matches=10)
    assert [(m.seed, m.setting) for m in x] == [(m.seed, m.setting) for m in y]
    assert Counter(match.labels["part"] for match in x) == dict.fromkeys({m.labels["part"] for m in x}, 2)
    assert all(match.agents == ("x",) * 5 and len(match.setting["undercovers"]) == 2 for match in x)


def test_recon_has_four_arms_and_plays_the_baselines_once():
    planned = plan("recon", "x", "y", defenders={"cot": "c", "recon": "r"}, matches=3)
    arms = Counter((match.labels["arm"], match.labels["challenger"]) for match in planned)
    assert arms == {
        ("good against CoT", "x"): 3,
        ("evil against ReCon", "x"): 3,
        ("CoT against CoT", "c"): 3,
        ("ReCon against ReCon", "r"): 3,
        ("good against CoT", "y"): 3,
        ("evil against ReCon", "y"): 3,
    }
    for match in planned:
        sides = sides_of("avalon", "recon", 6, match.seed, {}, {})
        assert all(match.agents[seat - 1] == match.labels[side] for seat, side in sides.items())


def test_spygame_is_seven_places_two_kinds_of_citizens_three_trials():
    planned = plan("spygame", "x", defenders={"strong": "s", "weak": "w"})
    assert len(planned) == 42
    assert len({match.labels["setting"] for match in planned}) == 7
    assert Counter(match.labels["citizens"] for match in planned) == {"strong": 21, "weak": 21}
    for match in planned:
        assert match.agents[match.setting["spy"] - 1] == "x"
        assert match.agents.count("s" if match.labels["citizens"] == "strong" else "w") == 6


def test_a_competition_of_ones_own_by_side_plays_every_deal_both_ways():
    more = {"game": "avalon", "preset": "official", "seats": 7, "mode": "side"}
    one, other = plan("own", "x", defenders={"defender": "d"}, matches=2, more=more)
    assert one.seed == other.seed
    assert {one.labels["role"], other.labels["role"]} == {"evil", "good"}
    assert all((a == "x") != (b == "x") for a, b in zip(one.agents, other.agents, strict=True))


def test_the_challenger_goes_round_the_seats():
    more = {"game": "undercover", "preset": "wiu"}
    planned = plan("own", "x", matches=5, more=more)
    assert sorted(match.agents.index("x") for match in planned) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("suite", ["magic", "wiu", "recon", "spygame"])
def test_every_planned_match_can_be_dealt_and_the_plan_is_the_same_again(suite):
    planned = plan(suite)
    assert planned == plan(suite)
    assert len({match.seed for match in plan(suite, seed=2)} & {match.seed for match in planned}) == 0
    for match in planned:
        rules = RULES[match.game]
        seats = agents_and_people(0, len(match.agents))
        new_header(
            rules, match.preset, seats=seats, seed=match.seed, options=dict(match.options), setting=dict(match.setting)
        )


def test_the_first_so_many_are_taken_which_are_of_every_kind():
    taken = plan("magic", take=13)
    assert taken == plan("magic")[:13]
    assert len({match.labels["role"] for match in taken}) == 7
    with pytest.raises(SuiteError, match="at least one"):
        plan("magic", take=-3)


DEALS = [
    {"topic": f"a{k}", "team": team, "seed": k, "setting": {}} for team in ("civilian", "undercover") for k in range(4)
]
BY_SIDE = {"game": "avalon", "preset": "official", "mode": "side"}


@pytest.mark.parametrize("suite", [name for name in SUITES if name not in ("magic_published", "magic_balanced")])
def test_every_beginning_of_a_plan_is_balanced_over_challengers_and_over_what_is_played(suite):
    """However early a competition is cut short, no challenger and no kind of match is ahead by more than one block."""
    more = {"own": BY_SIDE, "human_study": {"deals": DEALS}}.get(suite, {})
    asked = {"matches": 6} if SUITES[suite].matches else {}
    defenders = dict.fromkeys(SUITES[suite].parts, "d")
    whole = plan(suite, "x", "y", "z", defenders=defenders, more=more, **asked)
    assert {match.seed for match in plan(suite, "x", defenders=defenders, more=more, **asked)} == {
        match.seed for match in whole
    }, "one deal for all"
    played, left = Counter(), Counter(map(name_and_kind, whole))
    for match in whole:
        played[name_and_kind(match)] += 1
        left[name_and_kind(match)] -= 1
        each = [sum(n for (name, _kind), n in played.items() if name == one) for one in "xyz"]
        assert max(each) - min(each) <= 1
        for one in "xyz":
            of_kinds = [played[key] for key in left if key[0] == one and left[key]]
            assert not of_kinds or max(of_kinds) - min(of_kinds) <= 1


def name_and_kind(match):
    kind = match.game, *(match.labels.get(name) for name in ("role", "arm", "citizens", "part", "team"))
    return match.labels["challenger"], kind


@pytest.mark.parametrize(
    ("suite", "entry", "sentence"),
    [
        ("own", {"more": {"game": "chess"}}, "There is no game called 'chess'"),
        ("own", {"more": {"game": "avalon", "preset": "tiny"}}, "Avalon has no preset 'tiny'"),
        ("own", {"more": {"game": "avalon", "preset": "official", "seats": 99}}, "for 5 to 10 seats"),
        ("own", {"more": {"game": "avalon", "preset": "official", "mode": "odd"}}, "The mode is one of"),
    ],
)
def test_what_cannot_be_planned_is_refused_in_a_sentence(suite, entry, sentence):
    with pytest.raises(SuiteError, match=sentence):
        plan(suite, **entry)


def test_a_suite_without_its_settings_says_which_are_missing():
    with pytest.raises(SuiteError, match="needs 20 settings of chameleon; there are 0"):
        SUITES["magic"].plan(Entry(("x",)), lambda game: [])
