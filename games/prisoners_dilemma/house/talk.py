"""What a seat says in the talk at the Prisoner's Dilemma and beside it: of choices that all saw, and its plans."""

from functools import cached_property

from agents.house.discourse import Point, Vocabulary, Ways, listed, rules
from agents.house.strategies import StrategicSpeaker
from games.prisoners_dilemma.house import talk_ways as ways
from games.prisoners_dilemma.house.course import Course
from games.prisoners_dilemma.rules import DEFECT


class Talker(StrategicSpeaker):
    vocabulary = Vocabulary(
        groups={
            "defect": "defect defects defected defecting betray betrays betrayed betraying cheat cheated backstab",
            "cooperate": "cooperate cooperates cooperated cooperating cooperation collaborate team together peace",
            "promise": "promise promises promised deal pact agreement swear",
            "points": "points score scores total winning ahead",
        },
        questions=rules("""
            alike: you @ same
            promise: you promise -@ -who -what
            why_me: why me -you
            urge: shall|can|could|will we|all|both cooperate
            urge: truce|peace|deal
            most: who most defect|bad|lie
            least: who most cooperate|clean|trust
            why_move: why you|me defect|cooperate|fail|vote
            why_move: why do that you
            record: how|did|what @ defect|cooperate|play|do
            who_defected: who defect
            will: will|would|can|going|do you defect|cooperate|trust|promise
            will: what you do|plan|next|choose|going
            will: trust you
            will: will|would|shall we|all cooperate
            score: who|what|how points
            plan: what|how you plan|play|strategy
            suspect_who: who next
        """),
        statements=rules("""
            promise: you break|broke|broken|keep|kept promise|word -@
            alike: you @ same
            accused: you defect|lie
            urge: let|all|we|please|should|both cooperate
            urge: truce|peace
            urge: cooperate -me -you
            threat: me defect
            promised: me cooperate|promise
            urge: promise
            against: @ defect
            for: @ cooperate
        """),
    )

    @cached_property
    def course(self) -> Course:
        return Course.seen(self.situation)

    def defections(self, seat: int) -> list[int]:
        """The rounds in which a seat defected."""
        return [number for number, choices in enumerate(self.course.rounds, 1) if choices[seat] == DEFECT]

    @property
    def last_defectors(self) -> list[int]:
        return [seat for seat in self.course.others if self.course.rounds and self.course.rounds[-1][seat] == DEFECT]

    def opening(self) -> str:
        """What it says before a round without being asked: nothing that the rounds belie."""
        if not self.course.rounds:
            return self.voice.say(ways.FREE if self.strategy == "always_defect" else ways.HOPES)
        names = listed([self.names[seat] for seat in self.last_defectors]) if self.last_defectors else ""
        if self.course.rounds[-1][self.seat] != DEFECT:
            return self.voice.say(ways.BETRAYED, names=names) if names else self.voice.say(ways.PEACE)
        if self.strategy == "always_defect":
            return self.voice.say(ways.FREE)
        return self.voice.say(ways.BOTH_DID, names=names) if names else self.voice.say(ways.SORRY)

    # Answers -------------------------------------------------------------------------------------------------------

    def on_why_move(self, point: Point) -> str:
        if not self.course.rounds:
            return self.voice.say(ways.NOTHING_YET)
        if self.course.rounds[-1][self.seat] != DEFECT:
            before = self.defections(self.seat)
            told = {"rounds": listed(list(map(str, before))) if before else ""}
            return self.voice.say(ways.COOPERATED_SINCE if before else ways.WHY_COOPERATED, **told)
        before = [seat for seat in self.course.others if self._betrayed_before(seat)]
        if before and self.strategy != "always_defect":
            return self.voice.say(ways.WHY_PAID_BACK, names=listed([self.names[seat] for seat in before]))
        return self.voice.say(ways.WHY_DEFECTED, points=self.course.payoffs["one_defect"])

    def _betrayed_before(self, seat: int) -> bool:
        return any(choices[seat] == DEFECT for choices in self.course.rounds[:-1])

    on_why = on_why_vote = on_why_move

    def on_will(self, point: Point) -> str:
        if self.strategy == "always_defect":
            return self.voice.say(ways.FREE)
        if self.last_defectors:
            return self.voice.say(ways.IF_AGAIN, names=listed([self.names[seat] for seat in self.last_defectors]))
        return self.voice.say(ways.IF_YOU)

    on_trust_you = on_promised = on_urge = on_view = on_plan = on_agree = on_will

    def on_promise(self, point: Point) -> str:
        """How often it cooperated so far, and what it means to do."""
        played, broken = len(self.course.rounds), len(self.defections(self.seat))
        some = ways.SO_FAR if played else ways.NOT_TRIED
        record = self.voice.say(some, kept=played - broken, rounds=played, name=self.names[point.line.seat])
        return f"{record} {self.on_will(point)}".strip()

    def on_threat(self, point: Point) -> str:
        return self.voice.say(ways.THREAT, name=self.names[point.line.seat])

    def on_accused(self, point: Point) -> str:
        rounds = self.defections(self.seat)
        if not rounds:
            return self.voice.say(ways.NEVER_DID, name=self.names[point.line.seat])
        said = self.voice.say(ways.DID, rounds=listed([str(number) for number in rounds]))
        return f"{said} {self.on_why_move(point)}".strip()

    on_did_fail = on_accused

    on_why_me = on_accused

    def on_alike(self, point: Point) -> str:
        """In how many rounds it chose as somebody else did."""
        seat = next((seat for seat in point.seats if seat != self.seat), point.line.seat)
        if not self.course.rounds:
            return self.voice.say(ways.NOTHING_YET)
        same = sum(choices[seat] == choices[self.seat] for choices in self.course.rounds)
        return self.voice.say(ways.SAME, name=self.names[seat], times=f"{same} of {len(self.course.rounds)}")

    def on_who_defected(self, point: Point) -> str:
        if not self.course.rounds:
            return self.voice.say(ways.NOTHING_YET)
        last = [self.names[seat] for seat in self.last_defectors]
        last += ["I"] if self.course.rounds[-1][self.seat] == DEFECT else []
        return self.voice.say(ways.DEFECTED, names=listed(last)) if last else self.voice.say(ways.NOBODY_DEFECTED)

    on_who_failed = on_who_defected

    def on_record(self, point: Point) -> str:
        return " ".join(self._record(seat) for seat in point.seats if seat != self.seat) or self.on_who_defected(point)

    on_opinion = on_against = on_for = on_why_suspect = on_why_trust = on_record

    def _record(self, seat: int) -> str:
        rounds = self.defections(seat)
        name, of = self.names[seat], len(self.course.rounds)
        if not of:
            return self.voice.say(ways.NOTHING_YET)
        if not rounds:
            return self.voice.say(ways.CLEAN, name=name)
        return self.voice.say(ways.RECORD, name=name, times=f"{len(rounds)} of {of}")

    def on_suspect_who(self, point: Point) -> str:
        return self._most(ways.DOUBTS, -1)

    on_most = on_suspect_who

    def on_trust_who(self, point: Point) -> str:
        return self._most(ways.TRUSTS, 1)

    on_least = on_trust_who

    def _most(self, said: Ways, sign: int) -> str:
        if not self.course.rounds:
            return self.voice.say(ways.NOTHING_YET)
        seat = min(self.course.others, key=lambda seat: sign * len(self.defections(seat)))
        return f"{self.voice.say(said, name=self.names[seat])} {self._record(seat)}"

    def on_score(self, point: Point) -> str:
        totals = {
            int(seat): points for seat, points in self.situation.rules.public(self.situation.state)["totals"].items()
        }
        told = [f"{self.names[seat]} {points}" for seat, points in sorted(totals.items(), key=lambda pair: -pair[1])]
        return self.voice.say(ways.SCORE, totals=listed(told))

    on_leader = on_score

    def on_role(self, point: Point) -> str:
        return self.voice.say(ways.NO_ROLES)

    on_is_role = on_claim_role = on_who_is = on_role
