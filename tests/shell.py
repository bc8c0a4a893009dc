"""A process that has Django already, from which what tests of real processes need is forked at once: parts of the site,
management commands, and pieces of code that run on the site's database.

A line of JSON in is an order, a line out its answer. Each order has a process of its own, so that nothing that it
changes is seen by the next. Parts go on until they are ended; all die with this process.
"""

import contextlib
import importlib
import io
import json
import os
import signal
import sys
import traceback

import django

from magic_site.parts import become, dies_with

LOADED_BY_PARTS = (
    "magic_site.asgi",
    "magic_site.urls",
    "celery.apps.worker",
    "celery.bin.worker",
    "kombu.transport.redis",
)
"""What starts nothing by being loaded."""


def run(code: str) -> dict[str, object]:
    """What the code leaves in `result`, or how it failed."""
    names: dict[str, object] = {"__name__": "__main__", "result": None}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, names)  # noqa: S102 (a test's own words)
    except BaseException:
        return {"failed": traceback.format_exc()}
    return {"result": names["result"]}


def manage(arguments: list[str]) -> dict[str, object]:
    """What `manage.py` prints, or how it failed."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            become(["manage.py", *arguments])
    except SystemExit:
        return {"failed": said.getvalue()}
    except BaseException:
        return {"failed": said.getvalue() + traceback.format_exc()}
    return {"result": said.getvalue()}


def leave(log: str, parent: int) -> None:
    """Become a process that stands by itself, as parts are started: its own session, what it says in `log`."""
    os.setsid()
    if die := dies_with(parent):
        die()
    with open(os.devnull) as nothing, open(log, "ab") as file:  # noqa: PTH123
        for target, source in enumerate((nothing, file, file)):
            os.dup2(source.fileno(), target)


def main() -> None:
    django.setup()
    for module in LOADED_BY_PARTS:
        importlib.import_module(module)

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever ends is gone, and waits for nobody
    here = os.getpid()
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child:
            if "part" in order:
                print(json.dumps({"result": child}), flush=True)
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if "part" in order:
            leave(order["log"], here)
            os.environ |= order["env"]
            return become(order["part"])
        answer = run(order["code"]) if "code" in order else manage(order["manage"])
        print(json.dumps(answer, default=str), flush=True)
        os._exit(0)


if __name__ == "__main__":
    main()
