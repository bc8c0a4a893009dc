"""How quickly models are asked at live tables: the whole path of commit, queue, worker and provider, on real parts.

From a person's move to the next agent's model request; and, for each method, a round of simultaneous votes of five
agents whose model takes half a second for each call: it should take the method's own depth once, that is how many of a
decision's calls must wait for one another.
"""

import statistics
import time
from datetime import timedelta

from benchmarks.common import add_model, begin, below, site
from tests.model_server import ModelServer
from tests.stack import until

MOVES = 100
ROUNDS = 5
LATENCY_MS = 500


def main() -> None:
    with site(), ModelServer() as server:
        from agents.methods import METHODS

        for method in METHODS:
            add_model(server.openai_url, method, f"wire-{method}")
        for _ in range(5):  # every worker thread has loaded its client and opened its connections
            move_to_request(server)
        delays = sorted(move_to_request(server) for _ in range(MOVES))
        p50, p95, p99 = (1000 * below(share, delays) for share in (0.5, 0.95, 0.99))
        print(f"a person's move to the agent's model request, {MOVES} moves")
        print(f"  p50 {p50:.0f} ms   p95 {p95:.0f} ms   p99 {p99:.0f} ms   (aim: p95 under 50 ms)")
        print(f"a round of five agents' votes at {LATENCY_MS} ms a call, {ROUNDS} rounds")
        print(f"  {'method':<10} {'calls':>6} {'depth':>6} {'median':>9} {'slowest':>9} {'depth x call':>13}")
        for method in METHODS:
            calls, depth = shape_of(method, server)
            votes = [vote_round(method, server) for _ in range(ROUNDS)]
            print(
                f"  {method:<10} {calls:>6} {depth:>6} {1000 * statistics.median(votes):>6.0f} ms"
                f" {1000 * max(votes):>6.0f} ms {depth * LATENCY_MS:>10} ms"
            )


def table(preset: str, people: list[str], agents: int, method: str = "direct"):
    """A match at a table without a clock and without pauses for readers."""
    from django.utils import timezone

    words = {"civilian_word": "wig", "undercover_word": "hat"}
    seen_at = timezone.now() + timedelta(hours=1)  # models play only while somebody is there
    wired = [f"wire-{method}"] * agents
    return begin("undercover", preset, people, wired, setting=words, host="p1", pace=0, seen_at=seen_at)


def move_to_request(server: ModelServer) -> float:
    """Seconds from the first seat's clue, given by a person, to the request for the second seat's, by an agent."""
    from games.match import store

    match = table("magic", ["p1"], 2)
    play = store.load(match)
    (request,) = play.state.open.values()
    before = len(server.calls)
    moved_at = time.time()
    store.act(match.pk, 1, request.id, {"text": f"clue {moved_at}"}, "person")
    until(lambda: len(server.calls) > before, "the model is asked")
    arrived_at = server.calls[before].at
    until(lambda: any(r.seat == 1 for r in store.load(match).state.open.values()), "the agents have moved")
    store.end(match.pk, "void", "measured")
    return arrived_at - moved_at


def at_the_vote(method: str, vote: bool):
    """A match of five agents up to the last clue; with `vote` the last one is given, and the workers vote."""
    from games.match import pending, store

    send, pending.dispatch = pending.dispatch, None
    match = table("wiu", [], 5, method)
    for said in ("warm", "small", "worn", "dear", "odd"):
        (request,) = store.load(match).state.open.values()
        if said == "odd":
            pending.dispatch = send if vote else None
        store.act(match.pk, request.seat, request.id, {"text": said}, f"agent:wire-{method}")
    pending.dispatch = send
    return match


def shape_of(method: str, server: ModelServer) -> tuple[int, int]:
    """How many calls a vote takes by this method, and how many of them wait for one another."""
    from agents import turns
    from agents.calls import ReplyStore
    from agents.models import AgentProfile
    from games.match import store

    class Counting(ReplyStore):
        calls = depth = 0

        def known(self, asks):
            self.calls, self.depth = self.calls + len(asks), self.depth + 1
            return {}

    server.set_script(latency_ms=0)
    match, replies = at_the_vote(method, vote=False), Counting()
    play = store.load(match)
    request = next(iter(play.state.open.values()))
    profile = AgentProfile.objects.get(name=f"wire-{method}")
    turns.decide(play, request, profile, match.names(), store=replies)
    store.end(match.pk, "void", "measured")
    return replies.calls, replies.depth


def vote_round(method: str, server: ModelServer) -> float:
    """Seconds from the opening of a vote of five agents to its tally."""
    from games.match import store
    from games.match.rows import Event

    server.set_script(latency_ms=LATENCY_MS)
    match = at_the_vote(method, vote=True)
    tally = until(lambda: Event.objects.filter(match=match, kind="tally").first(), "the votes are in", seconds=60)
    opened = Event.objects.filter(match=match, kind="voting").earliest("seq")
    store.end(match.pk, "void", "measured")
    return (tally.at - opened.at).total_seconds()


if __name__ == "__main__":
    main()
