"""The second half of a large export, written by a process of its own: reading and writing JSON takes a processor.

`python -m evaluation.exports.half FOLDER` is that process. In the folder it finds what is to be done and leaves the
files; what came of it goes out by its output.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

from magic_site.parts import BASE_DIR, dies_with

ENOUGH = 500
"""Of fewer matches a process of its own would take longer to start than it saves."""

ORDER = "order.json"

Result = dict[str, Any]
"""matches: their ids; games; running: how many; rows: of each file in order."""


def worth(matches: int) -> bool:
    """Whether so many matches are written faster by two processes."""
    return matches >= ENOUGH and len(os.sched_getaffinity(0)) > 1


class Half:
    """Matches that another process writes into files of a folder."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def result(self) -> Result:
        """What came of it, once all is written. Raises `OSError` where there was no room."""
        told, _errors = self._process.communicate()
        code = self._process.returncode
        if code and told:
            number = json.loads(told)["errno"]
            raise OSError(number, os.strerror(number))
        if code:
            raise RuntimeError(f"The process that wrote half of an export ended with {code}.")
        return json.loads(told)


@contextmanager
def begun(
    folder: Path, keys: Sequence[UUID], content: Sequence[str], formats: Sequence[str], key: bytes, excel: bool
) -> Iterator[Half]:
    """Have these matches written meanwhile. The process ends with the block, and with this one."""
    folder.mkdir()
    given = {"keys": [k.hex for k in keys], "content": list(content), "formats": list(formats), "excel": excel}
    (folder / ORDER).write_text(json.dumps(given | {"key": key.hex()}))
    process = subprocess.Popen(
        [sys.executable, "-m", "evaluation.exports.half", str(folder)],
        cwd=BASE_DIR,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=dies_with(os.getpid()),
    )
    with process:
        try:
            yield Half(process)
        finally:
            process.kill()


def main() -> None:
    """Write what the folder asks for."""
    import django

    django.setup()
    from evaluation.exports.content import Content
    from evaluation.exports.writing import fill

    folder = Path(sys.argv[1])
    order = json.loads((folder / ORDER).read_text())
    keys, key = [UUID(k) for k in order["keys"]], bytes.fromhex(order["key"])
    try:
        done = fill(folder, keys, Content.of(order["content"]), order["formats"], key, order["excel"], first=False)
    except OSError as error:
        json.dump({"errno": error.errno or 5}, sys.stdout)
        sys.exit(1)
    told: Result = {"matches": [k.hex for k in done.matches], "games": sorted(done.games), "running": done.running}
    json.dump(told | {"rows": [file.rows for file in done.files]}, sys.stdout)


if __name__ == "__main__":
    main()
