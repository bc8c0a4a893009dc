from pathlib import Path

from django.core.management import CommandError, CommandParser

from games import audit
from games.files import log_files
from games.match import importing
from games.rules import values
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = "Read a log file, play it again under the rules, and store it as a match of its own; prints the new id."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="A log of one match, plain or gzip.")
        parser.add_argument(
            "--unfinished", action="store_true", help="Take it even if the log ends before its match does."
        )

    def handle(self, *, file: Path, unfinished: bool, **options) -> None:
        try:
            log = log_files.read_log(log_files.lines_of(file), unfinished=unfinished)
            match = importing.take_in(log)
        except (values.LogError, values.Impossible) as error:
            raise CommandError(str(error)) from error
        audit.note("imported", by="manage.py import_match", match=match, about="log")
        self.stdout.write(str(match.pk))
        for remark in importing.remarks(log):
            self.stderr.write(remark)
