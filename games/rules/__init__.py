"""The rules of all games: the pure core, on the standard library alone."""

from .core import Rules

RULES: dict[str, Rules] = {}
