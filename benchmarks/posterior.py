"""How long the Avalon posterior takes: one new round of a long game, for a servant, at 6 and at 10 seats.

Usage: ``python -m benchmarks.posterior``. A round is a proposal with its votes and fail cards: its evidence is worked
out anew, added to that of the rounds before, and every possible deal weighed again.
"""

import random
import statistics
import time

from games.avalon.posterior.exact import Knowledge, Proposal, PublicRecord, posterior

CASTS = {
    6: ("merlin", "percival", "servant", "servant", "morgana", "minion"),
    10: ("merlin", "percival", *("servant",) * 4, "morgana", "mordred", "oberon", "minion"),
}
GAMES = 40
ROUNDS = 20


def rounds(seats: int, chance: random.Random) -> tuple[Proposal, ...]:
    """A record of proposals, one in four of which went on its quest."""
    played = []
    for number in range(ROUNDS):
        team = frozenset(chance.sample(range(1, seats + 1), 3))
        votes = tuple((seat, chance.random() < 0.5) for seat in range(1, seats + 1))
        fails = chance.choice((0, 0, 1)) if number % 4 == 3 else None
        played.append(Proposal(1 + number % seats, team, 1 + number // 4, 1 + number % 4, 0, votes, fails))
    return tuple(played)


def milliseconds(seats: int) -> tuple[list[float], int]:
    """The time of each round, and the number of deals weighed."""
    cast, me, chance = CASTS[seats], Knowledge(1, "servant"), random.Random(seats)
    deals = len(posterior(PublicRecord(cast), me).weights)
    times = []
    for _ in range(GAMES):
        played = rounds(seats, chance)
        for end in range(1, ROUNDS + 1):
            record = PublicRecord(cast, played[:end])
            start = time.perf_counter()
            posterior(record, me).evil()
            times.append(1000 * (time.perf_counter() - start))
    return times, deals


def main() -> None:
    for seats in CASTS:
        times, deals = milliseconds(seats)
        centiles = statistics.quantiles(times, n=20)
        print(
            f"{seats:2} seats, {deals:6} deals: median {statistics.median(times):.3f} ms a round, "
            f"p95 {centiles[-1]:.3f} ms (n = {len(times)})"
        )


if __name__ == "__main__":
    main()
