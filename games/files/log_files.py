"""Logs and scripts in files, plain or gzip: opened, split into games, and read as the rules allow, within limits.

Everything that takes a game from a file reads it here. Raises `LogError` or `Impossible`, and nothing else.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from games.registry import RULES
from games.rules import logfile, replay, scripts
from games.rules.core import Rules
from games.rules.lines import LONGEST_LINE, parsed
from games.rules.logfile import LogFile
from games.rules.play import Play
from games.rules.values import Event, LogError


def lines_of(file: Path) -> Iterator[str]:
    """The lines of a text file; raises `LogError` with a sentence where it cannot be read."""
    try:
        with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as text:
            while line := text.readline(LONGEST_LINE + 2):
                yield line
    except UnicodeDecodeError as error:
        raise LogError(f"{file} is not a text in UTF-8.") from error
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise LogError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}.") from error


def games_of(lines: Iterable[str]) -> Iterator[list[str]]:
    """The games of a file, each as its lines: a script is one line, a log begins with its `match` line."""
    log: list[str] = []
    characters = 0
    for line in filter(str.strip, lines):
        if log and (_kind(line) in ("script", "match") or is_script(log)):
            yield log
            log, characters = [], 0
        log.append(line)
        characters += len(line)
        if characters > logfile.MOST_CHARACTERS:
            raise LogError(f"A game has at most {logfile.MOST_CHARACTERS:,} characters.")
    if log:
        yield log


def is_script(lines: list[str]) -> bool:
    """Whether this is a script and not a log."""
    return _kind(lines[0]) == "script"


def read_log(lines: Iterable[str], *, unfinished: bool = False) -> LogFile[Event]:
    """A log that can have happened under its rules, with all that stands beside it (`replay.whole`)."""
    log = logfile.read(lines)
    checked(log, unfinished=unfinished)
    return log


def checked(log: LogFile[Event], *, unfinished: bool = False) -> Play | None:
    """The match of a log that was read, played again (`replay.whole`)."""
    return replay.whole(_rules(log.header.game), log, unfinished=unfinished)


def read_script(line: str) -> tuple[Play, list[str]]:
    """A script, played; and where it disagrees with what it expects, a sentence each."""
    script = scripts.read_script(line)
    return scripts.play_script(_rules(script["header"]["game"]), script)


def _kind(line: str) -> str:
    """What a line begins; empty for one that begins no game."""
    try:
        record = parsed(line)
    except LogError:  # whoever reads the game says why
        return ""
    if not isinstance(record, dict):
        return ""
    return "script" if "header" in record else "match" if record.get("type") == "match" else ""


def _rules(game: str) -> Rules:
    if game not in RULES:
        raise LogError(f"There is no game '{game}' here.")
    return RULES[game]
