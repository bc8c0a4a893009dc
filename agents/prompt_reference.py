"""docs/prompts.md: what a model is told, game by game and method by method, rendered from the templates themselves."""

import dataclasses
import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from agents import prompts, rating
from agents.methods import METHODS, Method, Stage, Turn
from agents.methods.base import MISSING
from agents.methods.readers import PerSeat, Reader
from agents.providers import Completion
from agents.rating import Question
from agents.situation import Situation
from agents.turns import situation
from games.registry import RULES
from games.rules import answering
from games.rules.core import Rules
from games.rules.fields import Field, Text
from games.rules.play import Play, agents_and_people, new_header
from games.rules.random_play import random_action, random_value
from games.rules.sample import sample_of
from games.rules.values import Request

SEED = 19
BEGINNINGS, ENDINGS = (
    ("It is often", "Some say it is", "I would call it", "People find it"),
    ("warm", "loud", "old", "dear"),
)
SAYINGS = tuple(f"{one} {other}." for one in BEGINNINGS for other in ENDINGS)
NOTE = "(what the model wrote)"

INTRO = f"""# Prompts

What a model is told, word for word. This page is written by `python manage.py prompt_reference` from the templates in
`agents/prompts/` and in the games' folders; do not edit it. Each game is shown in its first preset, at one moment of
one match played by chance (seed {SEED}), with questions about beliefs where it has them. `{NOTE}` stands for what a
model answered before.

A prompt is three messages: `system`, which stays the same for a seat's whole match; `user`, the record, which only
grows; and `user`, where the match stands and what is asked. The first two are shown once a game: they are the same for
all methods. So is the head of the third, up to the first empty line; each stage of a method is shown without it.
Stages that differ only by the seat that they are about are shown once.
"""


def text() -> str:
    """The whole page."""
    return "\n".join([INTRO, *(line for rules in RULES.values() for line in _game(rules)), *_rating()])


def _rating() -> Iterator[str]:
    """What a model is told that labels items by a scheme."""
    labels = (
        {"name": "accuses", "title": "Accusation", "definition": "Says of somebody that they are on the other side."},
        {"name": "asks", "title": "Question", "definition": "Asks somebody for an answer.", "example": "“Why, 2?”"},
        {"name": "none", "title": "None of these", "definition": "Neither of them."},
    )
    shown = Question(
        title="Talk",
        about="What a player does by speaking.",
        kind=rating.SINGLE,
        labels=labels,
        game="a game",
        words=NOTE,
        context=["Player 2 says: It is often warm."],
        facts=["Player 3"],
        none="none",
    )
    yield from (
        "",
        "## Labels",
        "",
        "What a model is told that rates beside people, by a scheme made up for this page.",
    )
    system, item = shown.messages
    yield from _shown("system", system.content)
    yield from _shown("user: one label", item.content)
    for kind in (rating.SEVERAL, rating.ORDINAL, rating.SPAN):
        asked = dataclasses.replace(shown, kind=kind).messages[-1].content
        yield from _shown(f"user, its end: {kind}", asked.partition(f"<said>{NOTE}</said>")[2].strip())


def _game(rules: Rules) -> Iterator[str]:
    play, asked = _played(rules)
    request = _moment(asked)
    where = _at(play, request)
    direct = _direct(where)
    yield from ("", f"## {rules.title}", "", f"Preset `{play.header.preset}`, seat {request.seat}.")
    yield from _shown("system", direct[0])
    yield from _shown("user", direct[1])
    yield from ("", f"### {rules.title}: each kind of request (`direct`)")
    for kind, one in {one.kind: one for one in asked}.items():
        yield from _shown(f"user: {kind}, seat {one.seat}", _direct(_at(play, one))[-1])
    spoken_to = dataclasses.replace(where, request=answering.request(where.log[-1].seq, where.seat))
    yield from _shown(f"user: chat, seat {where.seat}, where somebody spoke to it", _direct(spoken_to)[-1])
    for method in METHODS.values():
        if method.plays(rules) and method.name != "direct":
            yield from ("", f"### {rules.title}: {method.title} (`{method.name}`)")
            yield from _stages(method.turn(where, {}), method)


def _direct(where: Situation) -> list[str]:
    """The three messages of the plainest method."""
    direct = METHODS["direct"]
    turn = direct.turn(where, {})
    step = next(direct.answer(turn) if answering.is_call(where.request.id) else direct.think(turn))
    stage = step if isinstance(step, Stage) else step[-1]
    return [message.content for message in prompts.prompt(turn, stage).messages]


def _stages(turn: Turn, method: Method) -> Iterator[str]:
    """The stages of one decision of the method; every reply is by chance, or a note in place of words."""
    shown: set[str] = set()
    steps, rng = method.think(turn), random.Random(SEED)
    step = next(steps)
    while True:
        stages = (step,) if isinstance(step, Stage) else step
        for stage in stages:
            if stage.known is MISSING and (name := stage.template or stage.name) not in shown:
                shown.add(name)
                yield from _shown(f"user, stage {stage.name}", _question(turn, stage))
        if any(stage.final for stage in stages):
            return
        values = [
            _answer(stage.reader, turn.situation, rng) if stage.known is MISSING else stage.known for stage in stages
        ]
        step = steps.send(values[0] if isinstance(step, Stage) else values)


def _question(turn: Turn, stage: Stage) -> str:
    return prompts.prompt(turn, stage).messages[-1].content.partition("\n\n")[2]


def _answer(reader: Reader, where: Situation, rng: random.Random) -> Any:
    fields = reader.fields(where)
    if not fields:
        return NOTE
    reply = json.dumps({field.name: _value(field, rng) for field in fields})
    return reader.read(Completion(reply, structured=True), where).value


def _value(field: Field, rng: random.Random) -> Any:
    match field:
        case PerSeat():
            return {seat: _value(field.of(seat), rng) for seat in field.seats}
        case Text():
            return NOTE
    return random_value(field, rng, (NOTE,))


def _shown(title: str, words: str) -> Iterator[str]:
    yield from ("", f"**{title}**", "", "```text", words, "```")


# The match ----------------------------------------------------------------------------------------------------------


def _played(rules: Rules) -> tuple[Play, list[Request]]:
    """A match played to its end by chance, and all that was asked in it, in order."""
    preset, about = next(iter(rules.presets.items()))
    polls = next(item for item in dataclasses.fields(about.options) if item.name == "polls").metadata["choices"]
    overrides = {"polls": [*polls][min(1, len(polls) - 1)]}
    setting = sample_of(rules).setting(rules.options(preset, overrides, about.low), random.Random(SEED))
    seats = agents_and_people(0, about.low)
    play = Play(rules, new_header(rules, preset, seats=seats, seed=SEED, setting=setting, options=overrides, id="0"))
    rng, asked = random.Random(SEED), {}
    while not play.over:
        request = next(request for request in play.state.open.values() if request.waits)
        asked[request.id] = request
        play.act(request.seat, request.id, random_action(play, request, rng, SAYINGS))
    return play, list(asked.values())


def _moment(asked: list[Request]) -> Request:
    """The last request of the kind that is asked most; of those for words that the table hears, if there are any."""
    moves = [one for one in asked if one.kind != "poll"]
    spoken = [one for one in moves if one.audience is None and any(isinstance(item, Text) for item in one.fields)]
    ((kind, _),) = Counter(one.kind for one in spoken or moves).most_common(1)
    return [one for one in moves if one.kind == kind][-1]


def _at(play: Play, request: Request) -> Situation:
    return situation(play, request, play.header.names)
