from pathlib import Path

from django.core.management import BaseCommand, CommandError, CommandParser

from games import table
from games.rules import values


class Command(BaseCommand):
    help = "Read a log file, play it again under the rules, and store it as a match of its own; prints the new id."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **options) -> None:
        try:
            match = table.import_log(file.read_text(encoding="utf-8").split("\n"))
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        except UnicodeDecodeError as error:
            raise CommandError(f"{file} is not a text in UTF-8.") from error
        except (values.LogError, values.Impossible) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(str(match.pk))
