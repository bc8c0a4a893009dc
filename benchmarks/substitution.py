"""Does anything that leaves a match tell what its viewer may not know? Exchange it, and compare all that is told.

Usage: ``python -m benchmarks.substitution [--trials 2000] [--seed 1] [--prompts 50]``. In a trial two matches stand
at the same moment that differ in roles, words or places that one viewer may not know, and in who is a person and who
an agent; those of every second pair begin with the logs of two others. What a view of each holds, the lines that are
told of it, what programs are told by REST and by MCP, its log file and, at each `--prompts`th moment at which this seat
is asked, the prompts of every method are compared byte for byte. Games, presets, sizes, polls, deals, moves and viewers
are drawn by the seed. The first difference is printed and ends the run with status 1.

Pages and frames of stored matches are compared by tests/games/test_leaks.py, some hundred times slower.
"""

import argparse
import itertools
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from benchmarks import with_django  # noqa: F401 (profiles are models: Django first)

# isort: split
from agents.calls import Model
from agents.methods import METHODS
from agents.player import think
from agents.turns import situation
from games.match import contract
from games.match.view import View
from games.registry import RULES
from games.rules import kit, logfile
from games.rules.play import Play, agents_and_people
from games.rules.values import PUBLIC, Request, SeatInfo
from games.web import feed
from games.web.mcp import tools
from tests.agents.method_scenes import ByStage

KINDS = {name: list(kit.kit_cases(rules)) for name, rules in RULES.items()}
MOMENTS = 8
"""So many of a pair of matches, so that long games do not crowd out the others."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.substitution", description=__doc__)
    parser.add_argument("--trials", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--prompts", type=int, default=50, help="prompts are compared at one of so many moments")
    chosen = parser.parse_args()
    done: Counter[str] = Counter()
    texts, began, said = 0, time.monotonic(), 0
    for game, compared, difference in trials(chosen.seed, chosen.prompts):
        if difference:
            print(f"{game}: after {done.total()} trials without one, a difference.\n{difference}")
            sys.exit(1)
        done[game] += 1
        texts += compared
        if done.total() * 10 // chosen.trials > said:
            said = done.total() * 10 // chosen.trials
            print(f"{done.total():>8} trials, {texts} texts, {time.monotonic() - began:.0f} s", flush=True)
        if done.total() >= chosen.trials:
            break
    print(", ".join(f"{game} {count}" for game, count in sorted(done.items())))
    print(f"{done.total()} trials, {texts} pairs of texts compared: no difference")


def trials(seed: int, prompts: int) -> Iterator[tuple[str, int, str]]:
    """Of each moment: the game, how many texts were compared, and where two of them differ ('' for none)."""
    for number in itertools.count(seed):
        rng = random.Random(f"substitution:{number}")
        game = rng.choice(list(RULES))
        trial = replace(rng.choice(KINDS[game]), seed=number)
        viewer = rng.choice((PUBLIC, *range(1, trial.seats + 1)))
        setting, alike_to = kit.indistinguishable(trial)
        plays = trial.begin(setting), trial.begin(rng.choice(alike_to[viewer] or [setting]))
        alike = kit.play_alike(trial, viewer, *plays)
        if number % 2:
            plays = forked(plays, rng.choice(moments(plays, alike)))
            alike = kit.play_alike(trial, viewer, *plays)
        for play in plays:
            people = rng.randint(0, trial.seats)
            play.header = replace(play.header, seats=exchanged(agents_and_people(people, trial.seats - people), rng))
        views = [View(play.header, viewer) for play in plays]
        found = moments(plays, alike)
        for until in sorted(rng.sample(found, min(len(found), MOMENTS))):
            for view, play in zip(views, plays, strict=True):
                view.carry_on(play.log[:until])
            with_prompts = rng.randrange(prompts) == 0
            told = [list(ways_out(view, play, with_prompts)) for view, play in zip(views, plays, strict=True)]
            differing = (f"{one}\nis not\n{other}" for one, other in itertools.zip_longest(*told) if one != other)
            yield game, len(told[0]), next(differing, "")


def forked(plays: tuple[Play, Play], until: int) -> tuple[Play, Play]:
    """Matches that begin with these up to a moment, each of which is another one."""
    one, other = (replace(play.header, id=f"parent {number}") for number, play in enumerate(plays))
    plays[0].header, plays[1].header = one, other
    return plays[0].fork(until, id="m"), plays[1].fork(until, id="m")


def exchanged(seats: tuple[SeatInfo, ...], rng: random.Random) -> tuple[SeatInfo, ...]:
    """These seats by the same names, with somebody else's kind."""
    kinds = rng.sample([(seat.kind, seat.agent) for seat in seats], len(seats))
    named = zip(seats, kinds, strict=True)
    return tuple(SeatInfo(seat.seat, f"Player {seat.seat}", kind, agent) for seat, (kind, agent) in named)


def moments(plays: tuple[Play, Play], alike: int) -> list[int]:
    """Logs are stored up to the next move: what stands there in between, nobody ever sees."""
    logs = [play.log for play in plays]
    return [n for n in range(1, alike + 1) if all(n == len(log) or log[n].request for log in logs)]


def ways_out(view: View, play: Play, with_prompts: bool) -> Iterator[str]:
    """All that is made of a view, as text."""
    yield repr((view.header, view.names, view.seq, view.private, view.kinds, view.stand_ins, view.over))
    yield repr(vars(view.state))
    yield repr(view.requests)
    yield from (repr(line) for line in feed.lines(view.rules.name, view.events[-3:], view.names, view.viewer))
    told = contract.observe(read_as(view), view.viewer)
    yield json.dumps(told)
    tools.mark(told, view.rules)
    yield json.dumps(told)
    yield json.dumps(contract.rules(read_as(view), view.viewer))
    yield from logfile.write(logfile.LogFile(header=view.header, events=view.events, outcome=view.state.outcome))
    if with_prompts:
        for request in view.requests:
            if request.seat == view.viewer and request.waits:
                yield from prompts_of(play, request)


def read_as(view: View) -> Any:
    """What the contract reads a match from, of one in memory."""
    match = SimpleNamespace(pk="m", number=1, game=view.rules.name, preset=view.header.preset)
    return SimpleNamespace(lock=nullcontext(), view=lambda *_: view, match=match, answered=set(), deadlines={})


def prompts_of(play: Play, request: Request) -> Iterator[str]:
    for method in METHODS.values():
        if method.plays(play.rules):
            provider, where = ByStage(), situation(play, request, play.header.names)
            think(where, method=method, model=Model(provider, "m"), by="agent:x")
            yield from sorted(prompt for prompt, *_ in provider.told)  # what is asked at once comes in any order


if __name__ == "__main__":
    main()
