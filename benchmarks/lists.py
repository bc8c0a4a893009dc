"""How long the lists take when there are a million events: the list of matches by many choices, and the admin's.

Usage: ``python -m benchmarks.lists [matches]`` (20,000). House agents play some matches once, which are stored again
and again under new ids and other agents, with their thoughts and words. Measured is the server's own time for a page,
by Django's test client, for a researcher who is also an admin: the median of a few, after one that nobody waits for.
``KEEP=folder`` keeps the database there and takes it again; ``DATABASE_URL`` names another one than SQLite.
"""

# ruff: noqa: S608 (statements made of names of ours)

import os
import re
import statistics
import sys
import tempfile
import time
import uuid
from contextlib import nullcontext
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

from benchmarks.common import prepared

MATCHES = 20_000
TURNS = 5
LIMIT_MS = 200
PLAYED = (("undercover", "wiu", 6), ("undercover", "party", 4), ("spygame", "party", 4), ("avalon", "recon", 6))

CHOICES = (
    "",
    "game=avalon",
    "agent=agent-3&role=merlin&won=no",
    "agent=nobody",
    "role=spy&won=yes",
    "method=method-2",
    "model=model-5&status=over",
    "words=trust",
    "words=team",
    'words="nobody more"&agent=agent-1',
    "words=zyzzyva",
    "suite=wiu",
    "label=deception:omission",
    "origin=import",
    "since=2026-03-01&until=2026-03-31",
    "result=evil_quests&game=avalon",
    "sample=100&seed=3",
    "status=abandoned",
)
ADMIN = ("games/match", "games/event", "games/thought", "games/attempt", "agents/call", "agents/spent")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    folder = os.environ.get("KEEP")
    with nullcontext(folder) if folder else tempfile.TemporaryDirectory() as path:
        Path(path).mkdir(exist_ok=True)
        prepared(path, ALLOWED_HOSTS="testserver", LOG_LEVEL="ERROR")
        from django.db import connection

        from games.models import Match

        if Match.objects.count() < count:
            started = time.perf_counter()
            fill(count)
            print(f"filled in {time.perf_counter() - started:.0f} s", flush=True)
        print(", ".join(f"{n:,} {name}" for name, n in counts().items()), f"in {connection.vendor}")
        measure()


# Rows ---------------------------------------------------------------------------------------------------------------


def fill(count: int) -> None:
    """Play some matches, and store them again until there are so many."""
    from django.core.management import call_command
    from django.db import connection, transaction

    from games.models import Match

    for game, preset, n in PLAYED:
        call_command("simulate", game, preset, matches=n, store=True, stdout=open(os.devnull, "w"))  # noqa: PTH123, SIM115
    sources = list(Match.objects.order_by("game"))
    copies = [(sources[n % len(sources)], uuid.uuid4()) for n in range(count - len(sources))]
    with transaction.atomic(), connection.cursor() as cursor:
        made = []
        for n, (source, key) in enumerate(copies):
            new = Match(**{f.attname: getattr(source, f.attname) for f in Match._meta.concrete_fields})
            new.pk, new.created_at, new.digest = key, source.created_at - timedelta(minutes=20 * n), ""
            made.append(new)
        Match.objects.bulk_create(made, batch_size=500)
        cursor.execute("CREATE TEMPORARY TABLE copies (place integer PRIMARY KEY, source char(36), copy char(36))")
        pair = [(n, _stored(source.pk), _stored(key)) for n, (source, key) in enumerate(copies)]
        cursor.executemany("INSERT INTO copies VALUES (%s, %s, %s)", pair)
        for model in _beside():
            _copy(cursor, model)
        other = "CAST((copies.place * 7 + seat) % 12 AS varchar)"
        cursor.execute(_set("games_matchseat", f"agent = 'agent-' || {other}"))
        cursor.execute(_set("games_seatmethod", f"method = 'method-' || {other}, model = 'model-' || {other}"))
        cursor.execute("INSERT INTO agents_spent (what, dollars) SELECT 'match:' || copy, 0.1 FROM copies WHERE true")
        _calls(cursor)
        cursor.execute("DROP TABLE copies")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _beside() -> list[Any]:
    from games.match.rows import Attempt, Event, MatchSeat, SeatMethod, Text, Thought

    return [MatchSeat, Event, Thought, Attempt, Text, SeatMethod]


