import io
import os
import sys

from django.core.management import CommandError, CommandParser

from magic_site.commands import SiteCommand, whole
from magic_site.parts import BASE_DIR, become, own_part


class Command(SiteCommand):
    help = "Run one part of the site (see magic_site/parts.py). Use it when the parts run on several machines."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--port", type=whole(1, 65535), default=os.environ.get("PORT") or 8000)
        parser.add_argument("--host", default=os.environ.get("HOST") or "127.0.0.1")

    def handle(self, *, name: str, port: int, host: str, **options) -> None:
        try:
            part = own_part(name, os.environ, host, port)
        except LookupError as error:
            raise CommandError(error.args[0]) from None
        os.chdir(BASE_DIR)
        os.nice(part.nice)
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(line_buffering=True)
        become(part.command[1:])
