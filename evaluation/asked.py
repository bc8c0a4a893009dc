"""What somebody has asked for, as a row."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class Asked(models.Model):
    """Something that somebody has asked for; the newest comes first."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        abstract = True
        ordering = ["-created_at"]
