"""A replay: what one viewer sees of a match, cut into steps, chapters and pictures of the table.

Everything is made from events that went through the filter for this viewer; nothing here sees more.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.models import Match
from games.rules import values
from games.rules.core import Rules, State, requests_for
from games.rules.play import Play
from games.rules.values import OMNISCIENT
from games.web.feed import Line, lines


class Step(NamedTuple):
    """One event as a moment to stop at. ms: since the first event; turning: the match took a turn here."""

    seq: int
    kind: str
    seat: int | None
    ms: int
    turning: bool


class Chapter(NamedTuple):
    """A round and phase: its heading, and the seq and position (from 0) of its first step."""

    title: str
    seq: int
    position: int


@dataclass(frozen=True)
class SeatPicture:
    """A seat at one moment. card and role: what the viewer knows of it by then."""

    number: int
    card: Mapping[str, Any]
    role: str | None
    out: bool
    acting: bool
    stand_in: bool


@dataclass(frozen=True)
class Picture:
    """How the table stands from seq `seq` on, until the next picture."""

    seq: int
    public: Mapping[str, Any]
    seats: tuple[SeatPicture, ...]
    over: bool


class Story(NamedTuple):
    """What a replay shows of a match to one viewer, whichever moment is looked at."""

    steps: list[Step]
    lines: list[Line]
    chapters: list[Chapter]
    tracks: list[tuple[int, SafeString]]
    sitters: list[tuple[int, SafeString]]


KEPT_STORIES = 64
_kept: OrderedDict[tuple, Story] = OrderedDict()
_drawing = threading.Lock()


def story(match: Match, play: Play, events: Sequence[values.Event], viewer: values.Viewer) -> Story:
    """The story of these events of a match, which this viewer sees. It takes much drawing, so the last ones are kept,
    until something in them is erased, and a process draws one at a time: other pages are not held up."""
    key = (match.pk, match.erasures, viewer, len(events), get_language())
    kept = _kept.get(key)
    if kept is None:
        with _drawing:
            kept = _kept[key] = _kept.get(key) or _drawn_story(match, play, events, viewer)
            while len(_kept) > KEPT_STORIES:
                _kept.popitem(last=False)
    return kept


def _drawn_story(match: Match, play: Play, events: Sequence[values.Event], viewer: values.Viewer) -> Story:
    names = match.names()
    told = lines(match.game, events, names, viewer)
    tracks, sitters = drawn(match.game, pictures(play.rules, play.options, events, viewer), names, viewer)
    times = dict(match.events.values_list("seq", "at"))
    return Story(steps(play.rules, events, times), told, chapters(told, events), tracks, sitters)


def steps(rules: Rules, events: Sequence[values.Event], times: Mapping[int, datetime]) -> list[Step]:
    """A step an event; the game's kinds say which of them are turning points."""
    if not events:
        return []
    start = times[events[0].seq]
    return [
        Step(
            event.seq,
            event.kind,
            event.seat,
            round((times[event.seq] - start).total_seconds() * 1000),
            rules.all_kinds[event.kind].turns(event),
        )
        for event in events
    ]


def chapters(told: Iterable[Line], events: Sequence[values.Event]) -> list[Chapter]:
    """The chapters that the headings of the feed begin."""
    positions = {event.seq: position for position, event in enumerate(events)}
    return [Chapter(line.section, line.seq, positions[line.seq]) for line in told if line.section]


def position_of(seq: int | None, steps: Sequence[Step], *, default: int) -> int:
    """The position of the last step up to a seq; `default` where no seq is asked for."""
    if seq is None:
        return default
    return max(sum(step.seq <= seq for step in steps) - 1, 0)


def pictures(rules: Rules, options: Any, events: Iterable[values.Event], viewer: values.Viewer) -> Iterator[Picture]:
    """The table after each event that changes how it looks, to this viewer."""
    state = rules.start(options)
    before = None
    for event in events:
        rules.apply(state, event)
        public, seats = rules.public(state), _seats(rules, state, options.seats, viewer)
        if (public, seats) != before:
            before = public, seats
            yield Picture(event.seq, public, seats, state.outcome.status != "running")


def drawn(
    game: str, pictures: Iterable[Picture], names: Mapping[int, str], viewer: values.Viewer
) -> tuple[list[tuple[int, SafeString]], list[tuple[int, SafeString]]]:
    """The pictures as they are shown: score tracks and rows of seats, each as (seq, HTML) where it changes."""
    tracks: list[tuple[int, SafeString]] = []
    sitters: list[tuple[int, SafeString]] = []
    parts = [(f"games/{game}/track.html", tracks), ("games/replay/sitters.html", sitters)]
    for picture in pictures:
        context = {"picture": picture, "public": picture.public, "over": picture.over, "names": names}
        context |= {"omniscient": viewer == OMNISCIENT}
        context |= {f"{part}_page": f"games/{game}/{part}.html" for part in ("known", "marks")}
        for page, shown in parts:
            html = render_to_string(page, context)
            if not shown or shown[-1][1] != html:
                shown.append((picture.seq, html))
    return tracks, sitters


def shown_at(seq: int, changes: Iterable[tuple[int, Any]]) -> int:
    """The seq of the last change up to a seq; 0 before the first."""
    return max((since for since, _ in changes if since <= seq), default=0)


def roles(rules: Rules, state: State, viewer: values.Viewer) -> dict[int, str]:
    """The role of each seat, as far as the viewer knows the whole deal."""
    knows = viewer == OMNISCIENT and state.seq > state.options.seats + 1  # opened, dealt to each, record
    deal = rules.deal(state) if knows else state.deal
    return dict(enumerate((deal or {}).get("roles") or (), 1))


def _seats(rules: Rules, state: State, count: int, viewer: values.Viewer) -> tuple[SeatPicture, ...]:
    known, out = roles(rules, state, viewer), rules.public(state).get("out", {})
    acting = {request.seat for request in requests_for(state, viewer) if request.waits}
    return tuple(
        SeatPicture(
            number=seat,
            card=card,
            role=known.get(seat) or card.get("role"),
            out=str(seat) in out,
            acting=seat in acting,
            stand_in=seat in state.stand_ins,
        )
        for seat, card in ((seat, rules.card(state, seat)) for seat in range(1, count + 1))
    )
