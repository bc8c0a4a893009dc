"""What a seat says in the talk at SpyGame and beside it: of answers and suspicions, and nothing of the place."""

from collections.abc import Iterator
from functools import cached_property
from random import Random
from typing import Any

import numpy as np

from agents.house.discourse import Point, Speaker, Vocabulary, Ways, rules
from agents.house.discourse.meaning import BAD
from agents.house.form import of_drawn_length
from games.spygame.house import talk_ways as ways
from games.spygame.house.mind import Mind, mind_of
from games.spygame.house.places import places

SPEAKS = 0.7
"""How often it says something before a vote without being asked. Whether it does must not tell how much it knows."""
ODD, FITS = 0.7, 1.3
"""An answer is odd where it is less than so many times as likely as at any place, and fits from so many times on."""
TYPICAL = {"name": "Player 1", "answer": "One must be patient."}
"""What stands in the sentence from which a length is drawn."""
OF_THE_GAME = frozenset(("spy", "where_are_we", "meant", "machine", "legal", "quiet"))
"""Topics of questions that can be answered without saying anything of the place."""


class Talker(Speaker):
    """Whatever its role, it speaks as a citizen who heard the same."""

    vocabulary = Vocabulary(
        bad=f"{BAD} spy spies",
        roles={"spy": "spy", "citizen": "citizen", "citizens": "citizen"},
        groups={
            "answer": "answer answers answered reply replies question questions",
            "place": "place location where here",
            "mean": "mean means meant meaning",
        },
        questions=rules("""
            meant: what|why mean you -@
            meant: why you answer|tell -@ -suspect
            opinion: answer|mean @
            will_vote: who vote
            odd_answer: who|what|which|any answer bad
            opinion: any|who suspect|bad @
            place: you know|see place
            place: what|which|where place -@
            place: where we|you|i
            why_suspect: why accuse|accused me|@
            guess: know place who
        """),
        statements=rules("""
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

    @cached_property
    def suspicion(self) -> dict[int, float]:
        return self.mind.suspicion()

    @cached_property
    def ranked(self) -> list[int]:
        """The other seats, whom it suspects most first."""
        return sorted(self.suspicion, key=lambda seat: -self.suspicion[seat])

    @cached_property
    def answered(self) -> dict[int, list[tuple[float, str]]]:
        """What each seat answered, with how well that fits the place, oldest first: 1 is neither well nor badly."""
        belief = np.eye(len(self.mind.candidates))[self.mind.place] if self.mind.place is not None else self.mind.where
        found: dict[int, list[tuple[float, str]]] = {}
        for said in self.mind.said:
            if not said.question:
                likely = self.mind.at(self.mind.known.hear(said.text, said.to))
                found.setdefault(said.seat, []).append((float(likely @ belief / likely.mean()), said.text))
        return found

    def remarks(self, seat: int) -> Iterator[tuple[Ways, dict[str, Any]]]:
        """What it can say of a seat, its oddest answer first."""
        for fits, text in sorted(self.answered.get(seat, [])):
            said = ways.ODD if fits < ODD else ways.FITTING if fits > FITS else ways.SAFE
            yield said, {"name": self.names[seat], "answer": text.rstrip(".")}
        if seat not in self.answered:
            yield ways.NOT_HEARD, {"name": self.names[seat]}

    def of(self, seat: int) -> str:
        """Something about a seat; "" where all has been said."""
        for said, parts in self.remarks(seat):
            if text := self.voice.say(said, **parts):
                return text
        return ""

    def before_the_vote(self, chance: Random) -> str | None:
        """What it says in the talk without being asked, or nothing; how long that is, is drawn first."""
        if chance.random() >= SPEAKS:
            return None
        usual = [text.format(**TYPICAL) for some in (ways.ODD, ways.SAFE) for text in some.of(self.temper)]
        said = [*self.remarks(self.ranked[0]), (ways.SUSPECT, {"name": self.names[self.ranked[0]]})]
        texts = [text.format(**parts) for some, parts in said for text in some.of(self.temper)]
        texts = [text for text in texts if len(text) <= self.room]
        near = of_drawn_length(texts, usual, chance)
        return texts[chance.choice(near)] if near else None

    # Answers -------------------------------------------------------------------------------------------------------

    def about(self, point: Point) -> list[int]:
        return [seat for seat in point.seats if seat != self.seat]

    def on_suspect_who(self, point: Point) -> str:
        if not self.answered:
            return self.voice.say(ways.NOBODY)
        first = self.ranked[0]
        said = ways.SUSPECT_YOU if first == point.line.seat else ways.SUSPECT
        return f"{self.voice.say(said, name=self.names[first])} {self.of(first)}".strip()

    on_view = on_will_vote = on_odd_answer = on_why = on_who_is = on_suspect_who

    def on_trust_who(self, point: Point) -> str:
        if not self.answered:
            return self.voice.say(ways.NOBODY)
        last = self.ranked[-1]
        return f"{self.voice.say(ways.TRUSTS, name=self.names[last])} {self.of(last)}".strip()

    def on_opinion(self, point: Point) -> str:
        texts = [self.of(seat) for seat in self.about(point)]
        return " ".join(text for text in texts if text) or self.on_suspect_who(point)

    on_why_suspect = on_why_me = on_why_trust = on_why_vote = on_for = on_opinion

    def on_against(self, point: Point) -> str:
        seats = self.about(point)
        if not seats:
            return self.on_suspect_who(point)
        close = seats[0] in self.ranked[: max(1, len(self.ranked) // 2)]
        said = self.voice.say(ways.AGREED if close else ways.DISAGREED, about=self.names[seats[0]])
        return f"{said} {self.of(seats[0])}".strip()

    on_agree = on_urge_vote = on_against

    def on_role(self, point: Point) -> str:
        return self.voice.say(ways.NO_SPY)

    on_is_role = on_trust_you = on_claim_good = on_role

    def on_accused(self, point: Point) -> str:
        return self.voice.say(ways.DEFENCE, name=self.names[point.line.seat])

    on_accused_role = on_accused

    def on_claim_role(self, point: Point) -> str:
        return self.voice.say(ways.CLAIM, name=self.names[point.line.seat])

    on_confessed = on_claim_role

    def on_meant(self, point: Point) -> str:
        own = self.answered.get(self.seat)
        return self.voice.say(ways.MEANT, answer=own[-1][1].rstrip(".")) if own else self.voice.say(ways.NOTHING_MEANT)

    def on_place(self, point: Point) -> str:
        return self.voice.say(ways.PLACE)

    def on_guess(self, point: Point) -> str:
        return self.voice.say(ways.NOBODY)

    def on_sure(self, point: Point) -> str:
        return self.voice.say(ways.SURE)

    def on_unknown(self, point: Point) -> str:
        """A question about the place is known as one, and left to the turns of the game."""
        asked = places().asked(point.line.text)
        if asked.topic is None:
            return super().on_unknown(point)
        return self.voice.say(
            ways.PLACE if asked.topic in OF_THE_GAME else ways.NOT_NOW, name=self.names[point.line.seat]
        )
