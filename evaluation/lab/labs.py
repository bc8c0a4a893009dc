"""Labs: asked for, played by a worker, and gone on with. Nothing is played or paid for twice.

What came of each number of the rollouts is kept as soon as all arms have it. Replies of models are kept under the arm
and the number (`purpose`): an arm that another lab has played at the same move finds them too.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from functools import cached_property
from math import ceil
from statistics import fmean
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from django.db.models import Sum
from django.utils.translation import gettext as _

from agents import headless, reply_store, spending
from agents.calls import ReplyStore
from agents.models import AgentProfile, Call
from agents.reviews import reviews
from agents.reviews.rollouts import Forked, Mind
from agents.turns import HOUSE
from evaluation.competitions import manifest, rehearsal
from evaluation.lab.arms import UNCHANGED, Arm, LabError, checked, forked, profile
from evaluation.lab.counted import Ending, ending
from evaluation.lab.models import Lab, Rollout
from evaluation.studies.trials import thoughts_before
from games.jobs import jobs
from games.jobs.jobs import Failed, Run
from games.match import store
from games.match.words import change_words
from games.models import Match
from games.registry import RULES
from games.rules.play import Play
from games.rules.values import Event, LogError
from magic_site.writing import written

KIND = "lab"
MOST_ROLLOUTS = 1000
RECENT = 200
"""So many calls of a model tell how long the next ones take."""

MEASURED = 10
"""So many turns of an agent, at most, tell what all of them take."""


def really(match: Match) -> Ending | None:
    """How the match itself ended; None if it was not finished, or if these rules do not come to it."""
    if match.status != "finished":
        return None
    try:
        return ending(store.load(match))
    except LogError:
        return None


class Plan(NamedTuple):
    """What is to be played at a move. arms: beside the unchanged one."""

    at: Forked
    arms: tuple[Arm, ...]
    rollouts: int
    house: bool = False
    talk: bool = False

    @property
    def every(self) -> tuple[Arm, ...]:
        """All arms, the unchanged one first."""
        return (UNCHANGED, *self.arms)

    def names(self, arm: Arm) -> dict[int, str]:
        """The profile at each seat in an arm: who sat there, a house agent for each person."""
        found = {info.seat: HOUSE if self.house else info.agent or HOUSE for info in self.at.play.header.seats}
        return found | dict(arm.agents)


class Prepared:
    """A plan with all that it is played with. Raises `LabError` where an agent cannot be asked, or two arms are the
    same."""

    def __init__(self, match: Match, plan: Plan) -> None:
        if any(arm in plan.arms[:place] for place, arm in enumerate(plan.arms)):
            raise LabError(_("One change stands there twice. Leave one of the two out."))
        self.match, self.plan = match, plan
        wanted = {name for arm in plan.every for name in plan.names(arm).values()}
        changed = {name for arm in plan.arms for name in arm.agents.values()}
        self.profiles = {name: self._profile(name, name in changed) for name in wanted}
        start = plan.at.play.fork(plan.at.move.seq - 1)
        self.thoughts = [] if self._only_house else thoughts_before(match, start)

    @property
    def _only_house(self) -> bool:
        return all(one.provider == HOUSE for one in self.profiles.values())

    def _profile(self, name: str, asked_for: bool) -> AgentProfile:
        """The profile of a name; of who sat there and is no profile any more a house agent plays the seat."""
        if not asked_for and not AgentProfile.objects.filter(name=name).exists():
            name = HOUSE
        return profile(name, self.match.game)

    @cached_property
    def basis(self) -> str:
        """Changes with the code, the words of the match and whoever plays: what was played under another one counts no
        more."""
        told = [reviews.version(self.match.game), self.match.erasures, rehearsal.conditions(self.profiles)]
        return manifest.digest(told)

    @property
    def whole(self) -> Play:
        """The match to its end; one that is not over is played on by house agents."""
        play, names = self.plan.at.play, self.plan.at.play.header.names
        if not play.over:
            play = self.plan.at.played_on(self.plan.at.own, 0, dict.fromkeys(names, Mind(self.plan.at.request.id))).play
        return play

    def minds(self, arm: Arm, store: ReplyStore | None = None) -> dict[int, headless.Mind]:
        """Who plays each seat of one match."""
        made: dict[str, headless.Mind] = {}
        for name in self.plan.names(arm).values():
            one = self.profiles[name]
            if name not in made and one.provider == HOUSE:
                made[name] = Mind(self.plan.at.request.id, talks=self.plan.talk, switches={"hops": 0} | one.switches)
            elif name not in made:
                made[name] = headless.of_profile(one, store, must_answer=True)
        return {seat: made[name] for seat, name in self.plan.names(arm).items()}

    def played_on(
        self,
        arm: Arm,
        number: int,
        minds: Mapping[int, headless.Mind],
        *,
        pool: Executor | None = None,
        between: Callable[[], None] = lambda: None,
    ) -> headless.Played:
        """The match of an arm and a number, played to its end by these minds."""
        at = self.plan.at
        stays = arm.action is None and at.move.seat not in arm.agents
        return at.played_on(
            at.own if stays else arm.action,
            number,
            minds,
            anew=arm.agents,
            thoughts=self.thoughts,
            id=str(purpose(self.match.pk, at.move.seq, arm, number)),
            pool=pool,
            between=between,
        )


class Expected(NamedTuple):
    """What a plan will take. unpriced: models of which no price is known."""

    seconds: float
    calls: int
    dollars: float
    unpriced: tuple[str, ...]


def purpose(match: UUID, seq: int, arm: Arm, number: int) -> UUID:
    """What the books call one match of an arm."""
    return uuid5(match, f"lab:{seq}:{json.dumps(arm.plain, sort_keys=True)}:{number}")


# Before it is played ------------------------------------------------------------------------------------------------


def expected(prepared: Prepared) -> Expected:
    """What a plan will take, if each arm goes on for as many moves as the match did: of each agent's turns among these
    some are taken, evenly, with made-up replies where a model is asked. Raises `LabError`."""
    replies, play = rehearsal.Rehearsal(), prepared.whole
    minds: dict[str, headless.Mind] = {}
    turns: dict[str, list[Event]] = {}
    for arm in prepared.plan.every:
        names = prepared.plan.names(arm)
        minds |= {names[seat]: mind for seat, mind in prepared.minds(arm, replies).items()}
        for event in play.log[prepared.plan.at.move.seq - 1 :]:
            if event.seat is not None and event.request is not None:
                turns.setdefault(names[event.seat], []).append(event)
    seconds = calls = dollars = 0.0
    for name, its in turns.items():
        some = its[:: ceil(len(its) / MEASURED)]
        share = len(its) / len(some)
        _seconds(prepared, play, minds[name], some[:1])  # the first one reads the words that it knows
        before = replies.found.calls, replies.found.cost
        seconds += share * _seconds(prepared, play, minds[name], some)
        calls += share * (replies.found.calls - before[0])
        dollars += share * (replies.found.cost - before[1])
    if calls:
        models = {one.model for one in prepared.profiles.values() if one.provider != HOUSE}
        took = Call.objects.filter(model__in=models).order_by("-pk").values_list("ms", flat=True)[:RECENT]
        seconds += calls * (fmean(took) if took else 0) / 1000
    times = prepared.plan.rollouts
    return Expected(seconds * times, round(calls * times), dollars * times, tuple(sorted(replies.found.unpriced)))


def _seconds(prepared: Prepared, play: Play, mind: headless.Mind, turns: Sequence[Event]) -> float:
    """How long an agent takes for what was asked at these moves."""
    seconds = 0.0
    for event in turns:
        before = play.fork(event.seq - 1)
        request = before.state.open.get(event.request or "")
        if request is None or not request.waits:
            continue
        began = time.monotonic()
        try:
            mind(before, request, list(prepared.thoughts))
        except headless.UnansweredError as error:
            raise LabError(str(error)) from error
        seconds += time.monotonic() - began
    return seconds


def make(prepared: Prepared, user: Any = None) -> Lab:
    """The lab of a plan; one that was asked for before is gone on with, with more rollouts if more are wanted."""
    arms = [arm.plain for arm in prepared.plan.every]
    plan = prepared.plan
    same = {
        "match": prepared.match,
        "seq": plan.at.move.seq,
        "house": plan.house,
        "talk": plan.talk,
        "basis": prepared.basis,
    }
    for lab in Lab.objects.filter(**same):
        if lab.arms == arms:
            lab.rollouts = max(lab.rollouts, plan.rollouts)
            lab.save(update_fields=["rollouts"])
            return lab
    return Lab.objects.create(**same, arms=arms, rollouts=plan.rollouts, created_by=user)


def begin(lab: Lab, user: Any = None) -> None:
    """Have it played, or gone on with, by a worker."""
    jobs.ask(KIND, str(lab.pk), about=lab.pk, by=user, lab=str(lab.pk))


# Playing ------------------------------------------------------------------------------------------------------------


def work(run: Run, lab: str, pool: Executor | None = None) -> None:
    """Play what is not played yet, and keep it number by number."""
    found = Lab.objects.select_related("match").filter(pk=lab).first()
    if found is None:
        return
    try:
        prepared = of_lab(found)
        _play(run, found, prepared, pool)
    except (LabError, headless.UnansweredError) as error:
        raise Failed(str(error)) from error


def of_lab(lab: Lab) -> Prepared:
    """All that a lab is played with. Raises `LabError`."""
    at = forked(lab.match, lab.seq)
    arms = tuple(checked(at, Arm.of(plain)) for plain in lab.arms[1:])
    return Prepared(lab.match, Plan(at, arms, lab.rollouts, lab.house, lab.talk))


def _play(run: Run, lab: Lab, prepared: Prepared, pool: Executor | None) -> None:
    if lab.basis != prepared.basis:  # what was played under another one says nothing beside what is played now
        with written():
            run.confirm()
            lab.played.all().delete()
            Lab.objects.filter(pk=lab.pk).update(basis=prepared.basis)
    kept = set(lab.played.values_list("number", flat=True))
    for number in range(lab.rollouts):
        run.tell(len(kept), lab.rollouts)
        if number in kept:
            continue
        endings, paid = [], 0.0
        for arm in prepared.plan.every:
            minds = prepared.minds(arm, reply_store.StoredReplies())
            played = prepared.played_on(arm, number, minds, pool=pool, between=run.look)
            endings.append(ending(played.play))
            paid += spending.of_match(purpose(lab.match_id, lab.seq, arm, number))
        with written():
            run.confirm()
            if not Match.objects.filter(pk=lab.match_id, erasures=prepared.match.erasures).exists():
                raise LabError(_("Something of this match was erased meanwhile. Begin it again."))
            Rollout.objects.create(lab=lab, number=number, endings=endings, cost=paid)
        kept.add(number)


def cost_of(lab: Lab) -> float:
    """What its matches cost so far, in dollars."""
    return lab.played.aggregate(paid=Sum("cost"))["paid"] or 0.0


def endings_of(lab: Lab) -> list[list[dict[str, float]]]:
    """How the matches of each number ended, of all arms, in the order of the numbers."""
    return list(lab.played.values_list("endings", flat=True))


def shares(lab: Lab) -> bool:
    """Whether its numbers tell who won, and not points."""
    return bool(RULES[lab.match.game].sought)


# Erasing ------------------------------------------------------------------------------------------------------------


def purposes(labs: Sequence[Lab]) -> list[UUID]:
    """What models may have been asked for in these labs."""
    return [
        purpose(lab.match_id, lab.seq, Arm.of(plain), number)
        for lab in labs
        for plain in lab.arms
        for number in range(lab.rollouts)
    ]


def erase(match: Match, without: Callable[[str], str]) -> None:
    """Take a person's words and name out of the arms of a match's labs, and out of what models replied there."""
    labs = list(Lab.objects.filter(match=match))
    reply_store.erase_of(purposes(labs), without)
    change_words(Lab.objects.filter(match=match), ("arms",), without)
