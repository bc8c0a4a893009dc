"""What a table's page is made of, for the first page, the answers to posts and the socket's frames alike.

`public` holds what everybody may see: the same bytes for all, rendered once for each seq and language. `own` holds what
one seat may see: its card, its form, its private lines. Each part carries `data-n`,
"generation.seq.revision": the matches begun in the room, the last event that the viewer sees, and the room's revision
where no log tells what is newer.
"""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from operator import itemgetter
from typing import Any

from django.middleware.csrf import get_token
from django.template import TemplateDoesNotExist
from django.template.loader import get_template, render_to_string, select_template
from django.urls import reverse
from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.match import detection, notebooks
from games.match.access import viewer_name
from games.match.cache import CachedMatch
from games.match.view import View
from games.models import Room
from games.registry import RULES, page_part
from games.room import talk as room_talk
from games.room.people import name_of
from games.rules import table_talk, values
from games.rules.values import PUBLIC
from games.web import feed, forms, talk
from games.web.moments import moments
from games.web.visits import Trouble, Visit
from magic_site.requests import SiteRequest

NUMBER = re.compile(r' data-n="[^"]*"')
PUBLIC_PARTS = ("status", "seats", "board", "stage")


@contextmanager
def moment(seen: Visit) -> Iterator[bool]:
    """Hold a table's log as it is: what is rendered inside of the block, public and own, is of one moment. Gives
    whether the look is still good; one at a match that has ended since must be taken anew, as there is more to see."""
    if seen.source is None or seen.match is None:
        yield True
        return
    with seen.source.lock:
        yield seen.source.over == (seen.match.status != "running")


def parts(
    seen: Visit, request: SiteRequest, trouble: Trouble | None = None, since: int = 0, told: str = ""
) -> dict[str, SafeString] | None:
    """All parts of the page by name, the feed lines after `since` as `lines`, and what is said beside the game as
    `talk`; forms that work without scripts, unless scripts ask. None where the look is not good any more (see
    `moment`). told: what came of something, for the place to speak."""
    token = "" if request.htmx else get_token(request)
    name = name_of(request) if seen.match is None or seen.seat is None else ""
    own = OwnParts(seen, token=token, name=name, trouble=trouble)
    messages = room_talk.messages(seen.room, seen.hears, seen.generation) if seen.hears else []
    with moment(seen) as still:
        if not still:
            return None
        shown = public_parts(seen) | own.parts()
        told_so_far = lines(seen, since)
        if seen.hears:
            said = talk.whole(seen, messages)
            told_so_far = talk.with_tallies(told_so_far, said.tallies)
            shown |= {"talk": said.html, "speak": own.speak(said.choice, told)}
        shown["lines"] = mark_safe("".join(told_so_far))  # noqa: S308 (rendered by templates)
    return shown


def public_frame(seen: Visit, since: int) -> str:
    """The public parts that have changed since and the lines after `since`, as one text; rendered once a process for
    all who look on. From 0 it is everything; the status is always there and says of which match the frame is."""
    source = seen.shown
    if source is None:
        return "".join(public_parts(seen).values())
    with source.lock:
        view = source.view(PUBLIC, seen.delayed)

        def render() -> str:
            before = (since and source.kept(_parts_key(seen, source, since))) or {}
            parts = [
                html
                for name, html in public_parts(seen).items()
                if name == "status" or _bare(html) != _bare(before.get(name, ""))
            ]
            return "".join([*parts, *_lines(source, view, since), *talk.for_all(seen, source, view, since)])

        return source.once(("frame", since, seen.muted, *_parts_key(seen, source, view.seq)), render)


def _parts_key(seen: Visit, source: CachedMatch, seq: int) -> tuple:
    return ("parts", seen.generation, seq, source.stood, seen.delayed, translation.get_language())


def _bare(part: str) -> str:
    """A part without its number, which changes with every event."""
    return NUMBER.sub("", part, count=1)


def public_parts(seen: Visit) -> dict[str, SafeString]:
    """Status, seats, board and stage."""
    source = seen.shown
    if source is None:
        return _public_parts(
            {
                "waiting": True,
                "n": f"{seen.generation}.0.{seen.room.revision}",
                "room": seen.room,
                "rules": RULES[seen.room.game],
                "chairs": [] if seen.room.anonymous else seen.chairs,
                "total": len(seen.chairs),
                "taken": sum(not chair.free for chair in seen.chairs),
                "free": sum(chair.free for chair in seen.chairs),
                "barred": seen.match is not None,
            }
        )
    with source.lock:
        view = source.view(PUBLIC, seen.delayed)
        return source.once(
            _parts_key(seen, source, view.seq), lambda: _public_parts(_public_context(seen, source, view))
        )


