"""The files of an export on their way into its zip file: packed while they are written, so that no disk holds them
whole."""

from __future__ import annotations

import io
import shutil
import zipfile
import zlib
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Self

from isal import isal_zlib

LEVEL = 2
"""Of compression by isal: a fifth of the time of zlib's third level, and files as large as its second one's."""

BUFFER = 1 << 18


class Packed(io.RawIOBase):
    """A file that is packed while it is written. size, digest: of what was written. Raises `OSError` where there is no
    room."""

    def __init__(self, name: str, path: Path) -> None:
        self.name, self.size, self.digest = name, 0, sha256()
        self._file, self._crc = path.open("w+b"), 0
        self._packer = isal_zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.size += len(data)
        self._crc = zlib.crc32(data, self._crc)
        self.digest.update(data)
        self._file.write(self._packer.compress(data))
        return len(data)

    def put(self, archive: zipfile.ZipFile) -> None:
        """Put it into a zip file, as it is packed; nothing is written to it afterwards."""
        self._file.write(self._packer.flush())
        info = zipfile.ZipInfo(self.name)
        info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
        info.CRC, info.file_size, info.compress_size = self._crc, self.size, self._file.tell()
        info.header_offset = archive.start_dir
        out: Any = archive.fp
        out.seek(archive.start_dir)
        out.write(info.FileHeader())
        self._file.seek(0)
        shutil.copyfileobj(self._file, out, BUFFER)
        archive.start_dir = out.tell()
        archive.filelist.append(info)
        archive.NameToInfo[info.filename] = info

    def close(self) -> None:
        self._file.close()
        super().close()


class Place:
    """Where formats write: texts, and in the folder files of their own making."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._stack = ExitStack()
        self._texts: dict[str, io.TextIOWrapper] = {}
        self._packed: dict[str, Packed] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *why: object) -> None:
        self._stack.close()

    def open(self, name: str, encoding: str = "utf-8") -> IO[str]:
        """A new text file of that name."""
        file = io.TextIOWrapper(self._sink(name), encoding, newline="")
        self._texts[name] = self._stack.enter_context(file)
        return file

    def _sink(self, name: str) -> Any:
        path = self.folder / f"{name}.deflate"
        path.parent.mkdir(parents=True, exist_ok=True)
        self._packed[name] = Packed(name, path)
        return self._stack.enter_context(io.BufferedWriter(self._packed[name], BUFFER))

    def add(self, name: str, data: bytes) -> None:
        """Go on with a text file by what another process has written."""
        self._texts[name].flush()
        self._texts[name].buffer.write(data)

    def packed(self, name: str) -> Packed:
        """A file that was written, whoever made it."""
        if name in self._texts:
            self._texts[name].flush()
        else:
            path, sink = self.folder / name, self._sink(name)
            with path.open("rb") as source:
                shutil.copyfileobj(source, sink, BUFFER)
            sink.flush()
            path.unlink()
        return self._packed[name]


class Parts(Place):
    """Texts in memory, to be taken away part by part."""

    def _sink(self, name: str) -> io.BytesIO:
        return io.BytesIO()

    def taken(self) -> dict[str, bytes]:
        """What was written since the last time, by file."""
        found = {}
        for name, text in self._texts.items():
            text.flush()
            buffer: Any = text.buffer
            if data := buffer.getvalue():
                found[name] = data
            buffer.seek(0)
            buffer.truncate()
        return found
