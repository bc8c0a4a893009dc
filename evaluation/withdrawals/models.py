"""What is kept of an erasure for those who have files with the words that were erased."""

from django.db import models

from evaluation.asked import Asked


class Withdrawal(Asked):
    """An erasure after which old files are to be scrubbed. seats: by what each seat is known again in a file, without
    words and names (`withdrawals.Mark`); exports: the ids of those that held one."""

    seats = models.JSONField(default=list)
    exports = models.JSONField(default=list)

    class Meta(Asked.Meta):
        pass

    def __str__(self) -> str:
        return f"withdrawal {self.pk}"
