from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import process_time
from uuid import UUID, uuid4

from django.core.management import CommandError

from agents import headless
from agents.models import AgentProfile
from agents.reply_store import StoredReplies
from games.match import beginning
from games.models import GameSetting
from games.registry import RULES
from games.rules import values
from games.rules.play import Play, new_header
from magic_site.commands import LARGEST_SEED, SiteCommand, seed, whole


@dataclass
class Tally:
    """What came of matches. names: of the profiles by seat; wins, sat: by side and profile."""

    names: list[str]
    results: Counter[str] = field(default_factory=Counter)
    wins: Counter[str] = field(default_factory=Counter)
    sat: Counter[str] = field(default_factory=Counter)
    unanswered: Counter[str] = field(default_factory=Counter)
    refusals: int = 0
    attempts: int = 0
    moves: int = 0

    def take(self, played: headless.Played) -> None:
        """Count one more match."""
        state, rules = played.play.state, played.play.rules
        self.results[state.outcome.result] += 1
        for seat, side in rules.sides(state).items():
            self.sat[f"{side}, {self.names[seat - 1]}"] += 1
            self.wins[f"{side}, {self.names[seat - 1]}"] += seat in state.outcome.winners
        self.refusals += len(played.refusals)
        self.attempts += len(played.attempts)
        self.moves += sum(event.request is not None for event in played.play.log)

    def lines(self) -> Iterator[str]:
        """All of it in sentences."""
        yield f"refused moves: {self.refusals}, attempts kept: {self.attempts}"
        for why, times in self.unanswered.most_common():
            yield f"  not counted, since no answer came: {times}. {why}"
        for result, times in self.results.most_common():
            yield f"  ended {result}: {times} ({times / self.results.total():.1%})"
        for who, sat in sorted(self.sat.items()):
            yield f"  won as {who}: {self.wins[who]} of {sat} ({self.wins[who] / sat:.1%})"


class Command(SiteCommand):
    help = "Play matches of agents in memory, and print who won. --store keeps their logs and thoughts."

    def add_arguments(self, parser) -> None:
        parser.add_argument("game", choices=sorted(RULES))
        parser.add_argument("preset")
        parser.add_argument("--matches", type=whole(1), default=100)
        parser.add_argument(
            "--seats", type=whole(1, 99), help="How many seats; by default as few as the preset allows."
        )
        parser.add_argument(
            "--agents",
            default="house",
            help="Profiles by seat, separated by commas; the last one plays all further seats. 'random' plays any "
            "legal move.",
        )
        parser.add_argument(
            "--seed", type=seed, default=1, help="The seed of the first match; each further match has the next seed."
        )
        parser.add_argument(
            "--reuse",
            action="store_true",
            help="Take replies of models from earlier matches where these have them, at no cost.",
        )
        parser.add_argument("--store", action="store_true", help="Store the matches.")

    def handle(self, *, game: str, preset: str, matches: int, agents: str, seed: int, **options) -> None:
        rules = RULES[game]
        if preset not in rules.presets:
            raise CommandError(f"{rules.title} has no preset '{preset}'. It has: {', '.join(rules.presets)}.")
        if seed + matches - 1 > LARGEST_SEED:
            raise CommandError("The last of these seeds would be too large.")
        count = options["seats"] or rules.presets[preset].low
        names = [name.strip() for name in agents.split(",")]
        names += names[-1:] * (count - len(names))
        seats = tuple(values.SeatInfo(n, f"Player {n}", "agent", names[n - 1]) for n in range(1, count + 1))
        minds = {n: self.mind(name, options["reuse"]) for n, name in enumerate(names[:count], 1)}
        by = {n: f"agent:{name}" for n, name in enumerate(names[:count], 1)}

        tally, began = Tally(names), process_time()
        for number in range(matches):
            try:
                resolved = rules.options(preset, {}, count)
                setting = beginning.draw_setting(game, resolved, seed + number)
                header = new_header(rules, preset, seats=seats, seed=seed + number, setting=setting, id=str(uuid4()))
                played = headless.play_out(Play(rules, header), minds, by)
            except values.Impossible as error:
                raise CommandError(str(error)) from error
            except headless.UnansweredError as error:
                tally.unanswered[str(error)] += 1
                continue
            tally.take(played)
            if options["store"]:
                beginning.keep(
                    played.play, thoughts=played.thoughts, attempts=played.attempts, id=UUID(played.play.header.id)
                )
        spent = process_time() - began
        self.stdout.write(
            f"{game} {preset}, {count} seats: {matches} matches, {tally.moves} moves in {spent:.1f} s of CPU"
        )
        for line in tally.lines():
            self.stdout.write(line)

    def mind(self, name: str, reuse: bool = False) -> headless.Mind:
        if name == "random":
            words = sorted(
                {
                    word
                    for data in GameSetting.objects.values_list("data", flat=True)
                    for name, word in data.items()
                    if name.endswith("_word")
                }
            )
            return headless.legal_at_random(words or ["something", "anything", "nothing", "everything"])
        profile = AgentProfile.objects.filter(name=name, active=True).first()
        if profile is None:
            raise CommandError(f"There is no active agent profile '{name}'. See them in the admin.")
        return headless.of_profile(profile, StoredReplies(anywhere=reuse), must_answer=True)
