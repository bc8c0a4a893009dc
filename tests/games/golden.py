"""Playthroughs as text, one for each preset. Written anew by `python -m tests.games.golden` after rules are changed on
purpose; the difference then shows in review what changed."""

from __future__ import annotations

import json
from pathlib import Path

from games.registry import RULES
from games.rules import kit
from games.rules.play import Play

FOLDER = Path(__file__).parent / "golden"
PRESETS = {f"{game}_{preset}": (game, preset) for game, rules in RULES.items() for preset in rules.presets}
SEATS = {
    "undercover_party": 6,
    "chameleon_party": 6,
    "avalon_official": 7,
    "avalon_classic": 6,
    "spygame_seed004": 7,
    "spygame_party": 6,
    "cost_sharing_party": 6,
    "prisoners_dilemma_party": 6,
    "public_good_party": 6,
}
"""How many where it is not the fewest that the preset takes, or three if that is fewer."""
SEED = 4
SEEDS = {"spygame_seed004": 44, "spygame_party": 82}
OVERRIDES = {
    "chameleon_magic": {"polls": "magic"},
    "undercover_magic": {"polls": "magic"},
    "avalon_official": {"lady": True},
}
WORDS = tuple(
    "wood strings bow case music stage deep tall small old warm bright quiet loud hall player chair lesson school solo "
    "quartet score tune hands ears neck bridge peg varnish Italy film wedding church street night slow brown maple "
    "spruce rosin left chin thumb knee breath voice song dance family gift price museum storm river window".split()
)


def names() -> list[str]:
    """The name of every playthrough: game and preset."""
    return list(PRESETS)


def playthrough(name: str) -> str:
    """A random match of this game and preset as text."""
    game, preset = PRESETS[name]
    overrides = OVERRIDES.get(name, {})
    rules = RULES[game]
    seats = SEATS.get(name) or max(3, rules.presets[preset].low)
    trial = kit.KitCase(rules, kit.sample_of(rules), preset, seats, SEEDS.get(name, SEED), overrides, WORDS)
    return as_text(kit.play_through(trial))


def as_text(play: Play) -> str:
    """A match as text: its options, then a line an event: seq, kind, seat, for whom, by whom, data."""
    header = play.header
    options = " ".join(f"{name}={json.dumps(value)}" for name, value in sorted(header.options.items()))
    lines = [f"{header.game} {header.preset}, seed {header.seed}", f"options  {options}", ""]
    for event in play.log:
        whom = "all" if event.audience is None else ",".join(map(str, event.audience)) or "nobody"
        data = " ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in event.data.items())
        seat = "" if event.seat is None else f"seat {event.seat}"
        lines.append(f"{event.seq:4}  {event.kind:14}{seat:9}for {whom:8}{event.by:11}{data}".rstrip())
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in names():
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")
