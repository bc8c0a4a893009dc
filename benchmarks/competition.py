"""How fast a competition of models is, at a server that takes 50 ms a call: the whole path of claim, play, call, store.

Usage: ``python -m benchmarks.competition``. 20 Prisoner's Dilemma matches (3 seats, 5 rounds: 300 calls), played at
once, beside the critical path (the calls that wait for one another), beside the ceiling of the client alone with as
many calls in as many threads, and, where TextArena is installed for the Python that the environment variable
TEXTARENA_PYTHON names, beside its ThreePlayerIPD in 20 threads in the same run. TextArena asks one player at a time, we
ask all at once: compare calls a second too. 20 Undercover matches are reported apart.
"""

import os
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.common import add_model, prepared

MATCHES = 20
LATENCY_MS = 50
CEILING_THREADS = 60
HERE = Path(__file__).parent


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        prepared(folder)
        with server_process() as url:
            add_model(f"{url}/v1")
            ceiling = client_ceiling(url)
            print(f"the client alone, {CEILING_THREADS} threads: {ceiling:.0f} calls a second")
            for game, preset in (("prisoners_dilemma", "magic"), ("undercover", "magic")):
                report(game, preset, ceiling)
            textarena(url)


class server_process:  # noqa: N801 (used as a function)
    """The model server in a process of its own, so that it takes no turn of this one's interpreter."""

    def __enter__(self) -> str:
        import sys

        command = [sys.executable, "-m", "tests.model_server", "--port", "0", "--latency-ms", str(LATENCY_MS)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=HERE.parent)
        line = self.process.stdout.readline() if self.process.stdout else ""
        return next(word for word in line.split() if word.startswith("http")).rstrip("/.,")

    def __exit__(self, *exc: object) -> None:
        self.process.terminate()
        self.process.wait()


def client_ceiling(url: str, calls: int = 300) -> float:
    """Calls a second that the provider's client makes when nothing else is done."""
    from agents.providers import Message, connect

    provider = connect("openai", f"{url}/v1", "")
    schema = {"type": "object", "properties": {"choice": {"enum": ["cooperate", "defect"]}}, "required": ["choice"]}

    def one(number: int) -> None:
        provider.complete([Message("user", f"Choose {number}.")], model="m", schema=schema)

    with ThreadPoolExecutor(CEILING_THREADS) as pool:
        list(pool.map(one, range(CEILING_THREADS)))
        began = time.perf_counter()
        list(pool.map(one, range(calls)))
        return calls / (time.perf_counter() - began)


def report(game: str, preset: str, ceiling: float) -> None:
    from django.core.management import call_command

    from evaluation.models import Competition

    began = time.perf_counter()
    call_command(
        "compete", "own", "wire", defender=["defender=wire"], game=game, preset=preset, matches=MATCHES, at_once=MATCHES
    )
    wall = time.perf_counter() - began
    competition = Competition.objects.latest("created_at")
    bouts = list(competition.bouts.select_related("match"))
    calls = sum(bout.calls for bout in bouts)
    depth = max(rounds(bout.match) for bout in bouts)
    path, least = depth * LATENCY_MS / 1000, calls / ceiling
    print(f"{game}: {MATCHES} matches at once, {calls} calls: {wall:.2f} s, {calls / wall:.0f} calls a second")
    print(f"  critical path {path:.2f} s ({depth} calls deep); the client's ceiling {least:.2f} s for as many calls")
    print(f"  wall / max(critical path, ceiling): {wall / max(path, least):.2f} (aim: 2)")


def rounds(match) -> int:
    """How many model calls waited for one another: requests that were open together count once."""
    opened = {request.split(":")[0] for request in match.events.exclude(request=None).values_list("request", flat=True)}
    return len(opened)


def textarena(url: str) -> None:
    python = os.environ.get("TEXTARENA_PYTHON")
    if not python:
        print("TextArena: not measured, TEXTARENA_PYTHON names no Python that has it")
        return
    subprocess.run([python, str(HERE / "textarena_dilemma.py"), f"{url}/v1", str(MATCHES)], check=True)


if __name__ == "__main__":
    main()
