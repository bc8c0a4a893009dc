from pathlib import Path

from django.core.management import CommandError, CommandParser

from games.files import setting_files
from games.models import GameSetting
from games.registry import RULES
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = "Write the settings of a game as JSON or CSV, for import_settings to read."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", choices=sorted(RULES))
        parser.add_argument("--out", type=Path, help="A .json or .csv file; without it CSV is printed.")

    def handle(self, *, game: str, out: Path | None, **options) -> None:
        settings = GameSetting.objects.filter(game=game)
        if not settings:
            raise CommandError(f"There are no settings of {game} here.")
        if out is None:
            self.stdout.write(setting_files.write_csv(settings), ending="")
            return
        if out.suffix not in (".json", ".csv"):
            raise CommandError("The file's name must end in .json or .csv.")
        write = setting_files.write_json if out.suffix == ".json" else setting_files.write_csv
        out.write_text(write(settings), encoding="utf-8")
        self.stdout.write(f"{settings.count()} settings in {out}.")