def _public_parts(context: dict[str, Any]) -> dict[str, SafeString]:
    return {name: _render(name, context) for name in PUBLIC_PARTS}


def lines(seen: Visit, since: int = 0, private_only: bool = False) -> list[str]:
    """The feed's lines after `since` that this person sees, in order; each has its event's number as id, so that no
    line is ever there twice."""
    source = seen.shown
    if source is None:
        return []
    with source.lock:
        return _lines(source, source.view(seen.viewer, seen.delayed), since, private_only)


def own_seq(seen: Visit) -> int:
    """The seq of the last event that this person sees."""
    return 0 if (source := seen.shown) is None else source.view(seen.viewer, seen.delayed).seq


def public_key(seen: Visit) -> tuple:
    """Changes when the public parts do; cheap to ask for."""
    source = seen.shown
    if source is None:
        if seen.room.anonymous:
            return (seen.generation, sum(chair.free for chair in seen.chairs))
        return (seen.generation, tuple((chair.number, chair.name, chair.free) for chair in seen.chairs))
    return (seen.generation, last_seq(seen), source.stood, seen.delayed)


def last_seq(seen: Visit) -> int:
    """The seq of the last event that everybody who looks on like this person sees."""
    return 0 if (source := seen.shown) is None else source.view(PUBLIC, seen.delayed).seq


def _lines(source: CachedMatch, view: View, since: int, private_only: bool = False) -> list[str]:
    events = view.events[bisect_right(view.events, since, key=itemgetter(0)) :]
    if private_only:
        events = [event for event in events if event.audience is not None]
    events = [event for event in events if event.kind not in table_talk.KINDS]
    return [source.line(event, view.viewer, _line) for event in events]


def _line(game: str, event: values.Event, names: dict[int, str], viewer: values.Viewer) -> str:
    return "".join(_render("line", {"line": line}) for line in feed.lines(game, [event], names, viewer))


def _public_context(seen: Visit, source: CachedMatch, view: View) -> dict[str, Any]:
    state, match, room = view.state, source.match, seen.room
    public = source.rules.public(state)
    asked = [] if state.paused else [request for request in view.requests if request.waits]
    over = state.outcome.status != "running"
    context = {
        "n": f"{seen.generation}.{view.seq}.0",
        "room": room,
        "match": match,
        "rules": source.rules,
        "game": match.game,
        "names": source.names,
        "public": public,
        "state": state,
        "over": over,
        "outcome": state.outcome,
        "seats": [_seat(seat, source, view, asked, public) for seat in source.names],
        "asked": _asked(asked),
        "clock": _clock(source, room, asked, view),
        "delayed": seen.delayed,
        "game_status": page_part(match.game, "status"),
        "game_board": _own_part(match.game, "board"),
        "game_track": page_part(match.game, "track"),
        "game_marks": page_part(match.game, "marks"),
        "game_hand": page_part(match.game, "hand"),
    }
    if over:
        context["moments"] = moments(match.game, view.events, source.names)
    return context


def _own_part(game: str, part: str) -> str:
    """The template of a part that not every game has; "" where this one has none."""
    return _if_there(page_part(game, part))


@cache
def _if_there(name: str) -> str:
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return ""
    return name


def _seat(
    seat: int, source: CachedMatch, view: View, asked: list[values.Request], public: dict[str, Any]
) -> dict[str, Any]:
    """One seat as the list shows it: what it is asked for, or whether it has answered what others still think about."""
    mine = next((request for request in asked if request.seat == seat), None)
    since = min((request.opened_at for request in asked), default=0)
    wanted = {request.kind for request in asked}
    answers = (e for e in reversed(view.events) if e.seat == seat and e.request and e.kind in wanted)
    answer = next(answers, None) if asked and mine is None else None
    return {
        "number": seat,
        "name": source.names[seat],
        "kind": view.kinds.get(seat, ""),
        "asked": mine.kind if mine else "",
        "done": answer is not None and answer.seq > since,
        "stand_in": seat in view.stand_ins,
        "out": str(seat) in public.get("out", {}),
        "won": seat in view.state.outcome.winners,
    }


