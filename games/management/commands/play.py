"""`manage.py play FILE`: recorded games, scripts and match logs, played through the rules and compared."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import table
from games.rules import RULES, logfile
from games.rules.core import Rules
from games.rules.play import Play
from games.rules.values import Impossible, LogError


class Command(BaseCommand):
    help = "Play scripts (one a line) or match logs through the rules and compare what they expect."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file of scripts or logs, plain or gzip")
        parser.add_argument("--save", action="store_true", help="store the games that agree")

    def handle(self, *args: Any, file: Path, save: bool, **options: Any) -> None:
        games = agreed = 0
        for lines in documents(file):
            games += 1
            play, trouble = played(lines)
            for sentence in trouble:
                self.stdout.write(f"game {games}: {sentence}")
            if trouble:
                continue
            agreed += 1
            if save:
                table.store(play) if is_script(lines) else table.import_log(lines)
        self.stdout.write(f"{games} games, {agreed} agree")
        if agreed < games:
            raise SystemExit(1)


def documents(file: Path) -> Iterator[list[str]]:
    """The games of a file, each as its lines: a script is one line, a log begins with its `match` line."""
    log: list[str] = []
    try:
        with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as lines:
            for line in filter(str.strip, lines):
                begins = is_script([line]) or _parsed(line).get("type") == "match"
                if log and (begins or is_script(log)):
                    yield log
                    log = []
                log.append(line)
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} cannot be read: {error}") from error
    if log:
        yield log


def is_script(lines: list[str]) -> bool:
    """Whether this is a script and not a log."""
    return "header" in _parsed(lines[0])


def _parsed(line: str) -> dict[str, Any]:
    """A line's object; empty for a line that is none, which the reader of the game then names."""
    try:
        record = json.loads(line)
    except json.JSONDecodeError:
        return {}
    return record if isinstance(record, dict) else {}


def played(lines: list[str]) -> tuple[Play | None, list[str]]:
    """A game, played; and where it disagrees, a sentence each."""
    try:
        if is_script(lines):
            script = json.loads(lines[0])
            return logfile.play_script(_rules(script["header"]["game"]), script)
        log = logfile.read(lines)
        play = logfile.replay(_rules(log.header.game), log.header, log.events)
        if log.outcome is not None and log.outcome != play.state.outcome:
            return play, [f"the log says {log.outcome.result!r}, its events give {play.state.outcome.result!r}"]
        return play, []
    except (Impossible, LogError) as error:
        return None, [str(error)]
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        return None, [f"this is no script of a game ({type(error).__name__}: {error})"]


def _rules(game: str) -> Rules:
    if game not in RULES:
        raise LogError(f"There is no game '{game}' here.")
    return RULES[game]
