"""Multi-Perspective Team Tactic (MPTT, "Who is Undercover?", section 4).

Speaking session: self-perspective (equation 1), identity determination (2), self-reflection (3); then the running
summary is written anew (4) and, from the three reflections alone, what is said (6). Voting session: first and second
find-teammate (8, 9), game decision, which updates the summary (10), and from these three alone the vote (11). Each
session ends in an output stage of its own. The summary is carried on from turn to turn.

The switches make the six rows of the paper's table 1:

| row | multi_self_reflection | global_history | self_summary | phase_1 | phase_2 |
| --- | --- | --- | --- | --- | --- |
| Baseline (CoT) | off | off | off | off | off |
| CoT + Multi SR | on | off | off | on | on |
| CoT + Multi SR + GH | on | on | off | on | on |
| MPTT w/o Phase I | on | on | on | off | on |
| MPTT w/o Phase II | on | on | on | on | off |
| MPTT | on | on | on | on | on |

A session that is off, and both without multi_self_reflection, is one chain of thought and its answer. Without
global_history a vote sees this round's speeches only.
"""

from typing import Any

from agents.beliefs import Beliefs
from agents.recall import OPPONENT, Held
from agents.scene import hides_roles, is_odd, others, own_side
from games.rules.core import Rules
from games.rules.fields import Choice, SomeSeats, Text

from .base import ALL, NONE, ROUND, Method, Part, Stage, Steps, Switch, Turn, forced
from .readers import Form, Move, Words

UNSURE = "unsure"
TOLD, UNTOLD = 0.8, 0.5
"""How probable it is taken to be that a named teammate is one (an opponent is none), and of a seat not named."""

SUMMARY = 1200
"""Characters of the running summary."""


