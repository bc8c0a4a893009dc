"""The named strategies of the house agents in Cost Sharing, Prisoner's Dilemma and Public Good."""

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from agents import headless, turns
from agents.models import AgentProfile
from agents.seating import seatable
from games.cost_sharing.setting import proportional
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import Impossible

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {
    game: [row["data"] for row in json.loads((ROOT / "games" / game / "settings.json").read_text())["rows"]]
    for game in ("cost_sharing", "prisoners_dilemma", "public_good")
}
PROFILES = [
    row for row in json.loads((ROOT / "fixtures" / "agent_profiles.json").read_text())["rows"] if "switches" in row
]
C, D = "cooperate", "defect"


def dealt(game: str, preset="magic", seats=3, seed=1, options=None) -> Play:
    """A match from a setting that fits, drawn by the seed."""
    rules, rng = RULES[game], random.Random(seed)
    resolved = rules.options(preset, options or {}, seats)
    while True:
        setting = rng.choice(SETTINGS[game])
        try:
            rules.check_setting(resolved, setting)
        except Impossible:
            continue
        header = new_header(
            rules, preset, seats=agents_and_people(0, seats), seed=seed, options=options, setting=setting
        )
        return Play(rules, header)


def mind(strategy: str | None = None, **switches) -> headless.Mind:
    named = {"strategy": strategy} if strategy else {}
    return headless.of_profile(AgentProfile(name="house", provider="house", switches=named | switches))


def play_out(play: Play, *strategies: str | None) -> headless.Played:
    """The match, its seats played by these strategies in turn; no move is refused."""
    names = {seat: strategies[(seat - 1) % len(strategies)] for seat in range(1, play.options.seats + 1)}
    played = headless.play_out(play, {seat: mind(name) for seat, name in names.items()})
    assert played.refusals == [] and played.attempts == []
    return played


def decide(play: Play, seat: int, strategy: str | None, **switches):
    request = next(request for request in play.state.open.values() if request.seat == seat)
    named = {"strategy": strategy} if strategy else {}
    profile = AgentProfile(name="house", provider="house", switches=named | switches)
    return turns.decide(play, request, profile, {1: "Ann", 2: "Ben", 3: "Cem"})


def choices_of(strategy: str | None, others: list[tuple[str, str]], **switches) -> list[str]:
    """What seat 1 chooses round by round while the others choose as given."""
    play, made = dealt("prisoners_dilemma", options={"rounds": len(others)}), []
    for round in others:
        made.append(decide(play, 1, strategy, **switches).action["choice"])
        for seat, choice in enumerate((made[-1], *round), 1):
            play.act(seat, next(r.id for r in play.state.open.values() if r.seat == seat), {"choice": choice})
    return made


# Whole matches -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("game", "preset"), [(game, preset) for game in SETTINGS for preset in RULES[game].presets])
def test_twenty_house_matches_of_each_preset_without_a_refusal(game, preset):
    about = RULES[game].presets[preset]
    sizes = range(about.low, about.high + 1)
    results: Counter[str] = Counter()
    for seed in range(20):
        play = dealt(game, preset, sizes[seed % len(sizes)], seed)
        play_out(play, None)
        results[f"{play.state.outcome.result} in round {play.state.round}"] += 1
    print(f"{game} {preset}, 20 house matches: {dict(results)}")
    assert results.total() == 20 and len(results) > 1


@pytest.mark.slow
@pytest.mark.parametrize("game", SETTINGS)
def test_every_strategy_plays_every_size_without_a_refusal(game):
    strategies = RULES[game].part("house").STRATEGIES
    for preset, about in RULES[game].presets.items():
        for seats in range(about.low, about.high + 1):
            for name in strategies:
                play_out(dealt(game, preset, seats), name)


@pytest.mark.parametrize(
    "options", [{"reveal": "total"}, {"reveal": "anonymous"}, {"share": "round", "over_budget": "refuse"}]
)
def test_public_good_is_played_under_its_other_options(options):
    for name in RULES["public_good"].part("house").STRATEGIES:
        play_out(dealt("public_good", options=options), name)


@pytest.mark.parametrize("game", SETTINGS)
def test_an_agent_without_a_named_strategy_keeps_the_one_it_drew(game):
    drawn = set()
    for seed in range(20):
        played = play_out(dealt(game, seed=seed), None)
        for seat in (1, 2, 3):
            (kept,) = {thought.data["strategy"] for thought in played.thoughts if thought.seat == seat}
            drawn.add(kept)
    assert drawn == set(RULES[game].part("house").USUAL)


def test_each_move_leaves_a_thought_with_its_reason():
    for game in SETTINGS:
        played = play_out(dealt(game), None)
        answered = [event.request for event in played.play.log if event.request is not None]
        assert [thought.request for thought in played.thoughts] == answered
        assert all(thought.data["why"] for thought in played.thoughts)


def test_a_strategy_that_is_not_there_is_an_error_that_names_those_that_are():
    with pytest.raises(ValueError, match=r"has no strategy 'tit_for_tad'\. It has: always_defect"):
        decide(dealt("prisoners_dilemma"), 1, "tit_for_tad")


# Prisoner's Dilemma --------------------------------------------------------------------------------------------------

ROUNDS = [(C, C), (C, D), (C, C), (D, D), (C, C)]


