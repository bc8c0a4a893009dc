from django.conf import settings
from django.core.management import BaseCommand

from games import log_reference


class Command(BaseCommand):
    help = "Write docs/log.md from what the rules declare."

    def handle(self, **options) -> None:
        path = settings.BASE_DIR / "docs" / "log.md"
        path.write_text(log_reference.text() + "\n")
        self.stdout.write(f"Wrote {path.relative_to(settings.BASE_DIR)}.")
