from games.match import store
from games.models import Match
from games.registry import RULES
from games.rules import values
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = "Read again from the logs of finished matches what each seat was and whether it won."

    def handle(self, **options) -> None:
        over = Match.objects.exclude(status="running").filter(game__in=RULES)
        count = 0
        for match in over.prefetch_related("sitters").iterator(chunk_size=200):
            try:
                store.derive_seats(match, store.load(match))
            except values.LogError as error:
                self.stderr.write(f"Match {match.pk}: {error}")
            else:
                count += 1
        self.stdout.write(f"The logs of {count} matches were read.")
