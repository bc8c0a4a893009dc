"""Competitions: made from a suite, played match by match by any number of workers, paused, resumed, stopped.

A bout is claimed by a conditional update, so that it is played once; a worker that dies lets its lease run out, and the
bout is given out again under the same match id, where the replies that were paid for are found. Nothing waits in a
process's memory: `pump` gives out what may be played, after each finished bout and from the sweeper.
"""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from agents import headless, spending
from agents.leases import held
from agents.models import AgentProfile
from agents.reply_store import MatchReplies, StoredReplies
from evaluation.competitions import manifest
from evaluation.competitions.renaming import renamed
from evaluation.models import Bout, Competition
from evaluation.suites import SUITES, Entry, Planned, SuiteError
from evaluation.web import live
from games.match import store
from games.models import GameSetting, Match
from games.registry import RULES
from games.rules.play import Play, new_header
from games.rules.values import Impossible, SeatInfo
from magic_site import clock
from magic_site.writing import written

log = logging.getLogger(__name__)

RUNNING = Competition.Status.RUNNING
OPEN = (Bout.Status.WAITING, Bout.Status.SENT, Bout.Status.PLAYING)
TRIES = 3
"""How often a bout is begun before it counts as failed: each worker that played it died."""

LONGEST_ERROR = 500

LONGEST = 6 * 3600.0
"""Seconds that one bout may take."""

# The tasks module puts the way to the workers here: how a bout is given out.
dispatch: Callable[[int], None] | None = None


class BrokenOffError(Exception):
    """The competition was stopped, or somebody else holds the bout: what was played of it is thrown away."""


# Making -------------------------------------------------------------------------------------------------------------


def make(name: str, suite: str, entry: Entry, *, at_once: int = 8, user: Any = None) -> Competition:
    """Plan a competition and freeze what is to be run. Raises `SuiteError` with a sentence."""
    if suite not in SUITES:
        raise SuiteError(f"There is no suite called '{suite}'. There are: {', '.join(SUITES)}.")
    if at_once < 1:
        raise SuiteError("At least one match is played at a time.")
    planned, profiles = plan(suite, entry)
    with transaction.atomic():
        competition = Competition.objects.create(
            name=name or SUITES[suite].title,
            suite=suite,
            entry=_plain(entry),
            at_once=at_once,
            created_by=user,
            manifest=manifest.of(suite, entry, planned, profiles),
        )
        Bout.objects.bulk_create(
            Bout(competition=competition, number=number, **asdict(match)) for number, match in enumerate(planned, 1)
        )
    return competition


def plan(suite: str, entry: Entry) -> tuple[list[Planned], dict[str, AgentProfile]]:
    """The matches of an entry, and the profiles that play them. Raises `SuiteError` where something is missing."""
    planned = SUITES[suite].plan(entry, settings_of)
    if not planned:
        raise SuiteError("No match is planned. Ask for at least one.")
    profiles = _profiles({agent for match in planned for agent in match.agents})
    for agent, game in sorted({(agent, match.game) for match in planned for agent in match.agents}):
        if not profiles[agent].suits(game):
            raise SuiteError(
                f"The agent '{profiles[agent].title}' does not play {RULES[game].title}, which is a game of this suite."
            )
    return planned, profiles


def settings_of(game: str) -> list[tuple[str, dict[str, Any]]]:
    """The settings of a game that a suite may use: those in play, and those with openings, kept for suites."""
    rows = GameSetting.objects.filter(Q(active=True) | Q(data__has_key="openings"), game=game).order_by("pk")
    return list(rows.values_list("name", "data"))


def _profiles(names: set[str]) -> dict[str, AgentProfile]:
    found = {
        profile.name: profile
        for profile in AgentProfile.objects.filter(name__in=names, active=True).select_related("second")
    }
    if missing := sorted(names - set(found)):
        raise SuiteError(f"There is no active agent profile called '{missing[0]}'.")
    return found


def as_planned(bout: Bout) -> dict[str, AgentProfile]:
    """The profiles of a bout. Raises `SuiteError` where one is not any more what the competition's manifest says."""
    profiles = _profiles(set(bout.agents))
    for name, profile in profiles.items():
        if manifest.of_profile(profile) != bout.competition.manifest["profiles"][name]:
            raise SuiteError(
                f"The agent '{profile.title}' was changed after this competition was planned, so it plays no more "
                "of its matches. Change it back, or plan another competition."
            )
    return profiles


def _plain(entry: Entry) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(entry).items()}


# What a person does with it -----------------------------------------------------------------------------------------


def start(competition: Competition) -> None:
    """Begin, or go on after a pause."""
    Competition.objects.filter(pk=competition.pk, status__in=("ready", "paused")).update(
        status=RUNNING, started_at=competition.started_at or clock.now(), paused_because=""
    )
    pump(competition)
    live.tell(competition.pk)