class Mptt(Method):
    name = "mptt"
    title = "MPTT"
    about = (
        "Looks at itself from several sides before it speaks, looks for teammates before it votes, and keeps a summary."
    )
    switches = (
        Switch("multi_self_reflection", "Several reflections in place of one chain of thought.", True),
        Switch("global_history", "A vote sees all that was said, not this round's speeches only.", True),
        Switch("self_summary", "Keeps a running summary of its own conclusions.", True),
        Switch("phase_1", "Reflects before it speaks.", True),
        Switch("phase_2", "Reflects before it votes.", True),
    )

    def plays(self, rules: Rules) -> bool:
        return hides_roles(rules)

    def think(self, turn: Turn) -> Steps:
        on = turn.switches
        phase = on["phase_1"] if turn.speaks else on["phase_2"]
        if not (on["multi_self_reflection"] and phase):
            return self._chain_of_thought(turn)
        return self._speaking(turn) if turn.speaks else self._voting(turn)

    def side(self, turn: Turn) -> str | None:
        """From the newest of identity determination and second find-teammate."""
        found = turn.last("identity", "second_find")
        return _sides(turn).get(found["side"]) if found else None

    def believe(self, turn: Turn) -> Part:
        """Asked for its side alone, before a speech, it looks at itself; asked for more, it looks for teammates."""
        on, alone = turn.switches, [item.name for item in turn.situation.request.fields] == ["side"]
        given = {"summary": _summary(turn)}
        if not on["multi_self_reflection"] or not on["phase_1" if alone else "phase_2"]:
            return Held(given=given)
        if alone:
            _, identity = yield from self._identity(turn)
            return Held(side=_sides(turn)[identity["side"]], given=given)
        first, second = yield from self._teammates(turn)
        found = _beliefs(turn, second)
        return Held(found, _sides(turn)[second["side"]], {**given, "first": first, "second": second})

    def _chain_of_thought(self, turn: Turn) -> Steps:
        record = _record(turn)
        reason = yield Stage("reason", Words(), record=record)
        given = {"reason": reason}
        yield Stage("speak" if turn.speaks else "vote", Move(), given, "answer", record=record, final=True)

    def _speaking(self, turn: Turn) -> Steps:
        seen = {"summary": _summary(turn)}
        view, identity = yield from self._identity(turn)
        if turn.nothing_told:
            reflection = yield forced("reflection", "")
        else:
            reflection = yield Stage("reflection", Words(), given={**seen, "view": view, "identity": identity})
        given = {"view": view, "identity": identity, "reflection": reflection}
        speak = Stage("speak", Move(), given=given, record=NONE, final=True)
        # The summary and the speech both follow from the reflections and not from one another: asked at once.
        yield (Stage("summary", Words(), given=given, record=NONE, keep=_kept), speak) if _sums_up(turn) else speak

    def _identity(self, turn: Turn) -> Part:
        """What the seat would say of itself, and which side it takes itself to be on: before anybody has spoken what it
        was told, if anything."""
        seen = {"summary": _summary(turn)}
        view = yield Stage("self_perspective", Words(), given=seen, upto=turn.now)
        if turn.nothing_told:
            side = UNSURE if is_odd(turn) is None else own_side(turn)
            identity = yield forced("identity", {"side": side, "why": ""}, upto=turn.now)
        else:
            fields = Choice("side", options=tuple(_sides(turn))), Text("why", limit=1200)
            given = {**seen, "view": view}
            identity = yield Stage("identity", Form(*fields), given=given, keep=_why, upto=turn.now)
        return view, identity

    def _teammates(self, turn: Turn) -> Part:
        """Who is on the own team and who is not, looked at twice."""
        seen, seats = {"summary": _summary(turn)}, others(turn)
        common: dict[str, Any] = {"record": _record(turn), "upto": turn.now}
        teams = (
            SomeSeats("teammates", seats=seats),
            SomeSeats("opponents", seats=seats),
            Text("why", limit=1200),
        )

        def keep(value: dict[str, Any]) -> dict[str, Any]:
            return {"beliefs": _beliefs(turn, value).to_json(), "why": value["why"]}

        first = yield Stage("first_find", Form(*teams), given=seen, keep=keep, **common)
        side = Choice("side", options=tuple(_sides(turn)))
        second = yield Stage("second_find", Form(side, *teams), given={**seen, "first": first}, keep=keep, **common)
        return first, second

    def _voting(self, turn: Turn) -> Steps:
        first, second = yield from self._teammates(turn)
        summary = (Text("summary", limit=SUMMARY),) if _sums_up(turn) else ()
        decision = yield Stage(
            "decision",
            Form(Text("decision", limit=1200), *summary),
            given={"summary": _summary(turn), "first": first, "second": second},
            record=_record(turn),
            keep=lambda value: {"summary": value["summary"]} if "summary" in value else {},
        )
        given = {"first": first, "second": second, "decision": decision["decision"]}
        yield Stage("vote", Move(), given=given, record=NONE, final=True)


def _sides(turn: Turn) -> dict[str, str]:
    """The sides as they stand in forms, each with what a poll's answer is made of."""
    rules = turn.situation.rules
    return {rules.seeking: "good", rules.sought: "odd", UNSURE: UNSURE}


def _why(value: dict[str, Any]) -> dict[str, Any]:
    return {"why": value["why"]}


def _kept(value: str) -> dict[str, Any]:
    return {"summary": value[:SUMMARY]}


def _record(turn: Turn) -> str:
    return ALL if turn.speaks or turn.switches["global_history"] else ROUND


def _sums_up(turn: Turn) -> bool:
    return turn.switches["self_summary"]


def _summary(turn: Turn) -> str:
    """The running summary; empty in the first turn, and always without self_summary."""
    if not _sums_up(turn):
        return ""
    return next((t.data["summary"] for t in reversed(turn.situation.thoughts) if t.data.get("summary")), "")


def _beliefs(turn: Turn, found: dict[str, Any]) -> Beliefs:
    """Who is against the own team, as far as was said; a seat named on both sides counts as not named."""
    row = {}
    for seat in others(turn):
        ours, theirs = seat in found["teammates"], seat in found["opponents"]
        against = UNTOLD if ours == theirs else 1 - TOLD if ours else TOLD
        row[seat] = (1 - against, against)
    return Beliefs(turn.situation.seat, ("teammate", OPPONENT), (OPPONENT,), {turn.situation.seat: row})
