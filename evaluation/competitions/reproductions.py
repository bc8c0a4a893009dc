"""Printed tables that can be played again: which profile stands for which printed row, and what came of it beside what
is printed.

It is played as a competition. A row whose model no profile here has is not among the arms; it may be given one.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluation.suites import SUITES, Entry
from evaluation.tables.conditions import objections
from evaluation.tables.papers import SPECS
from evaluation.tables.published import protocol_of


@dataclass(frozen=True)
class Arm:
    """A printed row. row: its label, as `tables.rows` has it; profile: the challenger who plays it here, "" where
    the suite's own defenders do; key: of the row that is measured, with who plays put in: {profile}, or {part}."""

    row: str
    profile: str = ""
    key: tuple[str, ...] = ("{profile}",)


@dataclass(frozen=True)
class Reproduction:
    """A printed table, or two that one competition fills. tables: of `SPECS`; defenders: by part of the suite;
    matches: how many an arm plays where the suite leaves it open."""

    name: str
    title: str
    suite: str
    tables: tuple[str, ...]
    arms: tuple[Arm, ...]
    defenders: Mapping[str, str] = field(default_factory=dict)
    matches: int = 0

    def entry(
        self, arms: Mapping[str, str], defenders: Mapping[str, str], usable: Container[str], **more: Any
    ) -> Entry:
        """What is to be played. arms: by printed row the profile that plays it, where it is another than the usual;
        "" leaves the row out. usable: profiles that are turned on; a usual one that is not leaves its row out, and a
        usual defender, and one given as "", gives place. more: what else an entry holds."""
        chosen = {arm.row: arms.get(arm.row, arm.profile if arm.profile in usable else "") for arm in self.arms}
        usual = {part: profile for part, profile in self.defenders.items() if profile in usable}
        given = {"matches": self.matches} | {name: value for name, value in more.items() if value}
        return Entry(
            tuple(dict.fromkeys(filter(None, chosen.values()))),
            dict(SUITES[self.suite].parts) | usual | {part: profile for part, profile in defenders.items() if profile},
            more={"reproduces": self.name, "arms": chosen},
            **given,
        )


@dataclass(frozen=True)
class Beside:
    """One number beside the printed one. inside: whether the printed number lies within the interval; None where there
    is no interval."""

    column: str
    printed: float
    measured: float | None
    interval: tuple[float, float] | None
    n: int | None
    inside: bool | None


@dataclass(frozen=True)
class Result:
    """What came of one arm in one table: its numbers, and why it may not be set beside the printed row (see
    `conditions.objections`); none where it may."""

    table: str
    row: str
    profile: str
    numbers: tuple[Beside, ...]
    objections: tuple[tuple[str, Mapping[str, Any]], ...]
    played: bool


MAGIC = {
    "GPT-4+PGM": "magic-gpt-4-pgm",
    "GPT-4-turbo": "magic-gpt-4-turbo",
    "GPT-4": "magic-gpt-4",
    "GPT-3.5-turbo+PGM": "magic-gpt-35-turbo-pgm",
    "GPT-3.5-turbo": "magic-gpt-35-turbo",
}
WIU = {
    "Baseline (CoT)": "openai-wiu-baseline",
    "CoT + Multi SR": "openai-wiu-multi-sr",
    "CoT + Multi SR + GH": "openai-wiu-multi-sr-gh",
    "MPTT w/o Phase I": "openai-mptt-without-phase-1",
    "MPTT w/o Phase II": "openai-mptt-without-phase-2",
    "MPTT": "openai-mptt",
}
SPIES = {"GPT-4": "spygame-gpt-4", "GPT-3.5": "spygame-gpt-35-turbo", "LLaMA2": "spygame-llama-2-70b"}
RECON = (
    Arm("good · ReCon", "recon", ("good", "{profile}", "{cot}")),
    Arm("good · CoT (GPT-4)", "recon-cot-gpt-4", ("good", "{profile}", "{cot}")),
    Arm("good · CoT (GPT-3.5)", key=("good", "{cot}", "{cot}")),
    Arm("good · ReCon against ReCon", key=("good", "{recon}", "{recon}")),
    Arm("evil · CoT against CoT", key=("evil", "{cot}", "{cot}")),
    Arm("evil · ReCon against ReCon", key=("evil", "{recon}", "{recon}")),
)


def _arms(profiles: Mapping[str, str]) -> tuple[Arm, ...]:
    return tuple(Arm(row, profile) for row, profile in profiles.items())


REPRODUCTIONS: dict[str, Reproduction] = {
    found.name: found
    for found in (
        Reproduction(
            "magic.m1",
            "MAgIC, table 1 (first edition)",
            "magic_m1",
            ("leaderboard.m1",),
            _arms(MAGIC),
            {"defender": "magic-gpt-4"},
        ),
        Reproduction(
            "magic.m2",
            "MAgIC, tables 1 and 4 (later edition)",
            "magic",
            ("leaderboard.m2",),
            _arms({"GPT-4-turbo+PGM": "magic-gpt-4-turbo-pgm"} | MAGIC),
            {"defender": "magic-gpt-4"},
        ),
        Reproduction(
            "wiu",
            "Who is Undercover?, tables 1 and 2",
            "wiu",
            ("wiu.civilian", "wiu.undercover"),
            _arms(WIU),
            matches=50,
        ),
        Reproduction(
            "spygame",
            "SpyGame, tables II and III",
            "spygame",
            ("spygame.strong", "spygame.weak"),
            _arms(SPIES),
            {"strong": "spygame-gpt-4", "weak": "spygame-llama-2-70b"},
        ),
        Reproduction(
            "recon",
            "ReCon, section 5",
            "recon",
            ("recon",),
            RECON,
            {"cot": "recon-cot", "recon": "recon"},
            matches=20,
        ),
    )
}
"""By name; rows of models that no profile here has, such as PaLM 2, are not among the arms."""


def results(found: Reproduction, entry: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Result]:
    """What came of a competition's arms beside what is printed. entry: the competition's; tables: its own, as plain
    values."""
    played: Mapping[str, str] = entry["more"]["arms"]
    return [
        _result(name, arm, played.get(arm.row, ""), entry["defenders"], tables[name]["rows"])
        for name in found.tables
        for arm in found.arms
        if played.get(arm.row) or not arm.profile
    ]


def _result(table: str, arm: Arm, profile: str, defenders: Mapping[str, str], rows: list[Any]) -> Result:
    parts = [part.format(profile=profile, **defenders) for part in arm.key]
    key = parts[0] if len(parts) == 1 else parts
    printed = next((one for one in rows if one["source"] and one["label"] == arm.row), None)
    own = next((one for one in rows if not one["source"] and _plain(one["key"]) == key), None)
    numbers = []
    for name in SPECS[table].measured:
        number = printed["cells"][name]["value"] if printed else None
        if number is not None:
            cell = own["cells"][name] if own else {"value": None, "interval": None, "n": None}
            low, high = cell["interval"] or (None, None)
            inside = None if low is None else low <= number <= high
            numbers.append(Beside(name, number, cell["value"], cell["interval"], cell["n"], inside))
    why = objections(protocol_of(SPECS[table].printed[0]), own["conditions"]) if own else []
    return Result(table, arm.row, profile or parts[1], tuple(numbers), tuple(why), own is not None)


def _plain(key: Any) -> Any:
    return list(key) if isinstance(key, tuple) else key
