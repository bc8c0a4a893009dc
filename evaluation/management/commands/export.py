"""Write matches to a file."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management import CommandError

from evaluation.desk.selection import PARTS, Selection
from evaluation.exports import exporting
from evaluation.exports.content import PARTS as CONTENT
from evaluation.exports.content import Content
from evaluation.exports.exporting import Order
from evaluation.exports.formats import FORMATS, USUAL
from games import audit
from games.jobs.jobs import Failed
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = (
        "Write matches to a zip file: logs, flat files, a dictionary and a data card. Without more all of every match "
        "is written, and people have pseudonyms. The filters are those of the list of matches."
    )

    def add_arguments(self, parser) -> None:
        parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="The zip file to write.")
        parser.add_argument("--content", help=f"What is in it, with commas, of: {', '.join(CONTENT)}. All if not said.")
        parser.add_argument("--formats", default=",".join(USUAL), help=f"With commas, of: {', '.join(FORMATS)}.")
        parser.add_argument("--excel", action="store_true", help="CSV files for Excel: a mark before them, and CRLF.")
        parser.add_argument("--names", metavar="REASON", help="Name people as they named themselves, and why.")
        parser.add_argument("--licence", default="", help="What the data card says of it.")
        for part in PARTS:
            parser.add_argument(f"--{part}", default="", help=f"Only matches with this {part}.")

    def handle(self, *, out: Path, **options: Any) -> None:
        order = self.order(options)
        export = order.export(None)
        part = out.with_name(out.name + ".part")
        try:
            with part.open("w+b") as file:
                began = time.monotonic()
                held = exporting.write(export, order, file, self.show)
            part.replace(out)
        except Failed as error:
            raise CommandError(str(error)) from error
        finally:
            part.unlink(missing_ok=True)
        export.save(force_insert=True)
        details = {"selection": export.selection, "content": export.content, "formats": export.formats}
        audit.note("exported", by="manage.py export", about=f"export {export.pk}", reason=export.reason, **details)
        if sys.stderr.isatty():
            self.stderr.write("")
        for name, rows in held.rows.items():
            self.stdout.write(f"  {name}: {rows}")
        running = f", of which {held.running} still run" if held.running else ""
        seconds = time.monotonic() - began
        self.stdout.write(f"{export.matches} matches{running}, {export.size} bytes in {seconds:.1f} s: {out}")
        self.stdout.write(f"sha256 {export.sha256}")

    def order(self, options: dict[str, Any]) -> Order:
        """What is asked for."""
        every = list(CONTENT)
        content = every if options["content"] is None else _listed(options["content"])
        if unknown := set(content) - set(every):
            raise CommandError(f"There is no content {', '.join(sorted(unknown))}. Choose of: {', '.join(every)}.")
        try:
            return Order(
                Selection.of({name: options[name] for name in PARTS if options[name]}),
                Content.of([*content, *(["names"] if options["names"] else [])]),
                tuple(_listed(options["formats"])),
                options["excel"],
                options["licence"],
                options["names"] or "",
            )
        except ValidationError as error:
            raise CommandError(_sentences(error)) from error

    def show(self, done: int, of: int) -> None:
        """Say how far it is, where somebody looks."""
        if sys.stderr.isatty() and done % 50 == 0:
            self.stderr.write(f"\r{done}/{of}", ending="")
            self.stderr.flush()


def _listed(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _sentences(error: ValidationError) -> str:
    if not hasattr(error, "error_dict"):
        return " ".join(error.messages)
    return " ".join(f"--{name}: {' '.join(messages)}" for name, messages in error.message_dict.items())
