"""Polls answered from memory: what a seat holds of its last thoughts, read out without a call.

A poll measures the method, not a second mind (MAgIC, section 3.3; "Who is Undercover?", section 5.2). Where the last
matrix, role guess or judgement of oneself holds all that is asked, the answer is read from there; where anything is
missing the model is asked, with its memory in the prompt (`Method.poll`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents.beliefs import Beliefs
from agents.situation import Thought
from games.rules.fields import Malformed

if TYPE_CHECKING:
    from agents.methods import Method, Turn

STAGE = "recall"
OPPONENT = "opponent"
"""The label of a matrix that tells one's own team from the other, not one role from another."""


def answer(method: Method, turn: Turn) -> Thought | None:
    """The thought that answers a poll, its action under "action"; None where the memory does not hold it."""
    found: dict[str, Any] = {}
    beliefs = turn.beliefs()
    for item in turn.situation.request.fields:
        value = _read(item.name, method, turn, beliefs)
        if value is None:
            return None
        found[item.name] = value
    try:
        action = turn.situation.request.read(found)
    except Malformed:
        return None  # a seat that the memory names is out by now
    request = turn.situation.request
    return Thought(request.id, request.seat, turn.method, STAGE, data={"action": action}, attempts=0)


def _read(name: str, method: Method, turn: Turn, beliefs: Beliefs | None) -> Any:
    """The value of one field of a poll; None where nothing is held."""
    if name == "side":
        return _side(method, turn)
    if beliefs is None or turn.situation.seat not in beliefs.rows:
        return None
    known = [seat for seat in beliefs.own if seat != turn.situation.seat]
    teams = OPPONENT in beliefs.labels
    if name == "odd_one":
        return None if teams else beliefs.most_suspected()
    if name.startswith("suspect_of_"):
        viewer = int(name.removeprefix("suspect_of_"))
        return beliefs.most_suspected(viewer) if viewer in beliefs.rows and not teams else None
    if not teams:
        return None
    against = [seat for seat in known if beliefs.suspicion(seat) > 0.5]
    return against if name == "suspected" else [seat for seat in known if beliefs.suspicion(seat) < 0.5]


def _side(method: Method, turn: Turn) -> str | None:
    """The own side in the poll's words: its options are the good side's name, the odd one's, and unsure."""
    from agents.methods.scene import hidden, hides_roles, is_odd

    if not hides_roles(turn.situation.rules):
        return None
    told = is_odd(turn)
    side = method.side(turn) if told is None else "odd" if told else "good"
    names = {"odd": hidden(turn).odd, "good": hidden(turn).good, "unsure": "unsure"}
    return names.get(side)
