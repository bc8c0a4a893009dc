from pathlib import Path

from django.core.management import CommandError, CommandParser

from games.files import paper_settings, setting_files
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = (
        "Store settings of games from a .json or .csv file, all or none. A setting with the same game and name is "
        "replaced. --magic takes a folder of MAgIC's published settings, --wiu the words of Who is Undercover."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path)
        published = parser.add_mutually_exclusive_group()
        published.add_argument("--magic", action="store_true", help="The path is a folder of MAgIC's settings.")
        published.add_argument("--wiu", action="store_true", help="The path is the file of Who is Undercover's words.")

    def handle(self, *, path: Path, magic: bool, wiu: bool, **options) -> None:
        try:
            if magic:
                settings = setting_files.checked(paper_settings.read_magic(path))
            elif wiu:
                settings = setting_files.checked(paper_settings.read_wiu(path))
            else:
                settings = setting_files.read_file(path)
        except paper_settings.UnpublishedError as error:
            raise CommandError(str(error)) from error
        except setting_files.UnreadableError as error:
            raise CommandError("Nothing was stored.\n" + "\n".join(map(str, error.troubles))) from error
        new, replaced = setting_files.put(settings)
        self.stdout.write(f"{new} new, {replaced} replaced.")
