from pathlib import Path
from uuid import UUID

from django.core.management import CommandError, CommandParser

from games import audit
from games.match.view import whole
from games.models import Match
from games.web import downloads
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = "Write a match with all thoughts as a log file, which `import` reads back."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("match", type=UUID, help="The match's id, as in the address of its replay.")
        parser.add_argument("--out", type=Path, help="The file to write; left out: the terminal.")

    def handle(self, *, match: UUID, out: Path | None, **options) -> None:
        found = Match.objects.filter(pk=match).first()
        if found is None:
            raise CommandError(f"There is no match {match}.")
        text = downloads.text(whole(found))
        audit.note("exported", by="manage.py export_match", match=found, about="log", seen_as="all")
        if out is None:
            self.stdout.write(text, ending="")
            return
        out.write_text(text, encoding="utf-8", newline="\n")
        self.stderr.write(f"{text.count(chr(10))} lines written to {out}.")
