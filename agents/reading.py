"""From a model's words to an action with every field read, or to one sentence that says what was wrong.

First what is private is cut off (`agents.private`). A reply with structure in it is then read as structure and nothing
else: what is wrong there is asked again, never looked for in the prose around it. Only a reply without any is read as
prose, by a small grammar (`agents.prose`) or as words to be said (`agents.spoken`). Whether the action is also legal,
the rules say (`agents.player`).
"""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from agents import prose, spoken
from agents.private import UnclearError, parts, take_fields
from agents.prose import NO_OBJECT, UNCLEAR
from games.rules.fields import Field, Malformed, Text
from games.rules.values import Request

__all__ = ["CUT_OFF", "NOTHING", "NO_OBJECT", "REFUSED", "TWO_OBJECTS", "UNCLEAR", "Reading", "read_action"]

NOTHING = "Your reply was empty."
TWO_OBJECTS = "Your reply holds more than one JSON object. Give one."
CUT_OFF = "Your reply was cut off. Be shorter."
REFUSED = "You did not answer."
NOT_APART = "It is not clear that the JSON object is your answer. Reply with it and nothing else."

LEAD = re.compile(
    r"\W*(?:as\s+i\s+said|again|so|therefore|(?:(?:here\s+is|here's|this\s+is)\s+)?(?:my|the)?\s*(?:final\s+)?"
    r"(?:answer|vote|choice|decision|move|action|response|reply|output|json|result)(?:\s+(?:is|as\s+json|in\s+json))?)\W*",
    re.IGNORECASE,
)
"""What may stand before an object on its own line, as "My final answer:"."""

DOUBT = re.compile(
    r"\b(?:not|never|no|nobody|none|neither|nor|without|if|unless|would|could|might|may|should|maybe|perhaps|instead|but|"
    r"however|although|though|or|like|such|sa(?:y|ys|id|ying)|t(?:ell|ells|old)|writes?|wrote|wants?|asks?|asked|suggest\w*|"
    r"repl(?:y|ies|ied)|answers?|answered|claims?|wrong|false|jok\w*|kidding|pretend\w*|ignore|disregard|mistake|wait|"
    r"actually|rather|change\w*|later|next|previous|last|earlier|before|until|when|once|after)\b|n['\u2019]t\b|[\"\u201c?>]",
    re.IGNORECASE,
)
"""What could make an object beside it something else than the answer."""

DECIDES = re.compile(
    r"\bmy\s+(?:\w+\s+){0,2}(?:vote|answer|choice|decision|move|target|team)\b|"
    r"\bI(?:'ll|\s+\w+){0,3}\s+(?:vote|choose|pick|select|accuse|name|approve|reject|propose|contribute|cooperate|defect)\b",
    re.IGNORECASE,
)
"""A sentence that decides, which has to decide as the object does."""

