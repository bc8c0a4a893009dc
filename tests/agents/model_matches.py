"""Matches of models for tests: a profile at a scripted server, played in memory by the same code as competitions."""

from __future__ import annotations

from uuid import UUID, uuid4

from agents import headless
from agents.calls import ReplyStore
from agents.models import AgentProfile
from games.match import beginning
from games.models import Match
from games.registry import RULES
from games.rules.play import Play, new_header
from games.rules.values import SeatInfo
from tests.model_server import ModelServer

WORDS = {"civilian_word": "wig", "undercover_word": "hat"}


def profile(server: ModelServer, name: str = "wire", **fields) -> AgentProfile:
    """A stored profile whose model the server plays."""
    given = {"provider": "openai", "base_url": server.openai_url, "model": "small-1", "method": "direct"}
    settings = {"settings": {"backoff": 0.01, "retries": 1, "timeout": 5}}
    return AgentProfile.objects.create(name=name, title=name, **given | settings | fields)


def dealt(*agents: str, preset: str = "magic", seed: int = 3, id: str | None = None, **options) -> Play:
    """A match of Undercover; its words are known, seat 1 is the undercover (of five also seat 3)."""
    rules = RULES["undercover"]
    seats = tuple(SeatInfo(n, f"Player {n}", "agent", name) for n, name in enumerate(agents, 1))
    setting = WORDS | {"undercovers": [1, 3][: (len(agents) + 1) // 3]}
    header = new_header(
        rules, preset, seats=seats, seed=seed, setting=setting, options=options, id=id or str(uuid4())
    )  # fmt: skip
    return Play(rules, header)


def played(play: Play, store: ReplyStore | None = None, **more) -> headless.Played:
    """Play it out, each seat by the profile that its header names."""
    profiles = {profile.name: profile for profile in AgentProfile.objects.all()}
    minds = {seat.seat: headless.of_profile(profiles[seat.agent], store) for seat in play.header.seats}
    by = {seat.seat: f"agent:{seat.agent}" for seat in play.header.seats}
    return headless.play_out(play, minds, by, **more)


def stored(done: headless.Played) -> Match:
    """What was played, in the database, as competitions keep it."""
    return beginning.keep(
        done.play, thoughts=done.thoughts, attempts=done.attempts, id=UUID(done.play.header.id)
    )  # fmt: skip
