"""One decision of a model: view, request, method and model in; action, thoughts and attempts out.

A model's words are untrusted. What cannot be read, what the rules refuse and what must not be said is asked once more
with what was wrong; then there is no action, the table plays the default, and the attempts say why.
"""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from agents import guard, prompts, spending
from agents.calls import NO_STORE, Ask, Model, Purpose, ReplyStore, ask_all
from agents.methods import METHODS, Draft, Method, Stage, Steps, SwitchError, Turn
from agents.methods.base import MISSING, forced
from agents.methods.readers import by_seat, schema_of
from agents.models import AgentProfile
from agents.providers import Completion, Message, MisconfiguredError, ProviderError, SpendingError, connect
from agents.providers.values import OnPiece
from agents.reading import Reading
from agents.reply_store import StoredReplies
from agents.situation import FORCED, PROVIDER, SETUP, SPENDING, Decision, Situation, Thought
from games.rules import answering, table_talk
from games.rules.fields import Text
from games.rules.values import Attempt, Refusal

KEPT = 2000
"""Characters of a reply that cannot be read that go into an attempt."""

WHY = 300
"""Characters of the last sentence of a reasoning, as the short reason beside a move."""

SUMMARY = "the model's own summary"
"""The stage of a thought that no template asked for: what an API tells of its model's reasoning."""

TRIES = 2
"""How often a stage is asked before its replies count as none."""

PATIENCE = 180.0
"""Seconds for one decision, all calls and pauses together; below what a worker may take."""


class NoMoveError(Exception):
    """The method cannot go on: the table's default is to be played. The attempts say why."""


OnThoughts = Callable[[Sequence[Thought]], None]
"""Called with the thoughts of a decision so far, as soon as a step is done."""


def decide_by_model(
    situation: Situation,
    profile: AgentProfile,
    store: ReplyStore | None = None,
    on_piece: OnPiece | None = None,
    on_thoughts: OnThoughts | None = None,
) -> Decision:
    """What the profile's model does at this seat. Never raises for what a profile, a model or its API does wrong:
    the decision then has no action, and its last attempt says why.

    store: where replies are looked up and kept, the database by default. on_piece: see `calls.ask_all`.
    on_thoughts: called with the thoughts so far after each step.
    """
    by = f"agent:{profile.name}"
    try:
        if profile.method not in METHODS:
            raise MisconfiguredError(f"There is no method called {profile.method}. Known are: {', '.join(METHODS)}.")
        model = model_of(profile)
        second = model_of(profile.second) if profile.second else None
        method, switches = METHODS[profile.method], profile.switches
        return think(
            situation,
            method=method,
            model=model,
            second=second,
            switches=switches,
            by=by,
            store=store or StoredReplies(),
            on_piece=on_piece,
            on_thoughts=on_thoughts,
        )
    except (ProviderError, SwitchError) as error:
        request = situation.request
        return Decision(None, (), (Attempt(request.id, request.seat, by, SETUP, str(error), None, "default"),))


def model_of(profile: AgentProfile) -> Model:
    """The model that a profile names; raises `MisconfiguredError` with a sentence if it cannot be one.

    A profile that names no variable for the key uses its API's usual one, and none at all at an address of its own.
    """
    if not isinstance(profile.settings, dict):
        raise MisconfiguredError("The settings of a model are named values in braces.")
    key_env = profile.key_env or ("" if profile.base_url else None)
    provider = connect(profile.provider, profile.base_url, key_env)
    return Model(provider, profile.model, profile.settings, spending.price_of(profile.model), profile.owner_id)


def think(
    situation: Situation,
    *,
    method: Method,
    model: Model,
    by: str,
    second: Model | None = None,
    switches: Mapping[str, Any] | None = None,
    store: ReplyStore = NO_STORE,
    on_piece: OnPiece | None = None,
    on_thoughts: OnThoughts | None = None,
) -> Decision:
    """What this model does at this seat by this method; `by` is who plays, as attempts record it. second: the model of
    the stages that ask for a second one. store, on_piece: see `calls.ask_all`. Raises `SwitchError` for switches
    that the method does not have, `MisconfiguredError` for a game that it does not play."""
    if not method.plays(situation.rules):
        raise MisconfiguredError(
            f"{method.title} is for games of hidden roles; it does not play {situation.rules.title}."
        )
    turn = method.turn(situation, switches or {})
    return _Thinking(turn, model, second or model, by, store, on_piece, on_thoughts).run(_steps(method, turn))


