"""Prompts: text templates, rendered from what one seat may know and nothing else.

A conversation opens with three messages, the fixed ones first, so that an API's prompt cache finds what it had before.

- system (`general/system.txt`): the rules, how to read the marks, the table, which all seats read alike; then the own
  seat and the dealt card. It is rendered from the deal alone and stays the same for the seat's whole match.
- user: the record, which only grows. A stage that is shown no record has no such message.
- user: where the match stands now, then the stage's own template with what the stage is given, the ask and the form.

A game's own parts stand in its folder, under `prompts`: `rules`, `card`, `record`, `now` and an `ask/<kind>` for each
kind of request. There is nothing in their place for a game that lacks one; only `ask/poll`, the moderator's own
question, is the same for all. A method's templates stand in a folder of its name, here or among the game's; `general`
has those that methods share.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from django.template import Context, Engine, Template

from agents.methods import METHODS
from agents.methods.base import NONE, ROUND, Stage, Turn
from agents.methods.readers import PerSeat
from agents.providers import Message
from agents.situation import Situation
from games.match.view import View
from games.rules.core import Rules, fold, last_round
from games.rules.fields import Choice, Field, Flag, Number, OneSeat, SomeSeats, Split, Text
from games.rules.play import deal_ends
from games.rules.values import Seen

FOLDER = Path(__file__).parent
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
        """The parts in our own words, without the course of the match and what the stage was given: none of them may
        be said."""
        ours = _render(self.facts | {"given": dict.fromkeys(self.facts["given"], "")}, *self.templates)
        return self.messages[0].content, ours


def prompt(turn: Turn, stage: Stage) -> Prompt:
    """What a model is told at this stage of a decision."""
    turn = turn if stage.upto is None else turn.upto(stage.upto)
    situation = turn.situation
    game = situation.rules.prompts
    fixed = _fixed(situation)

    def system() -> str:
        dealt = fixed | {part: _part(fixed, f"{game}/{part}.txt") for part in ("rules", "card")}
        return _render(dealt, f"{turn.method}/system.txt", "general/system.txt")

    def record() -> str:
        return _part(fixed | {"log": _record(situation, stage.record)}, f"{game}/record.txt")

    messages = [Message("system", _once(situation, ("system", turn.method), system))]
    if stage.record != NONE:
        key = ("record", stage.record, str(len(situation.log)))
        messages.append(Message("user", _once(situation, key, record)))
    facts = fixed | _current(turn)
    facts |= {
        "shows_record": stage.record != NONE,
        "switches": turn.switches,
        "given": stage.given,
        "form": form(stage.reader.fields(situation)),
        "ask": _ask(facts),
    }
    name = stage.template or stage.name
    templates = f"{game}/{turn.method}/{name}.txt", f"{turn.method}/{name}.txt", f"general/{name}.txt"
    now, question = _part(facts, f"{game}/now.txt"), _render(facts, *templates)
    messages.append(Message("user", f"{now}\n\n{question}"))
    return Prompt(tuple(messages), facts, templates)


def _once(situation: Situation, key: tuple[str, ...], text: Callable[[], str]) -> str:
    """A text that several stages of a decision show, made once."""
    if key not in situation.texts:
        situation.texts[key] = text()
    return situation.texts[key]


def asked(turn: Turn) -> str:
    """What the seat is asked for, in the words that an agent is asked with."""
    return _ask(_fixed(turn.situation) | _current(turn))


def _ask(facts: dict[str, Any]) -> str:
    kind = facts["request"].kind
    if not kind:
        return ""  # a stage that is asked upto a moment knows of no request
    return _part(facts, f"{facts['game'].prompts}/ask/{kind}.txt", f"general/ask/{kind}.txt")


def rules_in_words(view: View) -> str:
    """The rules of a match, as all its agents are told them."""
    state = _dealt(view.rules, view.options, view.events)
    return _part(_common(view.rules, view.options, state), f"{view.rules.prompts}/rules.txt")


def _fixed(situation: Situation) -> dict[str, Any]:
    """What stays as it is for the seat's whole match: `public` and `card` as the deal left them."""
    rules, seat = situation.rules, situation.seat
    state = _dealt(rules, situation.options, situation.log)
    own = {"seat": seat, "names": sorted(situation.names.items()), "card": rules.card(state, seat)}
    return _common(rules, situation.options, state) | own


