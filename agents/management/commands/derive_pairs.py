import json
from pathlib import Path

from django.conf import settings

from agents.house import pairs
from agents.house.words import FOLDER, read
from magic_site.commands import SiteCommand

FIXTURE = settings.BASE_DIR / "games" / "undercover" / "settings.json"


class Command(SiteCommand):
    help = "Write the pairs of Undercover anew, as they follow from the word network (agents/house/pairs.py)."

    def add_arguments(self, parser) -> None:
        parser.add_argument("--to", type=Path, default=FIXTURE, help="The file to write; the fixture by default.")

    def handle(self, *, to: Path, **options) -> None:
        rows = pairs.settings(read(FOLDER))
        lines = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows)
        head = '  "model": "games.gamesetting",\n  "key": ["game", "name"],\n  "rows": [\n'
        to.write_text(f"{{\n{head}{lines}\n  ]\n}}\n", encoding="utf-8")
        self.stdout.write(f"{len(rows)} pairs.")
