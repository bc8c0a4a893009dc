"""Parts of a page as templates draw them, and the keys by which a page knows whether a part is new to it."""

import hashlib
import re
from functools import cache
from typing import Any

from django.template import TemplateDoesNotExist
from django.template.loader import get_template, render_to_string
from django.utils.safestring import SafeString, mark_safe

from games.registry import page_part

NUMBER = re.compile(r' data-n="[^"]*"')


def draw(name: str, context: dict[str, Any]) -> SafeString:
    return mark_safe(render_to_string(f"games/table/{name}.html", context).strip())  # noqa: S308 (rendered by a template)


def own_part(game: str, part: str) -> str:
    """The template of a part that not every game has; "" where this one has none."""
    return _if_there(page_part(game, part))


@cache
def _if_there(name: str) -> str:
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return ""
    return name


def bare(part: str) -> str:
    """A part without its number, which changes with every event."""
    return NUMBER.sub("", part, count=1)


def keyed(part: SafeString, shown: str | None = None) -> SafeString:
    """A part with a key that follows from what it shows (or from `shown`), and so tells nothing that it does not."""
    key = hashlib.blake2s(bare(part if shown is None else shown).encode(), digest_size=6).hexdigest()
    return mark_safe(part.replace(' data-key=""', f' data-key="{key}"', 1))  # noqa: S308 (rendered by a template)
