"""A seat that suspects others by what they say: what the talk of the games of clues and of SpyGame has in common.

Whatever its role, it speaks as one who knows what the others are to have in mind, and weighs by it what each said.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from random import Random
from typing import Any, ClassVar, NamedTuple

from agents.house import suspicion_ways as ways
from agents.house.discourse import Point, Speaker, Ways
from agents.house.discourse.reasons import AGAINST, FOR
from agents.house.form import of_drawn_length

SPEAKS = 0.7
"""How often it says something before a vote without being asked. Whether it does must not tell how much it knows."""
NEITHER = 0


class Heard(NamedTuple):
    """A clue or an answer as this seat takes it. fits: how well it goes with what the seat has in mind; wide: how well
    it would go with anything else; tone: FOR, AGAINST or NEITHER; ways: how it is spoken of."""

    seat: int
    text: str
    fits: float
    wide: float
    tone: int
    ways: Ways


class Remark(NamedTuple):
    """Something that can be said of a seat. parts: of the sentence."""

    tone: int
    ways: Ways
    parts: Mapping[str, Any]


class Suspicious(Speaker):
    """A game says how much each other seat is suspected, and how it takes what each has said.

    thing: what is said in this game, as a word; usual, typical: ways, and the parts of a sentence, from which the
    length of an opening is drawn; odd, wide: from which `fits` down something is odd, and from which `wide` on it says
    nothing.
    """

    thing: ClassVar[str]
    usual: ClassVar[tuple[Ways, ...]]
    typical: ClassVar[Mapping[str, str]]
    odd: ClassVar[float]
    wide: ClassVar[float]

    def suspicion(self) -> dict[int, float]:
        """How much it stands against each other seat that is in."""
        raise NotImplementedError

    @cached_property
    def said(self) -> dict[int, list[Heard]]:
        """What each seat said in the game, oldest first."""
        raise NotImplementedError

    def remarks(self, seat: int) -> Iterator[Remark]:
        """What it can say of a seat, the first to be said first."""
        raise NotImplementedError

    # What it goes by -----------------------------------------------------------------------------------------------

    @cached_property
    def ranked(self) -> list[int]:
        """The other seats, whom it suspects most first."""
        suspicion = self.suspicion()
        return sorted(suspicion, key=lambda seat: -suspicion[seat])

    def of(self, seat: int, *tones: int) -> str:
        """Something about a seat, of these tones if any are named; "" where all has been said."""
        for remark in self.remarks(seat):
            if (not tones or remark.tone in tones) and (text := self.voice.say(remark.ways, **remark.parts)):
                return text
        return ""

    def about(self, point: Point) -> list[int]:
        """Whom a point is about, this seat left out."""
        return [seat for seat in point.seats if seat != self.seat]

    def sayable(self, text: str) -> bool:
        """Whether the rules let this seat repeat what was said."""
        return True

    # Moves ---------------------------------------------------------------------------------------------------------

    def openings(self) -> Iterable[Remark]:
        """What it may begin a talk with."""
        first = self.ranked[0]
        return [*self.remarks(first), Remark(AGAINST, ways.SUSPECT, {"name": self.names[first]})]

    def before_the_vote(self, chance: Random) -> str | None:
        """What it says in the talk without being asked, or nothing. Whether it speaks, and how long it is, is drawn
        before it thinks of what to say, so that neither tells a role."""
        if chance.random() >= SPEAKS:
            return None
        usual = [text.format(**self.typical) for some in self.usual for text in some.of(self.temper)]
        own = {line.text.casefold() for line in self.heard if line.seat == self.seat}
        texts = [text.format(**one.parts) for one in self.openings() for text in one.ways.of(self.temper)]
        texts = [text for text in texts if text.casefold() not in own and len(text) <= self.room]
        near = of_drawn_length(texts, usual, chance)
        return texts[chance.choice(near)] if near else None

    # Answers -------------------------------------------------------------------------------------------------------

    def named(self, seat: int, point: Point, of_another: Ways, of_asker: Ways) -> str:
        """What it says of a seat to whoever spoke, who may be that seat."""
        said = of_asker if seat == point.line.seat else of_another
        return self.voice.say(said, name=self.names[seat])

    def on_suspect_who(self, point: Point) -> str:
        if not self.said or not self.ranked:
            return self.voice.say(ways.NOBODY, thing=self.thing)
        first = self.ranked[0]
        return f"{self.named(first, point, ways.SUSPECT, ways.SUSPECT_YOU)} {self.of(first, AGAINST, NEITHER)}".strip()

    on_will_vote = on_view = on_suspect_who

    def on_trust_who(self, point: Point) -> str:
        if not self.said or not self.ranked:
            return self.voice.say(ways.NOBODY, thing=self.thing)
        last = self.ranked[-1]
        return f"{self.named(last, point, ways.TRUSTS, ways.TRUSTS_YOU)} {self.of(last, FOR)}".strip()

    def on_opinion(self, point: Point) -> str:
        texts = [self.of(seat) for seat in self.about(point)]
        return " ".join(text for text in texts if text) or self.on_suspect_who(point)

    on_for = on_why_not = on_opinion

    def on_why_suspect(self, point: Point) -> str:
        seats = self.about(point)
        if not seats:
            return self.on_suspect_who(point)
        if seats[0] == point.line.seat:
            return self.on_why_me(point)
        if any(remark.tone == AGAINST for remark in self.remarks(seats[0])):
            return self.of(seats[0], AGAINST)
        return self.voice.say(ways.NOTHING_AGAINST, name=self.names[seats[0]])

    def on_why_trust(self, point: Point) -> str:
        seats = self.about(point)
        if not seats:
            return self.on_trust_who(point)
        return self.of(seats[0], FOR) or self.voice.say(ways.NOTHING_FOR, name=self.names[seats[0]])

    def on_why_me(self, point: Point) -> str:
        """What it has against whoever asks, if anything."""
        seat = point.line.seat
        if bad := self.of(seat, AGAINST):
            return f"{self.voice.say(ways.IT_IS_WHAT_YOU_SAID, name=self.names[seat], thing=self.thing)} {bad}"
        if self.ranked and self.ranked[0] == seat:
            return self.voice.say(ways.SUSPECT_YOU, name=self.names[seat])
        other = self.names[self.ranked[0]] if self.ranked else ""
        return self.voice.say(ways.NOTHING_AGAINST_YOU, name=self.names[seat], other=other)

    def on_against(self, point: Point) -> str:
        """What it makes of a doubt about somebody."""
        seats = self.about(point)
        if not seats:
            return self.on_suspect_who(point)
        seat, name = seats[0], self.names[seats[0]]
        tones = {remark.tone for remark in self.remarks(seat)}
        suspected = seat in self.ranked[: max(1, len(self.ranked) // 2)]
        if suspected and (AGAINST in tones or FOR not in tones):
            return f"{self.voice.say(ways.AGREED, about=name)} {self.of(seat, AGAINST)}".strip()
        if FOR in tones:
            return f"{self.voice.say(ways.DISAGREED, about=name)} {self.of(seat, FOR)}".strip()
        return self.voice.say(ways.UNSURE_OF, about=name)

    on_who_is = on_urge_vote = on_against

    def on_agree(self, point: Point) -> str:
        """With whom it is asked to agree: about whomever they spoke of last."""
        seats = self.about(point)
        if not seats or "with" not in point.said.split():
            return self.on_against(point)
        other = seats[0]
        spoken = [line for line in self.heard if line.seat == other]
        subject = next((one for line in reversed(spoken) for one in self._spoken_of(line.text, other)), None)
        if subject is None:
            return self.voice.say(ways.NOTHING_SAID, name=self.names[other])
        if subject == self.seat:
            return self.on_accused(point)
        return f"{self.voice.say(ways.AS_FOR, name=self.names[other], about=self.names[subject])} {self.of(subject)}"

    def _spoken_of(self, text: str, speaker: int) -> Iterator[int]:
        """Whom a text speaks of, by name or by what they said."""
        for seat, name in self.names.items():
            quoted = any(heard.text.rstrip(".").casefold() in text.casefold() for heard in self.said.get(seat, []))
            if seat != speaker and (quoted or name.casefold() in text.casefold()):
                yield seat

    def _extreme(self, key: str, point: Point) -> Heard | None:
        """What is oddest (`fits`) or widest (`wide`) of all that others said."""
        every = [heard for seat in self.ranked for heard in self.said.get(seat, []) if self.sayable(heard.text)]
        sign = -1 if key == "fits" else 1
        return max(every, key=lambda heard: sign * getattr(heard, key), default=None)

    def on_odd(self, point: Point) -> str:
        """What was the oddest that anybody said."""
        found = self._extreme("fits", point)
        if found is None:
            return self.voice.say(ways.NOBODY, thing=self.thing)
        some = ways.ODDEST if found.fits < self.odd else ways.NONE_ODD
        return self.voice.say(some, name=self.names[found.seat], said=found.text.rstrip("."), thing=self.thing)

    def on_vague(self, point: Point) -> str:
        """What said least."""
        found = self._extreme("wide", point)
        if found is None:
            return self.voice.say(ways.NOBODY, thing=self.thing)
        some = ways.VAGUEST if found.wide > self.wide else ways.NONE_VAGUE
        return self.voice.say(some, name=self.names[found.seat], said=found.text.rstrip("."), thing=self.thing)

    def on_accused(self, point: Point) -> str:
        """What it says to whoever doubts it."""
        raise NotImplementedError

    def on_sure(self, point: Point) -> str:
        return self.voice.say(ways.SURE, thing=self.thing)

    def on_confessed(self, point: Point) -> str:
        return self.voice.say(ways.CONFESSED, name=self.names[point.line.seat], thing=self.thing)
