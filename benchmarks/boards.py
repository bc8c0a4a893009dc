"""What the tables cost: counted from nothing, merged from sums that are kept, and with one match more.

Usage: ``python -m benchmarks.boards [matches ...]`` (1,000 and 10,000). House agents play the suites once. In some of
their matches a seat is then a person's, who was asked who was an agent; in others one of two profiles has it that
differ in their method alone. All are stored again and again under new ids until there are so many. Each step is
measured in a process of its own, and so is its memory. Then the server's own time for pages, without a network: by
Django's test client, by a researcher who is signed in.
"""

import resource
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


def copied(keys: list[uuid.UUID], count: int) -> None:
    """Store the first matches again under new ids until there are so many."""
    from django.db import connection, transaction

    from games.match.rows import Attempt, Event, MatchSeat, Thought
    from games.models import Detection, Match

    with transaction.atomic(), connection.cursor() as cursor:
        for number in range(max(count - Match.objects.count(), 0)):
            source, new = keys[number % len(keys)].hex, uuid.uuid4().hex
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


# Steps --------------------------------------------------------------------------------------------------------------


def from_nothing() -> None:
    """Count all tables; nothing is kept."""
    from evaluation.counting import boards

    began = time.perf_counter()
    boards.counted(boards.Choice().records)
    told("all tables, with people, pairs of methods and detection, from nothing", time.perf_counter() - began)


def told(what: str, seconds: float) -> None:
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {what}: {seconds:.2f} s, at most {megabytes:.0f} MB", flush=True)


STEPS = {"nothing": from_nothing}

if __name__ == "__main__":
    main()
