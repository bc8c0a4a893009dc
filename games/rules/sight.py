"""The filter between a match and a viewer: which events, requests and parts of the header it may know of."""

from collections.abc import Iterable

from .core import Rules, State
from .values import OMNISCIENT, PUBLIC, Event, Header, Request, SeatInfo, Seen, Shell, Viewer


def visible(rules: Rules, log: Iterable[Event], viewer: Viewer, until: int | None = None) -> list[Seen]:
    """What `viewer` sees of a log, up to and with seq `until`: events of its audience, shells of sealed ones."""
    seen = (seen_by(rules, event, viewer) for event in log)
    return [event for event in seen if event is not None and (until is None or event.seq <= until)]


def seen_by(rules: Rules, event: Event, viewer: Viewer) -> Seen | None:
    """One event as a viewer sees it: itself, its shell, or nothing."""
    if viewer == OMNISCIENT:
        return event
    by = "moderator" if event.by == "moderator" else "seat"
    if event.audience is None or (viewer != PUBLIC and viewer in event.audience):
        return event._replace(by=by)
    about = rules.all_kinds.get(event.kind)  # nothing is told of a kind that is no more
    if about is not None and about.others == "shell":
        return Shell(event.seq, event.kind, event.seat, event.audience, None, by, event.request)
    return None


def requests_for(state: State, viewer: Viewer) -> list[Request]:
    """The open requests that a viewer may know of, oldest first."""
    return [
        request
        for request in state.open.values()
        if viewer == OMNISCIENT or request.audience is None or viewer in request.audience
    ]


def visible_header(header: Header, viewer: Viewer, *, kinds_named: bool) -> Header:
    """The header as `viewer` may see it: seed, setting and agent profiles are for the omniscient only; who is an
    agent only where the table names them (`kinds_named`)."""
    if viewer == OMNISCIENT:
        return header
    seats = tuple(SeatInfo(s.seat, s.name, s.kind if kinds_named else "", None) for s in header.seats)
    options = {key: value for key, value in header.options.items() if key != "scripted"}
    return Header(header.game, header.preset, options, {}, 0, seats, header.rules_version, header.id, None)
