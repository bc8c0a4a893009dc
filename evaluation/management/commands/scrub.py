from pathlib import Path

from django.core.management import CommandError, CommandParser

from evaluation.withdrawals import scrubbing, withdrawals
from games import audit
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = "Take people who were erased here, or by a withdrawal file, out of a file that was exported before."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="A zip of an export, or JSON Lines; changed in its place.")
        parser.add_argument(
            "--with", dest="by", metavar="WITHDRAWAL", type=Path, help="The file of a withdrawal; else all erased here."
        )

    def handle(self, *, file: Path, by: Path | None, **options) -> None:
        try:
            marks = withdrawals.all_here() if by is None else withdrawals.read(by.read_text(errors="replace"))
            done = scrubbing.scrub(file, marks)
        except ValueError as error:
            raise CommandError(str(error)) from error
        audit.note("scrubbed", by="manage.py scrub", about="file", file=file.name, matches=done.matches)
        if not done.matches:
            self.stdout.write(f"{file} holds none of them; it is as it was.")
            return
        self.stdout.write(f"Scrubbed {done.matches} matches: {done.words} texts, with their quotes, and the names.")
