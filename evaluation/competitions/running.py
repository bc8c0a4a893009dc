"""Competitions: made from a suite, played match by match by any number of workers, paused, resumed, stopped.

A bout that may be played is a job of its own (`games.jobs`): it is played once, and one whose worker died is played
again under the same match id, where the replies that were paid for are found. Nothing waits in a process's memory:
`pump` gives out what may be played, after each finished bout and from the sweeper.
"""

import logging
import time
from concurrent.futures import Executor
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from agents import headless, spending
from agents.models import AgentProfile
from agents.reply_store import MatchReplies, StoredReplies
from agents.turns import REMOTE
from evaluation.competitions import manifest
from evaluation.competitions.renaming import renamed
from evaluation.models import Bout, Competition
from evaluation.suites import SUITES, Entry, Planned, SuiteError
from games.jobs import jobs, news
from games.jobs.jobs import Lost, Run
from games.match import beginning, store
from games.match.view import whole
from games.models import GameSetting, Job, Match
from games.registry import RULES
from games.rules.play import Play, new_header
from games.rules.values import Impossible, SeatInfo
from magic_site import clock
from magic_site.writing import written

log = logging.getLogger(__name__)

RUNNING = Competition.Status.RUNNING
GIVEN = (Bout.Status.SENT, Bout.Status.PLAYING)
BEGUN = (*GIVEN, Bout.Status.OUTSIDE)
OPEN = (Bout.Status.WAITING, *BEGUN)
KIND = "bout"
"""The kind of job that plays a bout."""

LONGEST_ERROR = 500


# Making -------------------------------------------------------------------------------------------------------------


def make(name: str, suite: str, entry: Entry, *, at_once: int = 8, user: Any = None) -> Competition:
    """Plan a competition and freeze what is to be run. Raises `SuiteError` with a sentence."""
    if suite not in SUITES:
        raise SuiteError(f"There is no suite called '{suite}'. There are: {', '.join(SUITES)}.")
    if at_once < 1:
        raise SuiteError("At least one match is played at a time.")
    planned, profiles = plan(suite, entry)
    with transaction.atomic():
        profiles = _profiles(set(profiles), held=True)
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


def _profiles(names: set[str], held: bool = False) -> dict[str, AgentProfile]:
    """The profiles of these names; held, nobody changes or deletes them before the transaction ends."""
    there = AgentProfile.objects.filter(name__in=names, active=True).select_related("second")
    if held:
        there = there.select_for_update(of=("self",))
    found = {profile.name: profile for profile in there}
    if missing := sorted(names - set(found)):
        raise SuiteError(f"There is no active agent profile called '{missing[0]}'.")
    return found


def asks(name: str) -> str:
    """That a competition which is not over has matches for the agent of this name, as a sentence; "" if none has."""
    over = (Competition.Status.STOPPED, Competition.Status.FINISHED)
    found = Competition.objects.exclude(status__in=over).filter(manifest__profiles__has_key=name).first()
    sentence = _("The competition “%(name)s” asks this agent. Wait for its end, or stop it.")
    return sentence % {"name": found} if found else ""


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


def start(competition: Competition, here: bool = False) -> None:
    """Begin, or go on after a pause. here: the caller plays by himself, and no worker is told."""
    Competition.objects.filter(pk=competition.pk, status__in=("ready", "paused")).update(
        status=RUNNING, started_at=competition.started_at or clock.now(), paused_because=""
    )
    if not here:
        pump(competition)
    news.tell(competition.pk)


def pause(competition: Competition, because: str = "") -> None:
    """Give out no more; the matches that are being played are finished. because: a sentence, where nobody asked for
    it."""
    running = Competition.objects.filter(pk=competition.pk, status=RUNNING)
    running.update(status=Competition.Status.PAUSED, paused_because=because)
    news.tell(competition.pk)


def stop(competition: Competition) -> None:
    """End for good: matches that are being played are broken off, the others dropped."""
    with transaction.atomic():
        stopped = Competition.objects.filter(pk=competition.pk).exclude(status__in=("stopped", "finished"))
        if stopped.update(status=Competition.Status.STOPPED, ended_at=clock.now()):
            begun = list(competition.bouts.filter(status=Bout.Status.OUTSIDE).values_list("match", flat=True))
            competition.bouts.filter(status__in=OPEN).update(status=Bout.Status.DROPPED)
            for match in begun:
                store.end(match, "void", "The competition was stopped.")
            jobs.stop(KIND, about=competition.pk)
    news.tell(competition.pk)


def again(competition: Competition) -> int:
    """Let the failed matches be played again; returns how many they are: none once the competition was stopped."""
    with transaction.atomic():
        unstopped = Competition.objects.exclude(status=Competition.Status.STOPPED)
        failed = Bout.objects.filter(competition__in=unstopped.filter(pk=competition.pk), status=Bout.Status.FAILED)
        count = failed.update(status=Bout.Status.WAITING, error="")
        if count:
            unstopped.filter(pk=competition.pk).update(status=RUNNING, ended_at=None, paused_because="")
    pump(competition)
    news.tell(competition.pk)
    return count


