from typing import Any

from django.core.management import CommandError, call_command

from agents.models import AgentProfile
from evaluation.competitions import rehearsal, running
from evaluation.competitions.reproductions import REPRODUCTIONS, Reproduction, Result, results
from evaluation.counting import boards
from evaluation.suites import SUITES, Entry, SuiteError
from evaluation.tables.conditions import AGAINST, FEWER, SUITE
from games.templatetags.money import dollars
from magic_site.commands import SiteCommand, seed, whole

REASONS = {
    SUITE: "{n} of {of} matches are not of the suite {suite}",
    AGAINST: "the paper's rows are against {theirs}",
    FEWER: "the paper's rows have {of} matches each, this one {n}",
}


class Command(SiteCommand):
    help = (
        "Play a printed table again. Tells its arms, n and the cost; with --yes it plays them and shows "
        "the numbers beside the paper's."
    )

    def add_arguments(self, parser) -> None:
        parser.add_argument("table", choices=sorted(REPRODUCTIONS))
        parser.add_argument(
            "--arm",
            action="append",
            default=[],
            metavar="ROW=PROFILE",
            help="Who plays a printed row; empty: the row is left out.",
        )
        parser.add_argument("--defender", action="append", default=[], metavar="PART=PROFILE")
        parser.add_argument(
            "--matches", type=whole(1), default=0, help="How many matches an arm plays, if that is open."
        )
        parser.add_argument("--take", type=whole(1), default=0, help="Only this many of all matches, from the first.")
        parser.add_argument("--seed", type=seed, default=1)
        parser.add_argument("--at-once", type=whole(1, 64), default=8)
        parser.add_argument("--yes", action="store_true", help="Begin. Without it only the arms and the cost are told.")

    def handle(self, *, table: str, yes: bool, **options: Any) -> None:
        found = REPRODUCTIONS[table]
        arms = self.pairs(options["arm"], {arm.row for arm in found.arms if arm.profile}, "--arm", "a row")
        defenders = self.pairs(options["defender"], set(SUITES[found.suite].parts), "--defender", "a part")
        usable = set(AgentProfile.objects.filter(active=True).values_list("name", flat=True))
        entry = found.entry(
            arms, defenders, usable, matches=options["matches"], take=options["take"], seed=options["seed"]
        )
        try:
            self.tell(found, entry, arms)
            if not yes:
                self.stdout.write("Nothing was played. Begin with --yes.")
                return
            made = running.make(found.title, found.suite, entry, at_once=options["at_once"])
        except SuiteError as error:
            raise CommandError(str(error)) from error
        call_command("compete", resume=str(made.pk), stdout=self.stdout, stderr=self.stderr)
        board, _state = boards.counted(boards.Choice(competition=str(made.pk)))
        for result in results(found, made.entry, board["tables"]):
            self.show(result)

    def pairs(self, given: list[str], known: set[str], name: str, what: str) -> dict[str, str]:
        """Pairs of an argument that may be given several times."""
        found = {}
        for pair in given:
            left, equals, right = pair.partition("=")
            if not equals or left not in known:
                raise CommandError(
                    f"{name} is {what} and a profile, with = between. Known are: {', '.join(sorted(known))}."
                )
            found[left] = right
        return found

    def tell(self, found: Reproduction, entry: Entry, arms: dict[str, str]) -> None:
        planned, profiles = running.plan(found.suite, entry)
        expected = rehearsal.estimate(planned, profiles)
        self.stdout.write(f"{found.title}: {len(planned)} matches")
        for part, profile in entry.defenders.items():
            self.stdout.write(f"  {part}: {profile}")
        unpriced = {model for one in expected.values() for model in one.unpriced}
        told: dict[str, str] = {}
        for arm in found.arms:
            profile = entry.more["arms"][arm.row]
            if profile in told:
                self.stdout.write(f"  {arm.row}: {profile}, the same matches as {told[profile]}")
            elif profile in expected:
                one, told[profile] = expected.pop(profile), arm.row
                self.stdout.write(
                    f"  {arm.row}: {profile}, {one.matches} matches, about {one.calls:.0f} calls, "
                    f"{one.tokens_in:.0f} tokens in and {one.tokens_out:.0f} out, {dollars(one.cost, 2)}"
                )
            elif not arm.profile:
                self.stdout.write(f"  {arm.row}: the suite's own defenders")
            elif not profile:
                why = "" if arm.row in arms else f", since {arm.profile} is turned off"
                self.stdout.write(f"  {arm.row}: left out{why}")
        for profile, one in expected.items():
            self.stdout.write(f"  {profile} against itself: {one.matches} matches, about {dollars(one.cost, 2)}")
        if unpriced:
            self.stdout.write(f"No price is known of: {', '.join(sorted(unpriced))}. Their cost is not counted here.")

    def show(self, result: Result) -> None:
        self.stdout.write(f"{result.table}, {result.row} ({result.profile})")
        if not result.played:
            self.stdout.write("  not played")
        for number in result.numbers:
            measured = "no data" if number.measured is None else f"{number.measured:.3f}"
            within = {True: "printed lies within", False: "printed lies outside", None: "too few for an interval"}
            interval = f" ({number.interval[0]:.3f} to {number.interval[1]:.3f})" if number.interval else ""
            self.stdout.write(
                f"  {number.column}: printed {number.printed:.3f}, here {measured}{interval}, {within[number.inside]}"
            )
        if result.played:
            why = "; ".join(REASONS[reason].format(**figures) for reason, figures in result.objections)
            self.stdout.write(f"  The comparison does not hold: {why}." if why else "  The comparison holds.")