def _dealt(rules: Rules, options: Any, log: Iterable[Seen]) -> Any:
    """The state as the deal left it."""
    return fold(rules, options, [event for event in log if event.seq <= deal_ends(options.seats)])


def _common(rules: Rules, options: Any, state: Any) -> dict[str, Any]:
    """What all seats are told alike; roles: by team those that were dealt, as everybody knows."""
    public = rules.public(state)
    dealt = [*rules.dealt(options, public).elements()] if rules.sought else []
    return {
        "game": rules,
        "options": options,
        "public": public,
        "roles": {team: [what for what in dealt if rules.side_of(what) == team] for team in rules.teams},
    }


def _current(turn: Turn) -> dict[str, Any]:
    """What changes from request to request. believes: on which side the seat takes itself to be, as far as its method
    has thought about that."""
    method = METHODS.get(turn.method)
    return {
        "request": turn.situation.request,
        "public": turn.public,
        "card": turn.card,
        "believes": method and method.side(turn),
    }


def _record(situation: Situation, part: str) -> tuple[Seen, ...]:
    """The events that a stage is shown."""
    if part != ROUND:
        return situation.log
    ended = last_round(situation.rules, situation.log)
    return tuple(event for event in situation.log if event.seq > ended)


def again(problem: str) -> str:
    """What a model is told when its reply did not count."""
    return _render({"problem": problem}, "general/again.txt")


def rating(facts: dict[str, Any]) -> tuple[Message, ...]:
    """What a model is told that labels an item (`agents.rating`)."""
    return tuple(
        Message(role, _render(facts, f"rater/{name}.txt")) for role, name in (("system", "system"), ("user", "item"))
    )


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
            described = "either true or false" if field.only is None else f"only {field.only}".lower()
        case OneSeat():
            described = f"one of these seat numbers: {_listed(field.seats)}"
        case SomeSeats():
            size = "" if field.count is None else f"{field.count} "
            described = f"a list of {size}different seat numbers from {_listed(field.seats)}"
        case Number():
            described = f"a whole number from {field.low} to {field.high}"
        case Split():
            step = "" if field.step == 1 else f", each a multiple of {field.step}"
            most = f", at most {_listed(field.most)}" if field.most else ""
            described = f"a list of {field.parts} whole numbers{step}, in seat order{most}, that sum to {field.total}"
        case PerSeat():
            return "{" + ", ".join(f'"{seat}": {_describe(field.of(seat))}' for seat in field.seats) + "}"
        case _:
            raise TypeError(f"no words for a field of type {type(field).__name__}")
    return f"<{described}{', or null' if field.optional else ''}>"


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


@cache
def _engine() -> Engine:
    return Engine(
        dirs=[str(FOLDER), str(FOLDER.parent.parent / "games")],
        autoescape=False,
        string_if_invalid=UNKNOWN,
        builtins=["agents.prompts.fence"],
    )


@cache
def _template(names: tuple[str, ...]) -> Template:
    return _engine().select_template(list(names))


def _render(facts: dict[str, Any], *names: str) -> str:
    """The first of these templates that there is, rendered, without empty space that its tags left."""
    text = _template(names).render(Context(facts, autoescape=False, use_l10n=False))
    lines = "\n".join(line.strip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines).strip()


def _part(facts: dict[str, Any], *names: str) -> str:
    """A game's part: the same without empty lines."""
    return re.sub(r"\n{2,}", "\n", _render(facts, *names))
