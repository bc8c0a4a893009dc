"""What is not a game's own part names no game, no role and no side: it reads the cast (`games.rules.cast`)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from games.registry import GAMES

ROOT = Path(settings.BASE_DIR)
NAMES = {
    name
    for rules in GAMES
    for name in (rules.name, *rules.role_words, *rules.role_names, *rules.teams, *rules.earlier_words)
}
ANY = re.compile(rf"\b({'|'.join(sorted(NAMES))})\b")
FOLDERS = {ROOT / Path(*rules.folder.split(".")) for rules in GAMES}
THE_PAPERS = "a game of a paper, by its family: the paper defines it for that very game"
STANDING = "how a seat takes itself to stand, whatever the game"
ALLOWED: dict[str, tuple[set[str], str]] = {
    "games/registry.py": ({rules.name for rules in GAMES}, "the one list of the games"),
    "games/files/paper_settings.py": (NAMES, "what the papers' authors published, file by file"),
    "evaluation/suites": (NAMES, "suites plan the games that their papers play"),
    "evaluation/tables/published.py": (NAMES, "what the papers print"),
    "evaluation/tables/published_labels.py": ({"spygame", "citizens"}, THE_PAPERS),
    "evaluation/competitions/reproductions.py": (NAMES, "what the papers print, to be played again"),
    "evaluation/competitions/manifest.py": ({"avalon"}, "the version of the posterior, by which some numbers go"),
    "evaluation/metrics": (NAMES, THE_PAPERS),
    "evaluation/tables/papers.py": (NAMES, THE_PAPERS),
    "evaluation/tables/partitions.py": ({"spygame", "citizens"}, THE_PAPERS),
    "evaluation/tables/people.py": ({"avalon"}, "names of metrics"),
    "evaluation/studies/human_study.py": ({"undercover", "civilian"}, THE_PAPERS),
    "evaluation/web/metric_reference.py": ({"spygame"}, "the paper of that name"),
    "evaluation/web/pages/boards.py": ({"spygame"}, "the paper of that name"),
    "evaluation/web/cases.py": ({"citizens"}, "a label of the suite of SpyGame's paper"),
    "games/files/log_reference.py": ({"undercovers"}, "the match that is shown as an example"),
    "agents/house/pairs.py": ({"undercover"}, "what Undercover is dealt from, derived from the network of words"),
    "agents/management/commands/derive_pairs.py": ({"undercover"}, "what Undercover is dealt from"),
    "agents/recall.py": ({"good"}, STANDING),
    "agents/methods": ({"good"}, STANDING),
}
"""By file or folder what stands there all the same, and why."""


def sources() -> Iterator[Path]:
    """What is looked through: programs and templates that are no game's own."""
    for top in ("agents", "evaluation", "games", "magic_site", "templates"):
        for path in sorted((ROOT / top).rglob("*")):
            own = not FOLDERS.isdisjoint(path.parents)
            if path.suffix in (".py", ".html", ".txt", ".md") and "migrations" not in path.parts and not own:
                yield path


def named_in_python(text: str) -> Iterator[str]:
    """Names that stand as whole strings, as lists of words, as identifiers, or in imports; sentences are free."""
    tree = ast.parse(text)
    free = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(words)) if id(node) not in free:
                yield from named(words)
            case ast.Name(id=word) | ast.Attribute(attr=word):
                yield from named(word)
            case ast.ImportFrom(module=str(module)):
                yield from (part for part in module.split(".") if part in NAMES)


def named_in_template(text: str) -> Iterator[str]:
    """Names that stand in a tag, as strings or as what is looked up; sentences that are translated are free."""
    for tag in re.findall(r"\{%(.*?)%\}|\{\{(.*?)\}\}", text):
        words = "".join(tag)
        if words.split()[0] in ("translate", "blocktranslate", "comment"):
            continue
        for string in re.findall(r'"([^"]*)"', words):
            yield from named(string)
        yield from (part for part in re.findall(r"\w+", re.sub(r'"[^"]*"', "", words)) if part in NAMES)


def named(words: str) -> list[str]:
    """The names that a text is made of, if it is made of nothing else."""
    found = re.findall(r"[\w-]+", words)
    return found if found and NAMES.issuperset(found) else []


def allowed(path: str) -> set[str]:
    return {name for place, (names, _why) in ALLOWED.items() if f"{path}/".startswith(f"{place}/") for name in names}


def test_nothing_but_a_games_own_parts_names_games_roles_or_sides():
    found = {}
    for path in sources():
        text = path.read_text()
        if not ANY.search(text):
            continue
        names = set((named_in_python if path.suffix == ".py" else named_in_template)(text))
        if names:
            found[str(path.relative_to(ROOT))] = names
    assert {path: wrong for path, names in found.items() if (wrong := names - allowed(path))} == {}
    for place, (names, _why) in ALLOWED.items():
        there = {name for path, some in found.items() if f"{path}/".startswith(f"{place}/") for name in some}
        assert there & names, f"nothing in {place} needs to be allowed any more"


def test_what_names_a_game_is_found():
    for program in (
        'x == "avalon"',
        'f(["merlin", "x"])',
        '"morgana mordred".split()',
        "from games.avalon import b",
        "card.chameleon",
        '{"spy": 1}',
    ):
        assert list(named_in_python(program)), program
    for template in ('{% if game.name == "undercover" %}', "{{ card.spy }}", '{{ roles|among:"morgana minion" }}'):
        assert list(named_in_template(template)), template
    assert not list(named_in_python('"""A spy."""\nx = "No spy is asked."\ny = "ours.log_loss.avalon"'))
    assert not list(named_in_template('{% translate "evil" %} the spy {{ card.word }}'))
