"""What the tables cost: counted from nothing, merged from sums that are kept, and with one match more.

Usage: ``python -m benchmarks.boards [matches ...]`` (1,000 and 10,000). House agents play the suites once. In some of
their matches a seat is then a person's, who was asked who was an agent; in others one of two profiles has it that
differ in their method alone. All are stored again and again under new ids until there are so many. Each step is
measured in a process of its own, and so is its memory. Then the server's own time for pages, without a network: by
Django's test client, by a researcher who is signed in.
"""

import resource
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

from benchmarks.common import prepared

COUNTS = (1_000, 10_000)
PAGES = ("/numbers/", "/numbers/points/", "/numbers/wiu/", "/numbers/spygame/", "/numbers/recon/", "/numbers/people/")
TURNS, MORE = 20, 10

PERSON = ""
SITTERS = ("house", PERSON, "plain", "method", "house")
"""Who has the first seat of each kind of copy."""


def main() -> None:
    if sys.argv[1:2] == ["--step"]:
        import django

        django.setup()
        STEPS[sys.argv[2]]()
        return
    from magic_site.parts import embedded_server, end

    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder) / "redis.sock"
        server = embedded_server(socket, Path(folder))
        server.start()
        while not socket.exists():
            time.sleep(0.05)
        try:
            prepared(folder, REDIS_URL=f"unix://{socket}", ALLOWED_HOSTS="testserver")
            keys = kinds_of_matches()
            for count in sorted(map(int, sys.argv[1:]) or COUNTS):
                copied(keys, count)
                print(f"{count} matches")
                for step in STEPS:
                    subprocess.run([sys.executable, "-m", "benchmarks.boards", "--step", step], check=True)
        finally:
            end([server], within=2)


# Matches ------------------------------------------------------------------------------------------------------------


def kinds_of_matches() -> list[uuid.UUID]:
    """The suites once, played by house agents, with the first seats given to `SITTERS` in turn."""
    from agents.models import AgentProfile
    from benchmarks.metrics import played_once
    from games.models import Detection, Match

    for name, method in (("plain", "direct"), ("method", "recon")):
        AgentProfile.objects.create(name=name, title=name, provider="openai", model="m", method=method)
    keys = played_once()
    for number, key in enumerate(keys):
        match, agent = Match.objects.get(pk=key), SITTERS[number % len(SITTERS)]
        by = f"agent:{agent}" if agent else "person"
        match.events.filter(seat=1, by__startswith="agent:").update(by=by)
        match.sitters.filter(seat=1).update(agent=agent, kind="agent" if agent else "person")
        if agent == PERSON:
            Detection.objects.create(match=match, seat=1, agents=[2])
    return keys


def copied(keys: list[uuid.UUID], count: int) -> list[uuid.UUID]:
    """Store the first matches again under new ids until there are so many; gives the new ids."""
    from django.db import connection, transaction

    from games.match.rows import Attempt, Event, MatchSeat, Thought
    from games.models import Detection, Match

    made = [uuid.uuid4() for _ in range(max(count - Match.objects.count(), 0))]
    with transaction.atomic(), connection.cursor() as cursor:
        for number, copy in enumerate(made):
            source, new = keys[number % len(keys)].hex, copy.hex
            for model in (Match, Event, MatchSeat, Thought, Attempt, Detection):
                key = "id" if model is Match else "match_id"
                columns = [field.column for field in model._meta.fields if model is Match or not field.primary_key]
                taken = ", ".join("%s" if column == key else f'"{column}"' for column in columns)
                names = ", ".join(f'"{column}"' for column in columns)
                table = model._meta.db_table
                cursor.execute(
                    f"INSERT INTO {table} ({names}) SELECT {taken} FROM {table} WHERE {key} = %s",  # noqa: S608
                    [new, source],
                )
    return made


# Steps --------------------------------------------------------------------------------------------------------------


def from_nothing() -> None:
    """Count all tables; of no match anything is kept."""
    from django.db.models.functions import Length

    from evaluation.counting import boards
    from evaluation.models import MatchSums

    MatchSums.objects.all().delete()
    began = time.perf_counter()
    boards.counted(boards.Choice())
    told("all tables, with people, pairs of methods and detection, from nothing", time.perf_counter() - began)
    sizes = list(MatchSums.objects.annotate(size=Length("given")).values_list("size", flat=True))
    print(f"    a match's sums: {statistics.mean(sizes):.0f} bytes on average, {max(sizes)} at most")


def from_sums() -> None:
    """Count all tables out of what is kept of each match, and then with one match more, several times."""
    from django.db.models.functions import Now

    from evaluation.counting import boards, sums
    from games.models import Match

    began = time.perf_counter()
    boards.counted(boards.Choice())
    told("from the sums that are kept", time.perf_counter() - began)
    keys = list(Match.objects.order_by("?").values_list("pk", flat=True)[: 2 * MORE])
    for which, sources in (("of now", keys[:MORE]), ("of earlier, which is rated among the others", keys[MORE:])):
        times: dict[str, list[float]] = {"read and kept": [], "merged and counted": []}
        for key in sources:
            (new,) = copied([key], Match.objects.count() + 1)
            if which == "of now":
                Match.objects.filter(pk=new).update(created_at=Now())
            began = time.perf_counter()
            work = boards.work(boards.Choice())
            sums.fill(work.matches, work.reading)
            read = time.perf_counter()
            boards.counted(boards.Choice())
            times["read and kept"].append(1000 * (read - began))
            times["merged and counted"].append(1000 * (time.perf_counter() - read))
        for what, found in times.items():
            middle = statistics.median(found)
            print(f"  one match more, {which}, {what}: median {middle:.0f} ms, slowest {max(found):.0f} ms")


def pages() -> None:
    """Ask for the pages, whose numbers are counted already."""
    from django.contrib.auth.models import Group, User
    from django.test import Client

    from evaluation.counting import boards
    from games.jobs import jobs
    from games.models import Job

    boards.board(boards.Choice())
    for job in Job.objects.filter(state="waiting"):
        jobs.work(job.pk)
    user, _new = User.objects.get_or_create(username="ada")
    user.groups.add(Group.objects.get(name="researcher"))
    client = Client()
    client.force_login(user)
    for page in PAGES:
        times = []
        for _ in range(TURNS):
            began = time.perf_counter()
            answer = client.get(page)
            times.append(1000 * (time.perf_counter() - began))
            assert answer.status_code == 200, answer.status_code  # noqa: S101 (a benchmark)
        print(f"  {page:<20} median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms (aim: under 300)")


def told(what: str, seconds: float) -> None:
    """Say how long something took, and how much memory the process has had at most."""
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {what}: {seconds:.2f} s, at most {megabytes:.0f} MB", flush=True)


STEPS = {"nothing": from_nothing, "sums": from_sums, "pages": pages}

if __name__ == "__main__":
    main()
