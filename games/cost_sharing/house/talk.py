"""What a seat says in the talk at Cost Sharing and beside it: what is fair to it and what it could bear."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from agents.house.discourse import Point, Vocabulary, listed, rules
from agents.house.discourse.lines import Line
from agents.house.strategies import StrategicSpeaker
from games.cost_sharing.house import talk_ways as ways
from games.cost_sharing.house.bargain import REASONS, USUAL, WHOLE, Bargain, strategy_of


class Talker(StrategicSpeaker):
    vocabulary = Vocabulary(
        groups={
            "airline": "airline airlines company",
            "split": "propose proposed proposing split splits share shares percent percentage proposal proposals "
            "offer offers deal number numbers cost fee pay pays paying paid",
            "fair": "fair unfair fairness reasonable just greedy cheap",
            "accept": "accept accepts accepting agree agreed take settle live bear acceptable compromise concede give",
            "want": "want wants ask asks demand demands insist insisting",
            "more": "more higher up bigger larger extra raise increase",
        },
        questions=rules("""
            role: what|which airline
            opinion: think|about|like me split
            record: what|how|much @ split|want
            pay_more: you more|add -why -who -@
            why_no: why not accept|vote|yes|split
            why_no: why you vote|no
            why_share: why you split|want|fair
            accepts: what|which|would|will|can|do|could|how you accept|split|fair|vote -@
            accepts: most|least|limit|much you|split
            accepts: what fair|split
            votes: who vote
            opinion: split|fair @
            plan: what|how you|we plan|do|next
            fair: fair
        """),
        statements=rules("""
            pay_more: you more|must|should split|accept -no
            too_much: me split|fair high|much|not|hard
            accused: you fair|want|split
            urge: accept|vote|let
            urge: we|let split|accept
            against: @ fair|split
            offer: me split|accept
        """),
    )

    @cached_property
    def bargain(self) -> Bargain:
        name = self.strategy or USUAL[self.situation.nature % len(USUAL)]
        return Bargain(self.situation, strategy_of(name, named=False))

    @property
    def proposals(self) -> dict[int, Sequence[int]]:
        """The splits on the table: of this round, or of the last one."""
        now = self.situation.state.proposals
        last = self.bargain.history[-1]["proposals"] if self.bargain.history else {}
        return dict(now) or {int(seat): split for seat, split in last.items()}

    @property
    def limit(self) -> int:
        """The most that it can bear by now."""
        step = self.bargain.step
        shares = range(0, 100 + step, step)
        borne = [share for share in shares if self.bargain.bears([share] * len(self.bargain.fair))]
        return max(borne, default=0)

    def parts_of(self) -> dict[str, Any]:
        why = REASONS[self.bargain.idea].rstrip(".")
        return {"own": self.bargain.own, "limit": self.limit, "why": why[0].lower() + why[1:]}

    def opening(self) -> str:
        """What it says before a round without being asked."""
        if not self.bargain.history:
            return self.voice.say(ways.FAIR, **self.parts_of())
        taken = self.bargain.taken_up()
        if taken is None:
            return self.voice.say(ways.TOO_MUCH, **self.parts_of())
        whose, split = taken
        said = ways.KEEPS if whose == self.seat else ways.TAKES_UP
        return self.voice.say(said, name=self.names[whose], share=self.bargain.share_of(split))

    def points(self, line: Line) -> list[Point]:
        """A split that stands in a message, such as 40/40/20, is what the message is about, unless it asks of something
        else that was said or done."""
        points = super().points(line)
        split = named_split(line.text, len(self.bargain.fair))
        about = split is not None and all(
            point.kind in BESIDE_A_SPLIT and not set(point.seats) - {self.seat} for point in points
        )
        return [points[0]._replace(kind="split_named")] if about else points

    # Answers -------------------------------------------------------------------------------------------------------

    def on_accepts(self, point: Point) -> str:
        some = ways.ACCEPTS if self.limit > self.bargain.own else ways.ACCEPTS_NO_MORE
        return self.voice.say(some, **self.parts_of())

    def on_pay_more(self, point: Point) -> str:
        """Whether it could pay more than in its own last split."""
        mine = self.proposals.get(self.seat)
        asked = self.bargain.own if mine is None else self.bargain.share_of(mine)
        some = ways.MORE if self.limit > asked else ways.NO_MORE
        return self.voice.say(some, asked=asked, name=self.names[point.line.seat], **self.parts_of())

    on_too_much = on_pay_more

    on_will_vote = on_view = on_plan = on_sure = on_accepts

    def on_split_named(self, point: Point) -> str:
        """What it thinks of a split that somebody only speaks of."""
        split = named_split(point.line.text, len(self.bargain.fair)) or []
        parts = self.parts_of() | {"name": self.names[point.line.seat], "split": "-".join(map(str, split))}
        if len(split) != len(self.bargain.fair):
            return self.voice.say(ways.SPLIT_FOR_OTHERS, count=len(split), seats=len(self.bargain.fair), **parts)
        if sum(split) != WHOLE:
            return self.voice.say(ways.SPLIT_NOT_WHOLE, total=sum(split), **parts)
        some = ways.SPLIT_BORNE if self.bargain.bears(split) else ways.SPLIT_TOO_MUCH
        return self.voice.say(some, share=self.bargain.share_of(split), **parts)

    def on_promise(self, point: Point) -> str:
        return self.voice.say(ways.PROMISE, name=self.names[point.line.seat], **self.parts_of())

    def on_why_share(self, point: Point) -> str:
        return self.voice.say(ways.WHY, **self.parts_of())

    on_fair = on_why = on_why_me = on_accused = on_why_share

    def on_opinion(self, point: Point) -> str:
        """What it thinks of somebody's split; of the last that was proposed where it is told of none."""
        others = [seat for seat in (*point.seats, point.line.seat) if seat != self.seat and seat in self.proposals]
        if not others:
            return self.on_accepts(point)
        share = self.bargain.share_of(self.proposals[others[0]])
        borne = self.bargain.bears(self.proposals[others[0]])
        said = ways.CAN_BEAR if borne else ways.CANNOT_BEAR
        return self.voice.say(said, name=self.names[others[0]], share=share, **self.parts_of())

    on_why_no = on_urge = on_offer = on_against = on_for = on_agree = on_why_vote = on_urge_vote = on_opinion
    on_why_suspect = on_urge_take = on_opinion

    def on_record(self, point: Point) -> str:
        told = [
            f"{self.names[seat]} {'-'.join(map(str, self.proposals[seat]))}"
            for seat in point.seats
            if seat in self.proposals
        ]
        return self.voice.say(ways.PROPOSED, splits=listed(told)) if told else self.on_accepts(point)

    def on_votes(self, point: Point) -> str:
        if not self.bargain.history:
            return self.voice.say(ways.NO_VOTES)
        votes = self.bargain.history[-1]["votes"]
        told = [
            f"{self.names[int(voter)]} for the split of {self.names[voted]}"
            if voted
            else f"{self.names[int(voter)]} for none"
            for voter, voted in votes.items()
        ]
        return self.voice.say(ways.VOTES, votes=listed(told))

    def on_suspect_who(self, point: Point) -> str:
        """Whose split is hardest on it."""
        others = {seat: self.bargain.share_of(split) for seat, split in self.proposals.items() if seat != self.seat}
        if not others:
            return self.on_accepts(point)
        worst = max(others, key=others.__getitem__)
        return self.voice.say(ways.HARDEST, name=self.names[worst], share=others[worst], own=self.bargain.own)

    def on_trust_who(self, point: Point) -> str:
        others = {seat: self.bargain.share_of(split) for seat, split in self.proposals.items() if seat != self.seat}
        if not others:
            return self.on_accepts(point)
        best = min(others, key=others.__getitem__)
        return self.voice.say(ways.CAN_BEAR, name=self.names[best], share=others[best], **self.parts_of())

    def on_role(self, point: Point) -> str:
        airline = self.situation.rules.card(self.situation.state, self.seat)["airline"]
        return self.voice.say(ways.AIRLINE, airline=airline, **self.parts_of())

    on_is_role = on_who_is = on_claim_role = on_role


BESIDE_A_SPLIT = frozenset(
    (
        "",
        "accepts",
        "offer",
        "urge",
        "urge_vote",
        "fair",
        "plan",
        "view",
        "agree",
        "will_vote",
        "opinion",
        "sure",
        "nod",
    )
)
"""Kinds of point that are about the split that the message names."""

_SPLIT = re.compile(r"(?<![\d.])\d{1,3}(?:\s*[-–/,:]\s*\d{1,3}|\s+\d{1,3})+(?![\d.]*\d)")


def named_split(text: str, seats: int) -> list[int] | None:
    """The shares of the one split that stands in a text, in the order of the seats; None where there is none, or more.
    As many numbers as there are seats are one, and any that make 100."""
    found = _SPLIT.findall(text.replace("%", ""))
    split = [int(share) for share in re.findall(r"\d+", found[0])] if len(found) == 1 else []
    return split if len(split) == seats or sum(split) == WHOLE else None