def _steps(method: Method, turn: Turn) -> Steps:
    """The steps of a decision; one that nobody is asked in where the rules leave no choice."""
    situation = turn.situation
    only = situation.rules.forced(situation.state, situation.request)
    if only is not None:
        yield forced(FORCED, only, final=True)
    elif situation.request.kind == "poll":
        yield from method.poll(turn)
    elif answering.is_call(situation.request.id):
        yield from method.answer(turn)
    else:
        yield from method.think(turn)


@dataclass
class _Try:
    """A stage on its way to a value."""

    stage: Stage
    opening: prompts.Prompt | None = None
    messages: list[Message] = field(default_factory=list)
    thoughts: list[Thought] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    value: Any = MISSING
    nth: int = 0


class _Thinking:
    """A decision on its way."""

    def __init__(
        self,
        turn: Turn,
        model: Model,
        second: Model,
        by: str,
        store: ReplyStore,
        on_piece: OnPiece | None,
        on_thoughts: OnThoughts | None,
    ) -> None:
        self.turn, self.situation, self.model, self.second, self.by = turn, turn.situation, model, second, by
        self.store, self.on_piece, self.on_thoughts = store, on_piece, on_thoughts
        self.thoughts: list[Thought] = []
        self.attempts: list[Attempt] = []
        self.give_up_at = time.monotonic() + PATIENCE

    def run(self, steps: Steps) -> Decision:
        action, step = None, next(steps)
        try:
            while True:
                stages = (step,) if isinstance(step, Stage) else step
                values = self._values(stages)
                final = [n for n, stage in enumerate(stages) if stage.final]
                if final:
                    action = values[final[0]]
                    break
                step = steps.send(values[0] if isinstance(step, Stage) else values)
        except NoMoveError:
            pass
        finally:
            steps.close()
        return Decision(action, tuple(self.thoughts), tuple(self.attempts))

    def _values(self, stages: Sequence[Stage]) -> list[Any]:
        """Go through stages at once, asking once more where need be; raises `NoMoveError` where one gave nothing."""
        thoughts = (*self.situation.thoughts, *self.thoughts)
        turn = replace(self.turn, situation=replace(self.situation, thoughts=thoughts))
        tries = [self._begin(turn, stage) for stage in stages]
        for _ in range(TRIES):
            open_tries = [one for one in tries if one.value is MISSING]
            if not open_tries:
                break
            asks = [self._ask(one) for one in open_tries]
            replies = ask_all(asks, self.give_up_at - time.monotonic(), self.on_piece, self.store)
            failed = [reply for reply in replies if isinstance(reply, ProviderError)]
            for one, reply in zip(open_tries, replies, strict=True):
                if isinstance(reply, SpendingError):
                    self._attempt(one, SPENDING, str(reply), None, "house")
                elif isinstance(reply, ProviderError):
                    self._attempt(one, PROVIDER if reply.retry else SETUP, str(reply), None, "default")
                else:
                    self._read(one, reply)
            if failed:
                break
        for one in tries:
            self.thoughts += one.thoughts
        for one in sorted(tries, key=lambda one: one.value is MISSING):  # what there is no move for is said last
            self.attempts += one.attempts
        if self.on_thoughts is not None:
            self.on_thoughts(self.thoughts)
        if any(one.value is MISSING for one in tries):
            raise NoMoveError
        return [one.value for one in tries]

    def _begin(self, turn: Turn, stage: Stage) -> _Try:
        """A stage with its prompt; or with its value, where that is known or was asked for before."""
        held = turn.held(stage)
        if stage.known is not MISSING:
            data = {"action" if stage.final else "value": stage.known}
            return _Try(stage, value=stage.known, thoughts=[self._unasked(stage, data)])
        if held is not None:
            value = by_seat(held.data["value"]) if "value" in held.data else stage.otherwise
            kept = {name: item for name, item in held.data.items() if name not in ("finish", "problem")}
            return _Try(stage, value=value, thoughts=[self._unasked(stage, kept | {"from": held.request})])
        opening = prompts.prompt(turn, stage)
        return _Try(stage, opening, list(opening.messages))

    def _unasked(self, stage: Stage, data: dict[str, Any]) -> Thought:
        """The thought of a stage that no call was made for."""
        if stage.upto is not None:
            data["upto"] = stage.upto
        if stage.known is not MISSING and stage.keep is not None:
            data |= stage.keep(stage.known)
        request = self.situation.request
        return Thought(request.id, request.seat, self.turn.method, stage.name, data=data, attempts=0)

    def _ask(self, one: _Try) -> Ask:
        one.nth += 1
        request, stage = self.situation.request, one.stage
        purpose = Purpose(self.situation.match, request.id, request.seat, stage.name, one.nth)
        model = self.second if stage.second else self.model
        return Ask(purpose, model, tuple(one.messages), schema_of(stage.reader, self.situation))

    def _read(self, one: _Try, reply: Completion) -> None:
        """Make something of a reply: the stage's value, or what to ask again."""
        reading = one.stage.reader.read(reply, self.situation)
        if reply.thought:
            one.thoughts.append(self._summary(reply))
        refused = None
        if one.stage.final and not reading.problem:
            refused = self._refusal(reading, one)
        self._think(one, reply, reading, refused)
        if not reading.problem and refused is None:
            one.value = reading.value
            return
        carried_on = one.nth == TRIES and one.stage.otherwise is not MISSING
        instead = "asked again" if one.nth < TRIES else "carried on" if carried_on else "default"
        if refused is None:
            code, problem, wrong = "malformed", reading.problem, {"reply": reply.text[:KEPT]}
        else:
            code, problem, wrong = refused.code, refused.sentence, reading.value
        self._attempt(one, code, problem, wrong, instead)
        if carried_on:
            one.value = one.stage.otherwise
        one.messages += [Message("assistant", reply.text or "(nothing)"), Message("user", prompts.again(problem))]

    def _summary(self, reply: Completion) -> Thought:
        """What an API gives of the reasoning apart from the reply; the call is counted with the stage itself."""
        request = self.situation.request
        return Thought(request.id, request.seat, self.turn.method, SUMMARY, reply=reply.thought, attempts=0)

    def _refusal(self, reading: Reading, one: _Try) -> Refusal | None:
        """Why an action must not reach the table, by the rules as this seat knows them or by the guard."""
        situation, action = self.situation, reading.value
        answer = self._refused_by_rules(action)
        if isinstance(answer, Refusal):
            return answer
        for item in situation.request.fields:
            if isinstance(item, Text) and action[item.name]:
                ours = one.opening.instructions if one.opening else ()
                thoughts = [*self._private(one.thoughts), str(reading.kept.get("thought", ""))]
                problem = guard.objection(action[item.name], instructions=ours, thoughts=thoughts)
                if problem:
                    return Refusal("guarded", problem)
        return None

    def _refused_by_rules(self, action: dict[str, Any]) -> Any:
        rules, state, request = self.situation.rules, self.situation.state, self.situation.request
        if answering.is_call(request.id):
            aloud = action["text"] is not None and action["to"] == table_talk.ALL
            return rules.check_talk(state, request.seat, action["text"]) if aloud else None
        return None if request.kind == "poll" else rules.act(state, request, action)

    def _private(self, latest: Sequence[Thought]) -> list[str]:
        """What this seat thought, now and before; of a reply with a move in it only the thought beside that."""
        thoughts = (*self.situation.thoughts, *self.thoughts, *latest)
        return [t.data.get("thought", "" if "action" in t.data else t.reply) for t in thoughts]

    def _think(self, one: _Try, reply: Completion, reading: Reading, refused: Refusal | None) -> None:
        stage, data = one.stage, {"finish": reply.finish, **reading.kept}
        if reading.value is not None:
            if stage.final or isinstance(stage.reader, Draft):
                data["action"] = reading.value
            if not stage.final:
                data["value"] = reading.value
            if isinstance(reading.value, str):
                data["why"] = re.split(r"(?<=[.!?])\s+", reading.value)[-1][:WHY]
            if stage.keep is not None and refused is None:
                data |= stage.keep(reading.value)
        if stage.upto is not None:
            data["upto"] = stage.upto
        if problem := reading.problem or (refused.sentence if refused else ""):
            data["problem"] = problem
        one.thoughts.append(
            Thought(
                request=self.situation.request.id,
                seat=self.situation.seat,
                method=self.turn.method,
                stage=stage.name,
                prompt="\n\n".join(f"[{message.role}]\n{message.content}" for message in one.messages),
                reply=reply.text,
                data=data,
                model=reply.model,
                **asdict(reply.usage),
                cost=reply.cost,
                ms=reply.ms,
                attempts=reply.attempts,
            )
        )

    def _attempt(self, one: _Try, code: str, sentence: str, action: Any, instead: str) -> None:
        request = self.situation.request
        one.attempts.append(Attempt(request.id, request.seat, self.by, code, sentence, action, instead))
