"""The second process of a large export: reading and writing JSON takes a processor.

`python -m evaluation.exports.second ORDER` is that process. The file says what is to be done. Out go, chunk by chunk,
a line that names files with their sizes and then what they go on with; in the end a line of what came of it all.
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

from evaluation.exports.packing import Parts, Place
from magic_site.parts import running

ENOUGH = 500
"""Of fewer matches a process of its own would take longer to start than it saves."""

MODULE = "evaluation.exports.second"


def worth(matches: int) -> bool:
    """Whether so many matches are written faster by two processes."""
    return matches >= ENOUGH and len(os.sched_getaffinity(0)) > 1


class Second:
    """Another process that writes chunks of matches."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._out: Any = process.stdout

    def chunk(self, place: Place) -> None:
        """Go on with the files of a place by its next chunk."""
        for name, size in self._told().items():
            place.add(name, self._read(size))

    def result(self) -> dict[str, Any]:
        """What came of all its chunks (`Written.told`)."""
        return self._told()

    def _told(self) -> dict[str, Any]:
        line = self._out.readline()
        return json.loads(line) if line else self._fail()

    def _read(self, size: int) -> bytes:
        data = self._out.read(size)
        return data if len(data) == size else self._fail()

    def _fail(self) -> Any:
        raise RuntimeError(f"The second process of an export ended with {self._process.wait()}.")


@contextmanager
def begun(
    order: Path, chunks: Sequence[Sequence[UUID]], content: Sequence[str], formats: Sequence[str], key: bytes
) -> Iterator[Second]:
    """Have these chunks of matches written meanwhile. order: a file to say so in. The process ends with the block, and
    with this one."""
    keys = [[key.hex for key in chunk] for chunk in chunks]
    given = {"chunks": keys, "content": list(content), "formats": list(formats), "key": key.hex()}
    order.write_text(json.dumps(given))
    with running(MODULE, str(order)) as process:
        yield Second(process)


def main() -> None:
    """Write what is asked for."""
    import django

    django.setup()
    from evaluation.exports.content import Content
    from evaluation.exports.writing import Writers

    path, out = Path(sys.argv[1]), sys.stdout.buffer
    order = json.loads(path.read_text())
    content, key = Content.of(order["content"]), bytes.fromhex(order["key"])
    with Parts(path.parent) as parts, Writers(parts, content, order["formats"], key, first=False) as writers:
        for chunk in order["chunks"]:
            writers.take([UUID(key) for key in chunk])
            taken = parts.taken()
            out.write(json.dumps({name: len(data) for name, data in taken.items()}).encode() + b"\n")
            out.writelines(taken.values())
    out.write(json.dumps(writers.written().told()).encode() + b"\n")


if __name__ == "__main__":
    main()
