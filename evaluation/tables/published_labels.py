"""What papers print of labels: how often raters gave them, and how far they agreed. Figures only, as printed."""

from collections.abc import Mapping
from typing import NamedTuple

from evaluation.tables.published import SPYGAME


class Category(NamedTuple):
    """A category of the paper. scheme, labels: of the shipped schemes the one and those of its labels that it is made
    of; an item that has one of them counts. kappa: Fleiss', of three raters; found, of: how many items had it, of how
    many; where: in the paper. metrics: those that section V-C sets beside it."""

    name: str
    title: str
    scheme: str
    labels: tuple[str, ...]
    kappa: float
    found: int
    of: int
    where: str
    metrics: tuple[str, ...] = ()


GAME = "spygame"
AGAINST = {"weak": "spygame.weak", "strong": "spygame.strong"}
"""The tables of the metrics, by the citizens that the spy plays against."""

PLANNED, USUAL = "citizens", "strong"
"""As what matches were planned by that, and how those of no suite count."""

SCHEME = "reasoning-steps"
"""The shipped scheme of the categories of table IV."""

CAMOUFLAGE = ("spygame.caught_rate", "spygame.vote_rate", "spygame.vote_entropy")
INTENT = (
    "spygame.guess_success",
    "spygame.information_catching",
    "spygame.information_deduction",
    "spygame.notice_rate",
)

EXPOSURE = Category(
    "exposure", "Exposure", "exposure", ("secret",), 0.7875, 125, 729, "section V-B.1, of citizens' utterances"
)
CATEGORIES = (
    Category("role_ambiguity", "Role ambiguity", SCHEME, ("team", "goal"), 0.563, 21, 506, "section V-B.2", CAMOUFLAGE),
    Category(
        "memory_distortion",
        "Memory distortion",
        SCHEME,
        ("memory_distortion",),
        0.486,
        32,
        506,
        "section V-B.3",
        INTENT,
    ),
    Category("dissociation", "Dissociation", SCHEME, ("dissociation",), 0.646, 59, 506, "section V-B.4", INTENT),
)
"""Those of table IV, of the spy's reasoning steps."""


class PrintedSteps(NamedTuple):
    """A row of table IV. steps: its N; shares: of the steps that have a category, in percent, in the order of
    `CATEGORIES`."""

    steps: int
    shares: tuple[float, ...]


TABLE_IV: Mapping[tuple[str, str], PrintedSteps] = {
    ("weak", "Gemini"): PrintedSteps(61, (1.63, 4.91, 3.27)),
    ("weak", "GPT-3.5"): PrintedSteps(35, (2.85, 2.85, 8.57)),
    ("weak", "GPT-4"): PrintedSteps(34, (0.00, 0.00, 5.88)),
    ("weak", "LLaMA2"): PrintedSteps(77, (9.09, 6.49, 9.90)),
    ("strong", "Gemini"): PrintedSteps(82, (3.65, 6.09, 15.68)),
    ("strong", "GPT-3.5"): PrintedSteps(39, (0.00, 10.25, 23.07)),
    ("strong", "GPT-4"): PrintedSteps(71, (4.22, 4.22, 9.85)),
    ("strong", "LLaMA2"): PrintedSteps(107, (9.09, 10.28, 14.95)),
}
"""By the citizens that the spy plays against, and who plays it."""

SOURCE = f"{SPYGAME}, section V, table IV"
NOTE = (
    "9.09% of 107, 9.90% of 77 and 15.68% of 82 are no whole number of steps. Section V-B counts 21, 32 and 59 of 506."
)
