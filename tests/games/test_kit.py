"""The test kit over every registered game; and that it catches games that are wrong."""

import random
from dataclasses import fields

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from games.registry import RULES
from games.rules import kit
from games.rules.fields import OneSeat
from games.rules.options import Options
from games.rules.values import Draft, Event, Impossible, Kind

from .toy import HARBOUR, SAMPLE, Harbour, HarbourState

TRIALS = [trial for rules in RULES.values() for trial in kit.kit_cases(rules)]
SMALL = [trial for trial in TRIALS if trial.seats <= 7]
LARGEST = {
    (trial.rules.name, trial.preset): trial
    for trial in TRIALS
    if trial.seats > 7 and trial.overrides["polls"] == "none"
}


def named(trial: kit.KitCase) -> str:
    return f"{trial.rules.name}-{trial.preset}-{trial.seats}-{trial.overrides['polls']}"


@pytest.mark.slow
@pytest.mark.parametrize("trial", [*SMALL, *LARGEST.values()], ids=named)
def test_every_preset_passes_at_every_size_to_seven_and_at_its_largest(trial):
    kit.check(trial)


@st.composite
def overrides(draw, trial: kit.KitCase) -> dict:
    """Up to three options that people choose, within what this size of table can play."""
    offered = [item for item in fields(trial.options) if not item.metadata["hidden"] and item.name != "polls"]
    chosen = {}
    for item in draw(st.lists(st.sampled_from(offered), max_size=3, unique_by=lambda item: item.name)):
        if isinstance(item.default, bool):
            chosen[item.name] = draw(st.booleans())
        elif item.metadata["choices"] and not isinstance(item.default, tuple):
            chosen[item.name] = draw(st.sampled_from(list(item.metadata["choices"])))
        elif item.metadata["high"] is not None:
            chosen[item.name] = draw(st.integers(item.metadata["low"], item.metadata["high"]))
    try:
        trial.rules.options(trial.preset, trial.overrides | chosen, trial.seats)
    except Impossible:
        assume(False)
    return trial.overrides | chosen


