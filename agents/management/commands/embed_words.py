from django.core.management import CommandError

from agents.house import embedding
from agents.house.words import network
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = "Read the meaning of all words and facts now, so that no table waits for it; `make embedding` does it."

    def handle(self, **options) -> None:
        reader = None if embedding.installed() is None else network().reader
        if not isinstance(reader, embedding.Reader):
            raise CommandError("The sentence model is not installed. Install it with: make embedding")
        _, vectors = reader.load()
        print(f"House agents read free clues by meaning: {len(vectors)} words and facts are kept.")
