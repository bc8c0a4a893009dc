"""Requests that make something and come twice, as when an answer was lost: the second is given the first one's answer.

A program names such a request by a key of its own. What it makes and its answer are stored in one transaction, so that
of a request whose process died nothing is there, and the next one may begin anew. On SQLite nobody else writes
meanwhile: 10 to 50 ms for most of what is made, 150 ms for a competition.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from games.match.words import Change, change_words
from games.models import FirstAnswer, Match
from magic_site import clock
from magic_site.writing import written

LIFE = timedelta(days=1)
"""How long an answer is kept."""

DEAD = timedelta(minutes=2)
"""A request that has no answer after this time is taken for one whose process died."""

SWEEP_EVERY = 60.0
"""Seconds."""


class Reused(Exception):
    """Something else was sent with this key before."""


class UnderWay(Exception):
    """The first request with this key has no answer yet."""


def answered(person: str, key: str, sent: Any, make: Callable[[], Any]) -> Any:
    """What `make` gives, a JSON value, or what it gave when this person sent the same with this key before. What it
    raises is not kept. Raises `Reused` and `UnderWay`."""
    began = _begin(person, key, sent)
    if began.answer is not None:
        return began.answer
    own = FirstAnswer.objects.filter(pk=began.pk, begun_at=began.begun_at)
    try:
        with written():
            answer = make()
            if not own.update(answer=answer):  # it took so long that another one has begun
                raise UnderWay
    except BaseException:
        own.delete()
        raise
    return answer


def _begin(person: str, key: str, sent: Any) -> FirstAnswer:
    """The row of a request: with its answer, or one that is the caller's to answer."""
    now, digest = clock.now(), _hashed(json.dumps(sent, sort_keys=True))
    found, made = FirstAnswer.objects.get_or_create(
        person=person, key=_hashed(key), defaults={"digest": digest, "begun_at": now}
    )
    if made or (found.digest == digest and found.answer is not None):
        return found
    if found.digest != digest:
        raise Reused
    dead = FirstAnswer.objects.filter(pk=found.pk, answer__isnull=True, begun_at=found.begun_at)
    if found.begun_at > now - DEAD or not dead.update(begun_at=now):
        raise UnderWay
    found.begun_at = now
    return found


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def forget(person: str) -> None:
    """Let go of all answers to a person."""
    FirstAnswer.objects.filter(person=person).delete()


def without(match: Match, change: Change) -> None:
    """Take the words of somebody who is erased out of all answers."""
    change_words(FirstAnswer.objects.filter(answer__isnull=False), ("answer",), change)


_swept = float("-inf")


def sweep() -> None:
    """Let go of answers that are too old, now and then."""
    global _swept
    if time.monotonic() - _swept > SWEEP_EVERY:
        _swept = time.monotonic()
        FirstAnswer.objects.filter(begun_at__lt=clock.after(-LIFE)).delete()
