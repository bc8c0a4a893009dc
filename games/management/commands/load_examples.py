from games.match import examples
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = "Store the recorded example matches that the database lacks. They are open to all and count in no number."

    def handle(self, *, verbosity: int, **options) -> None:
        added = examples.load()
        if verbosity:
            self.stdout.write(f"{added} example matches added.")
