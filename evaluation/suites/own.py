"""A competition of one's own: any game, challenger against defender, side against side, or each against itself."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from games.registry import RULES
from games.rules.values import Impossible

from .base import Entry, Planned, Setting, Suite, SuiteError, by_side, number_from, sides_of
from .magic import POINT_GAMES, Magic, MagicM1
from .recon import Recon
from .spygame import SpyGame
from .wiu import Wiu

MODES = {
    "seat": "The challenger plays one seat, each seat in turn; the defender plays the others.",
    "side": "The challenger plays one side and the defender the other. Every deal is played both ways round.",
    "self": "The challenger plays all seats.",
}

SEATED = ", challenger at seat "
"""What the names of MAgIC's settings go on with."""


class Own(Suite):
    name = "own"
    title = "A competition of your own"
    about = "Any game and preset. The challenger plays against the defender, by seat or by side, or against itself."
    source = ""
    page = "ratings"
    parts = {"defender": "house"}
    matches = 20

    def board(self, more: Mapping[str, Any]) -> str:
        rules, preset = RULES.get(more.get("game", "")), more.get("preset", "")
        family = rules.family if rules else ""
        if preset in (Magic.preset, MagicM1.preset):
            return "points" if family in POINT_GAMES else Magic.page
        known = {("undercover", "wiu"): Wiu.page, ("avalon", "recon"): Recon.page}
        return SpyGame.page if family == "spygame" else known.get((family, preset), self.page)

    def of(self, challenger: str, entry: Entry, settings: Callable[[str], Sequence[Setting]]) -> Iterator[Planned]:
        """more: game, preset, seats (as the preset's fewest if left out), mode (one of `MODES`), options."""
        game, preset, seats, mode, options = _wanted(entry.more)
        found = _deals(setting for setting in settings(game) if _fits(game, preset, seats, options, setting[1]))
        names, deals = list(found), list(found.values())
        defender = challenger if mode == "self" else self.defender(entry, "defender")
        for number in range(entry.matches or self.matches):
            base = number // 2 if mode == "side" else number
            seed = number_from(entry.seed, "own", game, base)
            which = seed % len(deals) if deals else 0
            setting = RULES[game].drawn(deals[which], deals) if deals else {}
            labels = {"challenger": challenger, "defender": defender, "mode": mode}
            labels["setting"] = names[which] if deals else f"deal {base + 1}"
            if mode == "side":
                sides = sides_of(game, preset, seats, seed, options, setting)
                mine = sorted(set(sides.values()))[number % len(set(sides.values()))]
                agents, labels["role"] = by_side(sides, {mine: challenger}, defender), mine
            else:
                seat = number % seats + 1
                agents = tuple(challenger if k == seat else defender for k in range(1, seats + 1))
                labels |= {"seat": str(seat)} if mode == "seat" else {}
            yield Planned(game, preset, agents, seed, options, setting, labels)


def _deals(found: Iterable[Setting]) -> dict[str, dict[str, Any]]:
    """Settings by name. MAgIC's name the challenger's seat, and stand there once for each: here they are one deal."""
    deals: dict[str, dict[str, Any]] = {}
    for name, data in found:
        deals.setdefault(name.partition(SEATED)[0], {key: value for key, value in data.items() if key != "challenger"})
    return deals


def _fits(game: str, preset: str, seats: int, options: dict[str, Any], data: dict[str, Any]) -> bool:
    """Whether a setting can be dealt; settings with openings belong to their suite."""
    rules = RULES[game]
    try:
        rules.check_setting(rules.options(preset, options, seats), data)
    except Impossible:
        return False
    return "openings" not in data


def _wanted(more: Any) -> tuple[str, str, int, str, dict[str, Any]]:
    game, preset, mode = more.get("game", ""), more.get("preset", ""), more.get("mode", "seat")
    options = dict(more.get("options") or {})
    if game not in RULES:
        raise SuiteError(f"There is no game called '{game}'. There are: {', '.join(sorted(RULES))}.")
    if mode not in MODES:
        raise SuiteError(f"The mode is one of: {', '.join(MODES)}.")
    rules = RULES[game]
    if preset not in rules.presets:
        raise SuiteError(f"{rules.title} has no preset '{preset}'. It has: {', '.join(rules.presets)}.")
    seats = int(more.get("seats") or rules.presets[preset].low)
    try:
        rules.options(preset, options, seats)
    except Impossible as reason:
        raise SuiteError(str(reason)) from reason
    return game, preset, seats, mode, options
