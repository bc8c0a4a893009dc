"""House agents answer whoever speaks to them, in every game and in words of their own."""

import random

import pytest

from agents import headless, turns
from agents.house import clue_ways
from agents.models import AgentProfile
from games.registry import RULES
from games.rules import table_talk
from games.rules.play import Play, new_header
from games.rules.sample import sample_of
from games.rules.values import Refusal, Request, SeatInfo

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
        ("cost_sharing", "hugo, what split would you accept?", ("35",), ("voting", 1)),
    ],
)
def test_in_games_of_points_it_answers_from_what_was_done(game, text, words, stop):
    told, _ = heard(game, text, stop)
    assert any(word in told for word in words), told
