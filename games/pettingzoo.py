"""The games as environments of PettingZoo (AEC), over the rules alone: no database, no site.

    from games.pettingzoo import MagicTable
    env = MagicTable("avalon", discussion="none")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        env.step(None if terminated else env.action_space(agent).sample(info["action_mask"]))

An agent is a seat ("seat_1"). Each observation is {"text": JSON in ASCII}: what that seat may know, what it is asked,
and the events it has seen since its last move. Actions are numbers that count up the answers to what is asked
(`answers`); in a game that asks for words an action is {"choice": that number, "text": the words}. Which are legal is
told by `info["action_mask"]`. For one that is not the table's default is played, and `info["refused"]` says why. The
rewards come at the end: the points of each seat, or 1 for who has won.

PettingZoo is an extra (requirements-pettingzoo.txt).
"""

from __future__ import annotations

import itertools
import json
import math
import random
import string
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from games.registry import RULES
from games.rules import fields
from games.rules.core import Rules
from games.rules.kit import WORDS
from games.rules.play import Play, agents_and_people, new_header
from games.rules.random_play import random_action
from games.rules.sight import seen_by
from games.rules.values import PUBLIC, Impossible, Refusal, Request, Seen

LONGEST = 1_000_000
"""Characters of an observation at most."""
LETTERS = string.ascii_letters + string.digits + string.punctuation + " "
"""Of which words are sampled; a player may say what they like."""
TRIED = 16
"""So many matches are played at random to see what a game asks."""


