from pathlib import Path

from django.core.management import CommandError, CommandParser

from evaluation.imports import imports
from evaluation.models import Import
from games.jobs import jobs
from games.models import Job
from magic_site.commands import SiteCommand

SHOWN = 20


class Command(SiteCommand):
    help = (
        "Take in logs from a file: JSON Lines, plain or gzip, of one match or many, or a zip of an export. Each match "
        "is played again under its rules; all come in, or none."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--unfinished", action="store_true", help="Take also logs that end before their matches do."
        )

    def handle(self, *, file: Path, unfinished: bool, **options) -> None:
        try:
            found = imports.bring_path(file, unfinished=unfinished)
            job = imports.begin(found, send=False)
        except imports.Refused as error:
            raise CommandError(f"{file}: {error}") from error
        try:
            while job is not None and Job.objects.filter(pk=job.pk, state__in=Job.OPEN).exists():
                jobs.work(job.pk)
        except KeyboardInterrupt:
            jobs.stop(imports.KIND, key=str(found.pk))
            imports.clean(found)
            raise CommandError("Stopped. Nothing was taken in.") from None
        self.tell(Import.objects.get(pk=found.pk))

    def tell(self, found: Import) -> None:
        """Say what came of it; a file that brought nothing is no success."""
        for sentence, many in found.remarks.items():
            self.stderr.write(f"{many} x {sentence}" if many > 1 else sentence)
        for fault in found.faults:
            self.stderr.write(f"{fault['file']}, line {fault['line']}: {fault['sentence']}")
        if found.published_at is None:
            error = Job.objects.filter(kind=imports.KIND, key=str(found.pk)).values_list("error", flat=True).first()
            raise CommandError(error or "It came to nothing.")
        for match in found.came.order_by()[:SHOWN]:
            self.stdout.write(str(match.pk))
        if found.erased:
            self.stderr.write(f"{found.erased} came in without the words of somebody who was erased here.")
        said = f"New: {found.new} of {found.matches} matches. Here already, or twice in the file: {found.here}."
        if not found.new:
            raise CommandError(said)
        self.stderr.write(said)
