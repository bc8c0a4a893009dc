"""MAgIC's competition: 143 matches a challenger against fixed defenders (arXiv 2311.08562, section 3 and appendix).

20 Chameleon and 20 Undercover settings, each played in both roles; 7 bases with the challenger at each of 3 seats for
Cost Sharing, the Prisoner's Dilemma and Public Good. On the good side the challenger plays both good seats against one
defender; as the odd one it plays one seat against two. Defenders who sit before the first challenger's seat open with
the setting's own clue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .base import Entry, Planned, Setting, Suite, SuiteError, number_from

WORD_GAMES = {"chameleon": ("chameleon", "non-chameleon"), "undercover": ("undercover", "civilian")}
POINT_GAMES = ("cost_sharing", "prisoners_dilemma", "public_good")
WORDS, BASES = 20, 21


class Magic(Suite):
    name = "magic"
    title = "MAgIC"
    about = "143 matches a challenger: five games, seven roles, against a fixed defender."
    source = "MAgIC (arXiv 2311.08562)"
    games = (*WORD_GAMES, *POINT_GAMES)
    page = "leaderboard"
    parts = {"defender": "house"}

    def of(self, challenger: str, entry: Entry, settings: Callable[[str], Sequence[Setting]]) -> Iterator[Planned]:
        defender = self.defender(entry, "defender")
        for game, (odd, good) in WORD_GAMES.items():
            for name, data in _first(settings(game), WORDS, game, lambda data: "openings" in data):
                for role in (good, odd):
                    yield _word_match(game, role, role == odd, challenger, defender, entry.seed, name, data)
        for game in POINT_GAMES:
            for name, data in _first(settings(game), BASES, game, lambda data: "challenger" in data):
                agents = tuple(challenger if seat == data["challenger"] else defender for seat in (1, 2, 3))
                labels = {"challenger": challenger, "defender": defender, "role": game, "setting": name}
                seed = number_from(entry.seed, game, name)
                yield Planned(game, "magic", agents, seed, setting=data, labels=labels)


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


def _first(found: Sequence[Setting], count: int, game: str, fits: Callable[[dict[str, Any]], bool]) -> list[Setting]:
    fitting = [(name, data) for name, data in found if fits(data)][:count]
    if len(fitting) < count:
        raise SuiteError(f"The MAgIC suite needs {count} settings of {game}; there are {len(fitting)}.")
    return fitting
