import os

from django.core.management import CommandError, CommandParser

from magic_site.commands import SiteCommand, whole
from magic_site.launch import LaunchError, launch


class Command(SiteCommand):
    help = "Run the whole site: database, Redis-protocol server, workers, sweeper, web server. Ctrl-C ends all of it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=whole(1, 65535), default=os.environ.get("PORT") or 8000)
        parser.add_argument("--host", default=os.environ.get("HOST") or "127.0.0.1")

    def handle(self, *, port: int, host: str, **options) -> None:
        try:
            launch(host, port)
        except LaunchError as error:
            raise CommandError(error) from None
