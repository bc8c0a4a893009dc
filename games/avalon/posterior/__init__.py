"""What may be concluded from what one seat has seen: exact probability over everything that may have been dealt.

The rules' companion: made of rules, events and frequencies in recorded games, and of no player's taste. Metrics take it
as the reference; house agents play by it, and bring their own reading of what is said.
"""

from collections.abc import Iterable

from games.rules import values

VERSION = 1
"""Raised with every change that moves a probability: what was counted by the one before is counted anew."""


def suspicions(seat: int, events: Iterable[values.Seen]) -> dict[int, float]:
    """How probable each other seat is evil to this one, after these events, which it sees; by the fitted behaviour of
    people. Nothing follows from what is said."""
    from games.avalon.posterior.exact import posterior  # the version alone is read where nothing is weighed
    from games.avalon.posterior.seen import Seen

    seen = Seen(seat).fold(events)
    evil = posterior(seen.record, seen.knowledge).evil()
    return {other: float(share) for other, share in enumerate(evil, 1) if other != seat}
