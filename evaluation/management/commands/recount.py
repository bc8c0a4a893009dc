from evaluation.counting import sums
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = "Count anew, from the logs, what is kept of each match for the tables."

    def handle(self, **options) -> None:
        counted, other = sums.recount(self.tell)
        same = f"{other} of them came to something else, which stands now." if other else "They came to the same."
        self.stdout.write(f"{counted} were counted again. {same}")

    def tell(self, done: int, of: int) -> None:
        self.stdout.write(f"{done} of {of} matches")
