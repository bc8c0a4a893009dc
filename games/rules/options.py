"""The options of a game: declared with their words and bounds, named together as presets, and chosen for a match."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from .sentences import sentence
from .values import Impossible


def option(
    default: Any,
    about: str,
    *,
    label: str = "",
    choices: Mapping[str, str] | None = None,
    low: int | None = None,
    high: int | None = None,
    hidden: bool = False,
    research: bool = False,
    fill: Callable[[Sequence[str], int], tuple[str, ...]] | None = None,
) -> Any:
    """A field of an options class, with the words and the bounds that forms and checks use.

    choices: what may be chosen, each with what it is called; "" where it comes by itself. fill: makes the whole value
    of those that were chosen and the number of seats. `hidden` ones are not offered in the form of tables, those for
    `research` only beside the presets of papers."""
    return dataclasses.field(
        default=default,
        metadata={
            "about": about,
            "label": label,
            "choices": choices,
            "low": low,
            "high": high,
            "hidden": hidden,
            "research": research,
            "fill": fill,
        },
    )


NO_POLLS = {"none": sentence("Nothing")}


def polls_option(**kinds: str) -> Any:
    """The option `polls` of a game: which beliefs are asked for, and what each such set is called."""
    return option(
        "none",
        sentence("Between moves each seat is asked in private what it believes."),
        label=sentence("Questions about beliefs"),
        choices=NO_POLLS | kinds,
        research=True,
    )


@dataclass(frozen=True, kw_only=True)
class Options:
    """What every match can choose. A game adds its own; `check` refuses what cannot be played."""

    seats: int = option(0, sentence("How many sit at the table."), low=1, high=12, hidden=True)
    polls: str = polls_option()
    scripted: tuple[int, ...] = option((), sentence("Seats that play the setting's openings."), hidden=True)
    table_talk: bool = option(
        False, sentence("Players may talk beside the game, and react."), label=sentence("Table talk"), hidden=True
    )

    def resolve(self) -> Options:
        """These options with every "as usual" replaced by what is usual; resolved options stay as they are."""
        return self

    def check(self) -> None:
        """Raise `Impossible` with the reason if no match can be played with these options."""


OptionsT = TypeVar("OptionsT", bound=Options)


@dataclass(frozen=True)
class Preset:
    """Named options and the seats that they allow. One with a title is for players; the others, exactly a paper's
    setting where they say so, are offered to who looks for them."""

    options: Options
    about: str
    low: int
    high: int
    title: str = ""


def chosen(title: str, name: str, preset: Preset, overrides: Mapping[str, Any], seats: int) -> Any:
    """The resolved options of a game's preset, with overrides. title: of the game; name: of the preset. Raises
    `Impossible` with a sentence."""
    if not preset.low <= seats <= preset.high:
        raise Impossible(
            sentence(
                "{game} ({preset}) is for {low} seats; this table has {seats}.",
                game=title,
                preset=name,
                low=preset.low,
                seats=seats,
            )
            if preset.low == preset.high
            else sentence(
                "{game} ({preset}) is for {low} to {high} seats; this table has {seats}.",
                game=title,
                preset=name,
                low=preset.low,
                high=preset.high,
                seats=seats,
            )
        )
    declared = type(preset.options).__dataclass_fields__
    values = dict(vars(preset.options))
    for option_name, value in overrides.items():
        if option_name not in declared:
            raise Impossible(sentence("{game} has no option '{name}'.", game=title, name=option_name))
        values[option_name] = _value(declared[option_name], value)
    if overrides.get("seats", seats) != seats:
        raise Impossible(
            sentence("The options say {given} seats; this table has {seats}.", given=overrides["seats"], seats=seats)
        )
    options: Any = type(preset.options)(**values | {"seats": seats}).resolve()
    if any(type(seat) is not int or not 1 <= seat <= seats for seat in options.scripted):
        raise Impossible(sentence("Only seats at this table can be scripted."))
    options.check()
    return options


def _value(item: dataclasses.Field, value: Any) -> Any:
    """One option, checked against its declared kind, choices and bounds."""
    meta, default = item.metadata, item.default
    if isinstance(default, tuple):
        if not isinstance(value, (list, tuple)):
            raise Impossible(sentence("Option '{option}' takes a list.", option=item.name))
        if meta.get("choices") and (unknown := [part for part in value if part not in tuple(meta["choices"])]):
            raise Impossible(sentence("Option '{option}' knows no '{unknown}'.", option=item.name, unknown=unknown[0]))
        return tuple(value)
    if isinstance(default, bool) and not isinstance(value, bool):
        raise Impossible(sentence("Option '{option}' is yes or no.", option=item.name))
    if meta.get("choices") and value not in tuple(meta["choices"]):
        raise Impossible(
            sentence(
                "Option '{option}' is one of: {choices}.",
                option=item.name,
                choices=", ".join(map(str, meta["choices"])),
            )
        )
    low, high = meta.get("low"), meta.get("high")
    if low is not None or high is not None:
        if value is None and default is None:
            return None
        if type(value) is not int or not (low is None or value >= low) or not (high is None or value <= high):
            raise Impossible(
                sentence(
                    "Option '{option}' is a whole number from {low} to {high}.", option=item.name, low=low, high=high
                )
            )
    return value
