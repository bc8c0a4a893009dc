"""House agents answer whoever speaks to them, in every game and in words of their own."""

import random
import re
from itertools import count, cycle

import pytest

from agents import headless, turns
from agents.house import clue_ways, suspicion_ways
from agents.house.discourse.wording import told_to
from agents.models import AgentProfile
from games.registry import RULES
from games.rules import table_talk
from games.rules.play import Play, new_header
from games.rules.sample import sample_of
from games.rules.values import Refusal, Request, SeatInfo
from games.spygame.house import talk_ways

HOUSE = AgentProfile(name="house", provider="house", method="house", switches={})
CALLED = ("Ann", "Hugo", "Vera", "Felix", "Udo", "Rosa", "Leo")


def table(game, seed=1, **options):
    """A match at which people and agents may talk: Ann is a person."""
    rules = RULES[game]
    preset, seats = rules.players
    seated = tuple(SeatInfo(n, CALLED[n - 1], "agent", "house") for n in range(1, seats + 1))
    options = {"table_talk": True} | options
    setting = sample_of(rules).setting(rules.options(preset, options, seats), random.Random(seed))
    return Play(rules, new_header(rules, preset, seats=seated, seed=seed, options=options, setting=setting))


def answered(play, text, seat=2, speaker=1):
    """What a seat answers in the talk beside the game, and puts into the log; None where it is silent."""
    assert not isinstance(play.talk(speaker, "chat", {"text": text, "to": "all"}), Refusal)
    request = Request(f"{len(play.log)}:{seat}:chat", "chat", seat, table_talk.FIELDS["chat"], len(play.log))
    action = turns.decide(play, request, HOUSE, play.header.names).action
    if action["text"] is None:
        return None
    assert not isinstance(play.talk(seat, "chat", action), Refusal)
    return action["text"]


@pytest.mark.parametrize("game", RULES)
def test_in_every_game_it_answers_who_speaks_to_it_and_nobody_else(game):
    play = table(game)
    told = answered(play, "hugo are you a bot?")
    assert any(word in told for word in ("agent", "program", "bot"))
    assert answered(play, "Vera, who do you suspect?") is None
    assert answered(play, "hi all")


@pytest.mark.parametrize("game", RULES)
def test_it_says_nothing_twice(game):
    play = table(game)
    said = [answered(play, "hugo, blorb fnord zzz") for _ in range(8)]
    assert len(set(said)) == len(said)


def heard(game, text, stop):
    """What seat 2 answers once an event of this kind has happened `stop[1]` times, and the match."""
    kind, times = stop
    play = table(game)

    class Enough(Exception):
        pass

    def between():
        if sum(event.kind == kind for event in play.log) >= times:
            raise Enough

    house = headless.of_profile(HOUSE)
    with pytest.raises(Enough):
        headless.play_out(play, dict.fromkeys(play.header.names, house), between=between)
    return answered(play, text), play


def test_who_is_asked_about_a_clue_speaks_of_that_clue_and_of_its_own_word_not_at_all():
    for game in ("undercover", "chameleon"):
        told, play = heard(game, "hugo, what was Vera's clue?", ("voting", 1))
        clue = next(clue["text"] for clue in play.state.clues if clue["seat"] == 3)
        assert clue in told
        assert answered(play, "hugo, is your word alive?") in clue_ways.OWN_WORD.every
        told = answered(play, "I think it's Vera")
        assert "Vera" in told or clue in told


