"""What is kept of an export, also when its file is gone: who took which matches away, and what it held."""

from __future__ import annotations

import secrets
from bisect import bisect_left
from collections.abc import Iterable
from uuid import UUID

from django.db import models
from django.utils.translation import gettext_lazy as _

from evaluation.asked import Asked


def new_key() -> bytes:
    """By which the pseudonyms of one export are made."""
    return secrets.token_bytes(32)


class Ids(bytes):
    """Ids of matches in order, 16 bytes each."""

    @classmethod
    def of(cls, keys: Iterable[UUID]) -> Ids:
        """These, in their order."""
        return cls(b"".join(sorted(key.bytes for key in keys)))

    def __contains__(self, key: object) -> bool:
        if not isinstance(key, UUID):
            return False
        place = bisect_left(range(len(self) // 16), key.bytes, key=lambda n: self[16 * n : 16 * n + 16])
        return self[16 * place : 16 * place + 16] == key.bytes


class Export(Asked):
    """Matches that somebody took away as a file; the job of this key makes it, and has its pieces.

    selection: the parameters of `evaluation.desk.selection.Selection`; content: see `exports.content`. key: pseudonyms
    are made by it, and it is in no file. holds: the matches that are in the file (`Ids`). rows: how many each
    collection has. gone: why the file is no more, before its time.
    """

    class Gone(models.TextChoices):
        ERASED = "erased", _("a person in it was erased")
        DELETED = "deleted", _("a match in it was deleted")

    name = models.CharField(max_length=120)
    selection = models.JSONField(default=dict)
    content = models.JSONField(default=list)
    formats = models.JSONField(default=list)
    excel = models.BooleanField(default=False)
    licence = models.CharField(max_length=200, blank=True)
    reason = models.TextField(blank=True, help_text=_("Why it names people."))
    key = models.BinaryField(default=new_key, editable=False)
    holds = models.BinaryField(default=bytes, editable=False)
    matches = models.PositiveIntegerField(default=0)
    running = models.PositiveIntegerField(default=0)
    rows = models.JSONField(default=dict)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    made_at = models.DateTimeField(null=True, blank=True)
    gone = models.CharField(max_length=10, choices=Gone, blank=True)

    class Meta(Asked.Meta):
        permissions = [("export_names", _("Admin: exports people by the names that they gave"))]

    def __str__(self) -> str:
        return self.name

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name}-{str(self.pk)[:8]}.zip"

    def held(self, match: UUID) -> bool:
        """Whether the file holds (or held) this match."""
        return match in Ids(self.holds)