def _public(source: CachedMatch) -> tuple[dict[str, Any], str]:
    """What everybody knows of a match now, and the same as a text."""
    view = source.view(PUBLIC)

    def read() -> tuple[dict[str, Any], str]:
        public = source.rules.public(view.state)
        return public, repr(public)

    return source.once(("public", view.seq), read)


def open_words(source: CachedMatch) -> set[str]:
    """The words of a match's setting that lie open to all, such as places: what one may cross out."""
    lists = (value for value in _public(source)[0].values() if isinstance(value, list))
    return {item for value in lists for item in value if isinstance(item, str)}


def _asked(asked: list[values.Request]) -> list[dict[str, Any]]:
    """Who is asked for what, kind by kind."""
    kinds: dict[str, list[int]] = {}
    for request in asked:
        kinds.setdefault(request.kind, []).append(request.seat)
    return [{"kind": kind, "seats": seats, "first": seats[0], "many": len(seats) > 1} for kind, seats in kinds.items()]


def _clock(source: CachedMatch, room: Room, asked: list[values.Request], view: View) -> datetime | None:
    """When the time of those asked is up, from what everybody may know: agents have none where they are named."""
    if not room.move_seconds or room.absence == Room.Absence.WAIT:
        return None
    timed = [r for r in asked if view.kinds.get(r.seat) != "agent" and r.seat not in view.state.stand_ins]
    if not timed:
        return None
    resumed = max((event.seq for event in view.events if event.kind == "resumed"), default=0)
    begun = max(source.times[max(min(r.opened_at for r in timed), resumed)], source.times[1])
    stood = max(source.away.get(request.id, 0.0) for request in timed)
    return begun + timedelta(seconds=room.move_seconds + stood)


