from django.conf import settings

from agents import prompt_reference
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = "Write docs/prompts.md: what a model is told, game by game and method by method."

    def handle(self, **options) -> None:
        path = settings.BASE_DIR / "docs" / "prompts.md"
        path.write_text(prompt_reference.text() + "\n", encoding="utf-8")
        self.stdout.write(f"Wrote {path.relative_to(settings.BASE_DIR)}.")