@pytest.mark.parametrize(
    ("strategy", "made"),
    [
        ("always_defect", [D, D, D, D, D]),
        ("always_cooperate", [C, C, C, C, C]),
        ("tit_for_tat", [C, C, D, C, D]),
        ("grim_trigger", [C, C, D, D, D]),
        ("pavlov", [C, C, D, D, C]),
        ("fictitious_play", [D, D, D, D, D]),
    ],
)
def test_each_strategy_answers_as_its_name_says(strategy, made):
    assert choices_of(strategy, ROUNDS) == made


def test_generosity_forgives_as_often_as_it_is_set():
    assert choices_of("generous_tit_for_tat", ROUNDS, generosity=1) == [C] * 5
    assert choices_of("generous_tit_for_tat", ROUNDS, generosity=0) == choices_of("tit_for_tat", ROUNDS)


def test_a_hard_agent_takes_what_the_trusting_leave_and_gives_nothing_to_who_never_does():
    assert choices_of(None, [(C, C)] * 6, strength="hard")[-1] == D
    assert choices_of(None, [(D, D)] * 6, strength="hard")[1:] == [D] * 5


def test_an_easy_agent_makes_peace_with_those_who_never_do():
    assert C in choices_of(None, [(D, D)] * 6, strength="easy")[2:]


# Public Good ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strategy", "given"),
    [
        ("free_rider", [0, 0, 0]),
        ("full_contributor", [20, 20, 20]),
        ("conditional_cooperator", [10, 20, 5]),
        ("undercutter", [6, 9, 0]),
        ("grim_trigger", [20, 20, 20]),
    ],
)
def test_contributions_follow_the_strategy(strategy, given):
    play = dealt("public_good")
    for round, (mine, others) in enumerate(zip(given, ((10, 30), (0, 10), (0, 0)), strict=True)):
        assert decide(play, 1, strategy).action["points"] == mine, f"round {round + 1}"
        for seat, amount in enumerate((mine, *others), 1):
            play.act(seat, next(r.id for r in play.state.open.values() if r.seat == seat), {"points": amount})


@pytest.mark.parametrize("given", [0, 10, 20])
def test_a_hard_agent_gives_only_what_others_may_answer_and_an_easy_one_always(given):
    def contributions(strength):
        play, made = dealt("public_good"), []
        while not play.over:
            made.append(decide(play, 1, None, strength=strength).action["points"])
            for seat, amount in enumerate((made[-1], given, given), 1):
                play.act(seat, next(r.id for r in play.state.open.values() if r.seat == seat), {"points": amount})
        return made

    hard, easy = contributions("hard"), contributions("easy")
    assert hard[-1] == 0
    assert sum(hard) < sum(easy)
    assert min(easy) > 0


# Cost Sharing --------------------------------------------------------------------------------------------------------


def test_proportional_proposers_agree_at_once_on_the_initial_scheme():
    play = dealt("cost_sharing", "party")
    play_out(play, "proportional_proposer")
    assert play.state.round == 1 and play.state.agreed == play.state.initial


def test_shapley_proposers_agree_at_once_on_the_shapley_split():
    play = dealt("cost_sharing", options={"fairness": "shown"})
    play_out(play, "shapley_proposer")
    assert play.state.agreed == pytest.approx(play.state.shapley, abs=1)


def test_bargainers_ask_to_pay_less_and_come_to_an_agreement():
    play = dealt("cost_sharing")
    split = decide(play, 1, "bargainer").action["split"]
    assert split[0] < proportional(play.state.airlines)[0] and sum(split) == 100
    agreed = 0
    for seed in range(20):
        play = dealt("cost_sharing", seed=seed)
        play_out(play, "bargainer")
        agreed += play.state.agreed is not None
    assert agreed >= 10


def test_stubborn_airlines_never_agree():
    play = dealt("cost_sharing")
    play_out(play, "stubborn")
    assert play.state.outcome.result == "failed"


def test_a_hard_airline_stands_by_one_split_and_asks_less_of_itself_than_is_fair():
    play = dealt("cost_sharing")
    hard, usual = mind(strength="hard"), mind()
    headless.play_out(play, {1: hard, 2: usual, 3: usual})
    proposals = [event.data["split"] for event in play.log if event.kind == "proposal" and event.seat == 1]
    assert proposals[:-1] == proposals[:1] * (len(proposals) - 1)
    assert proposals[0][0] < proportional(play.rules.public(play.state)["airlines"], play.options.step)[0]


def test_agents_without_a_named_strategy_come_to_an_agreement_even_beside_a_stubborn_one():
    results = []
    for seed in range(12):
        play = dealt("cost_sharing", seed=seed)
        play_out(play, None, None, "stubborn" if seed % 2 else None)
        results.append(play.state.outcome.result)
    assert results[::2] == ["agreed"] * 6 and results[1::2].count("agreed") >= 4


# Profiles ------------------------------------------------------------------------------------------------------------


def test_every_profile_names_a_strategy_of_its_games():
    named = [profile for profile in PROFILES if "strategy" in profile["switches"]]
    for game in SETTINGS:
        strategies = {p["switches"]["strategy"] for p in named if game in p["switches"]["games"]}
        assert strategies == set(RULES[game].part("house").STRATEGIES)


def test_a_profile_sits_down_only_at_its_games(db):
    AgentProfile.objects.create(name="house", title="House agent")
    AgentProfile.objects.create(name="grim", title="Grim", switches={"games": ["prisoners_dilemma"]})
    assert [name for name, title in seatable("prisoners_dilemma")] == ["house", "grim"]
    assert [name for name, title in seatable("undercover")] == ["house"]
