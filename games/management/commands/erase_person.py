from uuid import UUID

from django.core.management import CommandError, CommandParser

from games import audit
from games.match.erasing import erase, erase_seat
from games.models import Match
from magic_site.commands import SiteCommand, whole


class Command(SiteCommand):
    help = (
        "Erase a person from all matches: their words, their name, and that it was them. A seat that "
        "they played names them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("match", type=UUID)
        parser.add_argument("seat", type=whole(1, 99))

    def handle(self, *, match: UUID, seat: int, **options) -> None:
        found = Match.objects.filter(pk=match).first()
        if found is None:
            raise CommandError(f"There is no match {match}.")
        played = next((sitter for sitter in found.seated if (sitter.seat, sitter.kind) == (seat, "person")), None)
        if played is None or not (played.person or found.origin == Match.Origin.IMPORT):
            raise CommandError(f"No person played seat {seat} of this match, or they are erased already.")
        try:
            erased = erase(played.person) if played.person else erase_seat(found, seat)
        except ValueError as error:
            raise CommandError(str(error)) from error
        audit.note("erased", by="manage.py erase_person", match=found, about=f"seat {seat}", matches=erased.matches)
        self.stdout.write(
            f"Erased from {erased.matches} matches: the name, and {erased.words} things that they had said."
        )
