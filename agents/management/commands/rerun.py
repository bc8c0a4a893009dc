from uuid import UUID

from django.core.management import CommandError

from agents.rerun import RerunError, differences, rerun
from games.models import Match
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = "Play a stored match again from its stored model calls, with no provider, and compare every byte."

    def add_arguments(self, parser) -> None:
        parser.add_argument("match", help="The match's id.")

    def handle(self, *, match: str, **options) -> None:
        try:
            found = Match.objects.filter(pk=UUID(match)).first()
        except ValueError:
            found = None
        if found is None:
            raise CommandError(f"There is no match {match}.")
        try:
            played = rerun(found)
        except RerunError as error:
            raise CommandError(str(error)) from error
        if different := differences(found, played):
            raise CommandError("\n".join(different))
        self.stdout.write(
            f"The same again: {len(played.play.log)} events, {len(played.thoughts)} thoughts, "
            f"{len(played.attempts)} attempts."
        )