def pause(competition: Competition, because: str = "") -> None:
    """Give out no more; the matches that are being played are finished. because: a sentence, where nobody asked for
    it."""
    running = Competition.objects.filter(pk=competition.pk, status=RUNNING)
    running.update(status=Competition.Status.PAUSED, paused_because=because)
    live.tell(competition.pk)


def stop(competition: Competition) -> None:
    """End for good: matches that are being played are broken off, the others dropped."""
    with transaction.atomic():
        stopped = Competition.objects.filter(pk=competition.pk).exclude(status__in=("stopped", "finished"))
        if stopped.update(status=Competition.Status.STOPPED, ended_at=clock.now()):
            competition.bouts.filter(status__in=OPEN).update(status=Bout.Status.DROPPED, lease_until=None)
    live.tell(competition.pk)


def again(competition: Competition) -> int:
    """Let the failed matches be played again; returns how many they are: none once the competition was stopped."""
    with transaction.atomic():
        unstopped = Competition.objects.exclude(status=Competition.Status.STOPPED)
        failed = Bout.objects.filter(competition__in=unstopped.filter(pk=competition.pk), status=Bout.Status.FAILED)
        count = failed.update(status=Bout.Status.WAITING, tries=0, error="", lease_until=None)
        if count:
            unstopped.filter(pk=competition.pk).update(status=RUNNING, ended_at=None, paused_because="")
    pump(competition)
    live.tell(competition.pk)
    return count


# Giving out ---------------------------------------------------------------------------------------------------------


def pump(competition: Competition) -> None:
    """Give waiting bouts to the workers, as many as may be played at once; end the competition when none is left.
    Does nothing where there are no workers: who plays by himself takes bouts."""
    if dispatch is not None:
        for key in take(competition, competition.at_once):
            dispatch(key)


def take(competition: Competition, most: int) -> list[int]:
    """The keys of bouts that may be played now, `most` at most, for the caller to play or to give to a worker; ends the
    competition when none is left."""
    with written():
        if Competition.objects.filter(pk=competition.pk, status=RUNNING).update(status=RUNNING) != 1:
            return []  # the update above holds the competition's row, so that no two count at once
        bouts = competition.bouts
        free = competition.at_once - bouts.filter(status__in=("sent", "playing"), lease_until__gt=Now()).count()
        keys = list(bouts.filter(ready()).order_by("number").values_list("pk", flat=True)[: max(min(free, most), 0)])
        bouts.filter(pk__in=keys).update(status=Bout.Status.SENT, lease_until=clock.after(settings.LEASE_SECONDS))
        if not keys and not bouts.filter(status__in=OPEN).exists():
            Competition.objects.filter(pk=competition.pk).update(status="finished", ended_at=clock.now())
    return keys


def ready() -> Q:
    """Bouts that may be given out: those that wait, and those that nobody holds any more."""
    return Q(status="waiting") | Q(status__in=("sent", "playing"), lease_until__lte=Now())


def sweep() -> None:
    """Give out again what no worker holds any more; called each second."""
    lost = Q(bouts__status__in=("sent", "playing"), bouts__lease_until__lte=Now())
    for competition in Competition.objects.filter(lost | Q(bouts__status="waiting"), status=RUNNING).distinct():
        pump(competition)


def renew(span: timedelta) -> None:
    """Let no lease run out so soon: who holds one could not renew it."""
    held = Bout.objects.filter(status__in=("sent", "playing"))
    for key in held.filter(lease_until__lt=clock.after(span)).values_list("pk", flat=True):
        held.filter(pk=key).update(lease_until=clock.after(span))


# Playing ------------------------------------------------------------------------------------------------------------


def play(key: int, pool: Executor | None = None) -> None:
    """Play a bout that was given out, as `play_alone` does; then give out more, and tell the pages."""
    bout = play_alone(key, pool)
    if bout is not None:
        pump(bout.competition)
        live.tell(bout.competition_id)


def play_alone(key: int, pool: Executor | None = None) -> Bout | None:
    """Play a bout that was given out, and store its match. Does nothing and returns None if it is not to be played (any
    more)."""
    bout = _claim(key)
    if bout is None:
        return None
    with held(Bout, key, LONGEST):
        began = clock.now()
        try:
            _play(bout, pool)
        except BrokenOffError:
            Bout.objects.filter(pk=key).update(cost=spending.of_match(bout.match_id_planned))
            return None
        except Exception as error:
            told = isinstance(error, Impossible | SuiteError | headless.UnansweredError)
            log.error("Bout %s failed: %s", bout, error, exc_info=not told)
            sentence = str(error) if told else f"{type(error).__name__}: {error}"
            cost = spending.of_match(bout.match_id_planned)
            sentence = sentence[:LONGEST_ERROR]
            _mine(bout).update(status=Bout.Status.FAILED, lease_until=None, error=sentence, cost=cost)
            if isinstance(error, headless.UnansweredError) and error.away:
                _pause_if_down(bout, error.agent, began, sentence)
        else:
            if sentence := renamed(bout):
                pause(bout.competition, sentence)
    return bout


