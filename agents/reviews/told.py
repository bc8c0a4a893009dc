"""What pages are told of reviews (`games/web/review.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from agents.reviews import odds, reviews
from agents.reviews.rollouts import Effect
from games.jobs.standing import standing
from games.match.view import View
from games.models import Match
from games.rules.values import Event
from games.web.review import Curve, Told, Worked

SHOWN = 90
"""So many letters of what was said stand in a heading."""


def curve(seen: View) -> Curve | None:
    """The curve of a match, from what everybody saw of it."""
    points = odds.curve(seen.rules, seen.options, seen.events)
    if not points:
        return None
    review = seen.rules.part("house.review")
    return Curve(points, review.ABOUT, review.ABOVE, review.BELOW)


def worked(match: Match, seat: int, own: bool) -> Worked | None:
    """The moments of a seat, or how far they are; whoever sits there has them worked out by looking. None where there
    is nothing to work out, or nobody has asked."""
    kept = reviews.kept(match, seat)
    if kept is not None:
        return Worked(moments=tuple(kept.moments))
    at = standing(reviews.KIND, key=reviews.key_of(match.pk, seat))
    if at is None and own:
        reviews.ask(match, seat)
        at = standing(reviews.KIND, key=reviews.key_of(match.pk, seat))
    if at is None:
        return None
    return Worked(open=at.open, late=at.late, error=at.error)


def told(moment: Mapping[str, Any], seen: View) -> Told | None:
    """A moment in words, for whoever sees the match as `seen`; None where they do not see the move."""
    move = next((event for event in seen.events if event.seq == moment["seq"]), None)
    if not isinstance(move, Event):
        return None
    review, known, effect = seen.rules.part("house.review"), moment["known"], Effect(*moment["effect"])
    instead = _("what a house agent says there")
    if moment["instead"] is not None:
        instead = review.told_move(move.kind, moment["instead"], known, seen.names)
    return Told(
        seq=move.seq,
        title=_title(seen, move, known),
        known=review.told_known(move.kind, move.data, known, seen.names),
        instead=instead,
        points=round(100 * abs(effect.value)),
        least=round(100 * min(abs(effect.low), abs(effect.high))),
        most=round(100 * max(abs(effect.low), abs(effect.high))),
        lost=effect.value < 0,
        sure=effect.sure,
        runs=effect.n,
    )


def _title(seen: View, move: Event, known: Mapping[str, Any]) -> str:
    text = move.data.get("text")
    if text and seen.rules.all_kinds[move.kind].words:
        return _("“{text}”").format(text=text if len(text) <= SHOWN else f"{text[:SHOWN].rstrip()} …")
    return seen.rules.part("house.review").told_move(move.kind, move.data, known, seen.names)
