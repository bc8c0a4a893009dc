"""The agents-only arm of the human study of "Who is Undercover?" (section 5.3): deals that a team lost, once more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .base import Entry, Planned, Setting, Suite, SuiteError
from .wiu import SEATS


class HumanStudy(Suite):
    name = "human_study"
    title = "Human study"
    about = "The topics on which each team of agents lost most, dealt again: agents only, and tables with a person."
    source = "MPTT / WIU, section 5.3"

    def of(self, challenger: str, entry: Entry, settings: Callable[[str], Sequence[Setting]]) -> Iterator[Planned]:
        """more: deals, each {"topic", "team", "seed", "setting"} (`evaluation.human_study.hardest`)."""
        deals = entry.more.get("deals") or ()
        if not deals:
            raise SuiteError("Choose a finished competition of “Who is Undercover?” in which some team lost.")
        for deal in deals:
            labels = {"challenger": challenger, "setting": deal["topic"], "team": deal["team"]}
            yield Planned(
                "undercover", "wiu", (challenger,) * SEATS, deal["seed"], {"polls": "wiu"}, deal["setting"], labels
            )
