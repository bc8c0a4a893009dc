"""What one person may see of a table: card, form and notes, how it ended for them, and the place where they speak."""

from collections.abc import Sequence
from typing import Any

from django.template.loader import select_template
from django.urls import reverse
from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.match import detection, notebooks
from games.match.access import viewer_name
from games.match.cache import CachedMatch
from games.match.view import View
from games.registry import page_part
from games.rules import values
from games.web import forms, talk
from games.web.panels.drawing import bare, draw, keyed, own_part
from games.web.panels.lines import lines, own_seq
from games.web.panels.public import public_now
from games.web.visits import Trouble, Visit


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
            public, told = public_now(source)
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
        shown = {"card": self._card(), "act": self._act(), "verdict": self.verdict()}
        shown |= {"review": self._review()}
        shown |= {"notes": self._notes()} if self.seen.noted else {}
        return shown | ({"speak": self.speak()} if self.seen.hears else {})

    def speak(self, lines: Sequence[talk.Said] = (), told: str = "") -> SafeString:
        """The place to talk, keyed like the form."""
        plain = self._plain_speak()
        if not (lines or told or self.token or self.name or self.talk_trouble):
            return keyed(plain)
        shown = talk.speak(
            self.seen, lines=lines, told=told, token=self.token, name=self.name, trouble=self.talk_trouble
        )
        return keyed(shown, plain)

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
        return draw("review", context)

    def _act(self) -> SafeString:
        """The form, keyed by what it shows to everybody in this place: neither what was typed nor why it was refused,
        so that the same form that comes again later lets both stand."""
        plain = OwnParts(self.seen)
        shown = plain._plain_act()
        return keyed(shown if vars(self) == vars(plain) else draw("act", self._context()), shown)

    def _plain_act(self) -> SafeString:
        """The form as the socket sends it, made once for whoever asks for the same."""
        seen = self.seen
        if seen.source is None:
            return draw("act", self._context())
        key = ("act", own_seq(seen), seen.room.revision, translation.get_language(), self._act_key())
        return seen.source.once(key, lambda: draw("act", self._context()))

    def _card(self) -> SafeString:
        """The card, which changes a few times in a match; it is rendered anew only when what stands on it changes."""
        seen = self.seen
        context: dict[str, Any] = {"n": f"{seen.generation}.0.0", "card": {}}
        source, seat = seen.shown, seen.seat
        if source is None or seat is None:
            return keyed(draw("card", context))
        with source.lock:
            view = source.view(seat)
            card = source.rules.card(view.state, seat)
            context |= {
                "n": f"{seen.generation}.{view.private}.{view.seq}",
                "card": card,
                "names": source.names,
                "called": source.names[seat] if seen.room.anonymous else "",
                "game_card": page_part(source.match.game, "card"),
                "game_guide": own_part(source.match.game, "guide"),
                "public": source.rules.public(view.state),
            }
            key = ("card", seat, seen.generation, view.private, repr(card), translation.get_language())
            return source.once(key, lambda: keyed(draw("card", context)))

    def _notes(self) -> SafeString:
        """The notebook; for the eyes of whoever writes it alone."""
        seen, source = self.seen, self.seen.shown
        context: dict[str, Any] = {"n": f"{seen.generation}.0.0", "notes": None}
        if source is None or seen.seat is None or seen.notes is None:
            return keyed(draw("notes", context))
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
                "game_notes": own_part(game, "notes"),
            }
        return keyed(draw("notes", context), draw("notes", context | {"csrf_token": ""}) if self.token else None)

    def verdict(self) -> SafeString:
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
        return keyed(draw("verdict", context))

    def news(self, since: int, known: dict[str, str]) -> str:
        """Card and form, unless they are `known` to show what they show now, and the private lines after `since`."""
        fresh = {name: part for name, part in self.parts().items() if known.get(name) != bare(part)}
        known |= {name: bare(part) for name, part in fresh.items()}
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
            "places": [chair.number for chair in seen.chairs if chair.free] if seen.plays_on else [],
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
            told_at_its_form = any(form["trouble"] for form in context["forms"])
            too_late = over and self.trouble is not None and self.trouble.request  # which the end tells already
            context["loose_trouble"] = None if told_at_its_form or too_late else self.trouble
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
