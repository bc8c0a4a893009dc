"""Runs Python on a site's database for tests of real processes: a line of JSON in is code, a line out its result.

Django is started once; each piece of code has a process of its own, forked from this one, so that nothing that it
changes is seen by the next.
"""

import contextlib
import io
import json
import os
import sys
import traceback

import django


def run(code: str) -> dict[str, object]:
    """What the code leaves in `result`, or how it failed."""
    names: dict[str, object] = {"__name__": "__main__", "result": None}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, names)  # noqa: S102 (a test's own words)
    except BaseException:
        return {"failed": traceback.format_exc()}
    return {"result": names["result"]}


def main() -> None:
    django.setup()
    for line in sys.stdin:
        child = os.fork()
        if not child:
            print(json.dumps(run(json.loads(line)), default=str), flush=True)
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
