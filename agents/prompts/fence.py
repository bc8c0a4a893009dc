"""Marks in a prompt: whose words are whose, and values in sentences.

What a player wrote, what the moderator told and what the seat itself noted stand between marks of their own, on one
line each but for notes, and nothing in them can close its mark.
"""

from collections.abc import Mapping
from typing import Any

from django import template

from games.rules.core import Rules
from games.rules.fields import BRACKETS, marked

register = template.Library()


@register.filter
def said(words: Any) -> str:
    """A player's words, between marks that they cannot write themselves; a marked silence as such."""
    return "(silence)" if words is None else marked("said", str(words))


@register.filter
def told(words: Any) -> str:
    """Words of the setting that the moderator told, such as a word or a place: true, and no player's."""
    return marked("told", str(words))


@register.filter
def own(words: Any) -> str:
    """What the seat itself thought, as notes that cannot close their marks: they may repeat what others said."""
    if not words:
        return "(nothing)"
    return f"<notes>\n{str(words).strip().translate(BRACKETS)}\n</notes>"


@register.filter
def who(seat: int | str, me: int) -> str:
    """A seat at the beginning of a sentence: "Seat 3", "Seat 2 (you)"."""
    return f"Seat {seat} (you)" if int(seat) == me else f"Seat {seat}"


@register.filter
def seats(numbers: Any, me: int | None = None) -> str:
    """Seats in a sentence: "seat 3", "seats 1, 2 (you) and 4", "nobody"."""
    numbers = [numbers] if isinstance(numbers, int) else list(numbers or [])
    if not numbers:
        return "nobody"
    each = [f"{number} (you)" if number == me else str(number) for number in numbers]
    return f"seat {each[0]}" if len(each) == 1 else f"seats {', '.join(each[:-1])} and {each[-1]}"


@register.filter
def one(role: str, rules: Rules) -> str:
    """A role as that of one player: "citizen" for "citizens"."""
    return rules.one_of(role)


@register.filter
def by_seat(values: Any, me: int | None = None) -> str:
    """A value for each seat, from a list in seat order or by seat: "seat 1: 40, seat 2 (you): 60"."""
    items = values.items() if isinstance(values, Mapping) else enumerate(values, 1)
    return ", ".join(f"seat {seat}{' (you)' if int(seat) == me else ''}: {number(value)}" for seat, value in items)


@register.filter
def number(value: float) -> str:
    """A number in plain figures, to the hundredth at most: "1,000,000", "1.5", "30"."""
    whole, _, rest = f"{value:,.2f}".partition(".")
    return f"{whole}.{rest}".rstrip("0").rstrip(".")


@register.filter
def minus(value: int, less: int) -> int:
    """A difference."""
    return value - less


@register.filter
def after(seat: int, seats: int) -> int:
    """The next seat at a table of so many."""
    return seat % seats + 1


@register.filter
def among(values: Any, names: str) -> list[Any]:
    """Those of the values that are named, by words with a space between."""
    return [value for value in values if value in names.split()]
