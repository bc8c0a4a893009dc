from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, CommandParser
from django.db import transaction

from games import audit
from games.rules.strict_json import loads
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    """Fixtures are files of this layout; a JSON file without "model" is data that code reads, and is passed over.

    {"model": "games.gamesetting", "key": ["game", "name"], "rows": [{"game": ..., "name": ..., ...}, ...]}

    `key` names the fields by which a row is known again. "links": {"second": "name"} says that the field `second` of a
    row names another row by its `name`; that one has no such field itself.
    """

    help = "Add the rows of fixtures and of games' folders that the database lacks. Rows that an admin changed stay."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--folder", type=Path, help="Another folder, and nothing else.")

    def handle(self, *, folder: Path | None, verbosity: int, **options) -> None:
        own = [settings.BASE_DIR / "fixtures", *(settings.BASE_DIR / "games").iterdir()]
        paths = sorted(path for one in (own if folder is None else [folder]) for path in one.glob("*.json"))
        if not paths:
            raise CommandError(f"There is no fixture in {folder}.")
        with transaction.atomic(), audit.silent():
            added = sum(add_missing_rows(read(path)) for path in paths)
        if verbosity:
            self.stdout.write(f"{added} rows added.")


def read(path: Path) -> Any:
    """What stands in a fixture; raises `CommandError`."""
    try:
        return loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CommandError(f"{path} is not a fixture: {error}.") from error


def add_missing_rows(fixture: dict | list) -> int:
    """How many rows of the fixture were new to the database."""
    if not isinstance(fixture, dict) or "model" not in fixture:
        return 0
    manager = apps.get_model(fixture["model"])._default_manager
    key = fixture["key"]
    known = set(manager.values_list(*key))
    missing = [row for row in fixture["rows"] if tuple(row[name] for name in key) not in known]
    links = fixture.get("links", {})
    linked = [row for row in missing if links.keys() & row.keys()]
    manager.bulk_create(manager.model(**row) for row in missing if row not in linked)
    for row in linked:
        named = {field: manager.get(**{by: row[field]}) for field, by in links.items() if field in row}
        manager.create(**row | named)
    return len(missing)
