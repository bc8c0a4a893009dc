"""How quickly models are asked at live tables: the whole path of commit, queue, worker and provider, on real parts.

Two figures: from a person's move to the next agent's model request, and a round of simultaneous votes of five agents
whose model takes half a second each.
"""

import os
import statistics
import time

from tests.model_server import ModelServer
from tests.stack import Stack, until

MOVES = 100
ROUNDS = 5
LATENCY_MS = 500


def main() -> None:
    with Stack() as stack, ModelServer() as server:
        os.environ |= stack.env
        import django

        django.setup()
        add_profile(server)
        warm_up(server)
        delays = sorted(move_to_request(server) for _ in range(MOVES))
        p50, p95, p99 = (1000 * delays[int(len(delays) * share)] for share in (0.5, 0.95, 0.99))
        print(f"a person's move to the agent's model request, {MOVES} moves")
        print(f"  p50 {p50:.0f} ms   p95 {p95:.0f} ms   p99 {p99:.0f} ms   (aim: p95 under 50 ms)")
        votes = [vote_round(server) for _ in range(ROUNDS)]
        print(f"a round of five agents' votes at {LATENCY_MS} ms a call, {ROUNDS} rounds")
        print(f"  median {1000 * statistics.median(votes):.0f} ms   slowest {1000 * max(votes):.0f} ms")


def add_profile(server: ModelServer) -> None:
    from agents.models import AgentProfile

    AgentProfile.objects.create(
        name="wire", title="Wire", provider="openai", base_url=server.openai_url, model="m", method="direct"
    )


def begin(preset: str, people: int, agents: int):
    """A match at a table without a clock and without pauses for readers."""
    from games import table
    from games.models import Room

    seats = [{"seat": n, "name": f"Player {n}", "kind": "person", "person": f"p{n}"} for n in range(1, people + 1)]
    seats += [
        {"seat": n, "name": f"Player {n}", "kind": "agent", "agent": "wire"}
        for n in range(people + 1, people + agents + 1)
    ]
    words = {"civilian_word": "wig", "undercover_word": "hat"}
    room = Room.objects.create(game="undercover", preset=preset, host="p1", pace=0)
    return table.begin(game=room.game, preset=room.preset, seats=seats, setting=words, room=room)


def warm_up(server: ModelServer) -> None:
    """Every worker thread has loaded its client and opened its connections."""
    for _ in range(5):
        move_to_request(server)


def move_to_request(server: ModelServer) -> float:
    """Seconds from the first seat's clue, given by a person, to the request for the second seat's, by an agent."""
    from games import table

    match = begin("magic", people=1, agents=2)
    play = table.load(match)
    (request,) = play.state.open.values()
    before = len(server.calls)
    moved_at = time.time()
    table.act(match.pk, 1, request.id, {"text": f"clue {moved_at}"}, "person")
    until(lambda: len(server.calls) > before, "the model is asked")
    arrived_at = server.calls[before].at
    until(lambda: any(r.seat == 1 for r in table.load(match).state.open.values()), "the agents have moved")
    table.end(match.pk, "void", "measured")
    return arrived_at - moved_at


def vote_round(server: ModelServer) -> float:
    """Seconds from the opening of a vote of five agents to its tally."""
    from games.models import Event

    server.set_script(latency_ms=0)
    match = begin("wiu", people=0, agents=5)
    server.set_script(latency_ms=LATENCY_MS)
    tally = until(lambda: Event.objects.filter(match=match, kind="tally").first(), "the votes are in", seconds=60)
    opened = Event.objects.filter(match=match, kind="voting").first()
    from games import table

    table.end(match.pk, "void", "measured")
    return (tally.at - opened.at).total_seconds()


if __name__ == "__main__":
    main()
