"""What is written about this program names files and names that are there."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings

from games.registry import RULES

ROOT = settings.BASE_DIR
FOLDERS = (
    *("agents", "benchmarks", "deploy", "docs", "evaluation", "examples", "fixtures", "games", "locale"),
    *("magic_site", "scripts", "static", "templates", "tests"),
)
OURS = [
    path
    for top in (ROOT.glob("*"), *((ROOT / folder).rglob("*") for folder in FOLDERS))
    for path in top
    if path.is_file()
]
NAMES = [f"/{path.relative_to(ROOT)}" for path in OURS]
READ = [
    path
    for path in OURS
    if path.suffix in {".md", ".py", ".js", ".css", ".html", ".toml"} and "vendor" not in path.parts
]

KIND = "(?:css|html|js|json|md|py|toml|txt)"
FOLDER = f"(?:{'|'.join(FOLDERS)})"
PATH = re.compile(rf"(?<![\w./-])({FOLDER}/[\w./-]+\.{KIND})\b|`([\w./-]+\.{KIND})`")
DOTTED = re.compile(rf"`({FOLDER}(?:\.\w+)+)`")
ELSEWHERE = {"confusables.json", "croissant.json", "manifest.json"}
"""Files of other people's packages, and in exports."""


def nowhere(path: Path) -> Iterator[str]:
    """What the text of this file names and is not there: paths, and in backticks files and dotted names."""
    text = path.read_text(encoding="utf-8")
    files = {whole or bare for whole, bare in PATH.findall(text)} - ELSEWHERE
    yield from (name for name in files if not is_file(name))
    yield from (name for name in DOTTED.findall(text) if not is_file(name) and not is_name(name))


def is_file(name: str) -> bool:
    return any(file.endswith(f"/{name}") for file in NAMES)


def is_name(name: str) -> bool:
    """Whether there is such a module, something in one, a model or a permission."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        module, within = ROOT.joinpath(*parts[:length]), parts[length : length + 1]
        if module.is_dir() and not within:
            return True
        source = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
        if source.is_file() and (not within or re.search(rf"\b{within[0]}\b", source.read_text(encoding="utf-8"))):
            return True
    known = [model._meta for model in apps.get_models()]
    permissions = {f"{meta.app_label}.{code}" for meta in known for code, _title in meta.permissions}
    return name in permissions | {meta.label_lower for meta in known}


def test_files_and_names_that_texts_mention_are_there():
    read = [path for path in READ if path != Path(__file__)]
    assert {str(path.relative_to(ROOT)): found for path in read if (found := sorted(nowhere(path)))} == {}


@pytest.mark.parametrize(
    "text", ["see games/table.py", "`games.table.load`", "`posterior_of_avalon.py`", "as ``games.match.nothing`` says"]
)
def test_a_name_of_nothing_is_found(text, tmp_path):
    (tmp_path / "page.md").write_text(text)
    assert list(nowhere(tmp_path / "page.md"))


@pytest.mark.parametrize("game", RULES)
def test_each_game_is_pictured_at_its_table_and_at_its_end_in_small_files(game):
    shown = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")
    for what, where in product(("table", "result"), ("laptop", "phone")):
        picture = f"pictures/{game}-{what}-{where}.webp"
        assert f"]({picture})" in shown
        assert 5_000 < (ROOT / "docs" / picture).stat().st_size < 80_000
