from django.conf import settings

from games.files import log_reference
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = "Write docs/log.md from what the rules declare."

    def handle(self, **options) -> None:
        path = settings.BASE_DIR / "docs" / "log.md"
        path.write_text(log_reference.text() + "\n")
        self.stdout.write(f"Wrote {path.relative_to(settings.BASE_DIR)}.")
