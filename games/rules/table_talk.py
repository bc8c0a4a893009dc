"""Talk beside a game, which decides nothing: any game may have it, by the option `table_talk`.

Every seat may speak at any time, and take a stand on what everybody sees. Who is out speaks with those who are out
then, and is heard by nobody else at the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .fields import Choice, Malformed, Number, Text
from .sentences import sentence
from .values import Draft, Event, Kind, Refusal, Request

if TYPE_CHECKING:
    from .core import Rules, State

ALL, OUT = "all", "out"
REACTIONS = ("agree", "disagree", "laugh", "surprise", "doubt", "applause")
MOST = 300
"""So many events of talk a seat may add to a match, so that no log grows without end."""

KINDS: dict[str, Kind] = {
    "chat": Kind(
        sentence("Something said beside the game; to: `all` or `out`."), ("text", "to"), "some", words=("text",)
    ),
    "reaction": Kind(
        sentence(
            "How a seat takes event `to` from now on: {reactions}; null: not at all.", reactions=", ".join(REACTIONS)
        ),
        ("to", "reaction"),
        "some",
    ),
}
FIELDS = {
    "chat": (
        Text("text", label=sentence("What do you say?")),
        Choice("to", options=(ALL, OUT), label=sentence("Who hears it?")),
    ),
    "reaction": (
        Number("to", low=1, high=2**31 - 1, label=sentence("To which event?")),
        Choice("reaction", options=REACTIONS, optional=True, label=sentence("How do you take it?")),
    ),
}


def draft(rules: Rules, state: State, log: list[Event], seat: int, kind: str, data: Any) -> Draft | Refusal | None:
    """What a seat says or how it reacts, as it goes into the log, or why it does not count; None where it reacts to
    an event as it does already."""
    if not state.options.table_talk:
        return Refusal("no_talk", sentence("There is no talk beside this game."))
    if state.outcome.status != "running":
        return Refusal("over", sentence("The match is over."))
    try:
        data = Request("", kind, seat, FIELDS[kind], 0).read(data)
    except Malformed as error:
        return Refusal("malformed", error.sentence)
    if sum(event.seat == seat and event.kind in KINDS for event in log) >= MOST:
        return Refusal("too_much", sentence("You have talked as much as a match has room for."))
    out = tuple(sorted(map(int, rules.public(state).get("out", {}))))
    audience = out if seat in out else None
    if kind == "chat":
        if (data["to"] == OUT) != (seat in out):
            return Refusal("not_heard", sentence("Who is out speaks to those who are out, and all others to all."))
        refused = None if audience else rules.check_talk(state, seat, data["text"])
        return refused or Draft(kind, seat, data, audience)
    to = log[data["to"] - 1] if data["to"] <= len(log) else None
    heard = to and to.kind != "reaction" and (to.audience is None or (to.kind == "chat" and seat in to.audience))
    if to is None or not heard:
        return Refusal("no_event", sentence("You can only react to what is said or done before the whole table."))
    own = (event.data for event in reversed(log) if event.kind == kind and event.seat == seat)
    before = next((taken["reaction"] for taken in own if taken["to"] == data["to"]), None)
    return None if before == data["reaction"] else Draft(kind, seat, data, to.audience or audience)
