"""How much smaller logs are that are put away, and how long one takes to come back.

    python -m benchmarks.archives [--matches 200]

Plays so many Avalon matches of house agents, as a competition does, with thoughts, puts their logs away, and brings one
after another back.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path
from statistics import median


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="magic-archives-") as folder:
        os.environ.pop("DATABASE_URL", None)
        from benchmarks.common import prepared

        prepared(folder)
        measure(Path(folder), given.matches)


def measure(folder: Path, matches: int) -> None:
    from django.core.management import call_command
    from django.db import connection

    from games.match import archive, changes
    from games.models import Match

    changes.send = lambda *told: None  # nobody listens
    call_command("simulate", "avalon", "recon", matches=matches, store=True, verbosity=0)
    keys = list(Match.objects.values_list("pk", flat=True))
    before = size(folder)
    begin = time.perf_counter()
    made = archive.put_away(keys)
    archive.let_go(Match.objects.all())
    seconds = time.perf_counter() - begin
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
    after = size(folder)
    if made is None:
        raise AssertionError("nothing was put away")
    print(f"{len(keys)} matches put away in {seconds:.1f} s")
    times = made.before / made.size
    print(f"rows: {made.before / 1e6:.1f} MB as JSON, {made.size / 1e6:.2f} MB in the file: {times:.1f} times smaller")
    print(f"database: {before / 1e6:.1f} MB before, {after / 1e6:.1f} MB after")
    took = []
    for key in keys[:50]:
        begin = time.perf_counter()
        archive.bring([key])
        took.append(time.perf_counter() - begin)
    print(f"one match comes back in {1000 * median(took):.0f} ms (median), {1000 * max(took):.0f} ms (slowest)")


def size(folder: Path) -> int:
    """Bytes of the database, compacted."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return (folder / "magic.sqlite3").stat().st_size


if __name__ == "__main__":
    main()
