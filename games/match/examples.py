"""Recorded matches that any machine has from the beginning, one a way of thinking: they show what a panel is.

Scripted models play them (`scripts/record_examples.py`), so they are open to everybody and count in no number.
"""

import hashlib
from pathlib import Path
from uuid import NAMESPACE_URL, UUID, uuid5

from django.conf import settings
from django.db import transaction

from games.files import log_files
from games.match import beginning
from games.models import Match
from games.registry import RULES
from games.rules import logfile
from games.rules.play import Play

FOLDER = settings.BASE_DIR / "fixtures" / "examples"


@transaction.atomic
def load() -> int:
    """Store the examples as they are now recorded, and take away those that are not any more; how many were new."""
    files = {_key(path): path for path in sorted(FOLDER.glob("*.jsonl.gz"))}
    here = Match.objects.filter(origin=Match.Origin.EXAMPLE)
    here.exclude(pk__in=files).delete()
    missing = files.keys() - set(here.values_list("pk", flat=True))
    for key in missing:
        log = log_files.read_log(log_files.lines_of(files[key]))
        beginning.keep(
            Play(RULES[log.header.game], log.header, log.events),
            thoughts=log.thoughts,
            attempts=log.attempts,
            times=log.times,
            id=key,
            origin=Match.Origin.EXAMPLE,
            labels={"method": files[key].name.partition(".")[0]},
            digest=logfile.digest(RULES[log.header.game], log),
        )
    return len(missing)


def _key(path: Path) -> UUID:
    """The same for the same recording."""
    return uuid5(NAMESPACE_URL, f"example:{path.name}:{hashlib.sha256(path.read_bytes()).hexdigest()}")
