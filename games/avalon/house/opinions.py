"""Whom an Avalon house agent suspects and trusts, and why, when it is asked."""

from __future__ import annotations

from typing import Any

from agents.house.discourse import Point, Reason, Ways
from games.avalon.house import answer_ways as ways
from games.avalon.house import sayings
from games.avalon.house.speaker import AvalonSpeaker

WARY, AT_EASE = 1.05, 0.85
"""How many times the usual chance of being evil a seat has, at least and at most, that is doubted and trusted."""


class Opinions(AvalonSpeaker):
    """What it thinks of others."""

    def parts(self, point: Point) -> dict[str, Any]:
        return super().parts(point) | {"asker": self.names[point.line.seat]}

    def say(self, point: Point, *some: Ways, **parts: Any) -> str:
        return self.voice.say(*some, **(self.parts(point) | parts))

    def since(self, point: Point, some: Ways, reason: Reason, seat: int, **parts: Any) -> str:
        """A sentence with a reason about a seat, which may be who asks."""
        clause = reason.of_you if seat == point.line.seat else reason.of_me if seat == self.seat else reason.ways
        return self.say(point, some, reason=clause, name=self.names[seat], **reason.facts, **parts)

    def on_suspect_who(self, point: Point) -> str:
        among = [seat for seat in point.seats if seat != self.seat]
        ranked = sorted(among if len(among) > 1 else self.doubt, key=lambda seat: (-self.doubt[seat], seat))
        for seat in ranked[: 1 if len(among) > 1 else 3]:
            if self.doubt[seat] > (0 if len(among) > 1 else WARY) and (found := self.against(seat)):
                you = seat == point.line.seat
                return self.since(point, ways.SUSPECT_YOU if you else sayings.ACCUSES, found[0], seat)
        first = ranked[0]
        if len(among) > 1:
            return self.say(point, ways.SUSPECT_AMONG, name=self.names[first], those=self.named(among))
        if self.doubt[first] > WARY and first != point.line.seat:
            return self.say(point, ways.SUSPECT_BARE, name=self.names[first])
        return self.say(point, ways.NO_SUSPECT)

    def on_trust_who(self, point: Point) -> str:
        among = [seat for seat in point.seats if seat != self.seat]
        ranked = sorted(among if len(among) > 1 else self.doubt, key=lambda seat: (self.doubt[seat], seat))
        for seat in ranked[: 1 if len(among) > 1 else 3]:
            if self.doubt[seat] < 1 and (found := self.speaks_for(seat)):
                you = seat == point.line.seat
                return self.since(point, ways.TRUST_YOU if you else sayings.TRUSTS_BY, found[0], seat)
        first = ranked[0]
        if (len(among) > 1 or self.doubt[first] < AT_EASE) and first != point.line.seat:
            return self.say(point, ways.TRUST_BARE, name=self.names[first])
        return self.say(point, ways.NO_TRUST)

    def on_opinion(self, point: Point) -> str:
        seats = [seat for seat in point.seats if seat != self.seat][:2]
        if not seats:
            return self.say(point, ways.OF_MYSELF)
        return " ".join(self.view_of(point, seat) for seat in seats)

    def view_of(self, point: Point, seat: int) -> str:
        """What it thinks of another seat, with the reason that weighs most."""
        you = seat == point.line.seat
        bad, good = self.against(seat), self.speaks_for(seat)
        if self.doubt[seat] > WARY and bad:
            return self.since(point, ways.DOUBT_YOU if you else sayings.ACCUSES, bad[0], seat)
        if self.doubt[seat] < AT_EASE and good:
            return self.since(point, ways.TRUST_YOU if you else sayings.TRUSTS_BY, good[0], seat)
        if bad and good and not you:
            second = good[0].ways.drawn(self.temper, self.chance).format(**good[0].facts)
            return self.since(point, ways.MIXED, bad[0], seat, second=second)
        return self.say(point, ways.UNSURE_YOU if you else ways.UNSURE, name=self.names[seat])

    on_against = on_for = on_urge_take = on_opinion

    def on_why_suspect(self, point: Point) -> str:
        seats = [seat for seat in point.seats if seat != self.seat]
        if not seats:
            return self.on_suspect_who(point)
        seat, you = seats[0], seats[0] == point.line.seat
        if found := self.against(seat):
            return self.since(point, ways.DOUBT_YOU if you else sayings.ACCUSES, found[0], seat)
        return self.say(point, ways.NOTHING_AGAINST_YOU if you else ways.NOTHING_AGAINST, name=self.names[seat])

    def on_why_trust(self, point: Point) -> str:
        seats = [seat for seat in point.seats if seat != self.seat]
        if not seats:
            return self.on_trust_who(point)
        if found := self.speaks_for(seats[0]):
            you = seats[0] == point.line.seat
            return self.since(point, ways.TRUST_YOU if you else sayings.TRUSTS_BY, found[0], seats[0])
        return self.say(point, ways.NOTHING_FOR, name=self.names[seats[0]])
