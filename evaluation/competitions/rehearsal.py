"""What a plan will cost, before any of it is played for money: a match of each kind is rehearsed in memory, with
made-up replies in place of a model's. The prompts are the real ones, so what is read is known; how much a model writes
is not, and is taken to be what such replies usually are.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import uuid4

from django.core.cache import cache

from agents import headless, spending
from agents.calls import Ask, Reply, ReplyStore
from agents.models import AgentProfile
from agents.providers import Completion, Usage
from agents.turns import HOUSE, REMOTE
from evaluation.competitions import manifest, running
from evaluation.models import Bout
from evaluation.suites import Planned
from evaluation.suites.base import KINDS

CHARACTERS_A_TOKEN = 4
THOUGHT, SAID = 900, 90
"""Characters of a free reply, and of a field of words in a form."""

KEPT_FOR = 7 * 86400
FILLER = "this one may well be of some use to the others at the table "


@dataclass
class Estimate:
    """What is to be expected. unpriced: models of which no price is known, so that they count for nothing here."""

    matches: int = 0
    calls: float = 0
    tokens_in: float = 0
    tokens_out: float = 0
    cost: float = 0
    unpriced: set[str] = field(default_factory=set)

    def to_json(self) -> dict[str, Any]:
        """Plain values, for a cache."""
        return asdict(self) | {"unpriced": sorted(self.unpriced)}

    def add(self, other: Estimate, times: int = 1) -> None:
        """So many more of these."""
        for name in ("matches", "calls", "tokens_in", "tokens_out", "cost"):
            setattr(self, name, getattr(self, name) + times * getattr(other, name))
        self.unpriced |= other.unpriced


class Rehearsal(ReplyStore):
    """Answers every question at once by something of the right form, and counts what that would have cost."""

    def __init__(self) -> None:
        self.found = Estimate(matches=1)
        self.nth = 0

    def known(self, asks: Sequence[Ask]) -> dict[int, Reply]:
        return {number: self._reply(ask) for number, ask in enumerate(asks)}

    def _reply(self, ask: Ask) -> Completion:
        self.nth += 1
        data = None if ask.schema is None else self._made(ask.schema)
        text = _words(THOUGHT, self.nth) if data is None else json.dumps(data)
        asked = sum(len(message.content) for message in ask.messages)
        usage = Usage(math.ceil(asked / CHARACTERS_A_TOKEN), math.ceil(len(text) / CHARACTERS_A_TOKEN))
        self.found.calls += 1
        self.found.tokens_in += usage.tokens_in
        self.found.tokens_out += usage.tokens_out
        self.found.cost += ask.model.price.of(usage)
        if not spending.price_is_known(ask.model.name):
            self.found.unpriced.add(ask.model.name)
        return Completion(text, data, usage, structured=data is not None, model="rehearsed")

    def _made(self, schema: Mapping[str, Any], name: str = "") -> Any:
        """A value that fits a schema; what the schema does not say may still be refused, and is asked again."""
        if "anyOf" in schema:
            return self._made(schema["anyOf"][0], name)
        if "enum" in schema:
            return schema["enum"][self.nth % len(schema["enum"])]
        match schema.get("type"):
            case "object":
                return {key: self._made(part, key) for key, part in schema.get("properties", {}).items()}
            case "array":
                items = schema.get("items", {})
                return items.get("enum", [self._made(items)])[: schema.get("minItems", 1)]
            case "integer" | "number":
                return schema.get("minimum", 0)
            case "boolean":
                return True
            case _:
                return _words(THOUGHT if name == "thought" else SAID, self.nth)


def _words(length: int, nth: int) -> str:
    """So many characters, other ones each time."""
    return f"{nth}: {FILLER * (length // len(FILLER) + 1)}"[:length].rstrip()


def estimate(planned: Iterable[Planned], profiles: Mapping[str, AgentProfile]) -> dict[str, Estimate]:
    """By challenger what its matches will take, those against it included: of each kind of match (game, role, arm) one
    is rehearsed."""
    kinds: Counter[tuple[str, ...]] = Counter()
    first: dict[tuple[str, ...], Planned] = {}
    for match in planned:
        kind = (match.labels["challenger"], match.game, *(match.labels.get(name, "") for name in KINDS))
        kinds[kind] += 1
        first.setdefault(kind, match)
    found: dict[str, Estimate] = {}
    for kind, times in kinds.items():
        found.setdefault(kind[0], Estimate()).add(_of_one(first[kind], profiles), times)
    return found


def conditions(profiles: Mapping[str, AgentProfile]) -> str:
    """Changes with these profiles, with what their models cost, and with the prompts."""
    priced = {
        name: [manifest.of_profile(profile), asdict(spending.price_of(profile.model))]
        for name, profile in profiles.items()
    }
    return manifest.digest([priced, manifest.prompts_hash()])


def _of_one(match: Planned, profiles: Mapping[str, AgentProfile]) -> Estimate:
    told = manifest.digest([asdict(match), conditions({name: profiles[name] for name in set(match.agents)})])
    key = f"rehearsal:{told}"
    if (kept := cache.get(key)) is None:
        kept = _rehearsed(match, profiles)
        cache.set(key, kept, KEPT_FOR)
    return kept


def _stand_in(profile: AgentProfile) -> AgentProfile:
    """Who plays in a rehearsal in a profile's place: of one that is answered for from outside a house agent."""
    return AgentProfile(name=HOUSE) if profile.provider == REMOTE else profile


def _rehearsed(match: Planned, profiles: Mapping[str, AgentProfile]) -> Estimate:
    store = Rehearsal()
    bout = Bout(competition_id=uuid4(), number=1, **asdict(match))
    minds = {seat: headless.of_profile(_stand_in(profiles[name]), store) for seat, name in enumerate(match.agents, 1)}
    headless.play_out(running.begin(bout), minds)
    return store.found
