"""What is stored of imports: the file as long as it is needed, and what came of it."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from evaluation.asked import Asked
from games.models import Match


class Import(Asked):
    """A file of logs that somebody brings.

    received: all pieces are here. unfinished: logs that end before their matches do are taken too. sha256: of the whole
    file. matches: how many it holds; new: how many came of it; here: how many were here before, or twice in the file;
    erased: how many came in without the words of a person who was erased here. aside: its files that hold no logs.
    remarks: by sentence, of how many matches it is true. wrong: how many things are; faults: the first of them, each
    {file, line, sentence}.
    """

    name = models.CharField(max_length=200)
    size = models.PositiveBigIntegerField(help_text=_("In bytes."))
    received = models.BooleanField(default=False)
    unfinished = models.BooleanField(default=False)
    sha256 = models.CharField(max_length=64, blank=True)
    matches = models.PositiveIntegerField(default=0)
    new = models.PositiveIntegerField(default=0)
    here = models.PositiveIntegerField(default=0)
    erased = models.PositiveIntegerField(default=0)
    aside = models.JSONField(default=list)
    remarks = models.JSONField(default=dict)
    wrong = models.PositiveIntegerField(default=0)
    faults = models.JSONField(default=list)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta(Asked.Meta):
        permissions = [("import_logs", _("Researcher: brings logs of matches that were played elsewhere"))]

    def __str__(self) -> str:
        return self.name

    @property
    def came(self) -> models.QuerySet[Match]:
        """The matches that came of it and are still here."""
        return Match.objects.filter(brought=self.pk)


class ImportPiece(models.Model):
    """A part of a file that is to be read, in the database, so that any worker can read it."""

    brought = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        ordering = ["brought", "number"]
        constraints = [models.UniqueConstraint(fields=["brought", "number"], name="import_piece_once")]

    def __str__(self) -> str:
        return f"{self.brought_id} piece {self.number}"
