"""What an action may hold: the few kinds of field that a request is made of.

A field drives all that is asked: the words of the question (`asked`), the browser's form, the model's form and JSON
schema (`schema`), and the check of what comes back (`read`). Reading is strict: a value of another type is refused,
never guessed at.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .sentences import Sentence, counted, sentence

TEXT_LIMIT = 280
NO_QUESTION = sentence("")


class Malformed(Exception):
    """A value that does not fit its field, with a sentence for the person who sent it."""

    def __init__(self, sentence: str):
        self.sentence = sentence
        super().__init__(sentence)


@dataclass(frozen=True, slots=True)
class Field:
    """One named value of an action. Optional fields may be left out or null, and then read as None.

    label: the question in plain words, the same for people and models. An optional one says by itself what no answer
    means.
    """

    name: str
    optional: bool = field(default=False, kw_only=True)
    label: Sentence = field(default=NO_QUESTION, kw_only=True)

    def asked(self, say: Callable[[str], str] = str) -> str:
        """The question. say: the words of a sentence to who is asked."""
        words = say(self.label)
        return words[:1].upper() + words[1:]

    def read(self, value: Any) -> Any:
        """Return the normalised value; raise `Malformed` with a sentence if it does not fit."""
        raise NotImplementedError

    def schema(self, *, exact: bool = False) -> dict[str, Any]:
        """The JSON schema of the value, in the subset that OpenAI's strict mode takes: null where it may be left out,
        and nothing of lengths and of values that must differ, which the form says in words and `read` checks. exact:
        with these, for who reads any schema."""
        shape = self.shape() | (self.limits() if exact else {})
        if self.optional:
            shape = {"anyOf": [shape, {"type": "null"}]}
        return {"description": self.asked()} | shape if self.label else shape

    def shape(self) -> dict[str, Any]:
        """The JSON schema of a value that is given."""
        raise NotImplementedError

    def limits(self) -> dict[str, Any]:
        """What an exact schema says beside the shape."""
        return {}


def plain(text: str) -> str:
    """Text as the table keeps it: NFC, white space folded, without control, direction and invisible characters."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept = (
        " " if ch.isspace() else ch
        for ch in unicodedata.normalize("NFC", text)
        if ch.isspace() or unicodedata.category(ch) not in ("Cc", "Cf", "Cs", "Co", "Cn")
    )
    return " ".join("".join(kept).split())


BRACKETS = str.maketrans("<>", "\u2039\u203a")


def marked(mark: str, words: str) -> str:
    """Words between marks, on one line; nothing in them can close the mark."""
    return f"<{mark}>{plain(words).translate(BRACKETS)}</{mark}>"


@dataclass(frozen=True, slots=True)
class Text(Field):
    """Words of a player, at most `limit` characters after `plain`."""

    limit: int = TEXT_LIMIT

    def read(self, value: Any) -> str | None:
        if not isinstance(value, str):
            raise Malformed(sentence("Please write it as text."))
        if len(value) > 20 * self.limit:
            raise Malformed(sentence("That is far too long; at most {limit} characters go through.", limit=self.limit))
        text = plain(value)
        if not text:
            if self.optional:
                return None
            raise Malformed(sentence("Please write something first."))
        if len(text) > self.limit:
            over = len(text) - self.limit
            raise Malformed(
                counted(
                    "That is {n} character too long; at most {limit} go through.",
                    "That is {n} characters too long; at most {limit} go through.",
                    over,
                    limit=self.limit,
                )
            )
        return text

    def shape(self) -> dict[str, Any]:
        return {"type": "string"}

    def limits(self) -> dict[str, Any]:
        return {"maxLength": self.limit, "pattern": r"\S"}


@dataclass(frozen=True, slots=True)
class Choice(Field):
    """One of a closed list of words."""

    options: tuple[str, ...] = ()

    def read(self, value: Any) -> str:
        if not isinstance(value, str) or value not in self.options:
            raise Malformed(sentence("Choose one of: {options}.", options=", ".join(self.options)))
        return value

    def shape(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.options)}


@dataclass(frozen=True, slots=True)
class Flag(Field):
    """Yes or no. `only`: what alone may be chosen; the other is read too, where the rules want to refuse it in words of
    their own."""

    only: bool | None = None

    def read(self, value: Any) -> bool:
        if value is True or value is False:
            return value
        raise Malformed(sentence("Choose yes or no."))

    def shape(self) -> dict[str, Any]:
        return {"type": "boolean"} if self.only is None else {"type": "boolean", "enum": [self.only]}


