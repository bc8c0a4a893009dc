"""Where people talk at a table's page: the lines, what others think of them, and the place to speak.

Lines of a running match come from its log, through the viewer's own view; the others are messages of the room. A line
and a tally are made once for all whom they are the same for; who mutes somebody is given them without that one's lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from games.match.cache import CachedMatch
from games.match.view import View
from games.models import RoomMessage
from games.room import talk
from games.rules import table_talk, values
from games.web import feed
from games.web.visits import Trouble, Visit

REACTIONS: dict[str, str | Promise] = {
    "agree": _("Yes!"),
    "disagree": _("No!"),
    "laugh": _("Ha ha"),
    "surprise": _("Oh!"),
    "doubt": _("Hm?"),
    "applause": _("Bravo!"),
}
"""How a page words them."""

CHOICE = 12
"""So many of the last lines are offered to be reacted to, or reported."""


class Said(NamedTuple):
    """A line of talk. mark: of who said it; value: how forms name it; words: short, to choose it by."""

    at: datetime
    mark: str
    value: str
    words: str
    html: SafeString


# Lines ----------------------------------------------------------------------------------------------------------------


def in_match(source: CachedMatch, view: View, since: int = 0, private_only: bool = False) -> list[Said]:
    """What was said in a match after seq `since`, as this view has it."""
    marks = talk.marks_of(source.match)
    return [
        Said(
            source.times[event.seq],
            marks[event.seat],
            f"e{event.seq}",
            f"{source.names[event.seat]}: {event.data['text']}",
            _made(source, event, view.viewer, marks[event.seat]),
        )
        for event in _after(view, since)
        if event.kind == "chat" and (event.audience is not None or not private_only)
    ]


def around(messages: Iterable[RoomMessage]) -> list[Said]:
    """What was said at the room."""
    return [
        Said(
            message.at,
            message.mark,
            f"m{message.number}",
            f"{message.name}: {message.text}",
            _line(f"m{message.number}", message.mark, message.name, message.text, message.at, heard=message.channel),
        )
        for message in messages
    ]


def _made(source: CachedMatch, event: values.Seen, viewer: values.Viewer, mark: str) -> SafeString:
    def make(_game: str, event: values.Event, names: dict[int, str], _viewer: values.Viewer) -> str:
        heard = table_talk.OUT if event.audience is not None else ""
        at, line = source.times[event.seq], f"{source.match.number}-e{event.seq}"
        return _line(line, mark, names[event.seat], event.data["text"], at, heard=heard, seat=event.seat)

    return mark_safe(source.line(event, viewer, make))  # noqa: S308 (rendered by a template)


def _line(
    line: str, mark: str, name: str, text: str, at: datetime, *, heard: str = "", seat: int | None = None
) -> SafeString:
    return _render("talk_line", locals() | {"value": line.rpartition("-")[2]})


def _after(view: View, since: int) -> list[values.Event]:
    fresh = view.events[bisect_right(view.events, since, key=itemgetter(0)) :]
    return [event for event in fresh if isinstance(event, values.Event)]


# Reactions ------------------------------------------------------------------------------------------------------------


def tallies(source: CachedMatch, view: View, since: int = 0, private_only: bool = False) -> list[str]:
    """How lines are taken to which somebody reacted after seq `since`. What those who are out think of a line stands
    apart from what all think of it."""
    fresh = {
        (event.data["to"], event.audience is not None)
        for event in _after(view, since)
        if event.kind == "reaction" and (event.audience is not None or not private_only)
    }
    return [_tally(source, view, to, apart) for to, apart in sorted(fresh)]


def reaction_of(view: View, seat: int, to: int) -> str | None:
    """How a seat takes an event now."""
    own = (e.data for e in reversed(view.events) if e.kind == "reaction" and e.seat == seat and e.data["to"] == to)
    return next((data["reaction"] for data in own), None)


def _tally(source: CachedMatch, view: View, to: int, apart: bool) -> SafeString:
    taken: dict[int, str] = {}
    for event in _after(view, to):
        if event.kind == "reaction" and event.data["to"] == to and (event.audience is not None) == apart:
            taken.pop(event.seat, None)
            if event.data["reaction"]:
                taken[event.seat] = event.data["reaction"]
    who = {word: [seat for seat in taken if taken[seat] == word] for word in REACTIONS}
    given = [
        {"word": word, "says": says, "seats": who[word], "names": [source.names[seat] for seat in who[word]]}
        for word, says in REACTIONS.items()
        if who[word]
    ]
    return _render("tally", {"to": to, "apart": apart, "given": given, "seq": view.seq})


# Parts of the page ----------------------------------------------------------------------------------------------------


def for_all(seen: Visit, source: CachedMatch, view: View, since: int) -> list[str]:
    """Lines and tallies after seq `since` that everybody gets."""
    if not seen.room.talks:
        return []
    return [*heard(seen, in_match(source, view, since)), *tallies(source, view, since)]


def for_few(seen: Visit, since: int) -> list[str]:
    """The same that this person's seat gets, and not everybody."""
    source = seen.shown
    if source is None or not seen.room.talks or seen.seat is None:
        return []
    with source.lock:
        view = source.view(seen.viewer, seen.delayed)
        return [*heard(seen, in_match(source, view, since, True)), *tallies(source, view, since, True)]


