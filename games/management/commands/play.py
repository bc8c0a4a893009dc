"""`manage.py play FILE`: recorded games, scripts and match logs, played through the rules and compared."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from games.files import log_files
from games.match import importing
from games.registry import RULES
from games.rules import replay
from games.rules.logfile import LogFile
from games.rules.values import Event, Impossible, LogError
from magic_site.commands import SiteCommand

SHOWN = 100
"""So many disagreements are told one by one."""


class Command(SiteCommand):
    help = "Play scripts (one a line) or match logs through the rules and compare what they expect."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file of scripts or logs, plain or gzip")
        parser.add_argument("--save", action="store_true", help="store the games that agree and are not here yet")
        parser.add_argument("--unfinished", action="store_true", help="also take logs that end before their matches do")

    def handle(self, *args: Any, file: Path, save: bool, unfinished: bool, **options: Any) -> None:
        games = agreed = saved = told = 0
        try:
            for lines in log_files.games_of(log_files.lines_of(file)):
                games += 1
                log, disagreements = played(lines, unfinished)
                if log is not None and not disagreements:
                    agreed += 1
                    saved += save and self.saved(games, log)
                for sentence in disagreements[: SHOWN - told]:
                    self.stdout.write(f"game {games}: {sentence}")
                told = min(SHOWN, told + len(disagreements))
        except LogError as error:
            raise CommandError(str(error)) from error
        if not games:
            raise CommandError(f"There is no game in {file}.")
        if save:
            self.stdout.write(f"{saved} stored")
        self.stdout.write(f"{games} games, {agreed} agree")
        if agreed < games:
            raise SystemExit(1)

    def saved(self, number: int, log: LogFile[Event]) -> bool:
        """Store a game; False where it is here already."""
        try:
            importing.take_in(log)
            for remark in importing.remarks(log):
                self.stdout.write(f"game {number}: {remark}")
        except LogError as error:
            self.stdout.write(f"game {number}: {error}")
            return False
        return True


def played(lines: list[str], unfinished: bool) -> tuple[LogFile[Event] | None, list[str]]:
    """A game as its log; and where it disagrees, a sentence each."""
    try:
        if not log_files.is_script(lines):
            log = log_files.read_log(lines, unfinished=unfinished)
            replay.must_stand(RULES[log.header.game], log.header, log.events)
            return log, []
        play, disagreements = log_files.read_script(lines[0])
    except (Impossible, LogError) as error:
        return None, [str(error)]
    attempts = [asdict(attempt) for attempt in play.attempts]
    return LogFile(play.header, play.log, attempts=attempts, outcome=play.state.outcome), disagreements
