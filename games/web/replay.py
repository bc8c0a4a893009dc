"""A replay: what one viewer sees of a match, cut into steps, chapters and pictures of the table; it grows as the match
goes on.

Everything is made from events that went through the filter for this viewer; nothing here sees more.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

from django.template import Context, Engine
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.match.access import viewer_name
from games.match.cache import CachedMatch
from games.match.changes import WORDS, Kept
from games.match.view import View
from games.models import Match
from games.registry import page_part
from games.rules import values
from games.rules.core import Rules, State
from games.rules.values import OMNISCIENT
from games.web.feed import Line, lines
from games.web.reasoning import Truth


class Step(NamedTuple):
    """One event as a moment to stop at. ms: since the first event; turning: the match took a turn here."""

    seq: int
    kind: str
    seat: int | None
    ms: int
    turning: bool


class Chapter(NamedTuple):
    """A round and phase: the seq of its first step, its heading, and the position of that step (from 0)."""

    seq: int
    title: str
    position: int


class Sitter(NamedTuple):
    """One seat of a row, drawn; same: it is as in the row before."""

    html: SafeString
    same: bool


@dataclass(frozen=True)
class SeatPicture:
    """A seat at one moment. card and role: what the viewer knows of it by then."""

    number: int
    card: Mapping[str, Any]
    role: str | None
    out: bool
    acting: bool
    stand_in: bool


class Labelled(NamedTuple):
    """A label that raters gave to something in a match. seq: the event at which it is seen, None where it is of no
    single moment; name: "scheme:label"; title, scheme: as people read them; how: by whom that was said; what: the part
    of the moment that it is on, or ""."""

    seq: int | None
    seat: int | None
    name: str
    title: str
    scheme: str
    how: str
    what: str = ""


def unlabelled(match: Match, user: Any, seen: View) -> list[Labelled]:
    """Where nobody keeps labels."""
    return []


# The labels that somebody may see in a replay; who keeps labels puts that here when it starts.
labelled: Callable[[Match, Any, View], list[Labelled]] = unlabelled


class Story(NamedTuple):
    """What a replay shows of a match to one viewer, whichever moment is looked at. Score tracks and rows of seats stand
    at the seq from which on they are shown; every item begins with its seq."""

    steps: list[Step]
    lines: list[Line]
    chapters: list[Chapter]
    tracks: list[tuple[int, SafeString]]
    rows: list[tuple[int, list[Sitter]]]

    def between(self, since: int, until: int) -> Story:
        """What of it comes after seq `since`, up to `until`."""
        return Story(*(_between(part, since, until) for part in self))


def _between(part: list[Any], since: int, until: int) -> list[Any]:
    return part[bisect_right(part, since, key=itemgetter(0)) : bisect_right(part, until, key=itemgetter(0))]


class Telling:
    """A story as far as it is drawn. What comes next is drawn by itself: no event is drawn twice."""

    def __init__(self, source: CachedMatch, seen: View):
        self.source, self.seen, self.viewer = source, seen, seen.viewer
        self.story = Story([], [], [], [], [])
        self.state = seen.start()
        self.pictured: Any = None

    @property
    def seq(self) -> int:
        return self.story.steps[-1].seq if self.story.steps else 0

    def draw(self, events: Sequence[values.Seen]) -> None:
        """Go on to the end of these events, the first of which are drawn already."""
        for event in events[len(self.story.steps) :]:
            self._draw(event)

    def _draw(self, event: values.Seen) -> None:
        source, told = self.source, self.story
        for line in lines(source.match.game, [event], source.names, self.viewer):
            told.lines.append(line)
            if line.section:
                told.chapters.append(Chapter(line.seq, line.section, len(told.steps)))
        source.rules.apply(self.state, event)
        public, seats = source.rules.public(self.state), _seats(self.seen, self.state)
        if (public, seats) != self.pictured:
            self.pictured = public, seats
            self._picture(event.seq, public, seats)
        begun = source.times[told.steps[0].seq] if told.steps else source.times[event.seq]
        ms = round((source.times[event.seq] - begun).total_seconds() * 1000)
        turning = source.rules.all_kinds[event.kind].turns(event)
        told.steps.append(Step(event.seq, event.kind, event.seat, ms, turning))

    def _picture(self, seq: int, public: Mapping[str, Any], seats: Iterable[SeatPicture]) -> None:
        """How the table stands from now on."""
        game, told = self.source.match.game, self.story
        context = {"public": public, "names": self.source.names, "omniscient": self.viewer == OMNISCIENT}
        context |= {"over": self.state.outcome.status != "running"}
        context |= {f"{part}_page": page_part(game, part) for part in ("known", "marks")}
        track = render_to_string(page_part(game, "track"), context)
        if not told.tracks or told.tracks[-1][1] != track:
            told.tracks.append((seq, track))
        sitter = Engine.get_default().get_template("games/replay/sitter.html")
        drawn = [sitter.render(Context(context | {"seat": seat})) for seat in seats]
        before = [sitter.html for sitter in told.rows[-1][1]] if told.rows else [""] * len(drawn)
        if drawn != before:
            row = [Sitter(html, html == old) for html, old in zip(drawn, before, strict=True)]
            told.rows.append((seq, row))


_told: Kept[Telling] = Kept(64, WORDS)
_drawing = threading.Lock()


def story(source: CachedMatch, seen: View) -> Story:
    """The story of what a viewer sees of a match. It takes much drawing, so the last ones are kept, until something in
    them is erased, and a process draws one at a time: other pages are not held up."""
    seen.check()
    until = seen.seq
    match = source.match
    telling = _told.of(match.pk, match.erasures, lambda: Telling(source, seen), seen.viewer, get_language())
    if telling.seq < until:
        with _drawing:
            telling.source, telling.seen = source, seen  # the ones of now: those that it began with may be thrown away
            telling.draw(seen.events)
    return telling.story.between(0, until)


def news(source: CachedMatch, seen: View, since: int) -> str:
    """What a page lacks that shows the story up to seq `since`: made once for all pages that lack the same."""
    until = seen.seq
    fresh = story(source, seen).between(since, until)
    context = {"story": fresh, "as": viewer_name(seen.viewer), "data": {"steps": fresh.steps, "running": True}}
    key = ("replay", seen.viewer, since, until, get_language())
    return source.once(key, lambda: render_to_string("games/replay/news.html", context))


def position_of(seq: int | None, steps: Sequence[Step], *, default: int) -> int:
    """The position of the last step up to a seq; `default` where no seq is asked for."""
    if seq is None:
        return default
    return max(sum(step.seq <= seq for step in steps) - 1, 0)


def shown_at(seq: int, changes: Iterable[tuple[int, Any]]) -> int:
    """The seq of the last change up to a seq; 0 before the first."""
    return max((since for since, _ in changes if since <= seq), default=0)


def roles(rules: Rules, state: State, viewer: values.Viewer) -> dict[int, str]:
    """The role of each seat, as far as the viewer knows the whole deal."""
    knows = viewer == OMNISCIENT and state.seq > state.options.seats + 1  # opened, dealt to each, record
    deal = rules.deal(state) if knows else state.deal
    return dict(enumerate((deal or {}).get("roles") or (), 1))


def truth(seen: View) -> Truth:
    """What each seat is, where it hides that and this viewer sees everything."""
    rules, state = seen.rules, seen.state
    if seen.viewer != OMNISCIENT or not rules.sought:
        return {}
    sides, found, titles = rules.sides(state), roles(rules, state, OMNISCIENT), rules.titles(state)
    return {
        player: {"side": sides[player], "role": found.get(player, ""), "called": titles.get(player, "")}
        for player in sides
    }


def _seats(seen: View, state: State) -> tuple[SeatPicture, ...]:
    rules = seen.rules
    known, out = roles(rules, state, seen.viewer), rules.public(state).get("out", {})
    acting = {request.seat for request in seen.open_in(state) if request.waits}
    return tuple(
        SeatPicture(
            number=seat,
            card=card,
            role=known.get(seat) or card.get("role"),
            out=str(seat) in out,
            acting=seat in acting,
            stand_in=seat in state.stand_ins,
        )
        for seat, card in ((seat, rules.card(state, seat)) for seat in seen.names)
    )
