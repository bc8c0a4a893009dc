"""docs/metrics.md: what each metric counts, written from the registry, so that it cannot fall behind it."""

from __future__ import annotations

from collections.abc import Iterator

from evaluation.metrics import METRICS, Combined, Counted, Mean, Metric
from evaluation.metrics.magic import ROLES

INTRO = """# Metrics

This page is written by `python manage.py metric_reference` from the declarations in `evaluation/metrics/`; do not edit
it.

A metric says for one seat of one match which items it counts; a number is the sum of their values over the sum of their
weights. So every number can be taken apart again into the events that it counts (`evaluation.metrics.seen`), and adds
up over matches. Of a number that is made of others only the parts add up.

- **No data is no number**, never 0: a rate of accusations in matches without accusations is empty.
- **Intervals** rest on matches, since items of one match are not independent. A share has Wilson's, at the number of
  independent items that would be as sure as its matches make it (Korn and Graubard 1998); with one item a match that is
  Wilson's as it stands. Means, numbers made of others and differences have a seeded bootstrap over matches. From fewer
  than 8 matches there is none; a number made of others tells which part comes from fewest, and that one decides. Tests
  between groups let whole matches change groups, gains of a method whole settings (`evaluation/comparison.py`).
- **Left out** is what the seat's own player did not choose: moves by default, openings, moves and thoughts of a
  stand-in, polls that were skipped. `ours.defaults`, `ours.stand_ins` and `ours.polls_answered` count them apart.
- **What became of a seat** (*Whole seat*: wins, points, survival, votes received) counts only where its own player made
  all its moves, and ratings where all players did. A default for want of an answer (no time left, provider away, limit
  reached, method not for this game) or a stand-in's move leaves the seat out. A reply that stays unreadable or illegal
  is the player's own doing: the seat counts, or only the strong would survive the count. `ours.own_moves` and
  `ours.unusable` stand beside every table.
- **Finished matches** count; those that were broken off do only where it says so.
- **Once a match**: what a team has in common (a game won) is one item for all seats of a group.
- **Groups** are the caller's: agent, method, kind of player, role, side, game, competition, and any two of them.
- **Our reading** marks a number whose definition the paper leaves open. Where editions of a paper differ both are here.

Papers: MAgIC (M1: arXiv 2311.08562v1; M2: the later edition), ReCon (arXiv 2310.01320), "Who is Undercover?" (MPTT;
WIU), SpyGame. Two short names mean two things each: VR is victory rate in WIU and vote rate in SpyGame; INF is
influence in WIU (`wiu.influence`) and information in ReCon (a dimension of its preferences). What the papers print is
in `evaluation/published.py`, and the tests work it out again from the papers' own inputs wherever that is possible.

What is not a number of one group of seats stands beside the registry: the calibration table and its curves
(`evaluation/calibration.py`), differences of any two rows and gains on average over models (`evaluation/contrasts.py`,
`evaluation/gains.py`), SpyGame's partitions (`evaluation/partitions.py`), preferences of a judge in six dimensions and
the check of the judge by people (`recon.preferences`, `recon.agreement`), agreement of raters
(`statistics.fleiss_kappa`, `statistics.krippendorff_alpha`), ratings.

`tests/evaluation/recount.py` counts nearly all of them once more in exported files, by code that imports nothing of
this project; a test compares the two, and says which are not counted twice and why.
"""

SECTIONS = {"magic": "MAgIC", "wiu": "Who is Undercover?", "recon": "ReCon", "spygame": "SpyGame", "ours": "Ours"}


def text() -> str:
    """The whole page."""
    parts = [INTRO]
    for prefix, title in SECTIONS.items():
        rows = [_row(metric) for name, metric in METRICS.items() if name.split(".")[0] == prefix]
        head = "| metric | | what it counts | from |\n| --- | --- | --- | --- |"
        parts.append("\n".join([f"## {title}\n", head, *rows, ""]))
    return "\n".join(parts).rstrip()


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
