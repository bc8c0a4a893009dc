"""Logs as this site writes and reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from evaluation.exports.formats.base import File, Format
from evaluation.exports.told import Told


class Lines(Format):
    """Logs as this site writes and reads them, one after another."""

    name, title, joined = "jsonl", _("JSON Lines: whole logs, as this site takes them in again"), True
    FILE = "matches.jsonl"

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.file, self.matches = self.place.open(self.FILE), 0

    def take(self, told: Told) -> None:
        self.file.writelines(f"{line}\n" for line in told.lines())
        self.matches += 1

    def files(self) -> Iterator[File]:
        yield File(self.FILE, "application/jsonl", self.matches)
