"""One decision of a model: view, request, method and model in; action, thoughts and attempts out.

A model's words are untrusted. What cannot be read, what the rules refuse and what must not be said is asked once more
with what was wrong; then there is no action, the table plays the default, and the attempts say why.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from agents import guard, prompts
from agents.methods import METHODS, Method, Stage
from agents.models import AgentProfile
from agents.providers import Completion, Message, MisconfiguredError, Provider, ProviderError, TimedOutError, connect
from agents.reading import Reading
from agents.situation import Decision, Situation, Thought
from games.rules.fields import Text
from games.rules.values import Attempt, Refusal

PROVIDER = "provider"
"""The code of an attempt that got no reply."""

KEPT = 2000
"""Characters of a reply that cannot be read that go into an attempt."""

WHY = 300
"""Characters of the last sentence of a reasoning, as the short reason beside a move."""

PATIENCE = 180.0
"""Seconds for one decision, all calls and pauses together; below what a worker may take."""


@dataclass(frozen=True)
class Model:
    """A model as a profile names it. Prices are US dollars for a million tokens."""

    provider: Provider
    name: str
    settings: dict[str, Any] = field(default_factory=dict)
    price_in: float = 0.0
    price_out: float = 0.0

    def ask(self, messages: Iterable[Message], schema: dict[str, Any] | None, patience: float) -> Completion:
        if patience <= 0:
            raise TimedOutError("The model took too long over this move.")
        settings = self.settings | {"patience": patience}
        return self.provider.complete(list(messages), model=self.name, settings=settings, schema=schema)

    def cost(self, reply: Completion) -> float:
        return (reply.tokens_in * self.price_in + reply.tokens_out * self.price_out) / 1e6


def decide(situation: Situation, profile: AgentProfile) -> Decision:
    """What the profile's model does at this seat. Never raises for what a profile, a model or its API does wrong:
    the decision then has no action, and its last attempt says why."""
    by = f"agent:{profile.name}"
    try:
        if profile.method not in METHODS:
            raise MisconfiguredError(f"There is no method called {profile.method}. Known are: {', '.join(METHODS)}.")
        method, model = METHODS[profile.method], model_of(profile)
    except ProviderError as error:
        request = situation.request
        return Decision(None, (), (Attempt(request.id, request.seat, by, PROVIDER, str(error), None, "default"),))
    return think(situation, method=method, model=model, by=by)


def model_of(profile: AgentProfile) -> Model:
    """The model that a profile names; raises `MisconfiguredError` with a sentence if it cannot be one.

    Beside what `Provider.complete` takes, settings may hold price_in and price_out. A profile that names no variable
    for the key uses its API's usual one, and none at all at an address of its own.
    """
    if not isinstance(profile.settings, dict):
        raise MisconfiguredError("The settings of a model are an object of names and values.")
    settings = dict(profile.settings)
    prices = {name: settings.pop(name) for name in ("price_in", "price_out") if name in settings}
    if any(type(price) not in (int, float) for price in prices.values()):
        raise MisconfiguredError("The price of a model must be a number.")
    key_env = profile.key_env or ("" if profile.base_url else None)
    return Model(connect(profile.provider, profile.base_url, key_env), profile.model, settings, **prices)


def think(situation: Situation, *, method: Method, model: Model, by: str) -> Decision:
    """What this model does at this seat by this method; `by` is who plays, as attempts record it."""
    if not situation.request.fields:
        return Decision({})
    return _Thinking(situation, method, model, by).decide()


class _Thinking:
    """A decision on its way."""

    def __init__(self, situation: Situation, method: Method, model: Model, by: str) -> None:
        self.situation, self.method, self.model, self.by = situation, method, model, by
        self.earlier: dict[str, Any] = {}
        self.thoughts: list[Thought] = []
        self.attempts: list[Attempt] = []
        self.give_up_at = time.monotonic() + PATIENCE

    def decide(self) -> Decision:
        stages = self.method.stages(self.situation)
        for stage in stages:
            if not self._pass(stage, moves=stage is stages[-1]):
                return Decision(None, tuple(self.thoughts), tuple(self.attempts))
        return Decision(self.earlier[stages[-1].name], tuple(self.thoughts), tuple(self.attempts))

    def _pass(self, stage: Stage, *, moves: bool) -> bool:
        """Go through a stage, asking once more if need be; whether it gave something."""
        opening = prompts.prompt(self.method.name, stage.name, self.situation, self.earlier)
        messages = list(opening.messages)
        for instead in ("asked again", "default"):
            try:
                patience = self.give_up_at - time.monotonic()
                reply = self.model.ask(messages, stage.reader.schema(self.situation), patience)
            except ProviderError as error:
                self._attempt(PROVIDER, str(error), None, "default")
                return False
            reading = stage.reader.read(reply, self.situation)
            refused = self._refusal(reading.value, opening.instructions) if moves and not reading.problem else None
            self._think(stage, messages, reply, reading, refused, moves)
            if not reading.problem and refused is None:
                self.earlier[stage.name] = reading.value
                return True
            if refused is None:
                code, problem, wrong = "malformed", reading.problem, {"reply": reply.text[:KEPT]}
            else:
                code, problem, wrong = refused.code, refused.sentence, reading.value
            self._attempt(code, problem, wrong, instead)
            messages += [Message("assistant", reply.text or "(nothing)"), Message("user", prompts.again(problem))]
        return False

    def _refusal(self, action: dict[str, Any], instructions: tuple[str, ...]) -> Refusal | None:
        """Why an action must not reach the table, by the rules as this seat knows them or by the guard."""
        situation = self.situation
        if situation.request.kind != "poll":
            answer = situation.rules.act(situation.state, situation.request, action)
            if isinstance(answer, Refusal):
                return answer
        for item in situation.request.fields:
            if isinstance(item, Text) and action[item.name]:
                problem = guard.objection(action[item.name], instructions=instructions, thoughts=self._private())
                if problem:
                    return Refusal("guarded", problem)
        return None

    def _private(self) -> list[str]:
        """What this seat thought, now and before; replies that gave an action are no thoughts."""
        thoughts = (*self.situation.thoughts, *self.thoughts)
        return [thought.reply for thought in thoughts if "action" not in thought.data]

    def _think(
        self,
        stage: Stage,
        messages: list[Message],
        reply: Completion,
        reading: Reading,
        refused: Refusal | None,
        moves: bool,
    ) -> None:
        data: dict[str, Any] = {"finish": reply.finish}
        if moves and reading.value is not None:
            data["action"] = reading.value
        elif isinstance(reading.value, str):
            data["why"] = re.split(r"(?<=[.!?])\s+", reading.value)[-1][:WHY]
        if reading.problem or refused:
            data["problem"] = reading.problem or refused.sentence
        self.thoughts.append(
            Thought(
                request=self.situation.request.id,
                seat=self.situation.seat,
                method=self.method.name,
                stage=stage.name,
                prompt="\n\n".join(f"[{message.role}]\n{message.content}" for message in messages),
                reply=reply.text,
                data=data,
                model=reply.model,
                tokens_in=reply.tokens_in,
                tokens_out=reply.tokens_out,
                cost=self.model.cost(reply),
                ms=reply.ms,
                attempts=reply.attempts,
            )
        )

    def _attempt(self, code: str, sentence: str, action: Any, instead: str) -> None:
        request = self.situation.request
        self.attempts.append(Attempt(request.id, request.seat, self.by, code, sentence, action, instead))
