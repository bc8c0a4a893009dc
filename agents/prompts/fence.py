"""The fence around what players say: in a prompt their words are data, on one line, and cannot close the fence."""

import json
from typing import Any

from django import template

from games.rules.fields import plain

register = template.Library()

_BRACKETS = str.maketrans("<>", "\u2039\u203a")


@register.filter(name="said")
def fenced(words: Any) -> str:
    """A player's words, between marks that they cannot write themselves; a marked silence as such."""
    if words is None:
        return "(silence)"
    return f"<said>{plain(str(words)).translate(_BRACKETS)}</said>"


@register.filter
def own(words: Any) -> str:
    """What the seat itself thought, as notes that cannot close their marks: they may repeat what others said."""
    if not words:
        return "(nothing)"
    return f"<notes>\n{str(words).translate(_BRACKETS)}\n</notes>"


@register.filter
def data(value: Any) -> str:
    """Values of any kind as JSON, fenced, since words may be among them."""
    return fenced(json.dumps(value, ensure_ascii=False, sort_keys=True))


@register.filter
def seats(numbers: Any) -> str:
    """Seats in a sentence: "seat 3", "seats 1, 2 and 4", "nobody"."""
    numbers = [numbers] if isinstance(numbers, int) else list(numbers or [])
    if not numbers:
        return "nobody"
    if len(numbers) == 1:
        return f"seat {numbers[0]}"
    return f"seats {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
