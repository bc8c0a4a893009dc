"""What whoever sits at a match is told, and how they act: the one contract behind all doors.

`observe` and `rules` are made of a `View` and nothing else, as JSON values. `act` is the way to answer a request for
whoever is no worker of ours: pages and programs come through it alike.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import chain
from operator import itemgetter
from typing import Any

from games.match import store
from games.match.cache import CachedMatch
from games.match.quick_json import encoded, read
from games.match.view import View
from games.models import OUTSIDE, Match
from games.rules import values
from games.rules.sentences import sentence
from games.rules.shapes import misfit, pointer
from games.rules.values import PUBLIC, Viewer

NOT_SEATED = values.Refusal("not_seated", sentence("You do not sit at this match, so you cannot make its moves."))
NOT_YOURS = values.Refusal("not_yours", sentence("That move belongs to another player."))

ROUNDED = 0.05
"""So far may declared shares sum to more or less than 1: many of them, each rounded, do."""


class NoBeliefs(ValueError):
    """What was declared is no matrix of beliefs of the seat about seats of the match. pointer: to what is wrong, a JSON
    pointer."""

    def __init__(self, pointer: str) -> None:
        super().__init__(pointer)
        self.pointer = pointer


def untold(view: View) -> str:
    """Nobody tells the rules in words."""
    return ""


in_words: Callable[[View], str] = untold
"""The rules of a match in words, as its agents are told them; the agents app puts that here when it starts."""


def observe(source: CachedMatch, viewer: Viewer, *, delayed: bool = False, after: int = 0) -> dict[str, Any]:
    """What this viewer sees of a match as it was last read, and what it is asked. after: only the events with a higher
    seq.

    match, number, game, preset, rules_version, options; status, and at the end outcome {result, winners, returns};
    paused; seat, None for who looks on; seats: {seat, name, kind, outside, stand_in} each, kind "" where it is not
    told; seq: of the last event that it sees; events: {seq, kind, seat, data} each, data None where it sees only
    that it happened; public: what everybody knows now; card: what the seat was dealt; requests: those to the seat
    that it has not answered, {id, kind, waits, deadline, schema} each; waits_for: {seat, kind} of all of whom
    everybody may know that they are waited for.
    """
    with source.lock:
        view = source.view(viewer, delayed)
        state, rules, match = view.state, view.rules, source.match
        over = state.outcome.status != "running"
        told = {
            "match": str(match.pk),
            "number": match.number,
            "game": match.game,
            "preset": match.preset,
            "rules_version": view.header.rules_version,
            "options": view.header.options,
            "status": state.outcome.status,
            "outcome": _outcome(state.outcome) if over else None,
            "paused": state.paused and not over,
            "seat": viewer if viewer > PUBLIC else None,
            "seats": _seats(view),
            "seq": view.seq,
            "events": [_event(event) for event in view.events[bisect_right(view.events, after, key=itemgetter(0)) :]],
            "public": rules.public(state),
            "card": rules.card(state, viewer) if viewer > PUBLIC else {},
            "requests": [_request(source, request) for request in open_to(source, view)],
            "waits_for": [] if state.paused else _waits_for(view.requests),
        }
        return read(encoded(told))  # nothing in it changes any more with the match


def rules(source: CachedMatch, viewer: Viewer, *, delayed: bool = False) -> dict[str, Any]:
    """By which rules a match is played: game, title, preset, options; rules: all of them in words; events: {kind: what
    such an event says}."""
    with source.lock:
        view = source.view(viewer, delayed)
        return {
            "game": view.rules.name,
            "title": view.rules.title,
            "preset": source.match.preset,
            "options": view.header.options,
            "rules": in_words(view),
            "events": {kind: about.about for kind, about in view.rules.all_kinds.items()},
        }


def open_to(source: CachedMatch, view: View) -> list[values.Request]:
    """The requests that the viewer is to answer now."""
    if view.state.paused or view.over:
        return []
    return [one for one in view.requests if one.seat == view.viewer and one.id not in source.answered]


def act(
    match: Match,
    seat: int | None,
    request: str,
    action: Any,
    *,
    skip: bool = False,
    why: str = "",
    beliefs: dict[str, Any] | None = None,
    agent: str = "",
) -> store.Moved:
    """Answer a request of the seat. The same answer again adds nothing and is no refusal. skip: leave a poll
    unanswered, whatever the action. why, beliefs: what an agent from outside declares of its reasoning, kept as a
    thought; of people none is kept. agent: the profile that a program answers for. Raises `NoBeliefs`."""
    if seat is None:
        return store.Moved(refusal=NOT_SEATED, match=match)
    if request.split(":")[1:2] not in ([], [str(seat)]):
        return store.Moved(refusal=NOT_YOURS, match=match)
    if skip:
        return store.skip(match.pk, seat, request)
    if not agent and not any(one.seat == seat and one.agent == OUTSIDE for one in match.seated):
        return store.act(match.pk, seat, request, action)
    data = ({"why": why} if why else {}) | ({"beliefs": beliefs} if beliefs else {})
    if beliefs and (wrong := _wrong_belief(beliefs, seat, match)) is not None:
        raise NoBeliefs(wrong)
    thoughts = [values.Thought(request, seat, OUTSIDE, "declared", data=data, attempts=0)] if data else []
    by = f"agent:{agent}" if agent else store.BY_OUTSIDE
    return store.act(match.pk, seat, request, action, by, thoughts=thoughts)


def _wrong_belief(beliefs: dict[str, Any], seat: int, match: Match) -> str | None:
    """What of these beliefs is wrong, as a JSON pointer; None where they are this seat's, about seats of this match."""
    if (wrong := misfit(beliefs)) is not None:
        return wrong
    if unknown := beliefs.keys() - {"owner", "labels", "suspects", "shared", "rows"}:
        return pointer(min(unknown))
    if beliefs["owner"] != seat:
        return pointer("owner")
    if beliefs["shared"] not in ("labels", "subjects"):
        return pointer("shared")
    seats = {str(one.seat) for one in match.seated}
    for viewer, row in beliefs["rows"].items():
        if viewer not in seats:
            return pointer("rows", viewer)
        if strangers := row.keys() - seats:
            return pointer("rows", viewer, min(strangers))
        if beliefs["shared"] == "subjects" and row and not _is_whole(chain.from_iterable(row.values())):
            return pointer("rows", viewer)
        for subject, shares in row.items():
            if beliefs["shared"] == "labels" and not _is_whole(shares):
                return pointer("rows", viewer, subject)
    return None


