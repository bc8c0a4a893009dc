"""What a competition ran, frozen when it was made: so that a number can be traced to the settings behind it."""

import hashlib
import json
import platform
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from django.conf import settings

from agents.models import AgentProfile
from evaluation.suites import SUITES, Entry, Planned
from games.avalon import posterior
from games.registry import RULES

PACKAGES = ("django", "celery", "openai", "anthropic")


def of(suite: str, entry: Entry, planned: Sequence[Planned], profiles: Mapping[str, AgentProfile]) -> dict[str, Any]:
    """The manifest of a planned competition. No key is in it: a profile names only the variable that holds one."""
    games = sorted({match.game for match in planned})
    return {
        "format": "magic-competition/1",
        "suite": {"name": suite, "title": SUITES[suite].title, "source": SUITES[suite].source},
        "entry": json.loads(json.dumps(asdict(entry))),
        "matches": len(planned),
        "plan": digest([asdict(match) for match in planned]),
        "profiles": {name: of_profile(profile) for name, profile in sorted(profiles.items())},
        "prompts": prompts_hash(),
        "rules": {game: RULES[game].version for game in games},
        "posterior": posterior.VERSION,
        "versions": {"magic": _own_version(), "python": platform.python_version()}
        | {name: version(name) for name in PACKAGES},
    }


def of_profile(profile: AgentProfile) -> dict[str, Any]:
    """What of a profile decides how it plays, as the manifest holds it."""
    names = ("provider", "base_url", "model", "method", "settings", "switches")
    found = {name: getattr(profile, name) for name in names}
    return found | ({"second": of_profile(profile.second)} if profile.second else {})


def prompts_hash() -> str:
    """A hash over all prompt templates, by their names and words."""
    root = settings.BASE_DIR
    files = sorted([*root.glob("agents/prompts/**/*.txt"), *root.glob("games/*/prompts/**/*.txt")])
    return digest([[str(file.relative_to(root)), file.read_text(encoding="utf-8")] for file in files])


def digest(value: Any) -> str:
    """SHA-256 of a value as JSON, with its keys in order."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _own_version() -> str:
    """The version of this program. It is run from its folder, where no package manager knows of it."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["version"]
