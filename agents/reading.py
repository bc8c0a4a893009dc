"""From a model's words to an action with every field read, or to one sentence that says what was wrong.

A reply with structure in it is read as structure and nothing else: what is wrong there is asked again, never looked
for in the prose around it. Only a reply without any is read as prose, and there only what is stated outright counts.
Whether the action is also legal, the rules say (`agents.player`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.rules.fields import Choice, Field, Flag, Malformed, Number, OneSeat, SomeSeats, Split, Text
from games.rules.values import Request

NOTHING = "Your reply was empty."
NO_OBJECT = "Your reply holds no JSON object that can be read."
TWO_OBJECTS = "Your reply holds more than one JSON object. Give one."
CUT_OFF = "Your reply was cut off. Be shorter."
REFUSED = "You did not answer."
UNCLEAR = "Your reply does not state one clear answer."

YES_AND_NO = {
    "approve": (r"approve|accept|yes", r"reject|refuse|no"),
    "success": (r"success|succeed|yes", r"fail|sabotage|no"),
    "agree": (r"agree|yes", r"disagree|no"),
}
YES_OR_NO = (r"yes|true", r"no|false")

LABEL = (
    r"(?:^|(?<=[\n.!?*>]))[\s*_>#-]{0,12}(?:(?:so|therefore|thus)\W{1,3})?(?:(?:my|the)\s)?(?:final\s)?"
    r"(?:answer|vote|choice|decision|target|{name})\b[*_]*\s{0,3}(?:is\b|[:=\u2013-])\s{0,3}(?:for\b|to\b)?"
)
VOICE = (
    r"\bI(?:\s+will|\s+shall|\s+would|['\u2019]ll|['\u2019]d|\s+am\s+going\s+to|['\u2019]m\s+going\s+to|\s+must|\s+now)?"
    r"(?:\s+(?:therefore|thus|now|also|still|finally|like\s+to|want\s+to|have\s+to))*"
    r"\s+(?:cast\s+my\s+vote|vote|voting|choose|pick|accuse|name|propose|select|send|take|suggest|assassinate|"
    r"stab|target|inspect|investigate|go\s+with|contribute|put\s+in|give|play)\b\s*(?:for\b|to\b|on\b|against\b)?"
)
QUOTATION = r"\"[^\"\n]{9,}\"|\u201c[^\u201d\n]{9,}\u201d|<said>.*?</said>"
REASON = r"[,;(]|\s[\u2013\u2014-]\s|\b(?:because|since|as|who|whose|after|given|for)\b"
OPENING_QUOTES, CLOSING_QUOTES = "\"'\u201c\u2018\u00ab`", "\"'\u201d\u2019\u00bb`"


@dataclass(frozen=True)
class Reading:
    """`value` is what was read, None if nothing was; `problem` then says in one sentence what was wrong. `kept`: what
    stood beside the value, for the thought."""

    value: Any = None
    problem: str = ""
    kept: Mapping[str, Any] = field(default_factory=dict)


def read_action(text: str, request: Request, *, structured: bool, names: Mapping[int, str] | None = None) -> Reading:
    """The action in a model's reply.

    structured: whether the API held the model to the request's schema; then only the whole reply counts, as JSON.
    names: by seat, for prose that says a name instead of a seat.
    """
    if not text.strip():
        return Reading(problem=NOTHING)
    try:
        found = [_parse(text)] if structured else _objects(text)
        if len(found) > 1:
            return Reading(problem=TWO_OBJECTS)
        if found:
            return Reading(request.read(found[0]))
        if structured or _looks_structured(text):
            return Reading(problem=NO_OBJECT)
        return Reading(request.read(_from_prose(text, request, names or {})))
    except Malformed as error:
        return Reading(problem=str(error))
    except (ValueError, RecursionError):
        return Reading(problem=NO_OBJECT)


# Structure ---------------------------------------------------------------------------------------------------------


def _parse(text: str) -> Any:
    return _DECODER.decode(text.strip())


def _one_value_a_name(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_one_value_a_name)


def _objects(text: str) -> list[dict[str, Any]]:
    """The different JSON objects in the reply, whole, fenced or among words."""
    found: list[dict[str, Any]] = []
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except ValueError:
            end = at + 1
        else:
            if value not in found:
                found.append(value)
        at = text.find("{", end)
    return found


def _looks_structured(text: str) -> bool:
    """Whether somebody tried to write JSON here, in vain."""
    return re.search(r"[{[]\s*[\"'{[]|[\"']\s*:|```|^\s*[{[]", text) is not None


# Prose -------------------------------------------------------------------------------------------------------------


def _from_prose(text: str, request: Request, names: Mapping[int, str]) -> dict[str, Any]:
    """The values that the words state outright. Words carry one value; whatever else is asked must be optional."""
    if not request.fields:
        return {}
    wanted = [field for field in request.fields if not field.optional] or list(request.fields[:1])
    if len(wanted) > 1:
        raise Malformed(NO_OBJECT)
    field = wanted[0]
    return {field.name: _value(text, field, request, names)}


def _value(text: str, field: Field, request: Request, names: Mapping[int, str]) -> Any:
    if isinstance(field, Text):
        return _words(text, field, request)
    text = re.sub(QUOTATION, '"', text)  # what others said is no statement of the speaker's
    if isinstance(field, Flag):
        return _flag(text, field, request)
    if isinstance(field, Choice):
        return _choice(text, field, request)
    for said in reversed(_statements(text, field, request)):
        if isinstance(field, OneSeat):
            named = set(_seats(re.split(REASON, said, maxsplit=1)[0], names)) - {request.seat}
            if named:
                return _only(list(named))
        elif isinstance(field, SomeSeats):
            seats = _seats(said, names)
            if seats:
                return seats
        elif isinstance(field, Number | Split):
            numbers = [int(number) for number in re.findall(r"(?<![\w.])\d{1,9}(?!\w|\.\d)", said)]
            if numbers:
                return numbers if isinstance(field, Split) else _only(numbers)
    raise Malformed(UNCLEAR)


def _statements(text: str, field: Field, request: Request) -> list[str]:
    """What follows an explicit statement ("I vote for ...", "Answer: ..."), to the end of its sentence, in order.

    A reply of a few words is a statement as a whole.
    """
    name = "|".join({re.escape(field.name), re.escape(request.kind.replace("_", " "))})
    cues = re.compile(f"{LABEL.replace('{name}', name)}|{VOICE}", re.IGNORECASE)
    found = [re.split(r"[.!?;\n](?:\s|$)", text[cue.end() :] + "\n", maxsplit=1)[0] for cue in cues.finditer(text)]
    if not found and len(text.split()) <= 12 and not re.search(r"[?]|\b(?:not|never|or)\b|n['\u2019]t\b", text):
        found = [text]
    return found


def _seats(said: str, names: Mapping[int, str]) -> list[int]:
    """Seats by number or by a name that only one seat has, in the order in which they are mentioned."""
    found = [(m.start(), int(m.group(1))) for m in re.finditer(r"(?<![\w.])#?(\d{1,2})(?!\w|\.\d)", said)]
    folded = [name.casefold() for name in names.values()]
    for seat, name in names.items():
        if folded.count(name.casefold()) == 1 and not re.search(r"\d", name):
            pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
            found += [(m.start(), seat) for m in re.finditer(pattern, said, re.IGNORECASE)]
    return list(dict.fromkeys(seat for _, seat in sorted(found)))


def _only(numbers: list[int]) -> int:
    if len(numbers) > 1:
        raise Malformed(UNCLEAR)
    return numbers[0]


def _flag(text: str, field: Field, request: Request) -> bool:
    yes, no = YES_AND_NO.get(field.name, YES_OR_NO)
    return _last_said(text, {yes: True, no: False}, field, request)


def _choice(text: str, field: Choice, request: Request) -> str:
    return _last_said(text, {re.escape(option): option for option in field.options}, field, request)


def _last_said(text: str, meanings: Mapping[str, Any], field: Field, request: Request) -> Any:
    """The meaning of the last explicit statement: "I approve", "Vote: reject", "I will vote to fail"."""
    words = "|".join(f"(?P<m{n}>{pattern})" for n, pattern in enumerate(meanings))
    voice = VOICE.split(r"\s+(?:cast", 1)[0]
    direct = re.compile(rf"{voice}\s+(?:{words})\b", re.IGNORECASE)
    inside = re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    found: list[tuple[int, re.Match[str]]] = [(match.end(), match) for match in direct.finditer(text)]
    for said in _statements(text, field, request):
        match = inside.search(said)
        denied = match and re.search(r"\b(?:not|never)\b|n['\u2019]t\b", said[: match.start()], re.IGNORECASE)
        if match and not denied:
            found.append((text.rfind(said.strip()) + match.end(), match))
    if not found:
        raise Malformed(UNCLEAR)
    _, last = max(found, key=lambda item: item[0])
    values = list(meanings.values())
    return next(values[n] for n in range(len(values)) if last.group(f"m{n}"))


def _words(text: str, field: Text, request: Request) -> str:
    """What is to be said: after its last label, or a reply that is one paragraph and nothing else."""
    name = "|".join({re.escape(field.name), re.escape(request.kind.replace("_", " ")), "answer", "final answer"})
    labels = list(
        re.finditer(rf"(?:^|\n)[\s*_>#]{{0,12}}(?:my\s+)?(?:{name})[*_]*\s*:[*_]*[ \t]*", text, re.IGNORECASE)
    )
    said = (text[labels[-1].end() :] if labels else text).strip()
    if re.search(r"\n\s*\S", said):
        raise Malformed("Reply with the words to be said and nothing else.")
    return _unquoted(said)


def _unquoted(said: str) -> str:
    """Without one pair of quotation marks around all of it."""
    if len(said) > 1 and said[0] in OPENING_QUOTES and said[-1] == CLOSING_QUOTES[OPENING_QUOTES.index(said[0])]:
        inner = said[1:-1]
        if said[0] not in inner and said[-1] not in inner:
            return inner
    return said
