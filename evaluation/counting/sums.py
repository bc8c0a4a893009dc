"""What each match gives to what is counted, kept with it: a match is read once, whatever is counted of it afterwards.

It is dropped when the match is another one (`drop`), and is not used when the code that counts is another one
(`version`). Of the choices that were counted last the process also keeps all that they have merged, so that one match
more is merged alone.
"""

import inspect
import json
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import Count, FilteredRelation, Q, QuerySet, Sum

from evaluation.counting import stored
from evaluation.models import Final, MatchSums, Round, StudyTable, new_stamp
from evaluation.records import exposure
from evaluation.tables.board import Board, Counting
from evaluation.tables.calibration import Calibration
from games.match import changes
from games.models import Match
from games.registry import RULES

CODE = ("evaluation/metrics", "evaluation/records", "evaluation/tables", "games/rules")
"""What a count follows from, besides the match and its game."""

OF_A_GAME = ("*.py", "posterior/*")
"""What it follows from in the folder of a game: its rules, and what may be concluded."""

MOST = 8
"""So many choices' merged sums are kept by a process."""

FEW = 200
"""Fewer matches more than this are looked up one by one."""

Progress = Callable[[int, int], None]
"""Is told how many matches are counted, of how many."""


KINDS: dict[str, Callable[[], Counting]] = {"board": Board, "calibration": Calibration}
"""What a match may be counted for."""


class Reading(NamedTuple):
    """What a match is counted for (one of `KINDS`), and how it is read (`Record`)."""

    what: str
    lenient: bool = False
    apart: bool = False

    @property
    def key(self) -> str:
        """Under which name the sums of a match are kept."""
        return self.what + ".lenient" * self.lenient + ".apart" * self.apart

    @classmethod
    def of(cls, key: str) -> "Reading":
        """The reading that has this key."""
        what, *how = key.split(".")
        return cls(what, "lenient" in how, "apart" in how)


class State(NamedTuple):
    """matches: how many there are; kept: of how many of them the sums are; stamps: the sum of their stamps. As long as
    they are the same, so is what was counted."""

    matches: int
    kept: int
    stamps: int


class Merged:
    """What was merged so far. last: the row that was made last among its own."""

    def __init__(self, counting: Counting) -> None:
        self.counting = counting
        self.last = self.kept = self.stamps = 0

    @property
    def state(self) -> State:
        """The state of the matches that were merged."""
        return State(self.kept, self.kept, self.stamps)

    def merge(self, matches: QuerySet[Match], reading: Reading) -> None:
        """Merge what the matches give and was not merged yet, in the order in which they began."""
        made = MatchSums.objects.filter(pk__gt=self.last, what=reading.key, version=version())
        keys = list(made.values_list("match", flat=True)[:FEW])
        some = matches.filter(pk__in=keys) if len(keys) < FEW else matches
        new = _joined(some, reading).filter(found__pk__gt=self.last).order_by("created_at", "pk")
        rows = new.values_list("created_at", "pk", "found__pk", "found__stamp", "found__given")
        for began, key, row, stamp, given in rows.iterator(chunk_size=stored.CHUNK):
            self.counting.merge(_read(given), (began, key))
            self.last, self.kept, self.stamps = max(self.last, row), self.kept + 1, self.stamps + stamp


_merged: OrderedDict[str, Merged] = OrderedDict()
_guard = threading.Lock()


def counted(
    matches: QuerySet[Match],
    reading: Reading,
    make: Callable[[], Counting],
    key: str = "",
    progress: Progress | None = None,
) -> tuple[Any, State]:
    """What is counted of these matches by what `make` gives, as plain values, and their state. What of them is not kept
    is counted first. key: under which name the process keeps what is merged; "" for what is not asked for again."""
    found = state(matches, reading)
    if found.kept < found.matches:
        filled = fill(matches, reading, progress)
        found = State(found.matches, found.kept + len(filled), found.stamps + sum(filled))
    with _guard:
        merged = _merged.pop(key, None)  # nobody else merges into it meanwhile
    if merged is not None:
        merged.merge(matches, reading)
    if merged is None or merged.state[1:] != found[1:]:  # some are gone, or are others now
        merged = Merged(make())
        merged.merge(matches, reading)
    data = merged.counting.to_json()
    if key:
        with _guard:
            _merged[key] = merged
            while len(_merged) > MOST:
                _merged.popitem(last=False)
    return data, merged.state


