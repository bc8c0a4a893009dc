"""How long all metrics take over stored matches, and how much memory.

Usage: ``python -m benchmarks.metrics [matches ...]`` (1,000 and 10,000). House agents play the suites once; their
matches are stored again and again under new ids. Each count is measured in a process of its own: from the database to
every metric of every agent and role, and the same with an interval for each number.
"""

import resource
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import asdict

from benchmarks.common import prepared

COUNTS = (1_000, 10_000)
SUITES = {"magic": 0, "wiu": 20, "recon": 4, "spygame": 0}
"""The suites that are played once, each with how many matches a challenger plays (0: as many as the suite fixes)."""


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        measure()
        return
    counts = [int(count) for count in sys.argv[1:]] or COUNTS
    with tempfile.TemporaryDirectory() as folder:
        prepared(folder)
        began = time.perf_counter()
        keys = played_once()
        print(f"{len(keys)} matches of house agents played in {time.perf_counter() - began:.1f} s")
        for count in sorted(counts):
            copied(keys, count)
            command = [sys.executable, "-m", "benchmarks.metrics", "--measure"]
            subprocess.run(command, check=True)


def played_once() -> list[uuid.UUID]:
    """The suites, played by house agents."""
    from agents import headless
    from agents.models import AgentProfile
    from evaluation.competitions import running
    from evaluation.suites import SUITES as KNOWN
    from evaluation.suites import Entry
    from games.match import beginning

    minds = {profile.name: headless.of_profile(profile) for profile in AgentProfile.objects.filter(provider="house")}
    keys = []
    for suite, matches in SUITES.items():
        for planned in KNOWN[suite].plan(Entry(("house",), matches=matches), running.settings_of):
            play = running.begin(running.Bout(competition_id=uuid.uuid4(), number=1, **asdict(planned)))
            seats = dict(enumerate(planned.agents, 1))
            played = headless.play_out(
                play, {s: minds[a] for s, a in seats.items()}, {s: f"agent:{a}" for s, a in seats.items()}
            )
            keys.append(beginning.keep(play, thoughts=played.thoughts, attempts=played.attempts).pk)
    return keys


def copied(keys: list[uuid.UUID], count: int) -> None:
    """Store the first matches again under new ids until there are so many."""
    from django.db import transaction

    from games.match.rows import Event, MatchSeat, Thought
    from games.models import Match

    matches = {match.pk: match for match in Match.objects.filter(pk__in=keys)}
    beside = {
        model: {key: list(model.objects.filter(match=key)) for key in keys} for model in (Event, MatchSeat, Thought)
    }
    missing = count - Match.objects.count()
    with transaction.atomic():
        for number in range(max(missing, 0)):
            source = keys[number % len(keys)]
            match = matches[source]
            match.pk = uuid.uuid4()
            match.save(force_insert=True)
            for model, rows in beside.items():
                for row in rows[source]:
                    row.pk, row.match_id = None, match.pk
                model.objects.bulk_create(rows[source])


def measure() -> None:
    """Measure the stored matches and say what it took."""
    import django

    django.setup()
    from evaluation import metrics
    from evaluation.counting.stored import records
    from games.models import Match

    began = time.perf_counter()
    found = metrics.measure(records(Match.objects.all()), metrics.together(metrics.agent, metrics.role))
    seconds = time.perf_counter() - began
    numbers = [value for row in found.values.values() for value in row.values()]
    for value in numbers:
        value.interval()
    intervals = time.perf_counter() - began - seconds
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    filled = sum(value.value is not None for value in numbers)
    print(
        f"{found.records:6} matches: {seconds:.1f} s for {filled} numbers of {len(found.values)} groups, "
        f"{intervals:.1f} s for their intervals, at most {megabytes:.0f} MB"
    )


if __name__ == "__main__":
    main()
