"""How quickly the pages of numbers come from 10,000 stored matches: once counted, and how long the counting takes.

Usage: ``python -m benchmarks.boards [matches]``. The matches are those of `benchmarks.metrics`. The server's own time,
without a network: the page by Django's test client, by a researcher who is signed in.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.common import prepared

PAGES = ("/numbers/", "/numbers/points/", "/numbers/wiu/", "/numbers/spygame/", "/numbers/recon/")
TURNS = 20


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        from magic_site.parts import embedded_server, end

        socket = Path(folder) / "redis.sock"
        server = embedded_server(socket, Path(folder))
        server.start()
        while not socket.exists():
            time.sleep(0.05)
        try:
            prepared(folder, REDIS_URL=f"unix://{socket}", ALLOWED_HOSTS="testserver")
            report(count)
        finally:
            end([server], within=2)


def report(count: int) -> None:
    from django.contrib.auth.models import Group, User
    from django.test import Client

    from benchmarks.metrics import copied, played_once
    from evaluation.counting import boards

    copied(played_once(), count)
    user = User.objects.create_user("ada")
    user.groups.add(Group.objects.get(name="researcher"))
    client = Client()
    client.force_login(user)
    began = time.perf_counter()
    boards.count(boards.Choice())
    print(f"{count} matches are counted by a worker in {time.perf_counter() - began:.1f} s")
    for page in PAGES:
        times = []
        for _ in range(TURNS):
            began = time.perf_counter()
            answer = client.get(page)
            times.append(1000 * (time.perf_counter() - began))
            assert answer.status_code == 200, answer.status_code  # noqa: S101 (a benchmark)
        print(f"  {page:<20} median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms (aim: under 300)")


if __name__ == "__main__":
    main()