FRAME = re.compile(
    r"\b(?:below|following|examples?|templates?|placeholders?|formats?|schema|e\.g)\b|[{}]", re.IGNORECASE
)
AFTER = re.compile(r"\W*(?:reason(?:s|ing)?|explanation|rationale|why)\W*:|\W*because\b", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """`value` is what was read, None if nothing was; `problem` then says in one sentence what was wrong. `kept`: what
    stood beside the value, for the thought."""

    value: Any = None
    problem: str = ""
    kept: Mapping[str, Any] = field(default_factory=dict)


def read_action(
    text: str,
    request: Request,
    *,
    structured: bool,
    names: Mapping[int, str] | None = None,
    heard: Collection[Field] | None = None,
) -> Reading:
    """The action in a model's reply.

    structured: whether the API held the model to the request's schema; then only the whole reply counts, as JSON.
    names: by seat, for prose that says a name instead of a seat. heard: which of the fields are no private notes; all
    of them by default.
    """
    thoughts: list[str] = []
    try:
        action = _action(text, request, structured, names or {}, thoughts)
        for item in request.fields:
            said = action.get(item.name)
            if isinstance(item, Text) and isinstance(said, str) and (heard is None or item in heard):
                action[item.name], thought = spoken.checked(said, item, request)
                thoughts.append(thought)
        value, problem = request.read(action), ""
    except UnclearError:
        value, problem = None, spoken.UNCLEAR_PART
    except Malformed as error:
        value, problem = None, str(error)
    except (ValueError, RecursionError):
        value, problem = None, NO_OBJECT
    thought = "\n\n".join(filter(None, thoughts))
    return Reading(value, problem, {"thought": thought} if thought else {})


def _action(
    text: str, request: Request, structured: bool, names: Mapping[int, str], thoughts: list[str]
) -> dict[str, Any]:
    """The named values in a reply, unread; what it thought goes to `thoughts`."""
    whole, around = _whole(text), None
    if whole is None:
        split = parts(text)
        text = split.public
        thoughts.append(split.thought)
    if not text.strip():
        raise Malformed(NOTHING)
    if whole is None:
        found = [_parse(text)] if structured else _objects(text)
        if len(found) > 1:
            raise Malformed(TWO_OBJECTS)
        whole = found[0] if found else None
        if whole is None and (structured or _looks_structured(text)):
            raise Malformed(NO_OBJECT)
        if isinstance(whole, dict) and not structured:
            around = text
    if whole is not None:
        if isinstance(whole, dict):
            thoughts.append(take_fields(whole, {item.name for item in request.fields}))
        request.read(whole)
        if around is not None:
            _check_apart(around, whole, request, names)
        return whole
    if not request.fields:
        return {}
    (first, *more) = request.fields
    if isinstance(first, Text) and not more:
        said, before = spoken.from_prose(text, first, request)
        thoughts.append(before)
        return {first.name: said}
    return prose.action(text, request, names)


# Structure ---------------------------------------------------------------------------------------------------------


def _parse(text: str) -> Any:
    return _DECODER.decode(text.strip())


def _whole(text: str) -> dict[str, Any] | None:
    """The object that the reply is, and nothing else."""
    fenced = re.fullmatch(r"\s*```(?:json)?\s*\n(.*)\n\s*```\s*", text, re.DOTALL | re.IGNORECASE)
    try:
        found = _parse(fenced[1] if fenced else text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _one_value_a_name(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_one_value_a_name)


def _spans(text: str) -> list[tuple[dict[str, Any], int, int]]:
    """Every JSON object in the reply that stands in no other, and from where to where."""
    found = []
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except ValueError:
            end = at + 1
        else:
            found.append((value, at, end))
        at = text.find("{", end)
    return found


def _objects(text: str) -> list[dict[str, Any]]:
    """The different JSON objects in the reply, whole, fenced or among words."""
    found: list[dict[str, Any]] = []
    for value, _, _ in _spans(text):
        if value not in found:
            found.append(value)
    return found


def _check_apart(text: str, action: dict[str, Any], request: Request, names: Mapping[int, str]) -> None:
    """Raise `Malformed` if the words around an object could make it something else than the answer."""
    before, after, start = "", "", 0
    spans = _spans(text)
    for _, at, end in spans:
        before += text[start:at]
        start = end
    before, after = (re.sub(r"```(?:json)?", "\n", part, flags=re.IGNORECASE) for part in (before, text[start:]))
    lines = [line.strip() for line in re.split(r"(?<=[.!?])\s+|\n+", before) if re.search(r"\w", line)]
    led = False
    while lines and LEAD.fullmatch(lines[-1]):
        led = lines.pop() != "" or led
    ended = not lines or re.search(r"[.!]\W*$", lines[-1])
    if any(FRAME.search(line) for line in lines) or not ended or (lines and DOUBT.search(lines[-1])):
        raise Malformed(NOT_APART)
    for line in lines:
        stated = _states(line, request, names)
        decides = stated is None and DECIDES.search(line)
        if stated not in (None, action) or (decides and prose.seats_in(line, request, names) != [*action.values()]):
            raise Malformed(NOT_APART)
    rest = after.strip(" \t\n.!`")
    if (
        rest
        and not (AFTER.match(rest) and not DOUBT.search(rest))
        and not re.fullmatch(prose.NEUTRAL, rest, re.IGNORECASE)
    ):
        raise Malformed(NOT_APART)


def _states(line: str, request: Request, names: Mapping[int, str]) -> dict[str, Any] | None:
    """The action that a sentence states by itself; None for a sentence that states none."""
    if len(request.fields) != 1 or isinstance(request.fields[0], Text):
        return None
    try:
        return prose.action(line, request, names)
    except Malformed:
        return None


def _looks_structured(text: str) -> bool:
    """Whether somebody tried to write JSON here, in vain."""
    return re.search(r"[{[]\s*[\"'{[]|[\"']\s*:|```|^\s*[{[]", text) is not None
