"""How true the review of a match is: its curve, the moments that it finds, and how soon they are shown.

    python -m benchmarks.moments curve [--matches 500]     the curve on so many fresh matches of house agents a game
    python -m benchmarks.moments people                    a plain table on recorded games of people (MAGIC_DATA)
    python -m benchmarks.moments blunders [--matches 200]  how often a known worse move is among the three moments

Calibration is told by the Brier score beside that of the base rate, and by the expected calibration error (ECE) in
tenths; n counts moments, of so many matches. ``--game`` keeps to one game.
"""

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks import with_django  # noqa: F401 (profiles are models: Django first)

# isort: split
from agents import headless
from agents.reviews import moments, odds
from agents.situation import Decision, Thought
from benchmarks.common import house_agent
from benchmarks.fit_avalon_behaviour import RecordedGame, recorded
from benchmarks.fit_odds import dealt, played, rows, scores, tables
from games.registry import RULES
from games.rules.core import Rules
from games.rules.play import Play
from games.rules.values import Request

FRESH = 10_000_000
"""Seeds from here on were fitted on by nobody."""
HIDDEN = [rules.name for rules in RULES.values() if rules.sought]
DRAWN_IN = 20.0
"""A cell of the plain table is drawn towards the cells of its score as if it held so many moments of them."""


def told(shares: Any, wins: Any, matches: int) -> str:
    """How well chances fit what came."""
    brier, base, error = scores(np.array(shares, dtype=float), np.array(wins, dtype=float))
    return f"Brier {brier:.3f} (base rate {base:.3f}), ECE {error:.3f}, n = {len(shares)} of {matches} matches"


# The curve ----------------------------------------------------------------------------------------------------------


def curve(matches: int, games: Sequence[str]) -> None:
    """On the tables that it was fitted on, in turn."""
    for game in games:
        rules = RULES[game]
        at = tables(rules)
        plays = (played(rules, *at[seed % len(at)], FRESH + seed) for seed in range(matches))
        found = list(rows(rules, plays))
        shares = odds.fitted(rules).shares(np.array([row[0] for row in found], dtype=float))
        print(f"{game}: {told(shares, [row[1] for row in found], matches)}", flush=True)


def people(_matches: int, _games: Sequence[str]) -> None:
    """Two-fold: the table of every second game is judged on the others. Good has won there with its third quest."""
    games = recorded()
    shares: list[float] = []
    wins: list[bool] = []
    for half in range(2):
        counts: Counter[tuple[tuple[int, ...], bool]] = Counter()
        for game in games[half::2]:
            counts.update((cell, good_won(game)) for place in places(game) for cell in (place, place[:2]))
        for game in games[1 - half :: 2]:
            for place in places(game):
                (won, lost), (more, less) = ((counts[cell, True], counts[cell, False]) for cell in (place, place[:2]))
                usual = (more + 1) / (more + less + 2)
                shares.append((won + DRAWN_IN * usual) / (won + lost + DRAWN_IN))
                wins.append(good_won(game))
    print(f"plain table on people's games of Avalon, two-fold: {told(shares, wins, len(games))}")


def places(game: RecordedGame) -> Iterator[tuple[int, ...]]:
    """Quests won and lost, evil on the team, rejections and seats, at each team that was proposed."""
    won = 0
    for proposal in game.proposals:
        yield won, proposal.lost, len(proposal.team & game.evil), proposal.attempt - 1, len(game.roles)
        won += proposal.fails is not None and proposal.fails < fails_needed(game, proposal.quest)


def fails_needed(game: RecordedGame, quest: int) -> int:
    return 2 if quest == 4 and len(game.roles) >= 7 else 1


def good_won(game: RecordedGame) -> bool:
    """Whether three quests succeeded."""
    went = [one for one in game.proposals if one.fails is not None]
    return sum(one.fails < fails_needed(game, one.quest) for one in went if one.fails is not None) >= 3


# Planted blunders ---------------------------------------------------------------------------------------------------

Blunder = Callable[[Play, Request], dict[str, Any] | None]
"""A known worse move for a request, or None where there is none."""


def spares_the_quest(play: Play, request: Request) -> dict[str, Any] | None:
    """Evil plays success on the quest that decides the match, and nobody else can fail it."""
    state = play.state
    sides = play.rules.sides(state)
    evil = [seat for seat in state.team if sides[seat] == "evil"]
    decides = request.kind == "quest" and state.successes == state.failures == 2 and evil == [request.seat]
    return {"success": True} if decides else None


