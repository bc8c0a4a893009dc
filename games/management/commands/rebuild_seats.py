from games.match import store
from games.models import Match
from games.registry import RULES
from games.rules import values
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = "Read off the logs anew what came of each seat of the matches that are over: its side, its role, who won."

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
        self.stdout.write(f"Read off the logs of {count} matches.")