# Giving out ---------------------------------------------------------------------------------------------------------


def pump(competition: Competition) -> None:
    """Give waiting bouts to the workers, as many as may be played at once; end the competition when none is left."""
    _give_out(competition, competition.at_once, send=True)


def take(competition: Competition, most: int) -> list[UUID]:
    """Jobs that play bouts and that nobody holds, `most` at most, for the caller to work on (`jobs.work`); ends the
    competition when none is left."""
    new = _give_out(competition, most, send=False)
    others = Job.objects.filter(jobs.unheld(), kind=KIND, about=competition.pk).exclude(pk__in=new).order_by("asked_at")
    return [*new, *others.values_list("pk", flat=True)[: max(most - len(new), 0)]]


def _give_out(competition: Competition, most: int, send: bool) -> list[UUID]:
    with written():
        if Competition.objects.filter(pk=competition.pk, status=RUNNING).update(status=RUNNING) != 1:
            return []  # the update above holds the competition's row, so that no two count at once
        bouts = competition.bouts
        bouts.filter(_not_given()).update(status=Bout.Status.WAITING)
        free = competition.at_once - bouts.filter(status__in=BEGUN).count()
        waiting = bouts.filter(status=Bout.Status.WAITING).order_by("number")[: max(min(free, most), 0)]
        wanted = {str(bout.pk): bout for bout in waiting}
        given = {key: {"bout": bout.pk} for key, bout in wanted.items()}
        made = jobs.ask_all(KIND, given, about=competition.pk, by=competition.created_by, send=send)
        for key, job in made.items():
            Bout.objects.filter(pk=wanted[key].pk).update(status=Bout.Status.SENT, job=job)
        if not wanted and not bouts.filter(status__in=OPEN).exists():
            Competition.objects.filter(pk=competition.pk).update(status="finished", ended_at=clock.now())
    return [job.pk for job in made.values()]


def unplayed(competition: Competition) -> bool:
    """Whether a bout is there that nobody plays."""
    unheld = Q(status__in=GIVEN, job__in=Job.objects.filter(jobs.unheld()))
    return competition.bouts.filter(_not_given() | unheld).exists()


def sweep() -> None:
    """Close the bouts that agents from outside have played, and give out what waits in running competitions; called
    each second."""
    played = Bout.objects.filter(status=Bout.Status.OUTSIDE).exclude(match__status="running")
    for bout in played.select_related("competition", "match"):
        _close(bout)
    waiting = Bout.objects.filter(_not_given(), competition__status=RUNNING).values("competition")
    for competition in Competition.objects.filter(pk__in=waiting):
        pump(competition)


def _not_given() -> Q:
    """Bouts that wait, and those whose job is gone, such as an older release's."""
    return Q(status=Bout.Status.WAITING) | Q(status__in=GIVEN) & ~Q(job__state__in=Job.OPEN)


# Playing ------------------------------------------------------------------------------------------------------------


def play(run: Run, key: int, pool: Executor | None = None) -> None:
    """Play a bout and store its match; does nothing where it is not to be played (any more). Raises `Lost`."""
    bout = Bout.objects.select_related("competition").filter(pk=key, status__in=GIVEN).first()
    if bout is None:
        return
    if bout.competition.status != RUNNING:
        Bout.objects.filter(pk=key, status=Bout.Status.SENT).update(status=Bout.Status.WAITING)
        if bout.status == Bout.Status.SENT:
            return
    Bout.objects.filter(pk=key, status__in=GIVEN).update(status=Bout.Status.PLAYING, error="")
    began = clock.now()
    try:
        _play(run, bout, pool)
    except Lost:
        Bout.objects.filter(pk=key).update(cost=spending.of_match(bout.match_id_planned))
        raise
    except Exception as error:
        told = isinstance(error, Impossible | SuiteError | headless.UnansweredError)
        log.error("Bout %s failed: %s", bout, error, exc_info=not told)
        sentence = str(error) if told else f"{type(error).__name__}: {error}"
        sentence = sentence[:LONGEST_ERROR]
        with written():
            run.confirm()
            _playing(bout).update(
                status=Bout.Status.FAILED, error=sentence, cost=spending.of_match(bout.match_id_planned)
            )
        if isinstance(error, headless.UnansweredError) and error.away:
            _pause_if_down(bout, error.agent, began, sentence)
    else:
        if sentence := renamed(bout):
            pause(bout.competition, sentence)


def ended(job: Job) -> None:
    """Give out more once a bout has ended."""
    competition = None if job.about is None else Competition.objects.filter(pk=job.about).first()
    if competition is not None:
        pump(competition)
        news.tell(competition.pk)


