"""Templates that fail where a variable is missing, which Django prints as nothing."""

from __future__ import annotations

import sys
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"


class MissingVariable(str):
    """Django's `string_if_invalid`: raises for the project's own templates; those of packages rely on silence."""

    def __contains__(self, part: str) -> bool:
        return part == "%s"

    def __bool__(self) -> bool:
        """True to the engine, which asks whether it was set; an object that does not exist, for which the engine puts
        this in its place, is false to `{% if %}`."""
        return sys._getframe(1).f_code.co_name == "resolve"

    def __mod__(self, variable: object) -> str:
        template = sys._getframe(1).f_locals["context"].template
        if template.origin and TEMPLATES in Path(template.origin.name).parents:
            raise LookupError(f"{template.name} prints {variable}, which nobody gave it.")
        return ""
