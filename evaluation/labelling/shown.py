"""An item as its rater sees it: with the moments before it, and no more of them than the task allows.

It is made from a `View`: the public's, or where roles are shown the omniscient's, and of a match only up to the item.
Where the task hides them, players have the names of their seats, and nothing tells models, who is an agent, or how the
match went on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from evaluation.labelling.items import words_of_event, words_of_thought
from evaluation.labelling.masks import Mask, Masked, seat_name
from evaluation.labelling.models import Item, Task
from games.match.forks import line
from games.match.view import MatchView, thoughts_of
from games.models import Match
from games.registry import RULES
from games.rules.values import OMNISCIENT, PUBLIC, Event
from games.translation import translated
from games.web import feed
from games.web.wording import in_words

NEAR, FAR = 6, 60
"""Moments before an item that are shown, and that unfold above them."""

UNTOLD = {"poll", "polling", "polled"}
"""Kinds of event beside the game."""

STAND_INS = {"taken_over", "returned"}
"""Kinds that tell who is an agent."""

DEALT = {"dealt", "record"}
"""Kinds that tell what was dealt."""


@dataclass(frozen=True)
class Step:
    """A thought of the same move. label: which of how many."""

    label: str
    words: str


@dataclass
class Shown:
    """About one item all that its rater is told. words: what is labelled, parts of which can be marked; line: the same
    where it is no matter of words."""

    item: Item
    seat: int
    facts: list[str] = field(default_factory=list)
    dealt: list[feed.Line] = field(default_factory=list)
    far: list[feed.Line] = field(default_factory=list)
    near: list[feed.Line] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    title: str = ""
    words: Masked | None = None
    line: feed.Line | None = None
    after: list[feed.Line] = field(default_factory=list)


def shown(item: Item, task: Task) -> Shown:
    """An item as its rater sees it."""
    return _Telling(item, task).told()


def words(item: Item, task: Task) -> Masked:
    """The words of an item alone, as they are shown."""
    return _Telling(item, task).words()


def _seats_by_name(match: Match) -> dict[str, int]:
    """The seats of a match by all names that they have there or had in a match that it begins with."""
    return {name: seat for one in (*line(match), match) for seat, name in one.names().items()}


class _Telling:
    def __init__(self, item: Item, task: Task):
        self.item, self.task, self.match, self.anchor = item, task, item.match, item.anchor
        self.sees = task.sees.get
        self.rules = RULES[self.match.game]
        names = self.match.names()
        self.names = names if self.sees("names") else {seat: seat_name(seat) for seat in names}
        self.mask = Mask({} if self.sees("names") else _seats_by_name(self.match))
        self.viewer = OMNISCIENT if self.sees("roles") else PUBLIC

    def told(self) -> Shown:
        self.seen = MatchView(self.match, self.viewer, until=self._until())
        found = Shown(self.item, 0)
        event = self._move()
        if "event" in self.anchor:
            self._tell_event(found, event)
        elif "thought" in self.anchor:
            self._tell_thought(found, event)
        else:
            self._tell_whole(found)
        found.facts = self._facts(found.seat)
        return found

    def words(self) -> Masked:
        self.seen = MatchView(self.match, self.viewer, until=self._until())
        if "event" in self.anchor:
            event = self._move()
            return self.mask.of((event and words_of_event(self.rules, event)) or "")
        if "thought" in self.anchor:
            thought = self._thoughts().get(n=self.anchor["thought"])
            return self.mask.of(words_of_thought(thought.reply, thought.data))
        return self.mask.of("")

    def _until(self) -> int | None:
        """The last event that may be told."""
        return self.anchor.get("event")

    def _move(self) -> Event | None:
        """The event that an item is, or that its thought led to."""
        request, seq = self.anchor.get("request"), self.anchor.get("event")
        return next((one for one in self.seen.told if one.seq == seq or (request and one.request == request)), None)

    def _tell_event(self, found: Shown, event: Event | None) -> None:
        before = [one for one in self.seen.told if one.seq < self.anchor["event"]]
        self._tell_before(found, before)
        if event is None:
            return
        found.seat = event.seat or 0
        said = words_of_event(self.rules, event)
        if said:
            found.words, found.title = self.mask.of(said), in_words(event.kind)
        else:
            found.line = next(iter(self._lines([event])), None)
        if self.sees("thoughts") and event.request:
            rows = list(thoughts_of([self.match.pk]).filter(request=event.request))
            found.steps = self._steps(rows, len(rows))

    def _tell_thought(self, found: Shown, event: Event | None) -> None:
        opened = int(self.anchor["request"].partition(":")[0])
        self._tell_before(found, [one for one in self.seen.told if one.seq <= opened])
        rows = list(self._thoughts())
        thought = next(one for one in rows if one.n == self.anchor["thought"])
        found.seat = thought.seat
        found.steps = self._steps([one for one in rows if one.n < thought.n], len(rows))
        found.title = self._step(rows.index(thought) + 1, len(rows), thought.stage)
        found.words = self.mask.of(words_of_thought(thought.reply, thought.data))
        if event is not None and words_of_event(self.rules, event):
            found.after = self._lines([event])

    def _tell_whole(self, found: Shown) -> None:
        """A whole match, or a seat in it. Where the outcome is hidden it ends with the last move."""
        found.seat = self.anchor.get("seat", 0)
        events = self.seen.told
        if not self.sees("outcome"):
            last = max((n for n, one in enumerate(events) if one.request), default=-1)
            events = events[: last + 1]
        found.dealt = self._lines([one for one in events if one.kind in DEALT])
        found.near = self._lines([one for one in events if one.kind not in DEALT])
        found.title = self.names[found.seat] if found.seat else str(translated(self.rules.title))

    def _tell_before(self, found: Shown, events: list[Event]) -> None:
        found.dealt = self._lines([one for one in events if one.kind in DEALT])
        lines = self._lines([one for one in events if one.kind not in DEALT][-FAR:])
        found.far, found.near = lines[:-NEAR], lines[-NEAR:]

    def _lines(self, events: list[Event]) -> list[feed.Line]:
        told = [self._masked(one) for one in events if one.kind not in UNTOLD and self._may_be_told(one)]
        return feed.lines(self.rules.name, told, self.names, self.viewer)

    def _may_be_told(self, event: Event) -> bool:
        return event.kind not in STAND_INS or bool(self.sees("models"))

    def _masked(self, event: Event) -> Event:
        """Without names in its words, nor who made it."""
        texts = {
            name: self.mask.of(text).shown
            for name in self.rules.words_of(event.kind, event.data)
            if isinstance(text := event.data.get(name), str)
        }
        by = event.by if event.by == "moderator" else "seat"
        return event._replace(data=event.data | texts, by=event.by if self.sees("models") else by)

    def _thoughts(self) -> Any:
        return thoughts_of([self.match.pk]).filter(request=self.anchor["request"]).order_by("n")

    def _steps(self, rows: list[Any], many: int) -> list[Step]:
        return [
            Step(self._step(number, many, row.stage), self.mask.of(said).shown)
            for number, row in enumerate(rows, 1)
            if (said := words_of_thought(row.reply, row.data))
        ]

    def _step(self, number: int, many: int, stage: str) -> str:
        told = _("Thought, step %(number)d of %(many)d") % {"number": number, "many": many}
        return f"{told}: {in_words(stage)}" if self.sees("models") else told

    def _facts(self, seat: int) -> list[str]:
        """What is told of the seat and of the match beside the moments."""
        facts = [str(translated(self.rules.title))]
        sitter = next((one for one in self.match.seated if one.seat == seat), None)
        if sitter is not None:
            facts.append(self.names[seat])
            if self.sees("roles") and sitter.role:
                facts.append(in_words(str(translated(sitter.role))))
            if self.sees("models"):
                facts.append(sitter.agent or _("a person"))
            if self.sees("outcome") and sitter.won is not None:
                facts.append(_("won") if sitter.won else _("lost"))
        if self.sees("outcome") and self.match.result:
            facts.append(in_words(self.match.result))
        return facts