def names_a_fellow(play: Play, request: Request) -> dict[str, Any] | None:
    """The Assassin names one of its own side as Merlin."""
    if request.kind != "assassinate":
        return None
    return {"seat": play.state.sees[request.seat][0]} if play.state.sees[request.seat] else None


def guesses_at_random(play: Play, request: Request) -> dict[str, Any] | None:
    """The chameleon, caught, guesses a word that has nothing to do with the clues."""
    return {"text": "qwertz"} if request.kind == "guess" else None


def stands_up_at_once(play: Play, request: Request) -> dict[str, Any] | None:
    """The spy stands up in the first turn and takes it for a wrong place."""
    if request.kind != "reveal" or play.state.turn > 1:
        return None
    return {"place": next(place for place in play.state.places if place != play.state.place), "certainty": 100}


def speaks_of_something_else(play: Play, request: Request) -> dict[str, Any] | None:
    """A civilian's first clue is of a word that is far from both of the table's."""
    from agents.house.words import network

    if request.kind != "clue" or play.state.round > 1 or play.state.roles[request.seat] != "civilian":
        return None
    known = network()
    words = [known.find(word) for word in (play.state.civilian_word, play.state.undercover_word)]
    if None in words:
        return None
    fits = [known.truth[:, place] for place in words if place is not None]
    strange = [place for place in range(len(known.facts)) if not any(fit[place] for fit in fits)]
    return {"text": known.facts[random.Random(play.header.seed).choice(strange)].text}


BLUNDERS: tuple[tuple[str, str, int, Blunder], ...] = (
    ("avalon", "recon", 6, spares_the_quest),
    ("avalon", "recon", 6, names_a_fellow),
    ("undercover", "wiu", 5, speaks_of_something_else),
    ("chameleon", "party", 5, guesses_at_random),
    ("spygame", "party", 6, stands_up_at_once),
)


def planted(rules: Rules, preset: str, seats: int, seed: int, blunder: Blunder) -> tuple[Play, int] | None:
    """A match in which one seat blundered once, and the seq of that move; None where it never could."""
    play = dealt(rules, preset, seats, seed)
    done: list[str] = []

    def mind(at: Play, request: Request, thoughts: list[Thought]) -> Decision:
        worse = None if done else blunder(at, request)
        if worse is None:
            return house_agent()(at, request, thoughts)
        done.append(request.id)
        return Decision(worse)

    headless.play_out(play, dict.fromkeys(range(1, seats + 1), mind))
    found = [event.seq for event in play.log if done and event.request == done[0] and event.by.startswith("agent")]
    return (play, found[0]) if found else None


def blunders(matches: int, games: Sequence[str]) -> None:
    """So many of each game, and of each blunder of a game, in turn; told is how it stands after each match."""
    kinds = [[one for one in BLUNDERS if one[0] == game] for game in games]
    seeds = dict.fromkeys(BLUNDERS, FRESH)
    counts = {one: Counter[str]() for one in BLUNDERS}
    for turn in range(matches // len(games)):
        for one in (of_game[turn % len(of_game)] for of_game in kinds):
            game, preset, seats, blunder = one
            made = None
            while made is None:
                seeds[one] += 1
                made = planted(RULES[game], preset, seats, seeds[one], blunder)
            play, seq = made
            found = {moment.seq: moment for moment in moments.review(play, play.log[seq - 1].seat)}
            counts[one] += Counter(of=1, among=seq in found, sure=seq in found and found[seq].effect.high < 0)
            print(f"{named(one)}, seed {seeds[one]}: {'among the three' if seq in found else 'missed'}", flush=True)
            print(f"    so far {told_of(sum(counts.values(), Counter()))}", flush=True)
    for one, count in counts.items():
        if count:
            print(f"{named(one)}: {told_of(count)}")


def named(one: tuple[str, str, int, Blunder]) -> str:
    return f"{one[0]} {one[1]}, {one[3].__name__.replace('_', ' ')}"


def told_of(count: Counter[str]) -> str:
    return f"among the three {count['among']} of {count['of']}, said to cost {count['sure']}"


PARTS = {"curve": (curve, 500), "people": (people, 0), "blunders": (blunders, 200)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("part", choices=PARTS)
    options.add_argument("--matches", type=int)
    options.add_argument("--game", choices=HIDDEN)
    chosen = options.parse_args()
    part, usual = PARTS[chosen.part]
    part(chosen.matches or usual, [chosen.game] if chosen.game else HIDDEN)


if __name__ == "__main__":
    main()
