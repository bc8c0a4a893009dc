"""A game is one folder: what CONTRIBUTING.md says stands there does, and what is the game's own stands nowhere else."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from games.registry import GAMES, RULES
from games.rules.cast import Cast
from games.rules.sample import Sample, sample_of

PAGES = tuple("card end event hand hint howto known mark marks result section status track".split())
OPTIONAL = {"board", "guide", "notes"}
"""Parts that a game brings where they help."""
ROOMS = {"files", "jobs", "management", "match", "migrations", "room", "rules", "templatetags", "web"}
"""What stands beside the games' folders."""
ITS_OWN = {"avalon": {"posterior"}, "spygame": {"places"}}
"""What no other game has: the exact posterior, and what house agents know of places."""


def folder(rules) -> Path:
    return settings.BASE_DIR / Path(*rules.folder.split("."))


def listed() -> set[str]:
    """What CONTRIBUTING.md names in its table of what stands in a game's folder."""
    text = (settings.BASE_DIR / "CONTRIBUTING.md").read_text()
    table = text[text.index("| in the folder |") : text.index("1. `rules.py`")]
    return {
        name.strip("/")
        for row in table.splitlines()
        if "|" in row
        for name in re.findall(r"`([\w./]+)`", row.split("|")[1])
    }


def test_what_each_part_of_its_pages_is_given_is_listed():
    text = (settings.BASE_DIR / "games" / "README.md").read_text()
    table = text[text.index("| part |") : text.index("`act_<kind>` extends")]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == {*PAGES, *OPTIONAL}


def test_every_declaration_of_the_cast_is_listed():
    text = (settings.BASE_DIR / "games" / "README.md").read_text()
    declared = {*Cast.__annotations__} | {name for name in vars(Cast) if not name.startswith("_")}
    follows = {name for name, value in vars(Cast).items() if isinstance(value, property)}
    follows |= {"sides", "unaware", "one_of"}
    others = {"name", "kinds", "folder", "earlier_words"}
    missing = [name for name in declared - follows - others if f"`{name}" not in text]
    assert not missing, f"games/README.md does not say who reads {missing}"


def test_every_folder_of_games_is_a_game_or_a_room():
    found = {path.name for path in (settings.BASE_DIR / "games").iterdir() if path.is_dir()} - {"__pycache__"}
    assert found == {folder(rules).name for rules in GAMES} | ROOMS


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_a_games_folder_holds_what_is_listed_and_nothing_else(rules):
    found = {path.name for path in folder(rules).iterdir()} - {"__pycache__", "__init__.py"}
    assert found - ITS_OWN.get(rules.name, set()) <= listed()
    without = {"cast.py", "setting.py", "settings.json", "house.py", "house"}
    assert listed() - without <= found
    assert ("house.py" in found) != ("house" in found)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_its_parts_answer_to_what_they_are_asked(rules):
    assert type(rules).__module__ == f"{rules.folder}.rules"
    assert isinstance(sample_of(rules), Sample)
    assert callable(rules.part("house").decide)
    assert callable(rules.part("moments").moments)
    assert {f"{part}.html" for part in PAGES} <= {path.name for path in (folder(rules) / "page").iterdir()}
    prompts = folder(rules) / "prompts"
    kinds = {kind for kind in rules.all_kinds if hasattr(rules, f"default_{kind}")} - {"poll"}
    assert {"rules.txt", "card.txt", "record.txt", "now.txt"} <= {path.name for path in prompts.iterdir()}
    assert kinds == {path.stem for path in (prompts / "ask").iterdir()}


def test_what_is_a_games_own_stands_in_its_folder_alone():
    names = "|".join(RULES)
    found = [
        str(path.relative_to(settings.BASE_DIR))
        for top in ("agents", "games", "templates", "fixtures", "static")
        for path in (settings.BASE_DIR / top).rglob("*")
        if re.search(rf"(^|_)({names})(_|\.|$)", path.name) and path.parent.name not in RULES and path.name not in RULES
    ]
    assert found == []
