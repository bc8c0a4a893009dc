"""A player that answers any request legally from the JSON schema in it, so that whole matches can be played.

It knows no game but for one sentence (`BOUND`). Where the schema leaves a choice it takes one that depends on the
prompt alone, so that one prompt always gets one answer. Where a request carries no schema in its fields, the schema
may stand in the prompt as text.
"""

import hashlib
import itertools
import json
import random
import re
from typing import Any

from .calls import Call

BOUND = "you can only play success"
"""Where a prompt says so, a free choice of true or false would not be legal."""

REMARKS = (
    "quite ordinary",
    "seen now and then",
    "older than it looks",
    "people have opinions about it",
    "nicer on a Sunday",
    "easy to forget",
    "better shared",
    "hard to say no to",
    "not for everyone",
    "takes some patience",
    "my aunt has one",
    "cheaper than you think",
    "often in pictures",
    "never quite finished",
    "useful in winter",
    "it runs in families",
)


def answer(call: Call) -> str:
    """A legal reply: a JSON object for a schema, a remark otherwise."""
    chance = random.Random(hashlib.sha256(call.prompt.encode()).hexdigest())
    schema = call.schema or _schema_in(call.prompt)
    if schema is None:
        return f"I have read the record. {_remark(call.prompt, chance).capitalize()} is how it looks to me."
    return json.dumps(_value(schema, call.prompt, chance))


def _schema_in(prompt: str) -> dict[str, Any] | None:
    """The last JSON schema of an object that stands in the prompt as text."""
    found = None
    for start in re.finditer(r'\{\s*"type"\s*:\s*"object"', prompt):
        try:
            found, _ = json.JSONDecoder().raw_decode(prompt, start.start())
        except ValueError:
            continue
    return found


def _value(schema: dict[str, Any], prompt: str, chance: random.Random) -> Any:
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return chance.choice(schema["enum"])
    if "anyOf" in schema:
        return _value(schema["anyOf"][0], prompt, chance)
    kind = schema.get("type", "string")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {name: _value(part, prompt, chance) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        return _items(schema, prompt, chance)
    if kind == "boolean":
        return BOUND in prompt or chance.random() < 0.7
    if kind in ("integer", "number"):
        low, high = _bound(schema, "minimum", 0), _bound(schema, "maximum", 100)
        return chance.randint(int(low), int(high))
    return "" if kind == "null" else _remark(prompt, chance)


def _items(schema: dict[str, Any], prompt: str, chance: random.Random) -> list[Any]:
    low = int(_bound(schema, "minItems", 0))
    size = max(low, min(1, int(_bound(schema, "maxItems", 1))))
    items = schema.get("items", {})
    if items.get("enum"):
        return sorted(chance.sample(items["enum"], size))
    if low > 1 and low == _bound(schema, "maxItems", 0):
        return _shares(int(low), items, chance)
    return [_value(schema.get("items", {}), prompt, chance) for _ in range(size)]


def _shares(parts: int, items: dict[str, Any], chance: random.Random) -> list[int]:
    """So many whole numbers that sum to the most that each may be: what a split asks for."""
    total, step = int(_bound(items, "maximum", 100)), int(_bound(items, "multipleOf", 1))
    cuts = sorted(chance.randint(0, total // step) for _ in range(parts - 1))
    return [step * (high - low) for low, high in itertools.pairwise([0, *cuts, total // step])]


def _bound(schema: dict[str, Any], name: str, otherwise: float) -> float:
    """A bound of the schema; an API that takes none gets it in words in the description."""
    if name in schema:
        return schema[name]
    written = re.search(rf"{name}\W+(-?\d+)", schema.get("description", ""))
    return float(written.group(1)) if written else otherwise


def _remark(prompt: str, chance: random.Random) -> str:
    """Words that nobody has said yet in what the prompt tells."""
    said = prompt.casefold()
    fresh = [remark for remark in REMARKS if remark.casefold() not in said]
    return chance.choice(fresh) if fresh else f"thing number {chance.randrange(10_000)}"