@dataclass(frozen=True, slots=True)
class OneSeat(Field):
    """One of the seats that may be named."""

    seats: tuple[int, ...] = ()

    def read(self, value: Any) -> int:
        if type(value) is not int or value not in self.seats:
            raise Malformed(sentence("Choose one of the seats {seats}.", seats=_listed(self.seats)))
        return value

    def shape(self) -> dict[str, Any]:
        return {"type": "integer", "enum": list(self.seats)}


@dataclass(frozen=True, slots=True)
class SomeSeats(Field):
    """A set of seats of fixed size (`count`), or of any size where `count` is None; kept in ascending order. Where a
    size is fixed and nothing needs be said, an empty set says nothing."""

    seats: tuple[int, ...] = ()
    count: int | None = None

    def read(self, value: Any) -> list[int] | None:
        if not isinstance(value, (list, tuple)) or not {int}.issuperset(map(type, value)):
            raise Malformed(sentence("Choose seats from {seats}.", seats=_listed(self.seats)))
        chosen = sorted(value)
        if self.optional and self.count and not chosen:
            return None
        if len(set(chosen)) != len(chosen) or not set(self.seats).issuperset(chosen):
            raise Malformed(sentence("Choose different seats from {seats}.", seats=_listed(self.seats)))
        if self.count is not None and len(chosen) != self.count:
            raise Malformed(
                counted(
                    "Choose exactly {n} seat; you chose {chosen}.",
                    "Choose exactly {n} seats; you chose {chosen}.",
                    self.count,
                    chosen=len(chosen),
                )
            )
        return chosen

    def shape(self) -> dict[str, Any]:
        shape: dict[str, Any] = {
            "type": "array",
            "items": {"type": "integer", "enum": list(self.seats)},
        }
        if self.count is not None:
            shape |= {"minItems": self.count, "maxItems": self.count}
        return shape

    def limits(self) -> dict[str, Any]:
        return {"uniqueItems": True}


@dataclass(frozen=True, slots=True)
class Number(Field):
    """A whole number between `low` and `high`, both included. `readable`: higher ones are read up to here, where the
    rules want to refuse them in words of their own."""

    low: int = 0
    high: int = 100
    readable: int | None = None

    def read(self, value: Any) -> int:
        if type(value) is not int:
            raise Malformed(sentence("Give a whole number."))
        if not self.low <= value <= max(self.high, self.readable or self.high):
            raise Malformed(sentence("Give a number from {low} to {high}.", low=self.low, high=self.high))
        return value

    def shape(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class Split(Field):
    """Shares for `parts` players, in seat order, that sum to `total`; each a multiple of `step`. `most`: how much each
    may be, where that is less; more is read too, where the rules want to refuse it in words of their own."""

    parts: int = 3
    total: int = 100
    step: int = 1
    most: tuple[int, ...] = ()

    def read(self, value: Any) -> list[int]:
        if not isinstance(value, (list, tuple)) or any(type(share) is not int for share in value):
            raise Malformed(sentence("Give {parts} whole numbers.", parts=self.parts))
        if len(value) != self.parts:
            raise Malformed(sentence("Give {parts} shares; you gave {given}.", parts=self.parts, given=len(value)))
        if any(share < 0 or share % self.step for share in value):
            raise Malformed(sentence("Each share must be at least 0 and a multiple of {step}.", step=self.step))
        if sum(value) != self.total:
            raise Malformed(
                sentence("The shares must sum to {total}; yours sum to {sum}.", total=self.total, sum=sum(value))
            )
        return list(value)

    def shape(self) -> dict[str, Any]:
        return {
            "type": "array",
            "items": self._share(max(self.most, default=self.total)),
            "minItems": self.parts,
            "maxItems": self.parts,
        }

    def limits(self) -> dict[str, Any]:
        """No JSON schema can say what its numbers sum to, so this one has a word of its own for it."""
        each = {"prefixItems": [self._share(most) for most in self.most]} if self.most else {}
        return each | {"x-total": self.total}

    def _share(self, most: int) -> dict[str, Any]:
        return {"type": "integer", "minimum": 0, "maximum": most, "multipleOf": self.step}


def narrowed(fields: Iterable[Field], **closer: Mapping[str, Any]) -> tuple[Field, ...]:
    """These fields, of which those named allow less: closer: what is otherwise about each."""
    return tuple(replace(item, **closer.get(item.name, {})) for item in fields)


def vote_for(seats: tuple[int, ...]) -> OneSeat:
    """A vote against one of these seats."""
    return OneSeat("seat", seats=seats, label=sentence("Whom do you vote for?"))


def _listed(seats: tuple[int, ...]) -> str:
    return ", ".join(str(seat) for seat in seats)
