"""What pages are told of reviews (`games/web/review.py`)."""

from __future__ import annotations

from agents.reviews import odds
from games.match.view import View
from games.web.review import Curve


def curve(seen: View) -> Curve | None:
    """The curve of a match, from what everybody saw of it."""
    points = odds.curve(seen.rules, seen.options, seen.events)
    if not points:
        return None
    review = seen.rules.part("house.review")
    return Curve(points, review.ABOUT, review.ABOVE, review.BELOW)
