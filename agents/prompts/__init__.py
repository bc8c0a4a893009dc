"""Prompts: text templates, rendered from what one seat may know and nothing else.

A conversation opens with a system message (`general/system.txt`: the game's rules, the seat's card) and one user
message (the record so far, then the stage's own template, which finds what the stage is given as `given`). Beside the
general templates a game may have its own `rules`, `card`, `record` and `ask`, and a method its own `system`, in a
folder of its name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from django.template import Context, Engine, Template

from agents.methods.base import NONE, ROUND, Stage, Turn
from agents.methods.readers import PerSeat
from agents.providers import Message
from agents.situation import Situation
from games.rules.core import last_round
from games.rules.fields import Choice, Field, Flag, Number, OneSeat, SomeSeats, Split, Text
from games.rules.values import Event

from .fence import fenced

UNKNOWN = "(unknown: %s)"
"""Stands where a template names what is not there; a test sees that it never does."""


@dataclass(frozen=True)
class Prompt:
    """The opening messages of a stage."""

    messages: tuple[Message, ...]
    facts: dict[str, Any]
    templates: tuple[str, ...]

    @cached_property
    def instructions(self) -> tuple[str, ...]:
        """The parts in our own words, without what the stage was given: none of them may be said."""
        ours = _render(self.facts | {"given": dict.fromkeys(self.facts["given"], "")}, *self.templates)
        return self.messages[0].content, ours


def prompt(turn: Turn, stage: Stage) -> Prompt:
    """What a model is told at this stage of a decision."""
    situation = turn.situation
    game, request = situation.rules.name, situation.request
    facts = {
        "game": situation.rules,
        "options": situation.options,
        "seat": situation.seat,
        "request": request,
        "form": form(stage.reader.fields(situation)),
        "log": _record(situation, stage.record),
        "public": turn.public,
        "card": turn.card,
        "names": sorted(situation.names.items()),
        "switches": turn.switches,
        "given": stage.given,
    }
    parts = {
        part: _render(facts, f"{game}/{part}.txt", f"general/{part}.txt") for part in ("rules", "card", "record", "ask")
    }
    facts |= parts
    system = _render(facts, f"{turn.method}/system.txt", "general/system.txt")
    name = stage.template or stage.name
    templates = f"{turn.method}/{game}/{name}.txt", f"{turn.method}/{name}.txt", f"general/{name}.txt"
    question = _render(facts, *templates)
    record = "" if stage.record == NONE else f"{parts['record']}\n\n"
    messages = (Message("system", system), Message("user", f"{record}{question}"))
    return Prompt(messages, facts, templates)


def asked(turn: Turn) -> str:
    """What the seat is asked for, in the words that an agent is asked with."""
    game = turn.situation.rules.name
    facts = {"request": turn.situation.request, "public": turn.public, "card": turn.card}
    return _render(facts, f"{game}/ask.txt", "general/ask.txt")


def _record(situation: Situation, part: str) -> tuple[Event, ...]:
    """The events that a stage is shown."""
    if part != ROUND:
        return situation.log
    ended = last_round(situation.rules, situation.log)
    return tuple(event for event in situation.log if event.seq > ended)


def again(problem: str) -> str:
    """What a model is told when its reply did not count."""
    return _render({"problem": problem}, "general/again.txt")


def form(fields: tuple[Field, ...]) -> str:
    """The form of the answer, as a JSON object with a description in place of each value."""
    values = ", ".join(f'"{field.name}": {_question(field)}' for field in fields)
    return "{" + values + "}"


def _question(field: Field) -> str:
    """What a field asks, and what may stand in it."""
    described = _describe(field)
    return f"<{field.asked()} {described[1].upper()}{described[2:]}" if field.label else described


def _describe(field: Field) -> str:
    match field:
        case Text():
            described = f"words of at most {field.limit} characters, in double quotes"
        case Choice():
            described = "one of " + ", ".join(f'"{option}"' for option in field.options)
        case Flag():
            described = "true or false"
        case OneSeat():
            described = f"one of these seat numbers: {_listed(field.seats)}"
        case SomeSeats():
            size = "" if field.count is None else f"{field.count} "
            described = f"a list of {size}different seat numbers from {_listed(field.seats)}"
        case Number():
            described = f"a whole number from {field.low} to {field.high}"
        case Split():
            step = "" if field.step == 1 else f", each a multiple of {field.step}"
            described = f"a list of {field.parts} whole numbers{step}, in seat order, that sum to {field.total}"
        case PerSeat():
            return "{" + ", ".join(f'"{seat}": {_describe(field.item)}' for seat in field.seats) + "}"
        case _:
            raise TypeError(f"no words for a field of type {type(field).__name__}")
    return f"<{described}{', or null' if field.optional else ''}>"


def _listed(seats: tuple[int, ...]) -> str:
    return ", ".join(map(str, seats))


@cache
def _engine() -> Engine:
    return Engine(
        dirs=[str(Path(__file__).parent)],
        autoescape=False,
        string_if_invalid=UNKNOWN,
        builtins=["agents.prompts.fence"],
    )


@cache
def _template(names: tuple[str, ...]) -> Template:
    return _engine().select_template(names)


def _render(facts: dict[str, Any], *names: str) -> str:
    """The first of these templates that there is, rendered, without empty space that its tags left."""
    text = _template(names).render(Context(facts, autoescape=False, use_l10n=False))
    lines = "\n".join(line.strip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines).strip()


__all__ = ["Prompt", "again", "asked", "fenced", "form", "prompt"]
