"""The story of a match, line by line: the same on the live table, in its frames and in the replay.

A line depends on its event, the names and the game alone, so that what everybody sees is the same bytes for all.
A sealed event is told to its own seat as "you" (`own`), and by name to who sees everything.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.template import Context, Engine, Template
from django.utils.safestring import SafeString, mark_safe

from games.registry import RULES, page_part
from games.rules import values
from games.rules.core import CORE_KINDS
from games.rules.values import PUBLIC

OWN_WORDS = "finished"  # the one event of the core that every game tells in words of its own


class Line(NamedTuple):
    """One line of the feed. section: the heading that begins with this line, or ''; private: not everybody sees it;
    beats: see `values.Kind`."""

    seq: int
    html: SafeString
    section: str
    kind: str
    private: bool = False
    beats: int = 0


def lines(
    game: str, events: Iterable[values.Seen], names: Mapping[int, str], viewer: values.Viewer = PUBLIC
) -> list[Line]:
    """The lines that these events amount to, for a viewer who may see them. Shells, and what needs no words, give
    none."""
    engine = Engine.get_default()
    telling = engine.get_template(page_part(game, "event"))
    core = engine.get_template("games/table/core_event.html")
    heading = engine.select_template([page_part(game, "section"), "games/table/no_section.html"])
    kinds, told = RULES[game].all_kinds, []
    for event in events:
        if isinstance(event, values.Shell):
            continue
        context = {"kind": event.kind, "seat": event.seat, "data": event.data, "by": event.by, "names": names}
        context["own"] = event.audience is not None and viewer in event.audience
        template = core if event.kind in CORE_KINDS and event.kind != OWN_WORDS else telling
        html, section = _render(template, context), _render(heading, context)
        if html or section:
            private, known = event.audience is not None, kinds.get(event.kind)
            told.append(Line(event.seq, html, section, event.kind, private, known.beats if known else 0))
    return told


def _render(template: Template, context: dict) -> SafeString:
    return mark_safe(template.render(Context(context)).strip())  # noqa: S308 (a template's own, escaped output)