def _stored(key: uuid.UUID) -> str:
    from django.db import connection

    return key.hex if connection.vendor == "sqlite" else str(key)


def _copy(cursor: Any, model: Any) -> None:
    names = [f.column for f in model._meta.concrete_fields if not f.primary_key]
    new = ", ".join(_key("copy") if name == "match_id" else name for name in names)
    table = model._meta.db_table
    cursor.execute(
        f"INSERT INTO {table} ({', '.join(names)}) SELECT {new} FROM copies "
        f"JOIN {table} ON match_id = {_key('source')} ORDER BY copies.place, {table}.id"
    )


def _key(name: str) -> str:
    from django.db import connection

    return name if connection.vendor == "sqlite" else f"CAST({name} AS uuid)"


def _set(table: str, columns: str) -> str:
    return f"UPDATE {table} SET {columns} FROM copies WHERE match_id = {_key('copy')}"


def _calls(cursor: Any) -> None:
    """A call of a model for every third thought."""
    from agents.models import Call

    given = {
        "match": "match_id", "request": "request", "seat": "seat", "stage": "stage", "nth": "n", "model": "'model-1'",
        "key": "'k' || games_thought.id", "provider": "'openai'", "reply": "reply", "answered_by": "'model-1-2026'",
        "at": "at", "settings": "'{}'", "attempts": "1",
    }  # fmt: skip
    columns = [f.attname for f in Call._meta.concrete_fields if not f.primary_key]
    empty = {"base_url": "''", "thought": "''", "finish": "''", "structured": "false", "error": "''"}
    values = ", ".join(given.get(name, empty.get(name, "0")) for name in columns)
    thoughts = "games_thought WHERE id % 3 = 0"
    cursor.execute(f"INSERT INTO agents_call ({', '.join(columns)}) SELECT {values} FROM {thoughts}")


def counts() -> dict[str, int]:
    """How many rows of each kind there are."""
    from agents.models import Call
    from games.models import Match

    models = [Match, *_beside(), Call]
    return {str(model._meta.verbose_name_plural): model._default_manager.count() for model in models}


# Pages --------------------------------------------------------------------------------------------------------------


def measure() -> None:
    """Print the milliseconds of each list."""
    from django.contrib.auth.models import User
    from django.test import Client

    user, _new = User.objects.get_or_create(username="lists", is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(user)
    slow = 0
    for choice in CHOICES:
        address = f"/matches/?{choice}" if choice else "/matches/?all=1"
        slow += told(client, address)
    far = "/matches/?at=older~2026-01-01T00:00:00%2B00:00~" + str(uuid.UUID(int=2**127))
    slow += told(client, far, "a page in the midst")
    for name in ADMIN:
        slow += told(client, f"/admin/{name}/")
        page = client.get(f"/admin/{name}/").content.decode()
        for link in sorted(set(re.findall(r'href="(\?[^"]+)"', page)))[:12]:
            slow += told(client, f"/admin/{name}/{unescape(link)}")
    print(f"{slow} above {LIMIT_MS} ms")


def told(client: Any, address: str, about: str = "") -> bool:
    """Print how long a page takes; whether that is too long."""
    answer, took = client.get(address), []
    for _ in range(TURNS):
        started = time.perf_counter()
        answer = client.get(address)
        took.append((time.perf_counter() - started) * 1000)
    ms = statistics.median(took)
    found = re.search(r'id="count">\s*<p>\s*([^<]*?)\s*</p>', answer.content.decode())
    said = f"  {found[1]}" if found else ""
    print(f"{ms:8.0f} ms  {answer.status_code}  {about or address}{said}", flush=True)
    return ms > LIMIT_MS


if __name__ == "__main__":
    main()
