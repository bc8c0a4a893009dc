from django.conf import settings

from evaluation.web import metric_reference
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = "Write docs/metrics.md from what the metrics declare."

    def handle(self, **options) -> None:
        path = settings.BASE_DIR / "docs" / "metrics.md"
        path.write_text(metric_reference.text() + "\n", encoding="utf-8")
        self.stdout.write(f"Wrote {path.relative_to(settings.BASE_DIR)}.")