@pytest.mark.parametrize("game", ["undercover", "chameleon"])
def test_of_all_clues_it_names_the_oddest_and_the_vaguest(game):
    for asked in ("hugo, which clue was the weirdest?", "whose hint was the broadest?"):
        told, play = heard(game, asked, ("voting", 1))
        called = play.header.names | {1: "you"}  # seat 1 asks
        others = [clue for clue in play.state.clues if clue["seat"] != 2]
        assert any(clue["text"] in told and called[clue["seat"]] in told for clue in others), told


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("hugo, explain your hint", clue_ways.MEANT),
        ("Hugo, your clue would fit anything", clue_ways.DEFENCE_BY_CLUE),
        ("come on, give us your word, Hugo", clue_ways.OWN_WORD),
        ("hugo, you hold a different word", clue_ways.DEFENCE_BY_CLUE),
        ("Hugo, why pick on me?", suspicion_ways.IT_IS_WHAT_YOU_SAID),
        ("alright, I confess, I am the chameleon", suspicion_ways.CONFESSED),
        ("Hugo and Vera always vote together", clue_ways.NO_VOTES_YET),
    ],
)
def test_what_is_said_of_clues_is_answered_by_its_kind(asked, answer):
    told, play = heard("chameleon", asked, ("voting", 1))
    mine = next(clue["text"] for clue in play.state.clues if clue["seat"] == 2)
    others = (suspicion_ways.NOTHING_AGAINST_YOU, suspicion_ways.SUSPECT_YOU, clue_ways.DEFENCE)
    some = (answer, *others) if answer in (suspicion_ways.IT_IS_WHAT_YOU_SAID, clue_ways.DEFENCE_BY_CLUE) else (answer,)
    parts = {"name": "Ann", "mine": mine, "thing": "clue"}
    ways = [
        way.format(**parts, other=other) for one in some for way in one.every for other in play.header.names.values()
    ]
    assert any(told.startswith(way) for way in ways), told


@pytest.mark.parametrize("game", ["undercover", "chameleon", "spygame"])
def test_who_agrees_with_a_doubt_does_not_praise_in_the_same_breath(game):
    praise = re.compile(r"(?:fits|right|would have said|trust|believe|in order|how it is here)")
    for other in ("Vera", "Felix"):
        told, _ = heard(game, f"I bet it is {other}", ("voting", 1) if game != "spygame" else ("answer", 1))
        agrees = any(told.startswith(way.format(about=other)) for way in suspicion_ways.AGREED.every)
        assert not (agrees and praise.search(told)), told


def test_who_says_not_to_know_the_place_hears_what_that_sounds_like():
    for said in ("tbh I have no idea where we are", "never heard of such a place, I must say"):
        told, _ = heard("spygame", said, ("answer", 1))
        assert told in {way.format(name="Ann") for way in talk_ways.NEVER_HEARD.every}


def test_who_is_asked_about_the_place_leaves_it_to_the_turns():
    told, _ = heard("spygame", "hugo, do you need a ticket there?", ("answer", 1))
    assert "turn" in told or "game" in told or "ask" in told


@pytest.mark.parametrize(
    ("game", "text", "words", "stop"),
    [
        (
            "prisoners_dilemma",
            "hugo, who defected last round?",
            ("defect", "cooperated", "did", "It was"),
            ("revealed", 1),
        ),
        ("prisoners_dilemma", "hugo, who is winning?", ("Vera",), ("revealed", 1)),
        ("public_good", "hugo, how much did Vera give?", ("Vera", "told", "hidden"), ("pooled", 1)),
        ("cost_sharing", "hugo, what did Vera propose?", ("Vera",), ("voting", 1)),
        ("cost_sharing", "hugo, can you raise your share?", ("Ann",), ("voting", 1)),
        ("prisoners_dilemma", "let us all cooperate, hugo, ok?", ("cooperat", "defect", "you"), ("revealed", 1)),
        ("prisoners_dilemma", "hugo, you and Vera always play the same", ("of 1 rounds",), ("revealed", 1)),
        ("cost_sharing", "hugo, what split would you accept?", ("35",), ("voting", 1)),
    ],
)
def test_in_games_of_points_it_answers_from_what_was_done(game, text, words, stop):
    told, _ = heard(game, text, stop)
    assert any(word in told for word in words), told


