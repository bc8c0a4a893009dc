"""The part of JSON schema that OpenAI's strict mode takes, as its guide to structured outputs documents it.

Every property is required and none is added; optional is a union with null; these keywords and no others. Lengths of
texts and values that must differ are not among them.
"""

from collections.abc import Iterator
from typing import Any

KEYWORDS = {
    "object": {"properties", "required", "additionalProperties"},
    "array": {"items", "minItems", "maxItems"},
    "string": {"enum", "const", "pattern", "format"},
    "integer": {"enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
    "number": {"enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
    "boolean": {"enum", "const"},
    "null": set(),
}
EVERYWHERE = {"type", "description"}
DEEPEST, MOST_PROPERTIES, MOST_ENUM_VALUES, MOST_CHARACTERS = 10, 5000, 1000, 120_000


def objection(schema: dict[str, Any], name: str) -> str | None:
    """Why the API refuses a schema, in its kind of sentence; None where it takes it."""
    if schema.get("type") != "object":
        return f"Invalid schema for {name}: schema must be a JSON Schema of 'type: \"object\"'."
    found = next(_faults(schema, ()), None)
    if found is None:
        return None
    path, what = found
    return f"Invalid schema for {name}: In context={path}, {what}."


def _faults(schema: dict[str, Any], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if "anyOf" in schema:
        extra = set(schema) - {"anyOf", "description"}
        for number, part in enumerate(schema["anyOf"]):
            yield from _faults(part, (*path, "anyOf", str(number)))
    elif schema.get("type") not in KEYWORDS:
        yield path, "schema must have a 'type' key"
        return
    else:
        extra = set(schema) - KEYWORDS[schema["type"]] - EVERYWHERE
    for keyword in sorted(extra):
        yield path, f"'{keyword}' is not permitted"
    if schema.get("type") == "object":
        names = schema.get("properties", {})
        if schema.get("additionalProperties") is not False:
            yield path, "'additionalProperties' is required to be supplied and to be false"
        for missing in set(names) ^ set(schema.get("required", ())):
            yield (
                path,
                "'required' is required to be supplied and to be an array including every key in properties. "
                f"Missing '{missing}'",
            )
        for name, part in names.items():
            yield from _faults(part, (*path, "properties", name))
    if schema.get("type") == "array":
        yield from _faults(schema.get("items", {}), (*path, "items"))
    if not path:
        yield from ((path, what) for what in _sizes(schema))


def _sizes(schema: dict[str, Any]) -> Iterator[str]:
    parts = list(_parts(schema, 1))
    if max(depth for _, depth in parts) > DEEPEST:
        yield f"the schema has more than {DEEPEST} levels of nesting"
    names = [name for part, _ in parts for name in part.get("properties", ())]
    values = [str(value) for part, _ in parts for value in part.get("enum", ())]
    if len(names) > MOST_PROPERTIES or len(values) > MOST_ENUM_VALUES:
        yield f"the schema has {len(names)} properties and {len(values)} enum values, which is too many"
    if sum(map(len, names + values)) > MOST_CHARACTERS:
        yield "the names and values of the schema are too long together"


def _parts(schema: dict[str, Any], depth: int) -> Iterator[tuple[dict[str, Any], int]]:
    yield schema, depth
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    inner += [schema["items"]] if "items" in schema else []
    for part in inner:
        yield from _parts(part, depth + 1)
