"""What a seat says in the talk at SpyGame and beside it: of answers and suspicions, and nothing of the place."""

import math
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import ClassVar

import numpy as np

from agents.house import suspicion_ways
from agents.house.discourse import Point, Vocabulary, rules
from agents.house.discourse.meaning import BAD
from agents.house.discourse.reasons import AGAINST, FOR
from agents.house.suspicions import NEITHER, Heard, Remark, Suspicious
from games.spygame.house import talk_ways as ways
from games.spygame.house.mind import Mind, mind_of
from games.spygame.house.places import places

ODD, FITS = 0.7, 1.3
"""An answer is odd where it is less than so many times as likely as at any place, and fits from so many times on."""
WIDE = -0.3
"""An answer says nothing that is so nearly as likely anywhere: how far the logarithm of its fit is from 0, below 0."""
OF_THE_GAME = frozenset(("spy", "where_are_we", "meant", "machine", "legal", "quiet"))
"""Topics of questions that can be answered without saying anything of the place."""


class Talker(Suspicious):
    """Whatever its role, it speaks as a citizen who heard the same."""

    thing = "answer"
    usual = (ways.ODD, ways.SAFE)
    typical: ClassVar[Mapping[str, str]] = {"name": "Player 1", "said": "One must be patient."}
    odd, wide = ODD, WIDE
    vocabulary = Vocabulary(
        bad=f"{BAD} spy spies",
        roles={"spy": "spy", "citizen": "citizen", "citizens": "citizen"},
        groups={
            "answer": "answer answers answered reply replies question questions",
            "place": "place location where here",
            "mean": "mean means meant meaning",
            "vague": "vague vaguely wide general generic broad thin empty",
        },
        questions=rules("""
            meant: what|why|how mean -@
            meant: why you answer|tell -@ -suspect -vote
            meant: why answer -@ -me -who -suspect
            why_me: what answer wrong me
            opinion: answer|mean @
            will_vote: who vote
            vague: who|what|which|any vague
            odd: who|what|which|any answer bad
            trusts_answer: who|what|which answer like|trust|clean|best
            odd: who|which answer -tell
            opinion: any|who suspect|bad @
            place: you know|see place
            place: what|which|where place -@
            place: where we|you|i
            why_suspect: why accuse|accused me|@
            guess: know place who
            in_turn: you|people|it|kids|children there -@ -bad -suspect -trust -vote -why -game
        """),
        statements=rules("""
            never_heard: me not place -@ -suspect -think -bad
            never_heard: not heard|been|visited there|it|that|place -@ -you
            never_heard: no|not idea|clue where|place
            accused: you not place
            against: answer @ bad|not
            against: think|vote it|for @
            against: it @
            accused: you answer bad|not|no
            place: we place
        """),
    )

    @cached_property
    def mind(self) -> Mind:
        return mind_of(self.situation)

    def suspicion(self) -> dict[int, float]:
        return self.mind.suspicion()

    @cached_property
    def said(self) -> dict[int, list[Heard]]:
        """What each seat answered; what fits 1 goes neither well nor badly with the place."""
        belief = np.eye(len(self.mind.candidates))[self.mind.place] if self.mind.place is not None else self.mind.where
        found: dict[int, list[Heard]] = {}
        for said in self.mind.said:
            if not said.question:
                likely = self.mind.at(self.mind.known.hear(said.text, said.to))
                fits = float(likely @ belief / likely.mean())
                found.setdefault(said.seat, []).append(_taken(said.seat, said.text, fits))
        return found

    def remarks(self, seat: int) -> Iterator[Remark]:
        """The oddest answer first."""
        for heard in sorted(self.said.get(seat, []), key=lambda heard: (heard.fits, heard.text)):
            yield Remark(heard.tone, heard.ways, {"name": self.names[seat], "said": heard.text.rstrip(".")})
        if seat not in self.said:
            yield Remark(NEITHER, ways.NOT_HEARD, {"name": self.names[seat]})

    # Answers -------------------------------------------------------------------------------------------------------

    on_why = Suspicious.on_suspect_who
    on_trusts_answer = Suspicious.on_trust_who
    on_why_vote = Suspicious.on_why_suspect

    def on_role(self, point: Point) -> str:
        return self.voice.say(ways.NO_SPY)

    on_is_role = on_trust_you = on_role

    def on_accused(self, point: Point) -> str:
        return self.voice.say(ways.DEFENCE, name=self.names[point.line.seat])

    on_accused_role = on_accused

    def on_claim_good(self, point: Point) -> str:
        return self.voice.say(ways.CLAIM, name=self.names[point.line.seat])

    def on_claim_role(self, point: Point) -> str:
        confessed = point.role == "spy" and "not" not in point.said.split()
        return self.on_confessed(point) if confessed else self.on_claim_good(point)

    def on_never_heard(self, point: Point) -> str:
        return self.voice.say(ways.NEVER_HEARD, name=self.names[point.line.seat])

    def on_meant(self, point: Point) -> str:
        """What its own answer meant; what it makes of another one's where that is quoted."""
        quoted = [seat for seat in self._spoken_of(point.line.text, self.seat) if seat != point.line.seat]
        if quoted and not self.about(point):
            return self.of(quoted[0])
        own = self.said.get(self.seat)
        return self.voice.say(ways.MEANT, said=own[-1].text.rstrip(".")) if own else self.voice.say(ways.NOTHING_MEANT)

    def on_place(self, point: Point) -> str:
        return self.voice.say(ways.PLACE)

    def on_in_turn(self, point: Point) -> str:
        return self.voice.say(ways.NOT_NOW, name=self.names[point.line.seat])

    def on_guess(self, point: Point) -> str:
        return self.voice.say(suspicion_ways.NOBODY, thing=self.thing)

    def on_unknown(self, point: Point) -> str:
        """A question about the place is known as one, and left to the turns of the game."""
        asked = places().asked(point.line.text)
        if asked.topic is None:
            return super().on_unknown(point)
        return self.on_place(point) if asked.topic in OF_THE_GAME else self.on_in_turn(point)


def _taken(seat: int, text: str, fits: float) -> Heard:
    tone, some = (AGAINST, ways.ODD) if fits < ODD else (FOR, ways.FITTING) if fits > FITS else (NEITHER, ways.SAFE)
    return Heard(seat, text, fits, -abs(math.log(max(fits, 1e-6))), tone, some)
