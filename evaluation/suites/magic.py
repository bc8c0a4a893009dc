"""MAgIC's competition: 143 matches a challenger against fixed defenders (arXiv 2311.08562, section 3 and appendix).

20 Chameleon and 20 Undercover settings, each played in both roles; 7 bases with the challenger at each of 3 seats for
Cost Sharing, the Prisoner's Dilemma and Public Good. On the good side the challenger plays both good seats against one
defender; as the odd one it plays one seat against two. Defenders who sit before the first challenger's seat open with
the setting's own clue or proposal.

`Magic` plays Cost Sharing and Public Good as the second edition has them, `MagicM1` as the first. `MagicBalanced` plays
the word games with settings that the paper's protocol chose, `MagicPublished` the one setting of each game that the
authors published, once these are imported.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

from games.registry import RULES

from .base import Entry, Planned, Setting, Suite, SuiteError, number_from

WORD_GAMES = {"chameleon": ("chameleon", "non-chameleon"), "undercover": ("undercover", "civilian")}
POINT_GAMES = ("cost_sharing", "prisoners_dilemma", "public_good")
WORDS, BASES = 20, 21
OPENED = ("chameleon", "undercover", "cost_sharing")
"""Games whose settings hold first moves."""
PUBLISHED = re.compile(r"MAgIC [a-z_]+ \d+")
"""How the settings that the authors published are called here (`games.files.paper_settings`)."""
BALANCED = re.compile(r"balanced [a-z_]+ \d+: .+")
"""How the settings are called that the paper's protocol chose (`evaluation.competitions.balancing`)."""


class Magic(Suite):
    name = "magic"
    title = "MAgIC"
    about = "143 matches a challenger: five games, seven roles, against a fixed defender."
    source = "MAgIC (arXiv 2311.08562), Cost Sharing and Public Good as in its second edition"
    preset: ClassVar[str] = "magic"
    hint: ClassVar[str] = ""
    games = (*WORD_GAMES, *POINT_GAMES)
    page = "leaderboard"
    parts = {"defender": "house"}

    def of(self, challenger: str, entry: Entry, settings: Callable[[str], Sequence[Setting]]) -> Iterator[Planned]:
        defender = self.defender(entry, "defender")
        for game, (odd, good) in WORD_GAMES.items():
            for name, data in self.chosen(game, settings(game)):
                for role in (good, odd):
                    yield _word_match(game, role, role == odd, challenger, defender, entry.seed, name, data)
        for game in POINT_GAMES:
            preset = self.preset if self.preset in RULES[game].presets else "magic"
            for name, data in self.chosen(game, settings(game)):
                yield _point_match(game, preset, challenger, defender, entry.seed, name, data)

    def chosen(self, game: str, found: Sequence[Setting]) -> list[Setting]:
        """The settings of a game that are played; raises `SuiteError` where there are too few."""
        count = WORDS if game in WORD_GAMES else BASES
        fitting = [(name, data) for name, data in found if self.takes(game, name) and _fits(game, data)]
        if len(fitting) < count:
            raise SuiteError(f"The MAgIC suite needs {count} settings of {game}; there are {len(fitting)}.{self.hint}")
        return fitting[:count]

    def takes(self, game: str, name: str) -> bool:
        """Whether the suite plays settings of such a name."""
        return not PUBLISHED.fullmatch(name) and not BALANCED.fullmatch(name)


class MagicM1(Magic):
    name = "magic_m1"
    title = "MAgIC, first edition"
    about = "The same 143 matches, with the fairness check of Cost Sharing and the anonymity of Public Good."
    source = "MAgIC (arXiv 2311.08562v1), section 3.1"
    preset = "magic_m1"


class MagicBalanced(Magic):
    name = "magic_balanced"
    title = "MAgIC, balanced words"
    about = "The same 143 matches, with words chosen by the paper’s protocol: settings in which neither side is ahead."
    source = "MAgIC, section 3.2, Topic Settings"
    hint = " Choose and import them: manage.py balance_settings GAME --out FILE, then import_settings FILE."

    def takes(self, game: str, name: str) -> bool:
        return BALANCED.fullmatch(name) is not None if game in WORD_GAMES else super().takes(game, name)


class MagicPublished(Magic):
    name = "magic_published"
    title = "MAgIC, as published"
    about = "The one setting of each game that the authors published: 7 matches a challenger, in seven roles."
    source = "MAgIC, the settings in its authors’ repository"

    def chosen(self, game: str, found: Sequence[Setting]) -> list[Setting]:
        published = [(name, data) for name, data in found if PUBLISHED.fullmatch(name)]
        if not published:
            raise SuiteError(
                f"The published setting of {game} is not here yet. Fetch the authors’ repository (cathyxl/MAgIC on "
                "GitHub) and run: manage.py import_settings FOLDER --magic"
            )
        return published


def _fits(game: str, data: dict[str, Any]) -> bool:
    return (game in WORD_GAMES or "challenger" in data) and (game not in OPENED or "openings" in data)


def _point_match(
    game: str, preset: str, challenger: str, defender: str, seed: int, name: str, data: dict[str, Any]
) -> Planned:
    mine = data["challenger"]
    return Planned(
        game,
        preset,
        tuple(challenger if seat == mine else defender for seat in (1, 2, 3)),
        number_from(seed, game, name),
        options={"scripted": list(range(1, mine))} if "openings" in data else {},
        setting=data,
        labels={"challenger": challenger, "defender": defender, "role": game, "setting": name},
    )


def _word_match(
    game: str, role: str, is_odd: bool, challenger: str, defender: str, seed: int, name: str, data: dict[str, Any]
) -> Planned:
    odd = data["chameleon"] if game == "chameleon" else data["undercovers"][0]
    agents = tuple(challenger if (seat == odd) == is_odd else defender for seat in (1, 2, 3))
    scripted = list(range(1, agents.index(challenger) + 1))
    first = {seat: moves[:1] for seat, moves in data["openings"].items()}
    return Planned(
        game,
        "magic",
        agents,
        number_from(seed, game, name, role),
        options={"polls": "magic", "scripted": scripted},
        setting=data | {"openings": first},
        labels={"challenger": challenger, "defender": defender, "role": role, "setting": name},
    )