def state(matches: QuerySet[Match], reading: Reading) -> State:
    """How far the sums of these matches are kept."""
    found = _joined(matches, reading).aggregate(n=Count("pk"), kept=Count("found__pk"), stamps=Sum("found__stamp"))
    return State(found["n"], found["kept"], found["stamps"] or 0)


def fill(matches: QuerySet[Match], reading: Reading, progress: Progress | None = None) -> list[int]:
    """Count what these matches give where that is not kept; gives the stamps of the rows that hold it now.

    A row is made before its match is read, and filled only if it is still there: whoever changes the match meanwhile
    drops it.
    """
    new = _joined(matches, reading).filter(found__pk=None).order_by("created_at", "pk")
    counting, missing = KINDS[reading.what](), list(new.values_list("pk", flat=True))
    stamps: list[int] = []
    for first in range(0, len(missing), stored.CHUNK):
        keys = missing[first : first + stored.CHUNK]
        mine = MatchSums.objects.filter(match__in=keys, what=reading.key)
        mine.exclude(version__in=("", version())).delete()
        MatchSums.objects.bulk_create((MatchSums(match_id=k, what=reading.key) for k in keys), ignore_conflicts=True)
        rows = {row.match_id: row for row in mine.filter(version="")}
        found = Match.objects.filter(pk__in=rows)
        for record in stored.records(found, lenient=reading.lenient, apart=reading.apart):
            row = rows[UUID(record.id)]
            row.version, row.stamp, row.given = version(), new_stamp(), _written(counting.of(record))
        MatchSums.objects.bulk_update(rows.values(), ["version", "stamp", "given"], batch_size=50)
        stamps += [row.stamp for row in rows.values() if row.version]
        if progress:
            progress(first + len(keys), len(missing))
    return stamps


def drop(match: UUID) -> None:
    """Drop what is kept of a match: it is another one now."""
    MatchSums.objects.filter(match=match).delete()


def drop_of(instance: Any, **_signal: Any) -> None:
    """Drop what is kept of the match that this row is kept beside, or that was planned by it."""
    matches = Match.objects.filter(room=instance.room_id) if isinstance(instance, StudyTable) else [instance.match]
    for match in filter(None, matches):
        changes.outdate(match.pk)


def drop_labelled(instance: Final, **_signal: Any) -> None:
    """Drop what is kept of a match in which people say otherwise what was let out."""
    drop_labelled_of(instance.item.round, [instance.item.match_id])


def drop_labelled_of(part: Round, matches: Collection[UUID]) -> None:
    """The same for what is written of a round at once."""
    if part.scheme.name == exposure.SCHEME:
        for match in matches:
            changes.outdate(match)


def recount(progress: Progress | None = None) -> tuple[int, int]:
    """Count all that is kept once more; says how much that is, and how much of it came to something else. What other
    code has counted is dropped."""
    MatchSums.objects.exclude(version=version()).delete()
    before = dict(MatchSums.objects.values_list("pk", "given"))
    MatchSums.objects.update(version="")
    for what in MatchSums.objects.order_by("what").values_list("what", flat=True).distinct():
        fill(Match.objects.filter(sums__what=what), Reading.of(what), progress)
    after = MatchSums.objects.values_list("pk", "given")
    return len(before), sum(before.get(row) != given for row, given in after)


@cache
def version() -> str:
    """Of the code that counts: another one for other code, rules or posteriors."""
    found = blake2b(digest_size=9)
    for path in _code():
        found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def _code() -> Iterator[Path]:
    games = {Path(inspect.getfile(type(rules))).parent for rules in RULES.values()}
    folders = [(settings.BASE_DIR / folder).rglob("*") for folder in CODE]
    folders += [folder.glob(pattern) for folder in sorted(games) for pattern in OF_A_GAME]
    for files in folders:
        yield from sorted(path for path in files if path.is_file() and "__pycache__" not in path.parts)


def _joined(matches: QuerySet[Match], reading: Reading) -> QuerySet[Any]:
    known = Q(sums__what=reading.key, sums__version=version())
    return matches.annotate(found=FilteredRelation("sums", condition=known))


def _written(given: Any) -> bytes:
    return zlib.compress(json.dumps(given, separators=(",", ":")).encode())


def _read(given: bytes) -> Any:
    return json.loads(zlib.decompress(given))
