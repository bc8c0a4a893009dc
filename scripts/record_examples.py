"""Record the example matches, one a method: what stands in fixtures/examples/ and opens on any fresh machine.

Usage: ``python -m scripts.record_examples``. The models are played by the test model server: its script says what a
house agent does and thinks at that seat, in the form that each stage of the method asks for. So a panel has all its
parts, and words that fit the moment, at no cost and the same at each recording; how good a model is, it does not tell.
"""

import gzip
import json
import random
import re
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from typing import Any

from benchmarks import with_django  # noqa: F401 (profiles are models: Django first)

# isort: split
from agents import headless, turns
from agents.calls import NO_STORE
from agents.methods import METHODS
from agents.models import AgentProfile
from agents.situation import Decision, Thought
from games.match import beginning
from games.match.examples import FOLDER
from games.registry import RULES
from games.rules import logfile, values
from games.rules.play import Play, new_header
from tests.model_server import Call, ModelServer, player

SCRIPTED = "scripted"
"""What the API calls its model."""

GAMES = {
    "direct": ("chameleon", "magic", 3, 1),
    "cot": ("undercover", "wiu", 5, 4),
    "two_step": ("spygame", "seed004", 6, 3),
    "pgm": ("undercover", "magic", 3, 2),
    "recon": ("avalon", "recon", 6, 5),
    "mptt": ("undercover", "wiu", 5, 9),
}
"""By method the game, preset, seats and seed of its example."""


IMPRESSIONS = (
    "gives nothing away so far",
    "seems to be sure of something",
    "goes with the table",
    "would rather wait and see",
    "looks at me more than at others",
    "has said little that helps",
)
REASONS = ("because", "thought", "why")
OTHER_WORD = re.compile(r"word may be (\w+)")


class Voice:
    """What the scripted model says: the move of a house agent, and its thoughts where thoughts are asked for."""

    def __init__(self) -> None:
        self.house = AgentProfile(name="house", provider=turns.HOUSE, method=turns.HOUSE)
        self.meant = Decision(None)

    def decide(self, profile: AgentProfile, play: Play, request: values.Request, thoughts: list[Thought]) -> Decision:
        self.meant = turns.decide(play, request, self.house, play.header.names, thoughts)
        return turns.decide(play, request, profile, play.header.names, thoughts, NO_STORE)

    def answer(self, call: Call) -> str:
        try:
            legal = json.loads(player.answer(call))
        except ValueError:
            return self.why
        return json.dumps(self.filled(call.schema or {}, legal))

    @property
    def why(self) -> str:
        said = [thought.data.get("why") or thought.reply for thought in self.meant.thoughts]
        return " ".join(filter(None, said)) or "I go on as before."

    def filled(self, schema: dict[str, Any], legal: dict[str, Any]) -> dict[str, Any]:
        """A legal reply with what the house agent does and thinks in its place."""
        for name, part in schema.get("properties", {}).items():
            if self.meant.action and name in self.meant.action:
                legal[name] = self.meant.action[name]
            elif name.isdecimal():
                legal[name] = self.of_seat(name, part, legal[name])
            elif isinstance(legal[name], dict):
                legal[name] = self.filled(part, legal[name])
            elif self.suspicion and isinstance(legal[name], int) and "enum" in part:
                legal[name] = max(part["enum"], key=lambda seat: self.suspicion.get(str(seat), 0))
            elif name in REASONS:
                legal[name] = self.why
            elif name == "word" and (other := OTHER_WORD.search(self.why)):
                legal[name] = other.group(1)
        return legal

    def of_seat(self, seat: str, part: dict[str, Any], legal: Any) -> Any:
        """The same of what is asked about one seat: a label, or how probable something is, in percent."""
        if isinstance(legal, dict):
            return self.filled(part, legal)
        if isinstance(legal, str) and "enum" not in part:
            return random.Random(f"{seat} {self.why}").choice(IMPRESSIONS)
        if seat not in self.suspicion:
            return legal
        if isinstance(legal, int):
            share = self.suspicion[seat]
            return round(100 * max(share, 1 - share))
        row, labels = self.matrix["rows"][str(self.matrix["owner"])][seat], self.matrix["labels"]
        return max(zip(row, labels, strict=True))[1] if legal in labels else legal

    @property
    def matrix(self) -> dict[str, Any]:
        """What the house agent believes of the others; {} where it has no matrix."""
        return next((t.data["beliefs"] for t in self.meant.thoughts if t.data.get("beliefs")), {})

    @property
    def suspicion(self) -> dict[str, float]:
        """How much it suspects each seat, 0 to 1."""
        if not (matrix := self.matrix):
            return {}
        suspects = [matrix["labels"].index(label) for label in matrix["suspects"]]
        own = matrix["rows"].get(str(matrix["owner"]), {})
        return {seat: sum(row[place] for place in suspects) for seat, row in own.items()}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    voice = Voice()
    with ModelServer(voice.answer) as server:
        for method, (game, preset, seats, seed) in GAMES.items():
            profile = AgentProfile(
                name=f"example-{method.replace('_', '-')}",
                title=METHODS[method].title,
                provider="openai",
                base_url=server.openai_url,
                model=SCRIPTED,
                method=method,
            )
            log = recorded(profile, voice, game, preset, seats, seed)
            path = FOLDER / f"{method}.jsonl.gz"
            text = "".join(f"{line}\n" for line in logfile.write(log))
            path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
            sys.stdout.write(f"{path.name}: {len(log.events)} events, {path.stat().st_size} bytes\n")


def recorded(
    profile: AgentProfile, voice: Voice, game: str, preset: str, seats: int, seed: int
) -> logfile.LogFile[values.Event]:
    """A match in which this profile has each seat."""
    rules = RULES[game]
    names = random.Random(seed).sample("Alma Bruno Cleo Dario Edda Felix Greta Hugo Ines Jonas".split(), seats)
    sitters = [values.SeatInfo(n, name, "agent", profile.name) for n, name in enumerate(names, 1)]
    setting = beginning.draw_setting(game, rules.options(preset, {}, seats), seed)
    play = Play(rules, new_header(rules, preset, seats=sitters, seed=seed, setting=setting, id=f"example-{seed}"))
    minds = dict.fromkeys(range(1, seats + 1), partial(voice.decide, profile))
    played = headless.play_out(play, minds, dict.fromkeys(minds, f"agent:{profile.name}"))
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    return logfile.LogFile(
        header=play.header,
        events=play.log,
        times={event.seq: begun.isoformat() for event in play.log},
        thoughts=[asdict(thought) for thought in played.thoughts],
        attempts=[],
        outcome=play.state.outcome,
    )


if __name__ == "__main__":
    main()
