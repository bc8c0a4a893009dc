"""The browser's form of a request, and the way back from what it sends to an action.

An input's name carries the kind of its field ("seat.target"), so that a post can be read without the request that it
answers: a doubled one is then the same action, also after the request is over.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext

from games.rules import fields, values
from games.rules.forced import only_values
from games.rules.sentences import Sentence
from games.translation import translated

KINDS = {
    fields.Text: "text",
    fields.Choice: "choice",
    fields.Flag: "flag",
    fields.OneSeat: "seat",
    fields.SomeSeats: "seats",
    fields.Number: "number",
    fields.Split: "split",
}
YES, NO = "yes", "no"
STATUSES = {"over": 409, "paused": 409, "not_seated": 403, "not_yours": 403}
"""Of what is refused for another reason than what was answered."""


@dataclass(frozen=True)
class Option:
    """One thing to choose: its value, and whether it is chosen already."""

    value: Any
    chosen: bool


@dataclass(frozen=True)
class Input:
    """One field as the template draws it. `value` is what was typed before, if anything."""

    kind: str
    name: str
    field: fields.Field
    value: Any = None
    options: tuple[Option, ...] = ()

    @property
    def html_name(self) -> str:
        return f"{self.kind}.{self.name}"


def inputs(request: values.Request, typed: Mapping[str, Any] | None = None) -> list[Input]:
    """The inputs of a request's form, filled with what was typed (an action as `read` gives it), and with what can have
    one value only."""
    filled = only_values(request.fields) | dict(typed or {})
    return [_input(item, filled.get(item.name)) for item in request.fields]


def read(post: QueryDict) -> dict[str, Any]:
    """The action in a form's data, with typed values; what is no number stays text, for the rules to refuse."""
    action: dict[str, Any] = {}
    for key in post:
        kind, dot, name = key.partition(".")
        if dot and kind in READERS:
            action[name] = READERS[kind](post.getlist(key))
    return action


def sentence(refusal: values.Refusal) -> str:
    """A refusal in the language of the person who reads it."""
    said = refusal.sentence
    if refusal.code == "malformed" and isinstance(said, Sentence) and "field" in said.params:
        return gettext("Choose first, then send.")
    return translated(said)


def status(refusal: values.Refusal) -> int:
    """The HTTP status of an answer that tells of a refusal."""
    return STATUSES.get(refusal.code, 422)


def _input(item: fields.Field, value: Any) -> Input:
    kind = KINDS[type(item)]
    options: tuple[Option, ...] = ()
    if isinstance(item, (fields.OneSeat, fields.SomeSeats)):
        chosen = value if isinstance(value, list) else [value]
        options = tuple(Option(seat, seat in chosen) for seat in item.seats)
    elif isinstance(item, fields.Choice):
        options = tuple(Option(word, word == value) for word in item.options)
    elif isinstance(item, fields.Split):
        shares = value if isinstance(value, list) and len(value) == item.parts else [""] * item.parts
        options = tuple(Option(share, False) for share in shares)
    return Input(kind, item.name, item, value, options)


def _number(text: str) -> int | str | None:
    if not text.strip():
        return None
    try:
        return int(text)
    except ValueError:
        return text


def _numbers(texts: list[str]) -> list[int | str]:
    return [number for text in texts if (number := _number(text)) is not None]


def _flag(texts: list[str]) -> bool | str:
    return {YES: True, NO: False}.get(texts[-1], texts[-1])


READERS = {
    "text": lambda texts: texts[-1],
    "choice": lambda texts: texts[-1] or None,
    "flag": _flag,
    "seat": lambda texts: _number(texts[-1]),
    "seats": _numbers,
    "number": lambda texts: _number(texts[-1]),
    "split": _numbers,
}
