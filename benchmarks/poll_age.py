"""From beliefs of which moment polls are answered, and what a poll and a decision cost in calls, by method and game.

Usage: ``python -m benchmarks.poll_age [--matches 3]``. One profile sits in all seats; a scripted model answers, so that
nothing here says how well a real one plays.

- fresh, 1 old, 2+ old: polls whose oldest item rests on beliefs that were formed with all moves seen that the poll is
  asked after, or with one or more of them missing
- apart: polls that were answered by a call outside of the method's own stages, where the method has a memory
- a poll, a decision: calls of the model; alone: of a decision where no polls are asked
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks import with_django  # noqa: F401 (profiles are models: Django first)

# isort: split
from agents import headless, player
from agents.calls import Model
from agents.methods import METHODS, Method
from agents.situation import Decision, Thought
from agents.turns import situation
from benchmarks.common import dealt
from games.registry import RULES
from games.rules.options import NO_POLLS
from games.rules.play import Play
from games.rules.values import Request
from tests.agents.method_scenes import ByStage


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=3)
    given = parser.parse_args()
    print("{:<10}{:<12}{:<8}{:>6}{:>7}{:>7}{:>8}{:>7}{:>9}{:>12}{:>7}".format(
        "method", "game", "polls", "n", "fresh", "1 old", "2+ old", "apart", "a poll", "a decision", "alone"
    ))  # fmt: skip
    for method in METHODS.values():
        for game, preset, polls in asking(method):
            counted: Counter[str] = Counter()
            alone: Counter[str] = Counter()
            for seed in range(1, given.matches + 1):
                count(method, game, preset, polls, seed, counted)
                count(method, game, preset, "none", seed, alone)
            n, decisions = counted["polls"], counted["decisions"]
            print(
                f"{method.name:<10}{game:<12}{polls:<8}{n:>6}{counted['fresh']:>7}{counted['one']:>7}"
                f"{counted['older']:>8}{counted['apart']:>7}"
                f"{counted['poll calls'] / n:>9.2f}{counted['decision calls'] / decisions:>12.2f}"
                f"{alone['decision calls'] / alone['decisions']:>7.2f}"
            )


def asking(method: Method) -> Iterator[tuple[str, str, str]]:
    """The games that the method plays, with each set of polls and the preset that goes with it."""
    for game, rules in RULES.items():
        options = rules.presets[rules.quick[0]].options
        for polls in type(options).__dataclass_fields__["polls"].metadata["choices"]:
            if polls not in NO_POLLS and method.plays(rules):
                yield game, polls if polls in rules.presets else rules.quick[0], polls


def count(method: Method, game: str, preset: str, polls: str, seed: int, counted: Counter[str]) -> None:
    """Play one match and add up what its polls rest on."""
    match, model = dealt(game, preset, seed=seed, polls=polls), Model(ByStage(), "m")

    def mind(play: Play, request: Request, thoughts: Sequence[Thought]) -> Decision:
        where = situation(play, request, play.header.names, thoughts)
        decision = player.think(where, method=method, model=model, by="agent:m")
        calls = sum(bool(thought.model) for thought in decision.thoughts)
        if request.kind != "poll":
            counted["decisions"] += bool(request.fields)
            counted["decision calls"] += calls
            return decision
        own = [thought for thought in (*thoughts, *decision.thoughts) if thought.seat == request.seat]
        counted["polls"] += 1
        counted["poll calls"] += calls
        counted["apart"] += apart(method, decision.thoughts)
        age = max(age_of(play, request, moment) for moment in moments(method, request, own))
        counted["fresh" if age == 0 else "one" if age == 1 else "older"] += 1
        return decision

    headless.play_out(match, dict.fromkeys(match.header.names, mind))


BASES = {
    "pgm": lambda thought, field: bool(thought.data.get("beliefs")) or thought.stage.startswith("self"),
    "recon": lambda thought, field: thought.stage == "first_order",
    "mptt": lambda thought, field: thought.stage == "second_find" or (thought.stage, field) == ("identity", "side"),
}
"""By method with a memory: whether a thought is what an item of a poll is answered from."""


def apart(method: Method, thoughts: Sequence[Thought]) -> bool:
    """Whether a method with a memory answered a poll without any stage of its own."""
    return method.name in BASES and {thought.stage for thought in thoughts} == {"poll"}


def moments(method: Method, request: Request, thoughts: Sequence[Thought]) -> Iterator[int]:
    """For each item of a poll, the seq of the event up to which its answer knows the match."""
    basis = BASES.get(method.name)
    if basis is None or apart(method, [thought for thought in thoughts if thought.request == request.id]):
        yield request.opened_at
        return
    for field in request.fields:
        found = [t.data.get("upto", int(t.request.split(":")[0])) for t in thoughts if basis(t, field.name)]
        yield found[-1] if found else 0


def age_of(play: Play, request: Request, moment: int) -> int:
    """How many public moves lie between a moment and a poll."""
    return sum(
        event.request is not None and event.kind != "poll" and event.audience is None
        for event in play.log
        if moment < event.seq <= request.opened_at
    )


if __name__ == "__main__":
    main()
