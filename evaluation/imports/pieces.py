"""A file that was received in pieces, read as one."""

from __future__ import annotations

import io
from typing import Any

from evaluation.imports.models import Import, ImportPiece

PIECE = 1 << 20
"""Bytes of a piece of a file."""


class Pieces(io.RawIOBase):
    """A file in pieces, to be read from any place on."""

    def __init__(self, found: Import) -> None:
        self.found, self.place = found, 0
        self._number, self._data = -1, b""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self.place, io.SEEK_END: self.found.size}[whence]
        self.place = max(0, start + offset)
        return self.place

    def tell(self) -> int:
        return self.place

    def readinto(self, into: Any) -> int:
        if self.place >= self.found.size:
            return 0
        number, offset = divmod(self.place, PIECE)
        if number != self._number:
            kept = ImportPiece.objects.filter(brought=self.found, number=number)
            self._data, self._number = bytes(kept.values_list("data", flat=True).get()), number
        data = self._data[offset : offset + len(into)]
        into[: len(data)] = data
        self.place += len(data)
        return len(data)
