"""A replay as one file that opens from disk without a server: what one viewer may see of a match when it is saved.

The page is made of the same story and panels as the replay's. Styles, scripts and data stand in it, its own content
policy lets nothing else run, and it asks nobody for anything; its links lead to the site that it comes from.
"""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime
from functools import cache
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from games.match.access import viewer_name
from games.match.view import MatchView, thinkers
from games.registry import page_part
from games.rules.pool import Pool
from games.rules.values import OMNISCIENT
from games.web import replay
from games.web.reasoning import Truth, every_reasoning

STYLES = ("css/base.css", "css/table.css", "css/replay.css")
SCRIPTS = ("js/base.js", "js/player.js", "js/saved.js")
"""Each is whole in itself: an import would need a server."""


def page(told: replay.Story, seen: MatchView, truth: Truth, site: str, at: datetime) -> str:
    """The file. site: the address of the replay, with the site's; at: when it is saved."""
    match = seen.match
    panels = every_reasoning(seen, truth) if seen.viewer == OMNISCIENT else []
    pool = Pool()
    prompts = {
        stage.thought.pk: pool.put(prompt)
        for panel in panels
        for stage in panel.stages
        if (prompt := seen.prompts[stage.thought.pk])
    }
    styles, scripts = _inlined("style", STYLES), _inlined("script", SCRIPTS)
    context: dict[str, Any] = {
        "match": match,
        "rules": seen.rules,
        "way": seen.rules.called(match.preset),
        "result_page": page_part(match.game, "result"),
        "names": seen.names,
        "viewer": seen.viewer,
        "as": viewer_name(seen.viewer),
        "omniscient": seen.viewer == OMNISCIENT,
        "running": match.status == "running",
        "thinkers": thinkers(match, seen.viewer),
        "panels": panels,
        "story": told,
        "steps": told.steps,
        "position": max(len(told.steps) - 1, 0),
        "here": told.steps[-1].seq if told.steps else 0,  # without a script all of it is there to read
        "shown_track": told.tracks[-1][0] if told.tracks else 0,
        "shown_row": told.rows[-1][0] if told.rows else 0,
        "seat": None,
        "folded": False,
        "saved": True,
        "site": site,
        "at": at,
        "styles": styles,
        "scripts": scripts,
        "policy": _policy(styles, scripts),
        "data": {"steps": told.steps, "running": False, "position": 0},
        "prompts": {"texts": pool.texts, "pieces": prompts},
    }
    return render_to_string("games/replay/saved.html", context)


@cache
def _inlined(element: str, names: tuple[str, ...]) -> tuple[SafeString, ...]:
    """What stands in these files of our own, each to be put between the tags of such an element."""
    [root] = settings.STATICFILES_DIRS
    texts = [(root / name).read_text(encoding="utf-8") for name in names]
    if any(f"</{element}" in text.lower() or "<!--" in text for text in texts):
        raise ValueError(f"What ends a {element} cannot stand in one: {names}.")
    return tuple(mark_safe(text) for text in texts)  # noqa: S308 (files of this program, and no end of the element)


def _policy(styles: tuple[SafeString, ...], scripts: tuple[SafeString, ...]) -> str:
    """The content policy: nothing is fetched, and nothing runs but what stands here as it is."""
    named = {"style-src": styles, "script-src": scripts}
    own = [f"{directive} {' '.join(map(_digest, texts))}" for directive, texts in named.items()]
    return "; ".join(["default-src 'none'", *own, "form-action 'none'"])


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
