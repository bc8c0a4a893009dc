"""The agents-only arm of the human study of "Who is Undercover?" (section 5.3): deals that a team lost, once more."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from evaluation.studies.human_study import TEAMS

from .base import Entry, Planned, Setting, Suite, SuiteError, number_from
from .wiu import SEATS


class HumanStudy(Suite):
    name = "human_study"
    title = "Human study"
    about = (
        "The topics on which each team of agents lost most are dealt again, to agents only and to tables with a person."
    )
    source = "MPTT / WIU, section 5.3"
    page = "people"
    games = ("undercover",)

    def of(self, challenger: str, entry: Entry, settings: Callable[[str], Sequence[Setting]]) -> Iterator[Planned]:
        """more: deals, each {"topic", "team", "seed", "setting"} (`studies.human_study.hardest`), and of how many
        topics of each team they were to be."""
        deals = entry.more.get("deals") or ()
        if not deals:
            raise SuiteError(
                "Choose a finished competition of “Who is Undercover?” in which at least one team lost a match."
            )
        for deal in deals:
            # Another seed than that of the match that was lost: agents whose moves follow from it would lose again.
            seed = number_from(self.name, entry.seed, deal["seed"])
            labels = {"challenger": challenger, "setting": deal["topic"], "team": deal["team"]}
            yield Planned("undercover", "wiu", (challenger,) * SEATS, seed, {"polls": "wiu"}, deal["setting"], labels)

    def remark(self, more: Mapping[str, Any]) -> str:
        teams = [deal["team"] for deal in more["deals"]]
        wanted = more.get("topics", 0)
        fewer = [f"{team}s {teams.count(team)}" for team in TEAMS if teams.count(team) < wanted]
        return f"Fewer topics were lost than the {wanted} that were asked for: {', '.join(fewer)}." if fewer else ""