def given_up(job: Job, sentence: str) -> None:
    """A bout that was begun too often has failed."""
    for bout in Bout.objects.filter(job=job, status__in=GIVEN):
        bout.status, bout.error, bout.cost = Bout.Status.FAILED, sentence, spending.of_match(bout.match_id_planned)
        bout.save(update_fields=["status", "error", "cost"])


def _pause_if_down(bout: Bout, agent: str, since: datetime, sentence: str) -> None:
    """Pause a competition in which an agent got no answer, unless it got through meanwhile in another bout."""
    others = Bout.objects.filter(competition=bout.competition, status=Bout.Status.DONE, match__ended_at__gte=since)
    if not any(agent in agents for agents in others.values_list("agents", flat=True)):
        pause(bout.competition, sentence)


def _playing(bout: Bout) -> QuerySet[Bout]:
    """The bout's row, unless the competition was stopped."""
    return Bout.objects.filter(pk=bout.pk, status=Bout.Status.PLAYING)


def _begin_outside(run: Run, bout: Bout) -> None:
    """Store the match of a bout at its beginning: it goes on by its requests, as at a table, and no worker waits."""
    with written():
        run.confirm()
        if _playing(bout).update(status=Bout.Status.OUTSIDE) != 1:
            raise Lost
        stored = beginning.keep(begin(bout), id=bout.match_id_planned, origin=Match.Origin.COMPETITION)
        Bout.objects.filter(pk=bout.pk).update(match=stored)


def _close(bout: Bout) -> None:
    """A match with an agent from outside is over, and its bout done; of several who find that one writes it."""
    match = bout.match
    came: dict[str, Any] = {"status": Bout.Status.FAILED, "error": "Its match was deleted."}
    if match is not None and match.ended_at is not None:
        seconds = round((match.ended_at - match.created_at).total_seconds(), 3)
        calls = whole(match).thought_rows.exclude(model="").count()
        came = {"status": Bout.Status.DONE, "seconds": seconds, "calls": calls, "cost": spending.of_match(match.pk)}
    if Bout.objects.filter(pk=bout.pk, status=Bout.Status.OUTSIDE).update(**came) != 1:
        return
    if match is not None and (sentence := renamed(bout)):
        pause(bout.competition, sentence)
    pump(bout.competition)
    news.tell(bout.competition_id)


def _play(run: Run, bout: Bout, pool: Executor | None) -> None:
    began = time.monotonic()
    profiles = as_planned(bout)
    if any(profile.provider == REMOTE for profile in profiles.values()):
        _begin_outside(run, bout)
        return
    match = bout.match_id_planned
    # Who plays it anew is perhaps not alone: the worker that was given up for dead may only have been slow.
    play, replies = begin(bout), MatchReplies(match) if run.tries == 1 else StoredReplies()
    minds = {
        seat: headless.of_profile(profiles[name], replies, must_answer=True) for seat, name in enumerate(bout.agents, 1)
    }
    by = {seat: f"agent:{name}" for seat, name in enumerate(bout.agents, 1)}
    played = headless.play_out(play, minds, by, pool=pool, between=run.look)
    thoughts = played.thoughts
    with written():
        run.confirm()
        done = {
            "status": Bout.Status.DONE,
            "seconds": round(time.monotonic() - began, 3),
            "cost": spending.of_match(match),
            "calls": sum(bool(thought.model) for thought in thoughts),
        }
        if _playing(bout).update(**done) != 1:
            raise Lost
        stored = beginning.keep(
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


# How far it is ------------------------------------------------------------------------------------------------------


def progress(competition: Competition) -> dict[str, Any]:
    """How many bouts there are in each state, and what is left: {"total", "done", "failed", "playing", "waiting",
    "dropped", "share", "cost", "calls", "seconds_left", "cost_left"}; what is not known yet is None."""
    rows = list(competition.bouts.values_list("status", "seconds", "cost", "calls"))
    count = {status: sum(row[0] == status for row in rows) for status in Bout.Status.values}
    spent = [row for row in rows if row[0] == Bout.Status.DONE]
    left = count["waiting"] + count["sent"] + count["playing"] + count["outside"]
    seconds = [row[1] for row in spent if row[1] is not None]
    each = sum(seconds) / len(seconds) if seconds else None
    return {
        "total": len(rows),
        "done": count["done"],
        "failed": count["failed"],
        "playing": count["playing"] + count["outside"],
        "waiting": count["waiting"] + count["sent"],
        "dropped": count["dropped"],
        "share": (count["done"] + count["failed"]) / len(rows) if rows else 0.0,
        "cost": sum(row[2] for row in rows),
        "calls": sum(row[3] for row in spent),
        "seconds_left": None if each is None else each * left / min(competition.at_once, max(left, 1)),
        "cost_left": sum(row[2] for row in spent) / len(spent) * left if spent else None,
    }
