"""One seat that talks: it hears who speaks to it, and answers in its own voice. A game adds what it can answer.

A game's own `Speaker` has a method ``on_<kind>`` for each kind of point (`meaning.Point`) that it knows an answer to;
the others are answered in general. All that it says must be what anybody at its seat could say (ARCHITECTURE, "What
house agents say").
"""

from collections.abc import Callable
from functools import cached_property, lru_cache
from random import Random
from typing import Any, ClassVar

from agents.situation import Decision, Situation
from games.rules.fields import TEXT_LIMIT, Text
from games.rules.table_talk import ALL as TO_ALL
from games.rules.table_talk import OUT as TO_OUT

from . import meaning
from .lines import TALK, Line, lines
from .meaning import ALL, ME, Point, Vocabulary
from .replies import ALIKE, ANYWHERE
from .spelling import Names
from .voice import Voice, within
from .wording import temper_of

AT_ONCE = ("chat", "say")
"""Kinds of event that are answered at once, and not by the next speech."""
POINTS = 3
"""So many points of a message are answered at most."""

_OF_THE_MATCH = frozenset(("vote", "quest", "team", "role", "bad", "clean", "suspect", "trust"))
"""Groups of words by which a question is about the match, even where it is not understood."""


class Speaker:
    """What one seat says at one moment. talk: the kinds of event by which this game's seats talk."""

    vocabulary: ClassVar[Vocabulary] = Vocabulary()
    talk: ClassVar[frozenset[str]] = TALK

    def __init__(self, situation: Situation, chance: Random):
        self.situation, self.chance = situation, Random(f"{chance.random()}:{len(situation.log)}")
        self.seat, self.names = situation.seat, situation.names
        self.temper = temper_of(situation.nature)

    @cached_property
    def heard(self) -> list[Line]:
        return lines(self.situation.log, self.talk)

    @cached_property
    def voice(self) -> Voice:
        own = (line.text for line in self.heard if line.seat == self.seat)
        return Voice(tuple(self.names.values()), self.temper, self.chance, own)

    # What it is asked ----------------------------------------------------------------------------------------------

    def points(self, line: Line) -> list[Point]:
        return _understood(line, self.seat, tuple(self.names.items()), self.vocabulary)

    def unanswered(self) -> list[Line]:
        """What others said since this seat spoke last, oldest first."""
        own = max((line.seq for line in self.heard if line.seat == self.seat), default=0)
        return [line for line in self.heard if line.seq > own and line.seat != self.seat]

    def reply(self) -> str | None:
        """The answer to what was said last, and to what this seat was asked by name before; None where nothing of it
        was meant for this seat."""
        *before, last = [self.points(line) for line in self.unanswered()] or [[]]
        meant = [
            points for points in before if points[0].to == ME and points[0].asks and points[0].line.kind in AT_ONCE
        ]
        if last and last[0].to in (ME, ALL):
            meant.append(last)
        answers = [answer for points in meant[-2:] for answer in self.answers(points)]
        return within(answers, self.room) or None

    def answers(self, points: list[Point]) -> list[str]:
        """What it says to these points of one message: first to those of weight, to small talk where there are none."""
        known = [point for point in points if point.kind]
        weighty = [point for point in known if point.kind not in SMALL] or known[:1] or points[:1]
        once = {(self.way(point), point.seats, point.role, point.number): point for point in reversed(weighty[:POINTS])}
        answers = (self.answer(point) for point in reversed(once.values()))
        return list(dict.fromkeys(answer for answer in answers if answer))

    def way(self, point: Point) -> Callable | str:
        """What answers a point; two kinds that are answered alike have the same."""
        own = getattr(type(self), f"on_{point.kind}", None) if point.kind else None
        return own or ALIKE.get(point.kind, point.kind)

    def answer(self, point: Point) -> str:
        """What it says to one point; "" where it has said all that it could."""
        own: Callable[[Point], str] | None = getattr(self, f"on_{point.kind}", None) if point.kind else None
        self.voice.listener = self.names[point.line.seat]
        if own is None:
            said = self.general(ALIKE.get(point.kind, point.kind), point) if point.kind else self.on_unknown(point)
        else:
            said = own(point)
        said = said or self.general("again", point)
        self.voice.listener = ""
        return said

    def general(self, kind: str, point: Point) -> str:
        """One of the answers that fit any game (`replies.ANYWHERE`)."""
        return self.voice.say(ANYWHERE[kind], **self.parts(point))

    def parts(self, point: Point) -> dict[str, Any]:
        return {"name": self.names[point.line.seat], "me": self.names[self.seat]}

    def on_bot(self, point: Point) -> str:
        """The truth, where the table tells who is an agent; talk beside a game is only had there."""
        return self.general("bot" if self.situation.options.table_talk else "bot_unsaid", point)

    def on_unknown(self, point: Point) -> str:
        words = point.said.split()
        groups = {group for word in words for group in self.vocabulary.group_of.get(word, ())}
        read = len(words) > 3 and sum(word in self.vocabulary.known for word in words) > 1
        off_topic = point.asks and read and _OF_THE_MATCH.isdisjoint(groups)
        return self.general("off_topic" if off_topic else "unknown", point)

    # Moves ---------------------------------------------------------------------------------------------------------

    @property
    def room(self) -> int:
        """How many characters may be said at once."""
        field = next((item for item in self.situation.request.fields if isinstance(item, Text)), None)
        return field.limit if field else TEXT_LIMIT


SMALL = frozenset(meaning.SMALL_TALK) | {"laugh"}


@lru_cache(maxsize=4096)
def _understood(line: Line, seat: int, names: Names, vocabulary: Vocabulary) -> list[Point]:
    return meaning.understood(line, seat, names, vocabulary)


def talk(situation: Situation, speaker: Speaker) -> Decision:
    """The answer to whoever spoke to the seat, beside the game (`chat`) or in a free talk (`say`): a text, or None for
    silence."""
    text = speaker.reply()
    if situation.request.kind != "chat":
        return Decision({"text": text})
    out = str(situation.seat) in map(str, situation.rules.public(situation.state).get("out", {}))
    return Decision({"text": text, "to": TO_OUT if out else TO_ALL})
