"""The rules of all games: the pure core, on the standard library alone."""

from .avalon import Avalon
from .core import Rules
from .undercover import Undercover

RULES: dict[str, Rules] = {rules.name: rules for rules in (Undercover(), Avalon())}
