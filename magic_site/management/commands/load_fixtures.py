import json
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management import BaseCommand
from django.db import transaction

FOLDER: Path = settings.BASE_DIR / "fixtures"


class Command(BaseCommand):
    help = "Add what the fixtures hold and the database does not. What an admin has changed stays as it is."

    def handle(self, *, verbosity: int, **options) -> None:
        with transaction.atomic():
            added = sum(add_missing(record) for path in sorted(FOLDER.glob("*.json")) for record in records(path))
        if verbosity:
            self.stdout.write(f"{added} added.")


def records(path: Path) -> list[dict]:
    """The rows in one file: [{"model": "app.model", "key": {...}, "fields": {...}}, ...]; other files are data."""
    content = json.loads(path.read_text())
    return content if isinstance(content, list) and content and "model" in content[0] else []


def add_missing(record: dict) -> bool:
    manager = apps.get_model(record["model"])._default_manager
    _, created = manager.get_or_create(**record["key"], defaults=record["fields"])
    return created
