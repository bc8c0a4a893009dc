from django.conf import settings
from django.core.management import BaseCommand

from evaluation import metric_reference


class Command(BaseCommand):
    help = "Write docs/metrics.md from what the metrics declare."

    def handle(self, **options) -> None:
        path = settings.BASE_DIR / "docs" / "metrics.md"
        path.write_text(metric_reference.text() + "\n", encoding="utf-8")
        self.stdout.write(f"Wrote {path.relative_to(settings.BASE_DIR)}.")
