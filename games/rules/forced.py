"""What a request leaves no choice about, as far as its fields tell."""

from collections.abc import Iterable
from typing import Any

from .fields import Choice, Field, Flag, Number, OneSeat, SomeSeats, Split


def only_values(fields: Iterable[Field]) -> dict[str, Any]:
    """By name the value of each of these fields that can have but one; what may be left out has two."""
    return {field.name: found[0] for field in fields if not field.optional and len(found := _values(field)) == 1}


def _values(field: Field) -> tuple[Any, ...]:
    """The values of a field, where they are counted: two at most; none of a field that cannot be."""
    match field:
        case Choice():
            return field.options[:2]
        case Flag(only=bool(only)):
            return (only,)
        case OneSeat():
            return field.seats[:2]
        case SomeSeats(count=count) if count == len(field.seats):
            return (sorted(field.seats),)
        case Number() if field.low == max(field.high, field.readable or field.high):
            return (field.low,)
        case Split(parts=1):
            return ([field.total],)
        case Split() if sum(field.most) == field.total:
            return (list(field.most),)
    return ()