@pytest.mark.parametrize(
    ("asked", "split"),
    [("40/40/20?", "40-40-20"), ("40/40/20 ?", "40-40-20"), ("how about 50, 30, 20?", "50-30-20"),
     ("could you live with 20-40-40?", "20-40-40"), ("30 40 30 ok?", "30-40-30"), ("I offer 45%/35%/20%", "45-35-20")],
)  # fmt: skip
def test_a_split_that_is_only_spoken_of_is_judged_by_what_it_asks(asked, split):
    """What is said of it is what the seat does where it is proposed."""
    play, said = table("cost_sharing"), set()
    share = split.split("-")[1]
    for _ in range(3):
        told = answered(play, f"hugo, {asked}")
        assert share in told and re.search(r"could|can bear|agree|cannot|limit|not now", told), told
        said.add(told)
    assert len(said) == 3


def test_a_split_that_does_not_fit_is_told_so():
    assert "110" in answered(table("cost_sharing"), "hugo, 50/40/20?")
    assert "3" in answered(table("cost_sharing"), "hugo, 60/40?")
    told, _ = heard("cost_sharing", "hugo, who voted in rounds 1-2?", ("voting", 1))
    assert "1-2" not in told


PROMISES = (
    "will you keep your promise?",
    "do you promise?",
    "will you stick to it?",
    "did you keep your word?",
    "you broke your promise!",
    "can I count on you?",
)


@pytest.mark.parametrize("game", [name for name, rules in RULES.items() if not rules.sought] + ["avalon"])
def test_who_asks_for_a_promise_gets_an_answer_of_its_own(game):
    told = [answered(table(game), f"hugo, {asked}") for asked in PROMISES]
    ours = re.compile("binds|swear|show|move|judge|kept|rounds?|promise|Ask me again|vote|did, Ann")
    assert [one for one in told if not ours.search(one)] == []


def test_how_often_it_cooperated_is_told_as_it_was():
    told, play = heard("prisoners_dilemma", "hugo, will you keep your promise?", ("revealed", 3))
    choices = [event.data["choices"] for event in play.log if event.kind == "revealed"]
    kept = sum({int(seat): one for seat, one in round_.items()}[2] == "cooperate" for round_ in choices)
    assert f"{kept} of {len(choices)}" in told


@pytest.mark.parametrize("game", RULES)
def test_who_is_spoken_to_is_not_spoken_of_by_name(game):
    """Whatever Ann asks about herself, she is "you"; by her name she is at most called."""
    play, rounds, spoken_to = table(game), count(), 0
    asked = cycle(
        ("what do you think of me?", "why me?", "who do you suspect?", "who do you trust?", "who voted for me?")
    )

    def between():
        nonlocal spoken_to
        out = {*map(int, play.rules.public(play.state).get("out", {}))}
        if next(rounds) % 3 or play.over or out & {1, 2}:
            return
        told = answered(play, f"hugo, {next(asked)}") or ""
        said = re.sub("“[^”]*”", "", told)
        assert not re.search(r"\bAnn\b", re.sub(r"(, |^)Ann(?=[,.;:!?])", "", said)), told
        spoken_to += bool(re.search(r"\byou", said, re.IGNORECASE))

    headless.play_out(play, dict.fromkeys(play.header.names, headless.of_profile(HOUSE)), between=between)
    assert spoken_to


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Ann has answered nothing yet.", "You have answered nothing yet."),
        ("The split of Ann asks 40 of me.", "Your split asks 40 of me."),
        ("Ann’s clue is off. Ann still worries me, Ann.", "Your clue is off. You still worry me, Ann."),
        ("“Ann is it”, said Ann.", "“Ann is it”, said you."),
        ("Ben for the team of Ann, Ann for none.", "Ben for your team, you for none."),
        ("Annette seems fine, Ann.", "Annette seems fine, Ann."),
    ],
)
def test_what_is_said_of_somebody_can_be_said_to_them(said, told):
    assert told_to("Ann", said) == told
