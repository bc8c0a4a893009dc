"""The games, in the order in which pages offer them. Each is one folder beside this file (CONTRIBUTING.md says what
stands in it)."""

from games.avalon.rules import Avalon
from games.chameleon.rules import Chameleon
from games.cost_sharing.rules import CostSharing
from games.prisoners_dilemma.rules import PrisonersDilemma
from games.public_good.rules import PublicGood
from games.rules.core import Rules
from games.spygame.rules import SpyGame
from games.undercover.rules import Undercover

GAMES = (Undercover(), Chameleon(), Avalon(), SpyGame(), CostSharing(), PrisonersDilemma(), PublicGood())
RULES: dict[str, Rules] = {rules.name: rules for rules in GAMES}


def page_part(game: str, part: str) -> str:
    """The template of a part of a game's pages."""
    return RULES[game].page(part)