class MagicTable(AECEnv):
    """One match after another of a game at one table.

    preset, seats: the game's usual ones by default; options: as at a table. Raises `Impossible` where it cannot be
    played so, `KeyError` where there is no such game.
    """

    metadata = {"name": "magic_table_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        game: str,
        preset: str | None = None,
        seats: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.rules, self.render_mode = RULES[game], render_mode
        usual, usual_seats = self.rules.quick
        self.preset = preset or usual
        self.seats = seats or (usual_seats if self.preset == usual else self.rules.presets[self.preset].low)
        self.options = options
        self.possible_agents = [f"seat_{seat}" for seat in range(1, self.seats + 1)]
        self.agents = self.possible_agents[:]
        most, words = asked_of(game, self.preset, self.seats, json.dumps(options))
        self.most = most
        self.observation_spaces = {
            agent: spaces.Dict({"text": spaces.Text(LONGEST, charset=string.printable)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: _space(most, words) for agent in self.possible_agents}
        self._chance, _seed = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete | spaces.Dict:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal anew; with a seed always the same match."""
        if seed is not None:
            self._chance, _seed = seeding.np_random(seed)
        self.play = dealt(self.rules, self.preset, self.seats, int(self._chance.integers(2**63)), self.options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._told = dict.fromkeys(self.agents, 0)
        self._seen = {agent: _Seen(self.play, seat) for seat, agent in enumerate(self.agents, 1)}
        self._turn()

    def step(self, action: Any) -> None:
        """Answer what the selected seat is asked."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos[agent] = {}
        request, chosen = self.request, self._read(action)
        result = self.play.act(request.seat, request.id, chosen, "agent") if chosen is not None else None
        if result is None or isinstance(result, Refusal):
            self.infos[agent] = {"refused": str(result.sentence) if result else "There is no such answer."}
            self.play.expire(request.id)
        self._told[agent] = request.opened_at
        if self.play.over:
            self._end()
        else:
            self._turn()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, str]:
        """What the seat may know, as JSON."""
        seat = self.possible_agents.index(agent) + 1
        seen = self._seen[agent].carry_on(self.play)
        asked = self.request if self.request.seat == seat and not self.play.over else None
        told = {
            "seat": seat,
            "card": self.rules.card(seen.state, seat),
            "public": self.rules.public(seen.state),
            "asked": None if asked is None else {"kind": asked.kind, "schema": asked.schema(exact=True)},
            "events": [
                {"seq": event.seq, "kind": event.kind, "seat": event.seat, "data": event.data}
                for event in seen.events
                if event.seq > self._told[agent]
            ],
        }
        return {"text": json.dumps(told)}

    def render(self) -> str:
        """The last event that everybody saw, as JSON."""
        return json.dumps(_Seen(self.play, PUBLIC).carry_on(self.play).events[-1]._asdict())

    def close(self) -> None:
        """Nothing is held open."""

    def _turn(self) -> None:
        self.request = next(request for request in self.play.state.open.values() if request.waits)
        self.agent_selection = f"seat_{self.request.seat}"
        self._answers = list(itertools.islice(answers(self.request), self.most))
        mask = np.zeros(self.most, dtype=np.int8)
        for place, answer in enumerate(self._answers):
            mask[place] = self._legal(answer)
        choice = self.action_spaces[self.agent_selection]
        whole = mask if isinstance(choice, spaces.Discrete) else {"choice": mask, "text": None}
        self.infos[self.agent_selection] = self.infos[self.agent_selection] | {"action_mask": whole}

    def _legal(self, answer: dict[str, Any]) -> bool:
        """Whether the rules take an answer; of one with words that is only seen when it is given."""
        if any(isinstance(field, fields.Text) for field in self.request.fields):
            return True
        return not isinstance(self.play.check(self.request.seat, self.request.id, answer), Refusal)

    def _read(self, action: Any) -> dict[str, Any] | None:
        """The answer that an action stands for; None for a number that counts none."""
        number, words = (action["choice"], action["text"]) if isinstance(action, dict) else (action, "")
        if number is None or not 0 <= number < len(self._answers):
            return None
        said = {field.name: words or None for field in self.request.fields if isinstance(field, fields.Text)}
        return self._answers[int(number)] | said

    def _end(self) -> None:
        outcome = self.play.state.outcome
        for seat, agent in enumerate(self.possible_agents, 1):
            self.rewards[agent] = float(outcome.returns.get(seat, seat in outcome.winners))
        self.terminations = dict.fromkeys(self.agents, True)


class _Seen:
    """What one seat sees of a match, carried on by new events alone."""

    def __init__(self, play: Play, seat: int) -> None:
        self.seat, self.read = seat, 0
        self.state = play.rules.start(play.options)
        self.events: list[Seen] = []

    def carry_on(self, play: Play) -> _Seen:
        for event in play.log[self.read :]:
            seen = seen_by(play.rules, event, self.seat)
            if seen is not None:
                self.events.append(seen)
                play.rules.apply(self.state, seen)
        self.read = len(play.log)
        return self


def dealt(rules: Rules, preset: str, seats: int, seed: int, options: dict[str, Any]) -> Play:
    """A match dealt by a seed, from the settings that come with the game."""
    rows = settings_of(rules.family)
    chance = random.Random(seed)
    resolved = rules.options(preset, options, seats)
    for row in chance.sample(rows, len(rows)) or [{}]:
        try:
            rules.check_setting(resolved, row)
        except Impossible:
            continue
        setting = rules.drawn(row, rows) if row else {}
        sitting = agents_and_people(0, seats)
        return Play(rules, new_header(rules, preset, seats=sitting, seed=seed, options=options, setting=setting))
    raise ValueError(f"No setting of {rules.title} can be played so.")


@lru_cache
def settings_of(game: str) -> list[dict[str, Any]]:
    """The settings that come with a game; [] for one that needs none."""
    path = Path(__file__).parent / game / "settings.json"
    return [row["data"] for row in json.loads(path.read_text(encoding="utf-8"))["rows"]] if path.exists() else []


@lru_cache
def asked_of(game: str, preset: str, seats: int, options: str) -> tuple[int, bool]:
    """How many answers there are at most to what a game asks, and whether it asks for words; found by playing some
    matches at random, the same each time."""
    most, words = 1, False
    for seed in range(TRIED):
        play, rng = dealt(RULES[game], preset, seats, seed, json.loads(options)), random.Random(seed)
        while not play.over:
            request = next(request for request in play.state.open.values() if request.waits)
            most = max(most, sum(math.prod(map(_size, way)) for way in request.each_way))
            words = words or any(isinstance(field, fields.Text) for field in request.fields)
            play.act(request.seat, request.id, random_action(play, request, rng, WORDS), "agent")
    return most, words


def answers(request: Request) -> Iterator[dict[str, Any]]:
    """All answers to a request, in order, without the words."""
    for way in request.each_way:
        finite = [field for field in way if not isinstance(field, fields.Text)]
        for values in itertools.product(*map(_values, finite)):
            yield dict(zip((field.name for field in finite), values, strict=True))


def _space(most: int, words: bool) -> spaces.Discrete | spaces.Dict:
    choice = spaces.Discrete(most)
    return (
        spaces.Dict({"choice": choice, "text": spaces.Text(fields.TEXT_LIMIT, min_length=0, charset=LETTERS)})
        if words
        else choice
    )


def _size(field: fields.Field) -> int:
    return 1 if isinstance(field, fields.Text) else sum(1 for _value in _values(field))


def _values(field: fields.Field) -> Iterator[Any]:
    """The values of a field, in order; an optional one may be left out last."""
    match field:
        case fields.Choice():
            yield from field.options
        case fields.Flag():
            yield from (False, True) if field.only is None else (field.only,)
        case fields.OneSeat():
            yield from field.seats
        case fields.SomeSeats():
            sizes = range(len(field.seats) + 1) if field.count is None else [field.count]
            for size in sizes:
                yield from map(list, itertools.combinations(field.seats, size))
        case fields.Number():
            yield from range(field.low, field.high + 1)
        case fields.Split():
            yield from _shares(field.most or (field.total,) * field.parts, field.total, field.step)
        case _:
            raise TypeError(f"no values of {type(field).__name__}")
    if field.optional:
        yield None


def _shares(most: tuple[int, ...], total: int, step: int) -> Iterator[list[int]]:
    """most: of each share."""
    first, *rest = most
    if not rest:
        yield [total]
        return
    for share in range(max(0, total - sum(rest)), min(first, total) + 1, step):
        for others in _shares(tuple(rest), total - share, step):
            yield [share, *others]
