"""What a seat says in the talk at Public Good and beside it: of what was put in, and of its plans."""

from functools import cached_property
from typing import Any

from agents.house.discourse import Point, Vocabulary, Ways, listed, rules
from agents.house.strategies import StrategicSpeaker
from games.public_good.house import talk_ways as ways
from games.public_good.house.course import Course

KEEPERS = ("free_rider", "fictitious_play", "undercutter")
"""Strategies that give little; who plays one promises nothing."""
FAIR = 0.5
"""Who puts in less than this part of an even share is said to give little."""


class Talker(StrategicSpeaker):
    vocabulary = Vocabulary(
        groups={
            "give": "give gives gave given giving put puts contribute contributes contributed contribution "
            "contributions share shares chip donate invest pay pays paid",
            "generous": "generous kind fair helpful",
            "keep": "keep keeps kept keeping selfish greedy freerider freeloader stingy miserly cheap little nothing "
            "zero",
            "pool": "pool pot points score scores total money",
            "promise": "promise promises promised deal pact agreement swear",
            "much": "much many more less most least",
        },
        questions=rules("""
            promise: you promise -give -@ -who
            promise: you keep|stick|broke|break promise|word -@ -who
            promise: you stick
            why_move: why you give|keep|pool|much
            why_move: why do that you
            pool: what|how pool -who -@ -you
            gave_most: who give most
            gave_most: who generous|most -keep -less -least -bad
            gave_least: who keep|least|less|bad
            gave_least: who give less
            record: how|what|did|much @ give|keep|pool
            will: will|would|can|going|do you give|promise|keep|trust
            will: how much you|we|should give
            will: what you do|plan|next|going|give
            will: will|would|shall we|all give
            trust_you: trust you
            score: who|what|how|which pool
            plan: what|how you plan|play|strategy
        """),
        statements=rules("""
            promise: you keep|broke|break|broken promise|word -@
            accused: you keep|lie
            accused: you give nothing|less|little|not
            urge: let|all|we|please|should|everyone give
            urge: give more|all|everything -me
            promised: me give|promise
            threat: me keep|not
            urge: promise
            urge: let|we|all generous|cooperate|together
            against: @ keep
            for: @ give
        """),
    )

    @cached_property
    def course(self) -> Course:
        return Course.seen(self.situation)

    @cached_property
    def public(self) -> dict[str, Any]:
        return self.situation.rules.public(self.situation.state)

    @cached_property
    def keeps(self) -> bool:
        return self.strategy in KEEPERS

    @property
    def last(self) -> dict[int, int] | None:
        """What each put in last, where it was told; None where it was not."""
        past = self.public["history"][-1:]
        told = past[0]["contributions"] if past else None
        return None if told is None else {int(seat): points for seat, points in told.items()}

    def opening(self) -> str:
        """What it says before a round without being asked."""
        if not self.course.others:
            return self.voice.say(ways.FREE if self.keeps else ways.HOPES, multiplier=f"{self.course.multiplier:g}")
        others = {seat: points for seat, points in (self.last or {}).items() if seat != self.seat}
        least = min(others, key=others.__getitem__, default=None)
        own = (self.last or {}).get(self.seat, 0)
        if least is not None and others[least] < FAIR * own:
            return self.voice.say(ways.LITTLE, name=self.names[least], points=others[least])
        if self.course.others[-1] < FAIR * self.course.even:
            return self.voice.say(ways.FREE if self.keeps else ways.TOO_LITTLE, mean=f"{self.course.others[-1]:g}")
        return self.voice.say(ways.AVERAGE, mean=f"{self.course.others[-1]:g}")

    # Answers -------------------------------------------------------------------------------------------------------

    def on_will(self, point: Point) -> str:
        if self.keeps:
            return self.voice.say(ways.FREE)
        even = self.course.even
        return (
            self.voice.say(ways.PLAN, points=even)
            if not self.course.others
            else self.voice.say(ways.LIKE_THE_OTHERS, mean=f"{self.course.others[-1]:g}")
        )

    on_trust_you = on_promised = on_urge = on_view = on_plan = on_agree = on_will

    def on_why_move(self, point: Point) -> str:
        if not self.course.others:
            return self.voice.say(ways.NOTHING_YET)
        if self.keeps:
            return self.voice.say(ways.WHY_KEPT, returned=f"{self.course.returned:.0%}")
        return self.voice.say(
            ways.WHY_GAVE, mean=f"{self.course.others[-1]:g}", multiplier=f"{self.course.multiplier:g}"
        )

    on_why = on_accused = on_did_fail = on_why_move

    def on_threat(self, point: Point) -> str:
        return self.voice.say(ways.THREAT, name=self.names[point.line.seat])

    def on_gave_least(self, point: Point) -> str:
        return self._end(min, ways.LEAST)

    on_suspect_who = on_who_failed = on_gave_least

    def on_gave_most(self, point: Point) -> str:
        return self._end(max, ways.MOST)

    on_trust_who = on_gave_most

    def _end(self, end: Any, said: Ways) -> str:
        if not self.course.others:
            return self.voice.say(ways.NOTHING_YET)
        if self.last is None:
            return self.voice.say(ways.NOT_TOLD)
        seat = end(self.last, key=self.last.__getitem__)
        return self.voice.say(said, name=self.names[seat], points=self.last[seat])

    def on_record(self, point: Point) -> str:
        if not self.course.others:
            return self.voice.say(ways.NOTHING_YET)
        if self.last is None:
            return self.voice.say(ways.NOT_TOLD)
        seats = [seat for seat in point.seats if seat != self.seat] or list(self.last)
        return self.voice.say(ways.GAVE, given=listed([f"{self.names[seat]} {self.last[seat]}" for seat in seats]))

    on_opinion = on_against = on_for = on_why_suspect = on_why_trust = on_record

    def on_score(self, point: Point) -> str:
        if not self.public["totals"]:
            return self.voice.say(ways.POOL, total=self.public["pool"])
        totals = {int(seat): points for seat, points in self.public["totals"].items()}
        told = [f"{self.names[seat]} {points:g}" for seat, points in sorted(totals.items(), key=lambda pair: -pair[1])]
        return self.voice.say(ways.SCORE, totals=listed(told))

    on_leader = on_score

    def on_pool(self, point: Point) -> str:
        return self.voice.say(ways.POOL, total=self.public["pool"])

    def on_role(self, point: Point) -> str:
        return self.voice.say(ways.NO_ROLES)

    on_is_role = on_claim_role = on_who_is = on_role
