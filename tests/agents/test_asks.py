"""What a seat is told to do, by game, side, and what it believes; and rules that papers' players were told."""

import re
from dataclasses import replace

import pytest

from agents.methods import METHODS
from agents.prompts import asked, prompt
from agents.situation import Thought
from games.registry import RULES
from games.rules.kit import KitCase
from games.rules.sample import sample_of
from tests.agents.method_scenes import at, begin, decide, prompts, until

CIVILIAN = "You take yourself for a civilian: vote for the player who you think has the other word."
UNDERCOVER = "You take yourself for an undercover: vote for a civilian, not for a player who has your word."
EITHER = "If you take yourself for a civilian,"


def messages(where):
    """The system message and the last one, as the plainest method has them."""
    turn = METHODS["direct"].turn(where, {})
    told = prompt(turn, next(METHODS["direct"].think(turn))).messages
    return told[0].content, told[-1].content


def scene(game, kind, seed=1, side=None, **more):
    play = begin(game, **more)
    wanted = until(
        play, lambda r: r.kind == kind and (side is None or play.rules.sides(play.state)[r.seat] == side), seed
    )
    return play, at(play, wanted)


def ask(game, kind, side=None, seed=1):
    _, where = scene(game, kind, seed, side)
    return asked(METHODS["direct"].turn(where, {}))


def rules_of(game, preset, seats, **overrides):
    play = KitCase(RULES[game], sample_of(RULES[game]), preset, seats, overrides=overrides).begin()
    return messages(at(play, next(iter(play.state.open.values()))))[0]


# Undercover


@pytest.mark.parametrize(("side", "told"), [("civilian", CIVILIAN), ("undercover", UNDERCOVER), ("unsure", EITHER)])
def test_undercovers_vote_is_asked_by_what_the_seat_took_itself_to_be(side, told):
    _, where = scene("undercover", "vote")
    thought = Thought("1:1:clue", where.seat, "mptt", "identity", data={"value": {"side": side, "why": ""}})
    turn = METHODS["mptt"].turn(replace(where, thoughts=(thought,)), {})
    assert [words for words in (CIVILIAN, UNDERCOVER, EITHER) if words in asked(turn)] == [told]


def test_undercovers_vote_is_asked_for_either_side_where_the_seat_has_not_thought_about_its_own():
    assert EITHER in ask("undercover", "vote")


def test_a_decision_is_asked_by_what_its_own_stages_have_just_found():
    _, where = scene("undercover", "vote")
    before = Thought("1:1:clue", where.seat, "pgm", "self", data={"value": {"undercover": "no"}})
    says = {"WHICH WORD IS IT?": {"because": "It fits.", "undercover": "yes", "word": "wig"}}
    decision, _ = decide(replace(where, thoughts=(before,)), "pgm", says)
    assert UNDERCOVER in prompts(decision)["decision"]


def test_a_second_vote_says_first_who_can_be_named():
    play = begin("undercover")
    first = until(play, lambda r: r.kind == "vote")
    for request in list(play.state.open.values()):  # 1 and 2 are tied
        play.act(
            request.seat, request.id, {"seat": 2 if request.seat in (1, 3) else 1 if request.seat in (2, 4) else 3}
        )
    second = until(play, lambda r: r.kind == "vote" and r.opened_at > first.opened_at)
    _, last = messages(at(play, second))
    head = last.partition("\n\n")[0]
    assert re.search(r"This is the second vote\. Only seats 1( \(you\))? and 2( \(you\))? can be voted for\.", head)


# Avalon


def test_avalon_tells_the_roles_in_play_and_no_others():
    told = rules_of("avalon", "official", 5)
    assert "3 good and 2 evil" in told
    assert not re.search("mordred|oberon|lady", told, re.IGNORECASE)
    assert "Oberon" in rules_of("avalon", "official", 10)


def test_who_may_name_merlin_is_called_the_assassin():
    play = begin("avalon")
    request = until(play, lambda r: r.seat == 6)
    system, _ = messages(at(play, request))
    assert "Your role is minion, and you are the Assassin." in system
    assert "dagger" not in system


def test_a_vote_on_a_team_is_weighed_against_the_next_leader_and_the_count():
    play, where = scene("avalon", "team_vote")
    told = asked(METHODS["direct"].turn(where, {})).replace(" (you)", "")
    assert f"seat {play.state.leader % 6 + 1} names another team, and it is rejection 1 of 5 in a row" in told
    for _ in range(4):
        until(play, lambda r: r.kind == "team_vote")
        for one in [one for one in play.state.open.values() if one.kind == "team_vote"]:
            play.act(one.seat, one.id, {"approve": False})
    request = until(play, lambda r: r.kind == "team_vote")
    assert "the evil side wins at once" in asked(METHODS["direct"].turn(at(play, request), {}))


def test_the_quest_card_of_evil_is_asked_without_a_push():
    told = ask("avalon", "quest", "evil")
    assert "success or fail" in told
    assert not re.search("usual|should|better", told)


# SpyGame


def test_the_spy_is_told_how_a_guess_must_match_and_how_often_it_is_still_asked():
    play, where = scene("spygame", "reveal")
    system, last = messages(where)
    assert "There is no list of places." in system
    assert "Another name for the place is wrong." in system
    assert f"After this you will be asked {9 - play.state.turn - 1} more times." in last


def test_whom_the_spy_may_not_ask_back_is_said():
    play = KitCase(RULES["spygame"], sample_of(RULES["spygame"]), "party", 5).begin()
    first = until(play, lambda r: r.kind == "lead")
    other = next(seat for seat in range(1, 6) if seat != first.seat)
    play.act(first.seat, first.id, {"seat": other, "text": "Is it wet?", "accuse": False})
    second = until(play, lambda r: r.kind == "lead" and r.seat == other)
    assert f"You cannot ask seat {first.seat}, who has just asked you." in messages(at(play, second))[1]


# Games of points


@pytest.mark.parametrize(
    ("game", "sentences"),
    [
        (
            "public_good",
            (
                "They must last for all rounds together.",
                "It is paid out once, after the last round",
                "Players who are tied with the most points win together.",
                "Your points then go below zero",
                "Nobody can talk.",
            ),
        ),
        (
            "prisoners_dilemma",
            (
                "If all cooperate, each gets 4.",
                "If one defects and all others cooperate, the one who defects gets 7. Who cooperates gets 0.",
                "If two defect and one cooperates, each of the two gets 3. Who cooperates gets 0.",
                "The player with the most points at the end wins.",
            ),
        ),
        (
            "cost_sharing",
            (
                "If all players vote for the same split, the match ends and all win.",
                "in seat order: the percent of the cost",
                "You may vote for your own.",
                "100 less the percent that you pay",
                "nobody wins and all score 0",
            ),
        ),
    ],
)
def test_what_the_papers_players_were_told_stands_in_a_sentence(game, sentences):
    told = rules_of(game, "magic", 3)
    assert [words for words in sentences if words not in told] == []


def test_the_vote_on_splits_does_not_read_as_a_vote_against_a_player():
    assert ask("cost_sharing", "vote") == "Vote for one of this round's proposals: name the seat that made it."