class OwnParts:
    """The parts that belong to one person: the card, and the one place where they act."""

    def __init__(self, seen: Visit, token: str = "", name: str = "", trouble: Trouble | None = None):
        self.seen, self.token, self.name, self.trouble = seen, token, name, trouble
        self.talk_trouble: Trouble | None = None
        if trouble and trouble.talk and seen.hears:
            self.trouble, self.talk_trouble = None, trouble

    def key(self) -> tuple:
        """Changes whenever what the parts show changes; cheap to ask for, and never told to anybody."""
        return (*self._act_key(), self._notes_key())

    def _notes_key(self) -> tuple:
        notes = self.seen.notes
        return () if notes is None else (notes.text, repr(notes.marks), repr(notes.struck), self.seen.gives_marks)

    def _act_key(self) -> tuple:
        """A form shows its request, what is public, and what is on the card."""
        seen = self.seen
        around = self._around()
        source = seen.shown
        if source is None:
            return around
        with source.lock:
            view = source.view(seen.viewer, seen.delayed)
            state = view.state
            if state.outcome.status != "running":
                return (*around, view.seq, seen.review and seen.review.stage)
            requests = self._requests(view) if seen.seat is not None else []
            asked = tuple((r.id, source.deadlines.get(r.id), r.id in source.answered) for r in requests)
            public, told = _public(source)
            out = str(seen.seat) in public.get("out", {})
            card = "" if seen.seat is None else repr(source.rules.card(state, seen.seat))
            place = (state.paused, state.held, seen.stand_in, out, card, view.private)
            return (*around, *place, asked, asked and told)

    def _around(self) -> tuple:
        """What the parts show beside the match."""
        seen = self.seen
        chairs = tuple((chair.number, chair.name, chair.person, chair.agent, chair.ready) for chair in seen.chairs)
        everything = bool(seen.access and seen.access.everything)
        given = seen.detection and seen.detection.pk
        freed = tuple(seen.freed)
        place = (seen.generation, seen.seat, seen.chair, seen.queued, seen.hosts, seen.delayed, everything, freed)
        return (*place, seen.muted, chairs, tuple(seen.agents), seen.notice, seen.asked, seen.guessing, given)

    def parts(self) -> dict[str, SafeString]:
        shown = {"card": self._card(), "act": self._act(), "verdict": self._verdict()}
        shown |= {"review": self._review()}
        shown |= {"notes": self._notes()} if self.seen.noted else {}
        return shown | ({"speak": self.speak()} if self.seen.hears else {})

    def speak(self, lines: Sequence[talk.Said] = (), told: str = "") -> SafeString:
        """The place to talk, keyed like the form."""
        plain = self._plain_speak()
        if not (lines or told or self.token or self.name or self.talk_trouble):
            return _keyed(plain)
        shown = talk.speak(
            self.seen, lines=lines, told=told, token=self.token, name=self.name, trouble=self.talk_trouble
        )
        return _keyed(shown, plain)

    def _plain_speak(self) -> SafeString:
        """The same as the socket sends it, made once for all in the same place."""
        seen = self.seen
        if seen.source is None:
            return talk.speak(seen)
        who = (seen.speaks_to, seen.seat is None, seen.chair is None, bool(seen.called), seen.muted)
        key = ("speak", seen.generation, seen.room.revision, *who, translation.get_language())
        return seen.source.once(key, lambda: talk.speak(seen))

    def _review(self) -> SafeString:
        """How the match went that is over; until then an empty place."""
        seen, found = self.seen, self.seen.review
        if found is None or seen.match is None:
            return format_html('<div id="review" data-part data-n="{}.0.0"></div>', seen.generation)
        context = {
            "n": f"{seen.generation}.{own_seq(seen)}.{found.stage}",
            "review": found,
            "match": seen.match,
            "as": viewer_name(seen.viewer),
            "own": seen.seat is not None,
        }
        return _render("review", context)

    def _act(self) -> SafeString:
        """The form, keyed by what it shows to everybody in this place: neither what was typed nor why it was refused,
        so that the same form that comes again later lets both stand."""
        plain = OwnParts(self.seen)
        shown = plain._plain_act()
        return _keyed(shown if vars(self) == vars(plain) else _render("act", self._context()), shown)

    def _plain_act(self) -> SafeString:
        """The form as the socket sends it, made once for whoever asks for the same."""
        seen = self.seen
        if seen.source is None:
            return _render("act", self._context())
        key = ("act", own_seq(seen), seen.room.revision, translation.get_language(), self._act_key())
        return seen.source.once(key, lambda: _render("act", self._context()))

    def _card(self) -> SafeString:
        """The card, which changes a few times in a match; it is rendered anew only when what stands on it changes."""
        seen = self.seen
        context: dict[str, Any] = {"n": f"{seen.generation}.0.0", "card": {}}
        source, seat = seen.shown, seen.seat
        if source is None or seat is None:
            return _keyed(_render("card", context))
        with source.lock:
            view = source.view(seat)
            card = source.rules.card(view.state, seat)
            context |= {
                "n": f"{seen.generation}.{view.private}.{view.seq}",
                "card": card,
                "names": source.names,
                "called": source.names[seat] if seen.room.anonymous else "",
                "game_card": page_part(source.match.game, "card"),
                "game_guide": _own_part(source.match.game, "guide"),
                "public": source.rules.public(view.state),
            }
            key = ("card", seat, seen.generation, view.private, repr(card), translation.get_language())
            return source.once(key, lambda: _keyed(_render("card", context)))

    def _notes(self) -> SafeString:
        """The notebook; for the eyes of whoever writes it alone."""
        seen, source = self.seen, self.seen.shown
        context: dict[str, Any] = {"n": f"{seen.generation}.0.0", "notes": None}
        if source is None or seen.seat is None or seen.notes is None:
            return _keyed(_render("notes", context))
        game = source.match.game
        with source.lock:
            view = source.view(seen.seat)
            context |= {
                "n": f"{seen.generation}.{view.seq}.0",
                "notes": seen.notes,
                "gives_marks": seen.gives_marks,
                "others": [seat for seat in source.names if seat != seen.seat],
                "names": source.names,
                "public": source.rules.public(view.state),
                "most": notebooks.MOST_LETTERS,
                "here": reverse("games:table", args=[seen.room.code]),
                "csrf_token": self.token,
                "game_notes": _own_part(game, "notes"),
            }
        return _keyed(_render("notes", context), _render("notes", context | {"csrf_token": ""}) if self.token else None)

    def _verdict(self) -> SafeString:
        """How the match ended, for this person: `won` or `lost` for who played, '' for others and where nobody won."""
        seen, source = self.seen, self.seen.shown
        context: dict[str, Any] = {"n": f"{seen.generation}.0.0", "over": False}
        if source is not None:
            with source.lock:
                view = source.view(seen.viewer, seen.delayed)
                outcome = view.state.outcome
                if outcome.status != "running":
                    mine = bool(outcome.winners) and seen.seat is not None
                    context |= {
                        "n": f"{seen.generation}.{view.seq}.0",
                        "over": True,
                        "outcome": outcome,
                        "result": outcome.result,
                        "verdict": ("lost", "won")[seen.seat in outcome.winners] if mine else "",
                        "state": view.state,
                        "public": source.rules.public(view.state),
                        "names": source.names,
                        "game_end": page_part(source.match.game, "end"),
                        "game_result": page_part(source.match.game, "result"),
                    }
        return _keyed(_render("verdict", context))

    def news(self, since: int, known: dict[str, str]) -> str:
        """Card and form, unless they are `known` to show what they show now, and the private lines after `since`."""
        fresh = {name: part for name, part in self.parts().items() if known.get(name) != _bare(part)}
        known |= {name: _bare(part) for name, part in fresh.items()}
        private = lines(self.seen, since, private_only=True)
        return "".join([*fresh.values(), *private, *talk.for_few(self.seen, since)])

    def _requests(self, view: View) -> list[values.Request]:
        return [request for request in view.requests if request.seat == self.seen.seat]

    def _context(self) -> dict[str, Any]:
        seen = self.seen
        context: dict[str, Any] = {
            "visit": seen,
            "room": seen.room,
            "here": reverse("games:table", args=[seen.room.code]),
            "match": seen.match,
            "game": seen.room.game,
            "free": sum(chair.free for chair in seen.chairs),
            "csrf_token": self.token,
            "remembered_name": self.name,
            "trouble": self.trouble,
            "typed": self.trouble.typed if self.trouble else {},
            "loose_trouble": self.trouble,
            "agents": seen.agents,
            "paused": False,
            "n": f"{seen.generation}.0.{seen.room.revision}",
        }
        source = seen.shown
        if source is None:
            return context | {"mode": "waiting"}
        with source.lock:
            view = source.view(seen.viewer, seen.delayed)
            state = view.state
            over = state.outcome.status != "running"
            public = source.rules.public(state)
            requests = self._requests(view) if seen.seat is not None else []
            context |= {
                "mode": "over" if over else "playing" if seen.seat is not None else "watching",
                "names": source.names,
                "options": view.options,
                "game_hint": page_part(source.match.game, "hint"),
                "public": public,
                "card": source.rules.card(state, seen.seat) if seen.seat is not None else {},
                "forms": [] if over else [self._form(source, r) for r in requests if r.id not in source.answered],
                "kept": [source.deadlines.get(r.id) for r in requests if r.id in source.answered],
                "stand_in": seen.stand_in,
                "out": str(seen.seat) in public.get("out", {}),
                "n": f"{seen.generation}.{view.seq}.{seen.room.revision if over else 0}",
                "paused": state.paused and not over,
                "held": state.held,
                "freed": [] if over else seen.freed,
            }
            if over:
                said = None if seen.guessing else seen.detection
                context["verdicts"] = detection.verdicts(source.match, said) if said else []
            context["loose_trouble"] = self.trouble if not any(form["trouble"] for form in context["forms"]) else None
            context["asked_for"] = {form["request"].kind for form in context["forms"]}
            context["form_html"] = [self._form_html(source.match.game, context, form) for form in context["forms"]]
        return context

    def _form(self, source: CachedMatch, request: values.Request) -> dict[str, Any]:
        trouble = self.trouble if self.trouble and self.trouble.request == request.id else None
        return {
            "request": request,
            "inputs": forms.inputs(request, trouble.typed if trouble else None),
            "deadline": source.deadlines.get(request.id),
            "trouble": trouble,
        }

    def _form_html(self, game: str, context: dict[str, Any], form: dict[str, Any]) -> SafeString:
        kind = form["request"].kind
        part = f"act_{kind}.html"
        template = select_template(
            [page_part(game, f"act_{kind}"), f"games/discussion/{part}", f"games/table/{part}", "games/table/form.html"]
        )
        return template.render(context | form)


def _keyed(part: SafeString, shown: str | None = None) -> SafeString:
    """A part with a key that follows from what it shows (or from `shown`), and so tells nothing that it does not."""
    key = hashlib.blake2s(_bare(part if shown is None else shown).encode(), digest_size=6).hexdigest()
    return mark_safe(part.replace(' data-key=""', f' data-key="{key}"', 1))  # noqa: S308 (rendered by a template)


def _render(name: str, context: dict[str, Any]) -> SafeString:
    return mark_safe(render_to_string(f"games/table/{name}.html", context).strip())  # noqa: S308 (rendered by a template)
