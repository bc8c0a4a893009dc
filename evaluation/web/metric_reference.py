"""docs/metrics.md: what each metric counts, written from the registry, so that it cannot fall behind it."""

from collections.abc import Iterator

from django.template.loader import render_to_string

from evaluation.metrics import METRICS, Combined, Counted, Mean, Metric
from evaluation.metrics.magic import ROLES

SECTIONS = {"magic": "MAgIC", "wiu": "Who is Undercover?", "recon": "ReCon", "spygame": "SpyGame", "ours": "Ours"}


def text() -> str:
    """The whole page."""
    sections = [
        (title, [_row(metric) for name, metric in METRICS.items() if name.split(".")[0] == prefix])
        for prefix, title in SECTIONS.items()
    ]
    return render_to_string("reference/metrics.md", {"sections": sections}).rstrip()


def _row(metric: Metric) -> str:
    marks = list(_marks(metric))
    about = f"{metric.about} {' '.join(marks)}".strip()
    return f"| `{metric.name}` | {metric.title} | {about} | {metric.source} |"


def _marks(metric: Metric) -> Iterator[str]:
    if isinstance(metric, Combined):
        yield f"Made of {_listed(metric.parts)}."
    if isinstance(metric, Counted) and metric.sums is Mean:
        yield "*Mean.*"
    if metric.edition:
        yield f"*Edition: {metric.edition}.*"
    if metric.reading:
        yield "*Our reading.*"
    if metric.lower:
        yield "*Less is better.*"
    if metric.whole:
        yield "*Whole seat.*"
    if metric.unfinished:
        yield "*Also matches that were broken off.*"


def _listed(parts: tuple[str, ...]) -> str:
    if len(parts) == len(ROLES) and all(part.startswith("magic.win_rate.") for part in parts):
        return "`magic.win_rate.<role>`"
    return ", ".join(f"`{part}`" for part in parts)
