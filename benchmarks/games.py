"""Every game by random legal moves, beside a plain loop of Avalon, and chatarena and TextArena where installed.

Usage: ``python -m benchmarks.games``. The plain loop is written by hand, without requests, views, checks or replay; it
writes one JSON line a move. The packages are yardsticks, no dependencies: put them into an environment of their
own (`pip install textarena chatarena pettingzoo pygame`) and run this file with it; the rules need nothing but Python.
Counted are moves a second of processor time, each figure the best of several turns, taken in one run. What is played
differs between the packages (theirs keep messages, ours a log that can be replayed): read it as orders of magnitude.
"""

import itertools
import json
import random
import time
from collections.abc import Callable
from functools import partial

from benchmarks.common import dealt
from games.avalon.setting import EVIL, MERLIN, TEAM_SIZES, USUAL_ROLES
from games.registry import RULES
from games.rules.kit import WORDS
from games.rules.random_play import random_action

SEATS = 6
SECONDS = 0.5
TURNS = 3
NAMES = ("Ann", "Ben", "Cleo")


def main() -> None:
    print("moves a CPU second by random legal moves, log in memory")
    for rules in RULES.values():
        for preset, chosen in rules.presets.items():
            moves = rate(partial(play, rules.name, preset))
            print(f"  {rules.name} {preset}, {chosen.low} seats: {moves:,.0f}")
    seeds = itertools.count()
    plain = rate(lambda: plain_avalon(next(seeds)))
    ours = rate(lambda: play("avalon", "official", SEATS, next(seeds), discussion="none"))
    print(f"  Avalon, {SEATS} seats, plain loop: {plain:,.0f}; ratio: {ours / plain:.2f}")
    for name, game in (("chatarena Chameleon, 3 seats", chatarena), ("TextArena ThreePlayerIPD", textarena_dilemma)):
        try:
            print(f"  {name}: {rate(game):,.0f}")
        except ImportError as error:
            print(f"  {name}: not measured, {error.name} is not installed")


def plain_avalon(seed: int) -> int:
    """One game for six seats by the plain loop; returns its number of moves."""
    rng = random.Random(seed)
    roles = rng.sample(USUAL_ROLES[SEATS], SEATS)
    log: list[str] = []
    seats = range(1, SEATS + 1)
    leader, wins, losses, rejected = rng.randrange(SEATS) + 1, 0, 0, 0

    def write(kind: str, seat: int, data: dict) -> None:
        seq = len(log) + 1
        about = {"type": "event", "seq": seq, "at": None, "kind": kind, "seat": seat, "audience": None}
        log.append(json.dumps(about | {"by": "person", "request": f"{seq - 1}:{seat}:{kind}", "data": data}))

    while wins < 3 and losses < 3 and rejected < 5:
        team = sorted(rng.sample(seats, TEAM_SIZES[SEATS][wins + losses]))
        write("team", leader, {"seats": team})
        approvals = 0
        for seat in seats:
            approve = rng.random() < 0.5
            approvals += approve
            write("team_vote", seat, {"approve": approve})
        leader = leader % SEATS + 1
        if 2 * approvals <= SEATS:
            rejected += 1
            continue
        rejected, fails = 0, 0
        for seat in team:
            success = roles[seat - 1] not in EVIL or rng.random() < 0.5
            fails += not success
            write("quest", seat, {"success": success})
        wins, losses = wins + (not fails), losses + bool(fails)
    if wins == 3:
        dagger = next(seat for seat in seats if roles[seat - 1] in EVIL)
        target = rng.choice([seat for seat in seats if seat != dagger])
        write("assassinate", dagger, {"seat": target, "found": roles[target - 1] == MERLIN})
    return len(log)


def rate(game: Callable[[], int]) -> float:
    """Moves a second of processor time; `game` plays one match and returns its moves."""
    game()
    best = 0.0
    for _ in range(TURNS):
        moves, began = 0, time.process_time()
        while (spent := time.process_time() - began) < SECONDS:
            moves += game()
        best = max(best, moves / spent)
    return best


def play(game: str, preset: str, seats: int = 0, seed: int = 1, **options: str) -> int:
    """One match of ours."""
    rng, match, moves = random.Random(seed), dealt(game, preset, seats, seed, **options), 0
    while not match.over:
        request = next(request for request in match.state.open.values() if request.waits)
        match.act(request.seat, request.id, random_action(match, request, rng, WORDS))
        moves += 1
    return moves


def chatarena() -> int:
    """One game of chatarena's Chameleon."""
    from chatarena.environments.chameleon import Chameleon

    table = Chameleon(player_names=list(NAMES))
    moves, over = 0, False
    while not over:
        player = table.get_next_player()
        over = table.step(player, random.choice([name for name in NAMES if name != player])).terminal
        moves += 1
    return moves


def textarena_dilemma() -> int:
    """One game of TextArena's iterated dilemma for three, without its turns of talk."""
    from textarena.envs.ThreePlayerIPD.env import ThreePlayerIPDEnv

    table = ThreePlayerIPDEnv(num_rounds=5, communication_turns=1)
    table.reset(num_players=3, seed=1)
    moves, over = 0, False
    while not over:
        seat = table.state.current_player_id
        words = (f"[{other} {random.choice(('cooperate', 'defect'))}]" for other in range(3) if other != seat)
        over, _ = table.step(" ".join(words))
        moves += 1
    return moves


if __name__ == "__main__":
    main()
