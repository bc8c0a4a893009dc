"""Reviews that are kept: worked out by a job, one a seat, beside its match.

A review holds no words of anybody: what was said is read off the log when it is shown. It counts as long as the code
that made it (`version`) and the words of the match (`Match.erasures`) are the same, and is worked out anew otherwise.
"""

from __future__ import annotations

import inspect
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from agents.models import Review
from agents.reviews import moments
from games.jobs import jobs
from games.jobs.jobs import Failed, Run
from games.jobs.kinds import Kind
from games.jobs.models import Job
from games.match import changes, store
from games.models import Match
from games.registry import RULES

KIND, QUEUE = "review", "reviews"
CODE = ("agents/reviews", "agents/house", "games/rules")
"""What a review follows from, besides the match and its game's folder."""


def key_of(match: UUID, seat: int) -> str:
    """What the job of a seat's review is known by."""
    return f"{match}:{seat}"


def ask(match: Match, seat: int) -> None:
    """Have the review of a seat worked out, unless that is under way."""
    jobs.ask(KIND, key_of(match.pk, seat), about=match.pk, match=str(match.pk), seat=seat)


def kept(match: Match, seat: int) -> Review | None:
    """The review of a seat, if it is there and still holds."""
    found = Review.objects.filter(match=match, seat=seat, version=version(match.game), erasures=match.erasures)
    return found.first()


def work(run: Run, match: str, seat: int) -> None:
    """Work out the review of a seat and keep it."""
    found = Match.objects.filter(pk=match).first()
    if found is None or found.status != "finished" or not RULES[found.game].sought:
        raise Failed(_("There is nothing to review in this match."))
    reviewed = moments.review(store.load(found), seat, run.look)
    values = {
        "version": version(found.game),
        "erasures": found.erasures,
        "moments": [moment._asdict() | {"effect": list(moment.effect)} for moment in reviewed],
    }
    with transaction.atomic():
        run.confirm()
        Review.objects.update_or_create(match=found, seat=seat, defaults=values)


def ended(job: Job) -> None:
    """Tell the page of who sits there."""
    match = Match.objects.select_related("room").filter(pk=job.given["match"]).first()
    if match is not None and match.room is not None:
        changes.tell(match.room.code, changes.REVIEW, match.pk, job.given["seat"])


REVIEWS = Kind(
    KIND,
    _("The moments of the match are being worked out."),
    QUEUE,
    work,
    longest=600.0,
    ended=ended,
)


@cache
def version(game: str) -> str:
    """Of the code that reviews matches of a game."""
    found = blake2b(str(settings.REVIEW_MS).encode(), digest_size=9)
    folder = Path(inspect.getfile(type(RULES[game]))).parent
    for path in sorted(_code(folder)):
        found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def _code(folder: Path) -> set[Path]:
    folders: list[Any] = [settings.BASE_DIR / name for name in CODE]
    files = {path for one in folders for path in one.rglob("*")} | set(folder.glob("*.py"))
    files |= {path for part in ("house", "posterior") for path in (folder / part).glob("*")}
    return {path for path in files if path.is_file() and "__pycache__" not in path.parts}