@pytest.mark.slow
@settings(max_examples=15, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(data=st.data(), seed=st.integers(0, 2**63 - 1))
def test_any_options_and_any_seed_pass(data, seed):
    trial = data.draw(st.sampled_from(SMALL))
    chosen = data.draw(overrides(trial))
    kit.check(kit.KitCase(trial.rules, trial.sample, trial.preset, trial.seats, seed, chosen))


@pytest.mark.slow
def test_another_process_with_another_hash_seed_comes_to_the_same_logs():
    one_a_preset = {(trial.rules.name, trial.preset): trial for trial in TRIALS}
    kit.check_other_process(list(one_a_preset.values()), hash_seed=4242)


@pytest.mark.slow
@pytest.mark.parametrize("trial", [trial for trial in SMALL if trial.overrides["polls"] == "none"], ids=named)
def test_every_seat_has_something_to_be_exchanged_behind_its_back(trial):
    for viewer, others in kit.indistinguishable(trial)[1].items():
        assert others, f"nothing can be exchanged for {viewer}"


# Games that are wrong -----------------------------------------------------------------------------------------------


class BribeIsSeen(Harbour):
    kinds = Harbour.kinds | {"bribe": Kind("", ("bribe",), "seat", "shell")}

    def on_bribe(self, state, event):
        if isinstance(event, Event):
            super().on_bribe(state, event)


class BribeIsAskedAloud(Harbour):
    def on_round(self, state: HarbourState, event: Event) -> None:
        super().on_round(state, event)
        for key, request in state.open.items():
            state.open[key] = request._replace(audience=None)


class CountTells(Harbour):
    def proceed(self, state, chance):
        return [
            draft._replace(data=draft.data | {"round": state.smuggler}) if draft.kind == "counted" else draft
            for draft in super().proceed(state, chance)
        ]


class OpeningTells(Harbour):
    def setup(self, options, setting, chance):
        for draft in super().setup(options, setting, chance):
            yield draft._replace(data={"rounds": setting["smuggler"]}) if draft.kind == "opened" else draft


class SmugglerCostsAnEvent(Harbour):
    kinds = Harbour.kinds | {"gust": Kind("A gust of wind.", audience="nobody")}

    def on_gust(self, state, event):
        state.step = "round"

    def on_counted(self, state, event):
        super().on_counted(state, event)
        state.step = "gust" if state.smuggler == 1 else "round"

    def proceed(self, state, chance):
        return [Draft("gust", None, {}, ())] if state.step == "gust" else super().proceed(state, chance)


class ForgetsTheSeed(Harbour):
    def default_stake(self, state, request, chance):
        return {"coins": random.SystemRandom().randint(0, 4)}

    def proceed(self, state, chance):
        drafts = super().proceed(state, chance)
        unseeded = random.SystemRandom().randrange(10**9)
        return [
            draft._replace(data=draft.data | {"weather": unseeded}) if draft.kind == "round" else draft
            for draft in drafts
        ]


class DrawsUnwritten(Harbour):
    def proceed(self, state, chance):
        drafts = super().proceed(state, chance)
        chance.pick("round.hidden", (1, 2))
        return drafts


class NeverEnds(Harbour):
    def proceed(self, state, chance):
        state.round = 0
        return super().proceed(state, chance)


class AsksWithoutAChoice(Harbour):
    def on_round(self, state, event):
        super().on_round(state, event)
        state.ask(event, "say", 1, (OneSeat("seat", seats=()),))


class PublicStateKnowsMore(Harbour):
    def public(self, state):
        return super().public(state) | {"smuggler": state.smuggler}


class StakesGoToEverybody(Harbour):
    def setup(self, options: Options, setting, chance):
        for draft in super().setup(options, setting, chance):
            yield draft._replace(audience=None) if draft.kind == "dealt" else draft


class PollsChangePlay(Harbour):
    def on_poll(self, state, event):
        if isinstance(event, Event):
            state.bribes += 1


class KeepsStateBesideTheLog(Harbour):
    def act_stake(self, state, request, action):
        state.talk.append("psst")
        return super().act_stake(state, request, action)


class PointsForSome(Harbour):
    def result(self, state):
        return super().result(state)._replace(returns={1: 1})


class SmugglerIsNoSecret(Harbour):
    def cast(self, state):
        return {seat: member._replace(hides={}) for seat, member in super().cast(state).items()}


class SmugglerKnowsNobody(Harbour):
    def cast(self, state):
        everybody = frozenset(state.totals)
        return {
            seat: member._replace(hides=dict.fromkeys(member.hides, everybody - {seat}))
            for seat, member in super().cast(state).items()
        }


class SomeAreInNoCast(Harbour):
    def cast(self, state):
        return {1: super().cast(state)[1]}


class TradersWinAlone(Harbour):
    teams = ("trader",)


class SmugglerIsSought(Harbour):
    teams, sought = ("trader", "smuggler"), "smuggler"
    role_words = {"trader": (), "smuggler": ("smuggler",)}

    def result(self, state):
        return super().result(state)._replace(winners=())

    def own_side(self, card):
        return "smuggler" if card["smuggler"] else "trader"


class CardTellsAFalseSide(SmugglerIsSought):
    def own_side(self, card):
        return "trader"


class MoreAreDealtThanThereAre(SmugglerIsSought):
    def dealt(self, options, public):
        return super().dealt(options, public) + super().dealt(options, public)


class SomeRoleHasNoWords(SmugglerIsSought):
    role_words = {"smuggler": ("smuggler",)}


class NobodyMayBeTheSmuggler(SmugglerIsSought):
    def possible(self, card, me, seats, every):
        return dict.fromkeys(seats, ("trader",))


class FalseFellows(SmugglerIsSought):
    def fellows(self, card):
        return (1, 2)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (BribeIsSeen, "tells viewer"),
        (BribeIsAskedAloud, "other open requests"),
        (CountTells, "tells viewer"),
        (OpeningTells, "tells viewer"),
        (SmugglerCostsAnEvent, "tells viewer|is there only for some|other open requests"),
        (ForgetsTheSeed, "another log"),
        (DrawsUnwritten, "does not say what was drawn"),
        (NeverEnds, "did not end"),
        (AsksWithoutAChoice, "leaves no choice"),
        (PublicStateKnowsMore, "another public state"),
        (StakesGoToEverybody, "the deal is"),
        (PollsChangePlay, "changed the game"),
        (KeepsStateBesideTheLog, "is not the fold of the log|another"),
        (PointsForSome, "has its points"),
        (SmugglerIsNoSecret, "said to be known to"),
        (SmugglerKnowsNobody, "said to be hidden from"),
        (SomeAreInNoCast, "part in the cast"),
        (TradersWinAlone, "some of trader won"),
        (CardTellsAFalseSide, "is told that it is trader"),
        (MoreAreDealtThanThereAre, "are said to be dealt"),
        (SomeRoleHasNoWords, "no words say"),
        (NobodyMayBeTheSmuggler, "for what it is"),
        (FalseFellows, "false fellow"),
    ],
)
def test_the_kit_catches(wrong, sentence, monkeypatch):
    monkeypatch.setattr(kit, "MOVES_LIMIT", 400)
    rules = wrong()
    with pytest.raises((AssertionError, ValueError), match=sentence):
        for seed in range(20):
            for trial in kit.kit_cases(rules, SAMPLE, seed):
                kit.check(trial)


@pytest.mark.parametrize("rules", [HARBOUR, SmugglerIsSought()])
def test_the_games_they_are_made_from_pass(rules):
    for seed in range(3):
        for trial in kit.kit_cases(rules, SAMPLE, seed):
            kit.check(trial)
