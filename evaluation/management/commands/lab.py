import json
import logging
from typing import Any
from uuid import UUID

from django.core.management import CommandError

from evaluation.lab import arms, counted, labs
from evaluation.lab.models import Lab
from games.jobs import jobs
from games.models import Job, Match
from games.templatetags.money import dollars
from magic_site.commands import SiteCommand, whole


class Command(SiteCommand):
    help = (
        "Change one move of a match and play on from there many times. Says what it will take first; what costs money "
        "begins with --yes. The same command again goes on where it was."
    )

    def add_arguments(self, parser) -> None:
        parser.add_argument("match", help="The id of the match, as its replay's address has it.")
        parser.add_argument("seq", type=whole(1), help="The number of the event that is the move.")
        parser.add_argument(
            "--arm",
            action="append",
            default=[],
            help="What is changed: a move as JSON, words=TEXT, or SEAT=AGENT. Several make several arms; the unchanged "
            "one is always played.",
        )
        parser.add_argument("--rollouts", type=whole(2, labs.MOST_ROLLOUTS), default=64)
        parser.add_argument("--house", action="store_true", help="House agents play on, and not who sat there.")
        parser.add_argument("--talk", action="store_true", help="House agents talk as well, which takes longer.")
        parser.add_argument("--json", action="store_true", help="Print all numbers as JSON.")
        parser.add_argument("--yes", action="store_true", help="Begin also where it costs money.")

    def handle(self, *, match: str, seq: int, arm: list[str], yes: bool, **options: Any) -> None:
        logging.getLogger("games.match.changes").setLevel(logging.ERROR)  # no pages may be there to be told
        found = self.found(match)
        try:
            at = arms.forked(found, seq)
            changes = tuple(arms.read(at, text) for text in arm)
            prepared = labs.Prepared(
                found, labs.Plan(at, changes, options["rollouts"], options["house"], options["talk"])
            )
            will = labs.expected(prepared)
            if not options["json"]:
                self.tell(prepared.plan, will)
            if not yes and (will.dollars or will.unpriced):
                raise CommandError("Nothing was played, since this costs money, or may. Begin with --yes.")
        except arms.LabError as error:
            raise CommandError(str(error)) from error
        lab = labs.make(prepared)
        self.play(lab)
        self.show(lab, options["json"])

    def found(self, key: str) -> Match:
        try:
            match = Match.objects.filter(pk=UUID(key)).first()
        except ValueError:
            match = None
        if match is None:
            raise CommandError(f"There is no match {key}.")
        return match

    def tell(self, plan: labs.Plan, will: labs.Expected) -> None:
        self.stdout.write(f"{len(plan.every)} arms of {plan.rollouts} matches: about {will.seconds:.0f} s of work.")
        if will.calls:
            self.stdout.write(f"About {will.calls} calls of models, {dollars(will.dollars, 2)}.")
        if will.unpriced:
            self.stdout.write(f"No price is known of: {', '.join(will.unpriced)}. Their cost is not counted here.")

    def play(self, lab: Lab) -> None:
        """Play what is missing, in this process."""
        asked = jobs.ask(labs.KIND, str(lab.pk), about=lab.pk, send=False, lab=str(lab.pk))
        job = asked or Job.objects.filter(kind=labs.KIND, key=str(lab.pk), state__in=Job.OPEN).first()
        if job is None:
            raise CommandError("Somebody has ended it just now. Ask once more.")
        try:
            jobs.work(job.pk)
        except KeyboardInterrupt:
            jobs.stop(labs.KIND, key=str(lab.pk))
            raise CommandError("Stopped. The same command goes on from here.") from None
        job.refresh_from_db()
        if job.state != Job.State.DONE:
            raise CommandError(job.error or "A worker plays it already, or died over it. Ask again in a minute.")

    def show(self, lab: Lab, as_json: bool) -> None:
        found, really = counted.rows(labs.endings_of(lab), labs.shares(lab)), labs.really(lab.match)
        if as_json:
            whole = {"match": str(lab.match_id), "seq": lab.seq, "rollouts": lab.played.count(), "really": really}
            self.stdout.write(json.dumps(whole | {"arms": counted.told(lab.arms, found)}, ensure_ascii=False))
            return
        if really is not None:
            self.stdout.write("how the match itself ended")
            for name, value in really.items():
                told = (
                    f"{name} {'won' if value else 'lost'}" if labs.shares(lab) else f"seat {name}: {value:.2f} points"
                )
                self.stdout.write(f"  {told}")
        for plain, rows in zip(lab.arms, found, strict=True):
            self.stdout.write(json.dumps(plain, ensure_ascii=False) if plain else "unchanged")
            for row in rows:
                self.stdout.write(f"  {self.line(row, labs.shares(lab))}")

    def line(self, row: counted.Row, shares: bool) -> str:
        """What one side or seat had, on one line."""
        text = f"{row.name} wins {row.value:.1%}" if shares else f"seat {row.name}: {row.value:.2f} points"
        within = f", 95%: {row.interval[0]:.1%} to {row.interval[1]:.1%}" if row.interval else ""
        text += f" (n = {row.n}{within})"
        if row.difference is None:
            return text
        value, interval, factor = row.difference
        form = "{:+.1%}" if shares else "{:+.2f}"
        text += f", {form.format(value)} beside the unchanged arm"
        if interval:
            text += f" (95%: {form.format(interval[0])} to {form.format(interval[1])})"
        return text + (f", variance cut {factor:.1f} times" if factor else "")
