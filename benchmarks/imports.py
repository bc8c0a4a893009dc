"""How long an import takes, how much memory, and how pages and tables answer meanwhile.

    python -m benchmarks.imports [--matches 10000]

Makes a file of so many Avalon matches with thoughts (about a hundred events each) in a folder of its own, imports it by
`manage.py import` in a process, and meanwhile asks a page of a running site's kind and lets somebody act at a table,
both in this process. Prints seconds, rows a second, the peak of memory of the process that imports, and the latencies.
"""

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import quantiles

SHARE = 0.99


def made(file: Path, matches: int) -> tuple[int, int]:
    """Write the file; returns how many events and how many lines it has."""
    from games.rules import logfile
    from tests.games.matches import dealt, play_on, thoughts_of

    events = lines = 0
    plays = [play_on(dealt("avalon", "recon", 6, seed=seed)) for seed in range(min(matches, 100))]
    with gzip.open(file, "wt", compresslevel=3) as text:
        for seed in range(matches):
            play = plays[seed % len(plays)]
            start = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=seed)
            times: dict[int, str | None] = {
                event.seq: (start + timedelta(milliseconds=event.seq)).isoformat() for event in play.log
            }
            thoughts = [one for one in thoughts_of(play) if one["request"].endswith((":speech", ":say", ":team"))]
            header = replace(play.header, seed=seed)
            log = logfile.LogFile(header, play.log, times, thoughts, outcome=play.state.outcome)
            for line in logfile.write(log):
                lines += 1
                events += line.startswith('{"type":"event"')
                text.write(line + "\n")
    return events, lines


def timed(work) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def spread(seconds: list[float]) -> str:
    if len(seconds) < 2:
        return f"n = {len(seconds)}"
    cuts = quantiles(seconds, n=100)
    half, most = f"{1000 * cuts[49]:.0f}", f"{1000 * cuts[98]:.0f}"
    return f"half under {half} ms, 99 % under {most} ms, the slowest {1000 * max(seconds):.0f} ms, n = {len(seconds)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=10_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="magic-imports-") as folder:
        os.environ |= {
            "VAR_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "magic_site.settings",
            "ALLOWED_HOSTS": "testserver",
        }
        os.environ.pop("DATABASE_URL", None)
        measure(Path(folder), given.matches)


def measure(folder: Path, matches: int) -> None:
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client

    from games.match import changes, pending, store
    from games.models import Match
    from games.rules.random_play import random_action
    from tests.games.matches import WORDS, dealt, stored

    changes.send = lambda *told: None  # nobody listens
    pending.dispatch = lambda *nudge: None
    call_command("migrate", verbosity=0)
    call_command("load_fixtures", verbosity=0)
    file = folder / "logs.jsonl.gz"
    events, lines = made(file, matches)
    print(f"{matches} matches, {events} events, {lines} lines, {file.stat().st_size / 1e6:.1f} MB packed")
    client = Client()
    client.force_login(User.objects.create_superuser("admin"))

    def page() -> None:
        if client.get("/matches/").status_code != 200:
            raise AssertionError("the page does not answer")

    def act() -> None:
        match = Match.objects.get(pk=table)
        play = store.load(match)
        request = next(one for one in play.state.open.values() if one.waits)
        by = "person" if request.seat < 3 else "agent:house"
        if not store.act(table, request.seat, request.id, random_action(play, request, rng, WORDS), by):
            raise AssertionError("the move does not count")

    def tabled() -> Match:
        return stored(dealt("avalon", "recon", 6, seed=rng.getrandbits(40)), with_thoughts=False)

    rng = random.Random(1)
    table = tabled().pk
    begin = time.perf_counter()
    command = [sys.executable, "manage.py", "import", str(file)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    pages: list[float] = []
    moves: list[float] = []
    while process.poll() is None:
        pages.append(timed(page))
        moves.append(timed(act))
        if Match.objects.get(pk=table).status != "running":
            table = tabled().pk
        time.sleep(0.1)
    seconds = time.perf_counter() - begin
    peak = peak_of_children()
    print((process.communicate()[1] or "").strip())
    print(
        f"import: {seconds:.1f} s, {events / seconds:.0f} events/s, {lines / seconds:.0f} lines/s, peak {peak:.0f} MB"
    )
    print(f"meanwhile a page: {spread(pages)}")
    print(f"meanwhile a move: {spread(moves)}")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM games_event")
        print(json.dumps({"seconds": round(seconds, 1), "peak_mb": round(peak), "events": cursor.fetchone()[0]}))


def peak_of_children() -> float:
    """Megabytes of memory that the largest of the processes that have ended here had at its peak."""
    import resource

    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


if __name__ == "__main__":
    main()
