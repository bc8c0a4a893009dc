"""What an export costs: seconds, rows a second, the worker's memory, and what pages take meanwhile.

Usage: ``python -m benchmarks.export [matches ...] [--content NAMES] [--formats NAMES]`` (1,000 and 10,000; everything
but values of metrics; JSON Lines and CSV). House agents play some matches of some hundred events each, with thoughts;
these are stored again and again under new ids. The real site makes the exports, on SQLite; the page of the list, the
lobby and that of the export are asked for once a second meanwhile, and the file is taken away in the end.
"""

import argparse
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from benchmarks.common import site

COUNTS = (1_000, 10_000)
PLAYED = (("avalon", "recon", 6), ("avalon", "official", 7), ("undercover", "party", 6))
"""What is played, and at how many seats: about a hundred events a match."""

CONTENT = "roles,thoughts,prompts,polls,labels,calls"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("counts", nargs="*", type=int)
    parser.add_argument("--content", default=CONTENT)
    parser.add_argument("--formats", default="jsonl,csv")
    given = parser.parse_args()
    counts = sorted(given.counts) or COUNTS
    if len(counts) > 1:  # each on a site of its own: a process keeps the most memory that it ever had
        for count in counts:
            chosen = ["--content", given.content, "--formats", given.formats]
            subprocess.run([sys.executable, "-m", "benchmarks.export", str(count), *chosen], check=True)
        return
    with site() as stack:
        for game, preset, seats in PLAYED:
            stack.manage("simulate", game, preset, "--matches=12", "--store", f"--seats={seats}")
        measure(stack, counts[0], given.content.split(","), tuple(given.formats.split(",")))


def measure(stack, count: int, content: list[str], formats: tuple[str, ...]) -> None:
    """Have so many matches exported, and say what it took."""
    from django.contrib.auth.models import User
    from django.test import Client

    from benchmarks.boards import copied
    from evaluation.desk.selection import Selection
    from evaluation.exports import exporting
    from evaluation.exports.content import Content
    from games.models import Match

    user = User.objects.get(username=stack.researcher())
    every = Selection.of({}, user).matches()
    copied(list(every.values_list("pk", flat=True)), count + Match.objects.count() - every.count())
    client = Client()
    client.force_login(user)
    cookie = f"sessionid={client.cookies['sessionid'].value}"
    began = time.perf_counter()
    export = exporting.ask(exporting.Order(Selection.of({}, user), Content.of(content), formats), user)
    pages = ("/matches/", "/", f"/exports/{export.pk}/?part=progress")
    waits: dict[str, list[float]] = {page: [] for page in pages}
    second = 0.0
    while (job := exporting.job_of(export)) is None or job.ended_at is None:
        for page in pages:
            asked = time.perf_counter()
            get(stack.base_url + page, cookie)
            waits[page].append(1000 * (time.perf_counter() - asked))
        time.sleep(1)
        second = max(second, memory_of_second())
    seconds = time.perf_counter() - began
    export.refresh_from_db()
    if not export.sha256:
        raise SystemExit(job.error)
    rows = sum(export.rows.values()) + export.matches
    print(
        f"{count} matches, {export.rows.get('events', 0)} events: {seconds:.1f} s, {rows / seconds:.0f} rows a second"
    )
    print(f"  {export.rows}")
    worker = most_memory(stack.parts["files"].process.pid)
    print(f"  worker: at most {worker:.0f} MB, its second process {second:.0f} MB; file {export.size / 1e6:.0f} MB")
    for page, times in waits.items():
        print(f"  meanwhile {page[:20]:<20} median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms")
    before = most_memory(stack.parts["daphne"].process.pid)
    asked = time.perf_counter()
    size = get(f"{stack.base_url}/exports/{export.pk}/file/", cookie)
    print(f"  taken away: {size / 1e6 / (time.perf_counter() - asked):.0f} MB a second")
    after = most_memory(stack.parts["daphne"].process.pid)
    print(f"  web process: at most {before:.0f} MB before that, {after:.0f} MB with it", flush=True)


def get(url: str, cookie: str) -> int:
    """Ask for a page; gives how many bytes came."""
    request = urllib.request.Request(url, headers={"Cookie": cookie})  # noqa: S310 (our own address)
    size = 0
    with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310
        while piece := answer.read(1 << 20):
            size += len(piece)
    return size


def memory_of_second() -> float:
    """The most memory that the second process of an export has had, in MB."""
    found = [path.parent for path in Path("/proc").glob("[0-9]*/cmdline") if named(path, b"evaluation.exports.second")]
    return max((most_memory(int(folder.name)) for folder in found), default=0.0)


def named(path: Path, name: bytes) -> bool:
    """Whether a process that may be gone by now has this in its command."""
    try:
        return name in path.read_bytes()
    except OSError:
        return False


def most_memory(pid: int) -> float:
    """The most memory that a process has had, in MB."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    told = dict(line.split(":", 1) for line in lines if ":" in line)
    return int(told.get("VmHWM", "0").split()[0]) / 1024


if __name__ == "__main__":
    main()
