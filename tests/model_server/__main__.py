"""`python -m tests.model_server [--port N] [--script FILE] [--latency-ms MS]`: prints its address, serves until ended.

FILE is JSON: a list of behaviours ("busy", {"kind": "slow", "latency_ms": 300}, {"text": "..."}), or an object
{"steps": [...], "then": ..., "latency_ms": ...}. Without one the built-in player answers every request.
"""

import argparse
import json
import signal
from pathlib import Path

from .server import ModelServer


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.model_server", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--script", type=Path, help="a JSON file of behaviours")
    parser.add_argument("--latency-ms", type=int, default=0, help="how long each answer takes")
    options = parser.parse_args()
    steps = json.loads(options.script.read_text("utf-8")) if options.script else []
    script = {"latency_ms": options.latency_ms} | (steps if isinstance(steps, dict) else {"steps": steps})
    stop = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, stop)
    with ModelServer(**script, port=options.port) as server:
        print(server.url, flush=True)
        signal.sigwait(stop)


if __name__ == "__main__":
    main()
