from django.conf import settings

from evaluation.metrics import METRICS
from evaluation.web import metric_reference


def test_the_reference_is_what_the_metrics_declare():
    written = (settings.BASE_DIR / "docs" / "metrics.md").read_text(encoding="utf-8")
    assert written == metric_reference.text() + "\n", "Run `python manage.py metric_reference`."


def test_every_metric_says_what_it_counts_and_where_that_is_defined():
    for name, metric in METRICS.items():
        assert metric.about.endswith("."), name
        assert metric.source, name
        assert metric.games, name
        assert name.split(".")[0] in metric_reference.SECTIONS, name
