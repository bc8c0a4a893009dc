"""The rules of all games: the pure core, on the standard library alone."""

from .avalon import Avalon
from .chameleon import Chameleon
from .core import Rules
from .cost_sharing import CostSharing
from .prisoners_dilemma import PrisonersDilemma
from .public_good import PublicGood
from .spygame import SpyGame
from .undercover import Undercover

GAMES = (Undercover(), Chameleon(), Avalon(), SpyGame(), CostSharing(), PrisonersDilemma(), PublicGood())
RULES: dict[str, Rules] = {rules.name: rules for rules in GAMES}
