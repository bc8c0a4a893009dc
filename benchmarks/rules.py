"""How fast the rules play: random legal moves, log in memory, beside a plain loop of the same game.

Usage: ``python -m benchmarks.rules``. The plain loop is Avalon for six seats written by hand, without requests, views,
checks or replay; it writes one JSON line a move. Both draw the same kinds of random moves. Counted are moves a second
of processor time; each figure is the best of several turns, taken alternately in one run.
"""

from __future__ import annotations

import dataclasses
import json
import random
import time
from collections.abc import Callable

from games.rules import RULES
from games.rules.avalon_setting import EVIL, MERLIN, TEAM_SIZES, USUAL_ROLES
from games.rules.play import Play, agents_and_people, new_header

SEATS = 6
GAMES = 400
TURNS = 7
CLUES = [f"clue {number}" for number in range(500)]
WORDS = {"civilian_word": "violin", "undercover_word": "cello"}
AVALON = new_header(RULES["avalon"], "official", seats=agents_and_people(SEATS, 0), seed=0)
UNDERCOVER = new_header(RULES["undercover"], "wiu", seats=agents_and_people(5, 0), seed=0, setting=WORDS)


def plain_avalon(seed: int) -> int:
    """One game by the plain loop; returns its number of moves."""
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


def avalon(seed: int) -> int:
    """One game by the rules."""
    rng, moves = random.Random(seed), 0
    play = Play(RULES["avalon"], dataclasses.replace(AVALON, seed=seed))
    roles, everyone = play.state.roles, range(1, SEATS + 1)
    while not play.over:
        for request in list(play.state.open.values()):
            if request.kind == "team_vote":
                action = {"approve": rng.random() < 0.5}
            elif request.kind == "quest":
                action = {"success": roles[request.seat] not in EVIL or rng.random() < 0.5}
            elif request.kind == "team":
                action = {"seats": rng.sample(everyone, play.state.team_size)}
            else:
                action = {"seat": rng.choice(request.fields[0].seats)}
            play.act(request.seat, request.id, action)
            moves += 1
    return moves


def undercover(seed: int) -> int:
    """One game of `wiu` by the rules."""
    rng, moves = random.Random(seed), 0
    play = Play(RULES["undercover"], dataclasses.replace(UNDERCOVER, seed=seed))
    clues = iter(rng.sample(CLUES, 50))
    while not play.over:
        for request in list(play.state.open.values()):
            action = {"text": next(clues)} if request.kind == "clue" else {"seat": rng.choice(request.fields[0].seats)}
            play.act(request.seat, request.id, action)
            moves += 1
    return moves


def moves_a_second(game: Callable[[int], int]) -> float:
    start = time.process_time()
    moves = sum(game(seed) for seed in range(GAMES))
    return moves / (time.process_time() - start)


def main() -> None:
    best: dict[Callable[[int], int], float] = dict.fromkeys((plain_avalon, avalon, undercover), 0.0)
    for _ in range(TURNS):
        for game in best:
            best[game] = max(best[game], moves_a_second(game))
    print(f"Avalon, {SEATS} seats, plain loop: {best[plain_avalon]:9,.0f} moves a second")
    print(f"Avalon, {SEATS} seats, the rules:  {best[avalon]:9,.0f} moves a second")
    print(f"ratio: {best[avalon] / best[plain_avalon]:.2f}")
    print(f"Undercover wiu, the rules:   {best[undercover]:9,.0f} moves a second")


if __name__ == "__main__":
    main()
