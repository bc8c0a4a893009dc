"""Scripts: recorded games as a header, actions and what is expected of them, played through the rules."""

from typing import Any

from .core import Rules
from .lines import fault, parsed
from .play import Play, new_header
from .values import LogError, Refusal, Request, SeatInfo

MOST_ACTIONS = 20_000


def read_script(line: str) -> dict[str, Any]:
    """A script from a line of a file; raises `LogError`."""
    script = parsed(line)
    if wrong := fault("script", script) or fault("header", script["header"]):
        raise LogError(f"This is no script of a game: {wrong}.")
    if len(script["actions"]) > MOST_ACTIONS:
        raise LogError(f"A script has at most {MOST_ACTIONS:,} actions.")
    for number, action in enumerate(script["actions"], 1):
        if wrong := fault("action", action):
            raise LogError(f"Action {number}: {wrong}.")
    return script


def play_script(rules: Rules, script: dict[str, Any]) -> tuple[Play, list[str]]:
    """Play a script, as `read_script` gives it. Returns the match and, one sentence each, where it
    disagrees: an illegal action, an action left over, an expected fact that is another."""
    lines: list[str] = []
    header = script["header"]
    seats = tuple(
        SeatInfo(s["seat"], s["name"], "agent", s.get("agent") or "unknown")
        if s.get("kind") == "agent"
        else SeatInfo(s["seat"], s["name"])
        for s in header["seats"]
    )
    play = Play(
        rules,
        new_header(
            rules,
            header["preset"],
            seats=seats,
            seed=header.get("seed", 0),
            options=header.get("options"),
            setting=header.get("setting"),
            id=header.get("id", ""),
        ),
    )
    for number, entry in enumerate(script["actions"], 1):
        seat, action = entry["seat"], entry["action"]
        request = next((r for r in play.state.open.values() if r.seat == seat and _fits(r, action)), None)
        if request is None:
            return play, [f"action {number}: nothing of that kind is asked of seat {seat}"]
        sits = seats[seat - 1]
        result = play.act(seat, request.id, action, f"agent:{sits.agent}" if sits.agent else "person")
        if type(result) is Refusal:
            return play, [f"action {number} of seat {seat}: {result.sentence}"]
    facts = rules.summary(play.state.outcome, play.state)
    for name, value in script.get("expected", {}).items():
        if name in facts and facts[name] != value:
            lines.append(f"{name}: expected {value!r}, played {facts[name]!r}")
    if not play.over and script.get("expected"):
        lines.append("the actions end before the match does")
    return play, lines


def _fits(request: Request, action: dict[str, Any]) -> bool:
    names = {item.name for item in (*request.fields, *request.unasked)}
    return action.keys() <= names and all(item.optional or item.name in action for item in request.fields)
