from django.db import transaction

from games.match import store, writer
from games.models import Match
from games.registry import RULES
from games.rules import values
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = (
        "Read again from the logs by what matches are found: words, methods and models, and of finished ones what each "
        "seat was and whether it won."
    )

    def handle(self, **options) -> None:
        count = 0
        for match in Match.objects.filter(game__in=RULES).prefetch_related("sitters").iterator(chunk_size=200):
            with transaction.atomic():
                writer.held([match.pk])
                writer.derive_lookup(match)
                try:
                    if match.status != "running":
                        writer.derive_seats(match, store.load(match))
                except values.LogError as error:
                    self.stderr.write(f"Match {match.pk}: {error}")
                else:
                    count += 1
        self.stdout.write(f"The logs of {count} matches were read.")