def _is_whole(shares: Iterable[float]) -> bool:
    """Whether shares sum to 1, but for rounding."""
    return abs(sum(shares) - 1) <= ROUNDED


def _event(event: values.Seen) -> dict[str, Any]:
    return {"seq": event.seq, "kind": event.kind, "seat": event.seat, "data": event.data}


def _request(source: CachedMatch, request: values.Request) -> dict[str, Any]:
    deadline = source.deadlines.get(request.id)
    return {
        "id": request.id,
        "kind": request.kind,
        "waits": request.waits,
        "deadline": deadline and deadline.isoformat(),
        "schema": request.schema(exact=True),
    }


def _seats(view: View) -> list[dict[str, Any]]:
    kinds, outside, stand_ins = view.kinds, view.outside, view.stand_ins
    return [
        {
            "seat": seat,
            "name": name,
            "kind": kinds.get(seat, ""),
            "outside": seat in outside,
            "stand_in": seat in stand_ins,
        }
        for seat, name in view.names.items()
    ]


def _waits_for(requests: Iterable[values.Request]) -> list[dict[str, Any]]:
    return [{"seat": one.seat, "kind": one.kind} for one in requests if one.waits and one.audience is None]


def _outcome(outcome: values.Outcome) -> dict[str, Any]:
    returns = {str(seat): points for seat, points in outcome.returns.items()}
    return {"result": outcome.result, "winners": list(outcome.winners), "returns": returns}