def _pause_if_down(bout: Bout, agent: str, since: datetime, sentence: str) -> None:
    """Pause a competition in which an agent got no answer, unless it got through meanwhile in another bout."""
    others = Bout.objects.filter(competition=bout.competition, status=Bout.Status.DONE, match__ended_at__gte=since)
    if not any(agent in agents for agents in others.values_list("agents", flat=True)):
        pause(bout.competition, sentence)


def _claim(key: int) -> Bout | None:
    bout = Bout.objects.select_related("competition").filter(pk=key, status=Bout.Status.SENT).first()
    if bout is None or bout.competition.status != RUNNING:
        return None
    claimed = Bout.objects.filter(pk=key, status=Bout.Status.SENT, tries=bout.tries)
    if bout.tries >= TRIES:
        sentence = f"This match was started {bout.tries} times, and each time its worker died."
        claimed.update(status=Bout.Status.FAILED, lease_until=None, error=sentence)
        pump(bout.competition)
        return None
    until = clock.after(settings.LEASE_SECONDS)
    with written():
        if claimed.update(status=Bout.Status.PLAYING, tries=bout.tries + 1, lease_until=until, error="") != 1:
            return None
    bout.tries += 1
    return bout


def _mine(bout: Bout):
    """The bout's row, as long as it is this process that plays it."""
    return Bout.objects.filter(pk=bout.pk, status=Bout.Status.PLAYING, tries=bout.tries)


def _play(bout: Bout, pool: Executor | None) -> None:
    began = time.monotonic()
    profiles = as_planned(bout)
    match = bout.match_id_planned
    # Who plays it anew is perhaps not alone: the worker that was given up for dead may only have been slow.
    play, replies = begin(bout), MatchReplies(match) if bout.tries == 1 else StoredReplies()
    minds = {
        seat: headless.of_profile(profiles[name], replies, must_answer=True) for seat, name in enumerate(bout.agents, 1)
    }
    by = {seat: f"agent:{name}" for seat, name in enumerate(bout.agents, 1)}
    look = _Watch(bout)
    played = headless.play_out(play, minds, by, pool=pool, between=look)
    thoughts = played.thoughts
    with written():
        done = {
            "status": Bout.Status.DONE,
            "lease_until": None,
            "seconds": round(time.monotonic() - began, 3),
            "cost": spending.of_match(match),
            "calls": sum(bool(thought.model) for thought in thoughts),
        }
        if _mine(bout).update(**done) != 1:
            raise BrokenOffError
        stored = store.store(
            play, thoughts=thoughts, attempts=played.attempts, id=match, origin=Match.Origin.COMPETITION
        )
        Bout.objects.filter(pk=bout.pk).update(match=stored)


def begin(bout: Bout) -> Play:
    """The match of a bout, dealt."""
    rules = RULES[bout.game]
    seats = tuple(SeatInfo(n, f"Player {n}", "agent", name) for n, name in enumerate(bout.agents, 1))
    header = new_header(
        rules, bout.preset, seats=seats, seed=bout.seed, options=bout.options, setting=bout.setting,
        id=str(bout.match_id_planned),
    )  # fmt: skip
    return Play(rules, header)


class _Watch:
    """Looks now and then whether the bout is still wanted."""

    EVERY = 2.0

    def __init__(self, bout: Bout) -> None:
        self.bout, self.looked = bout, time.monotonic()

    def __call__(self) -> None:
        if time.monotonic() - self.looked < self.EVERY:
            return
        self.looked = time.monotonic()
        if not _mine(self.bout).exists():
            raise BrokenOffError


# How far it is ------------------------------------------------------------------------------------------------------


def progress(competition: Competition) -> dict[str, Any]:
    """How many bouts there are in each state, and what is left: {"total", "done", "failed", "playing", "waiting",
    "dropped", "share", "cost", "calls", "seconds_left", "cost_left"}; what is not known yet is None."""
    rows = list(competition.bouts.values_list("status", "seconds", "cost", "calls"))
    count = {status: sum(row[0] == status for row in rows) for status in Bout.Status.values}
    spent = [row for row in rows if row[0] == Bout.Status.DONE]
    left = count["waiting"] + count["sent"] + count["playing"]
    seconds = [row[1] for row in spent if row[1] is not None]
    each = sum(seconds) / len(seconds) if seconds else None
    return {
        "total": len(rows),
        "done": count["done"],
        "failed": count["failed"],
        "playing": count["playing"],
        "waiting": count["waiting"] + count["sent"],
        "dropped": count["dropped"],
        "share": (count["done"] + count["failed"]) / len(rows) if rows else 0.0,
        "cost": sum(row[2] for row in rows),
        "calls": sum(row[3] for row in spent),
        "seconds_left": None if each is None else each * left / min(competition.at_once, max(left, 1)),
        "cost_left": sum(row[2] for row in spent) / len(spent) * left if spent else None,
    }