def heard(seen: Visit, lines: Iterable[Said]) -> list[str]:
    """The lines but for those of whom this person mutes."""
    return [line.html for line in lines if line.mark not in seen.muted]


class Whole(NamedTuple):
    """All of it as one person has it: the talk, the last lines that they may point at, the newest first, and the
    tallies by line."""

    html: SafeString
    choice: list[Said]
    tallies: dict[str, str]


def whole(seen: Visit, messages: Iterable[RoomMessage]) -> Whole:
    """What was said here so far. messages: of the room, that this person hears."""
    said, story = around(messages), []
    given: dict[str, str] = {}
    if (source := seen.shown) is not None:
        with source.lock:
            view = source.view(seen.viewer, seen.delayed)
            said += in_match(source, view)
            story = _story(source, view)
            for tally in tallies(source, view):
                line = tally.partition('data-tally="')[2].partition('"')[0]
                given[line] = given.get(line, "") + tally
    said = [line for line in sorted(said) if line.mark not in seen.muted]
    html = "".join(_above(line.html, given.get(line.value, "")) for line in said)
    return Whole(mark_safe(html), sorted([*said, *story])[-CHOICE:][::-1], given)  # noqa: S308 (rendered by templates)


def with_tallies(lines: Iterable[str], given: Mapping[str, str]) -> list[str]:
    """Lines of the story, each with what others think of it."""
    return [_above(line, given.get(line.partition('id="')[2].partition('"')[0], "")) for line in lines]


def _above(line: str, tally: str) -> str:
    return f"{line.removesuffix('</li>')}{tally}</li>" if tally else line


def _story(source: CachedMatch, view: View) -> list[Said]:
    """The last lines of the story, in a few words."""
    told = feed.lines(source.match.game, view.events[-CHOICE:], source.names, view.viewer)
    return [
        Said(source.times[line.seq], "", f"e{line.seq}", " ".join(strip_tags(line.html).split()), line.html)
        for line in told
        if line.kind not in table_talk.KINDS and not line.private
    ]


def speak(
    seen: Visit,
    *,
    lines: Iterable[Said] = (),
    token: str = "",
    name: str = "",
    trouble: Trouble | None = None,
    told: str = "",
) -> SafeString:
    """The place to speak. lines: to choose from, which scripts find on the page; name: that this browser gave last;
    told: what came of what was done."""
    names = seen.muted_names
    context = {
        "visit": seen,
        "room": seen.room,
        "here": reverse("games:table", args=[seen.room.code]),
        "n": f"{seen.generation}.0.{seen.room.revision}",
        "reactions": REACTIONS,
        "muted": names,
        "marks": " ".join(names),
        "lines": lines,
        "csrf_token": token,
        "trouble": trouble,
        "typed": {"text": "", "name": name} | (trouble.typed if trouble else {}),
        "told": told,
    }
    return _render("speak", context)


def _render(name: str, context: dict[str, Any]) -> SafeString:
    return mark_safe(render_to_string(f"games/table/{name}.html", context).strip())  # noqa: S308 (rendered by a template)
