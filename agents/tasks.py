"""Agents at live tables: Celery tasks that decide and act, and how they are sent.

A message names a queue and no request: whoever gets it claims what is fair to answer next
(`games.match.pending.claim`). So it may come twice, late or in any order.
"""

import logging
import math
import threading
import time
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from celery import shared_task
from django.conf import settings

from agents import pace, reply_store, turns
from agents.models import AgentProfile
from agents.providers.values import OnPiece
from agents.situation import FORCED, Decision, Thought
from games.jobs import leases
from games.match import changes, pending, store, view
from games.models import OUTSIDE, Match
from games.rules import answering, values
from games.rules.play import Play
from magic_site import clock

log = logging.getLogger(__name__)

HOUSE, MODELS = "house", "models"
"""The queues: house agents think, models are waited for."""

# How long one decision may take before it is given out again although its worker lives.
LONGEST_SECONDS = {HOUSE: 20.0, MODELS: 240.0}

LONGEST_TO_SEEM = 20.0
"""Seconds that an agent seems to think at most where it has no choice."""


def queue_of(agent: str) -> str:
    """The queue on which this profile's decisions are made."""
    provider = AgentProfile.objects.filter(name=agent).values_list("provider", flat=True).first()
    if provider == turns.REMOTE:
        return OUTSIDE
    return HOUSE if provider in (None, turns.HOUSE) else MODELS


def patience(agent: str) -> float:
    """How many seconds a program may take to answer for this profile."""
    return AgentProfile.objects.get(name=agent).answer_seconds


def send(queue: str, delay: float) -> None:
    """Tell the workers of a queue that there is work, or raise `pending.Unsent`."""
    try:
        answer_next.apply_async((queue,), queue=queue, countdown=delay)
    except answer_next.OperationalError as error:
        raise pending.Unsent(f"the broker cannot be reached ({type(error).__name__})") from error


@shared_task(name="agents.answer_next")
def answer_next(queue: str) -> None:
    """Decide about the next request of a queue and act; plays the default where the agent finds no legal action."""
    row = pending.claim(queue, settings.LEASE_SECONDS)
    if row is None:
        return
    with leases.held(pending.claimed(row), LONGEST_SECONDS[queue]):
        left = _answer(row.match_id, row.request, row.agent)
    if left:
        pending.hold(row, left)


def _answer(match_id: UUID, request_id: str, agent: str) -> float:
    """What this agent does about a request that this worker holds. Returns how many seconds it still types, 0.0 once it
    has acted: it decides the same again then, a model by its stored replies, so nothing has to be kept meanwhile."""
    match = Match.objects.get(pk=match_id)
    play = store.load(match)
    called = answering.is_call(request_id)
    request = answering.call(play, request_id) if called else play.state.open.get(request_id)
    if request is None:
        if called:
            store.expire(match_id, request_id)
        return 0.0
    profile = AgentProfile.objects.filter(name=agent, active=True).first()
    thoughts = [Thought(**row) for row in view.own_thoughts(match, request.seat)]
    if profile is None:
        decision = turns.unknown_profile(request, agent)
    else:
        on_piece = sign_of_life(match, play, request)
        decision = turns.decide(play, request, profile, match.names(), thoughts, on_piece=on_piece)
    left = max(left_to_type(match, play, request, decision.action), left_to_seem(match, request, decision, thoughts))
    if left > pending.EARLY.total_seconds():
        return left
    action, by, attempts = decision.action, decision.by or f"agent:{agent}", list(decision.attempts)
    decided = {"thoughts": decision.thoughts, "attempts": attempts, "as_of": match.erasures}
    if called:
        said = store.answer(match_id, request_id, action or {"text": None}, by, **decided)
        if said.refusal is store.STALE:
            reply_store.unlearn(match_id, request_id)
        return 0.0
    moved = None if action is None else store.act(match_id, request.seat, request_id, action, by, **decided)
    refusal = None if moved is None else moved.refusal
    if refusal is not None and refusal.code not in ("over", "paused", store.STALE.code):
        log.error("%s made an illegal move in match %s: %s", agent, match_id, refusal.code)
        illegal = (refusal.code, refusal.sentence, action, "default")
        attempts.append(values.Attempt(request_id, request.seat, by, *illegal))
        moved = None
    if moved is None:
        moved = store.expire(match_id, request_id, **decided)
    if moved.refusal is store.STALE:
        reply_store.unlearn(match_id, request_id)  # it is given out, and decided, anew
    return 0.0


SIGNS_EVERY = 1.0
"""Seconds between two signs that a model is at work."""


def sign_of_life(match: Match, play: Play, request: values.Request) -> OnPiece | None:
    """What tells the table that the model at a seat is at work, about once a second; nothing where not everybody may
    know that this seat is asked, or that an agent plays it. It holds no word, and says nothing about steps."""
    public = request.audience is None and not pending.in_private(match, request.kind)
    room = match.room
    if room is None or not view.names_agents(match) or not public:
        return None
    guard, last = threading.Lock(), -SIGNS_EVERY

    def on_piece() -> None:
        nonlocal last
        with guard:
            due = time.monotonic() - last >= SIGNS_EVERY
            last = time.monotonic() if due else last
        if due:
            changes.tell(room.code, "thinking", match.pk, request.seat)

    return on_piece


def pause_before(match: Match, play: Play, request: values.Request) -> float:
    """Seconds that an agent waits before it decides, as people do to read and to think.

    Depends on nothing but what everybody has seen and on the seed: how long an agent takes tells nothing about its
    seat, and is as uneven as people are.
    """
    if not match.room or not match.room.pace:
        return 0.0
    return round(pace.before(play, request, match.seed) * match.room.pace, 2)


def left_to_type(match: Match, play: Play, request: values.Request, action: dict[str, Any] | None) -> float:
    """Seconds from now until somebody would have typed this action; what it took to decide counts."""
    if not match.room or not match.room.pace or request.kind in play.rules.secret:
        return 0.0
    typing = pace.typing(request, action, match.seed) * match.room.pace
    if not typing:
        return 0.0
    return max(0.0, min(typing, pause_before(match, play, request) + typing - _passed(match, request)))


def left_to_seem(match: Match, request: values.Request, decision: Decision, thoughts: Sequence[Thought]) -> float:
    """Seconds from now until an answer that left no choice may be given where others may not learn that it left none:
    this agent then seems to think as long as it did over its last move."""
    if not match.room or request.audience is None or all(thought.stage != FORCED for thought in decision.thoughts):
        return 0.0
    last = next((thought.request for thought in reversed(thoughts) if thought.model), None)
    thinking = sum(thought.ms for thought in thoughts if thought.request == last) / 1000
    return max(0.0, min(thinking, LONGEST_TO_SEEM) - _passed(match, request))


def _passed(match: Match, request: values.Request) -> float:
    """Seconds since a request was opened."""
    opened_at = match.pending.filter(request=request.id).values_list("opened_at", flat=True).first()
    return math.inf if opened_at is None else (clock.now() - opened_at).total_seconds()
