import json
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management import CommandError

from agents import headless
from agents.models import AgentProfile
from agents.reply_store import StoredReplies
from evaluation.competitions import balancing, running
from evaluation.competitions.balancing import SEATS, Tried
from evaluation.records.record import Record, of_play
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from magic_site.commands import SiteCommand, seed, whole


class Command(SiteCommand):
    help = (
        "Play settings of a word game with one agent in all seats and keep those in which neither side is ahead, as "
        "MAgIC chose 20 after 200 games. Writes a file that import_settings reads; the same for the same seed."
    )

    def add_arguments(self, parser) -> None:
        parser.add_argument("game", choices=balancing.games())
        parser.add_argument("--agent", default="house", help="The agent profile in all seats.")
        parser.add_argument("--matches", type=whole(1), default=200)
        parser.add_argument("--each", type=whole(1), default=1, help="How many of them are played with each setting.")
        parser.add_argument("--keep", type=whole(1), default=20)
        parser.add_argument("--seed", type=seed, default=1)
        parser.add_argument("--out", type=Path, required=True, help="The file to write (.json).")

    def handle(self, *, game: str, agent: str, matches: int, each: int, keep: int, seed: int, out: Path, **options):
        profile = AgentProfile.objects.filter(name=agent, active=True).first()
        if profile is None:
            raise CommandError(f"There is no active agent profile '{agent}'. See them in the admin.")
        mind = headless.of_profile(profile, StoredReplies(), must_answer=True)
        tried = []
        chosen = list(islice(balancing.candidates(game, running.settings_of(game), seed), matches // each))
        if len(chosen) < keep:
            raise CommandError(f"Only {len(chosen)} settings can be played, and {keep} are to be kept.")
        with out.open("a", encoding="utf-8"):
            pass  # a file that cannot be written is told before anything is played
        for number, (name, data) in enumerate(chosen):
            try:
                played = [self.played(game, data, profile.name, mind, seed + number * each + n) for n in range(each)]
            except headless.UnansweredError as error:
                raise CommandError(str(error)) from error
            lead = sum(map(balancing.lead, played)) / each
            data = balancing.with_openings(data, played[0])
            if len(data["openings"]) == SEATS:
                tried.append(Tried(name, data, lead))
        if len(tried) < keep:
            raise CommandError(f"Only {len(tried)} settings could be played, and {keep} are to be kept.")
        kept = balancing.balanced(tried, keep)
        rows = balancing.rows(game, kept, profile.name)
        content = {"model": "games.gamesetting", "key": ["game", "name"], "rows": rows}
        out.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        self.stdout.write(f"{len(tried)} settings, {len(tried) * each} matches of {profile.title}.")
        self.stdout.write(f"  the odd one's lead in credits: {sum(one.lead for one in tried) / len(tried):+.2f}")
        self.stdout.write(f"  in the {keep} kept: {sum(one.lead for one in kept) / keep:+.2f}")
        for row, one in zip(rows, kept, strict=True):
            self.stdout.write(f"  {one.lead:+.2f}  {row['name']}")
        self.stdout.write(f"Wrote {out}. Store them with: manage.py import_settings {out}")

    def played(self, game: str, data: dict[str, Any], name: str, mind: headless.Mind, number: int) -> Record:
        """One match of this setting."""
        rules, seats = RULES[game], agents_and_people(0, SEATS, name)
        header = new_header(rules, "magic", seats=seats, seed=number, setting=data, id=f"balance {number}")
        by = dict.fromkeys(range(1, SEATS + 1), f"agent:{name}")
        played = headless.play_out(Play(rules, header), dict.fromkeys(by, mind), by)
        return of_play(played.play, played.thoughts, played.attempts)
