"""Settings as the authors of two papers publish them, read into ours.

MAgIC (Xu et al. 2023): one JSON file a setting, in folders chameleon, undercover, airportfee, prisoner, public_good.
MPTT (Dong et al. 2024): one JSON file of words with relations; pairs follow from `similar_to`.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from games.rules.clues import same_answer
from games.rules.strict_json import loads

MAGIC, WIU = "MAgIC, as published by its authors", "Who is Undercover, as published by its authors"

PARTS = {"cultural_and_language": "cultural_and_linguistic"}
"""Parts of the published words that the paper calls otherwise (section 3.2)."""

Row = dict[str, Any]


class UnpublishedError(ValueError):
    """A file that is not as the authors publish theirs, or is not there; the message is a sentence."""


@contextmanager
def as_published(path: Path) -> Iterator[None]:
    """Whatever makes the file unreadable is an `UnpublishedError`."""
    try:
        yield
    except OSError as error:
        raise UnpublishedError(f"{path} cannot be read: {error.strerror}.") from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise UnpublishedError(f"{path} is not of this format ({type(error).__name__}).") from error


def read_magic(folder: Path) -> Iterator[tuple[int, Row]]:
    """Rows of every setting file below `folder`, numbered in order; files of other games are passed over. Raises
    `UnpublishedError`."""
    for number, path in enumerate(sorted(folder.rglob("settings/*.json")), 1):
        reader = MAGIC_READERS.get(path.parent.parent.name)
        if reader is not None:
            with as_published(path):
                game, data = reader(loads(path.read_text(encoding="utf-8")))
            yield number, {"game": game, "name": f"MAgIC {game} {path.stem}", "data": data, "origin": MAGIC}


def _chameleon(published: Row) -> tuple[str, Row]:
    setting = published["game_setting"]
    return "chameleon", {
        "topic": setting["topic"],
        "word": setting["code"],
        "chameleon": _seat(setting["chameleon_name"]),
        "openings": {str(_seat(name)): [{"text": text}] for name, text in published["clue"].items()},
    }


def _undercover(published: Row) -> tuple[str, Row]:
    setting = published["game_setting"]
    return "undercover", {
        "civilian_word": setting["non_undercover_code"],
        "undercover_word": setting["undercover_code"],
        "undercovers": [_seat(setting["undercover_name"])],
        "openings": {
            str(_seat(name)): [{"text": clue} for clue in texts] for name, texts in published["clues"].items()
        },
    }


def _cost_sharing(published: Row) -> tuple[str, Row]:
    data: Row = {
        "airlines": [_airline(block) for block in re.split(r"\n\s*\n", published["topic"]) if "Flights:" in block]
    }
    if fee := re.search(r"Fixed Airport Fee: \$([\d,]+)", published["topic"]):
        data["fee"] = _number(fee[1])
    data["openings"] = {str(_seat(name)): [{"split": split}] for name, split in published["proposal"].items()}
    return "cost_sharing", data | _challenger(published)


def _airline(block: str) -> Row:
    """One airline from its lines of 'label: value'."""
    name = _first(r"^(.+):\s*$", block)
    values = dict(line.split(":", 1) for line in block.splitlines() if ":" in line and not line.strip().endswith(":"))
    values = {label.strip(): value.strip() for label, value in values.items()}
    return {
        "name": name.strip(),
        "flights": _number(values["Number of Flights"]),
        "passengers": _number(values["Number of Passengers"]),
        "hours": _number(values["Average Flight Duration"]),
        "aircraft": values["Flight Size"].removeprefix("Primarily "),
    }


def _dilemma(published: Row) -> tuple[str, Row]:
    return "prisoners_dilemma", dict(published["topic_values"]) | _challenger(published)


def _public_good(published: Row) -> tuple[str, Row]:
    return "public_good", {
        "rounds": published["game_round"],
        "multiplier": published["multiplier"],
        **_challenger(published),
    }


def _challenger(published: Row) -> Row:
    """The seat whose player the authors put to the test."""
    return {"challenger": _seat(published["test_player_name"])}


MAGIC_READERS: dict[str, Callable[[Row], tuple[str, Row]]] = {
    "chameleon": _chameleon,
    "undercover": _undercover,
    "airportfee": _cost_sharing,
    "prisoner": _dilemma,
    "public_good": _public_good,
}


def read_wiu(path: Path) -> Iterator[tuple[int, Row]]:
    """Rows of Undercover, one for each word and each word that it is said to be similar to, either way once.

    Name and part tell the part of the published set. A word beside its own plural makes no pair. Raises
    `UnpublishedError`.
    """
    with as_published(path):
        yield from list(_pairs(loads(path.read_text(encoding="utf-8"))))


def _pairs(published: Row) -> Iterator[tuple[int, Row]]:
    seen: set[frozenset[str]] = set()
    for part, content in published.items():
        for entry in _entries(content):
            for other in _similar(entry):
                pair = frozenset((entry["word"].casefold(), other.casefold()))
                if pair not in seen and not same_answer(entry["word"], other):
                    seen.add(pair)
                    data = {"civilian_word": entry["word"], "undercover_word": other}
                    data["part"] = PARTS.get(part, part)
                    name = f"{part}: {entry['word']} / {other}"
                    yield len(seen), {"game": "undercover", "name": name, "data": data, "origin": WIU}


def _entries(content: Any) -> Iterator[Row]:
    """Every entry of a part, however deep the part's groups lie."""
    if isinstance(content, dict) and "word" in content:
        yield content
    elif isinstance(content, (dict, list)):
        for item in content.values() if isinstance(content, dict) else content:
            yield from _entries(item)


def _similar(entry: Row) -> list[str]:
    """The similar words of an entry, of all its meanings where it has several."""
    relations = [entry.get("relationships", {}), *entry.get("meanings", {}).values()]
    return list(dict.fromkeys(word for relation in relations for word in relation.get("similar_to", ())))


def _first(pattern: str, text: str) -> str:
    """The first group of a pattern where it stands first. Raises `ValueError`."""
    found = re.search(pattern, text, re.MULTILINE)
    if found is None:
        raise ValueError(f"There is no {pattern} in {text!r}.")
    return found[1]


def _seat(name: str) -> int:
    return int(_first(r"(\d+)", name))


def _number(text: str) -> float | int:
    number = float(_first(r"([\d,.]+)", text).replace(",", "").rstrip("."))
    return int(number) if number.is_integer() else number
