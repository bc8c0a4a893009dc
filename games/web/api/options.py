"""The options of a game for programs: as JSON schemas, and checked as the form of tables checks them."""

from __future__ import annotations

import dataclasses
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from games.refused import Unfit
from games.rules.core import Rules
from games.translation import translated
from games.web.api.problems import malformed
from games.web.table_form import option_field, options_offered


def schema(rules: Rules, preset: str) -> dict[str, Any]:
    """The JSON schema of what may be chosen; the preset's values are the defaults."""
    defaults = rules.presets[preset].options
    offered = options_offered(rules, preset)
    properties = {item.name: _property(item, getattr(defaults, item.name)) for item in offered}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def preset_of(rules: Rules, name: str) -> str:
    """The name, if a preset has it; raises a `Problem` that tells which there are."""
    if name not in rules.presets:
        sentence = _("Say which of these ways to play this game: %(presets)s.")
        raise malformed({"preset": [sentence % {"presets": ", ".join(rules.presets)}]})
    return name


def chosen(rules: Rules, preset: str, given: dict[str, Any], seats: int) -> dict[str, Any]:
    """What differs from the preset; raises `Unfit`."""
    offered = {item.name: item for item in options_offered(rules, preset)}
    defaults, differing = rules.presets[preset].options, {}
    for name, value in given.items():
        if name not in offered:
            raise Unfit(_("There is no option %(name)s here.") % {"name": name})
        if isinstance(offered[name].default, bool) and not isinstance(value, bool):
            raise Unfit(f"{name}: {_('Say true or false.')}")
        try:
            read = option_field(offered[name], getattr(defaults, name)).clean(value)
        except ValidationError as error:
            raise Unfit(f"{name}: {error.messages[0]}") from error
        if fill := offered[name].metadata["fill"]:
            read = fill(read, seats) if read else ()
        if read != getattr(defaults, name):
            differing[name] = read
    return differing


def _property(item: dataclasses.Field, value: Any) -> dict[str, Any]:
    meta, about = item.metadata, {"description": translated(item.metadata["about"])}
    if isinstance(item.default, bool):
        return about | {"type": "boolean", "default": value}
    if meta["choices"]:
        choice = {"type": "string", "enum": [name for name, words in meta["choices"].items() if words]}
        return about | ({"type": "array", "items": choice} if meta["fill"] else choice | {"default": value})
    bounds = {"minimum": meta["low"], "maximum": meta["high"]}
    kind = ["integer", "null"] if item.default is None else "integer"
    return about | {"type": kind, "default": value} | {name: end for name, end in bounds.items() if end is not None}
