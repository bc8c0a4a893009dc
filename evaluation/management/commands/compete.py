"""Run a competition from the command line, with or without a running server."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from typing import Any
from uuid import UUID

from django.core.management import CommandError
from django.db import connections

from agents.providers import PROVIDERS, load
from agents.turns import REMOTE
from evaluation.competitions import running
from evaluation.models import Bout, Competition
from evaluation.suites import SUITES, Entry, SuiteError
from evaluation.web.forms import deals_of
from games.jobs import jobs, news
from games.templatetags.money import dollars
from magic_site.commands import SiteCommand, seed, whole

RUNNING = Competition.Status.RUNNING
BAR = 30
WAIT = 0.2
MEANT = 1.0
"""Seconds after which a second Ctrl-C is meant as one."""


class Command(SiteCommand):
    help = "Plan a competition and play it here; --resume goes on with one that was broken off."

    def add_arguments(self, parser) -> None:
        parser.add_argument("suite", nargs="?", choices=sorted(SUITES), help="What is played.")
        parser.add_argument("challengers", nargs="*", help="The agent profiles under test.")
        parser.add_argument("--resume", metavar="ID", help="Go on with a competition that was made before.")
        parser.add_argument(
            "--defender", action="append", default=[], metavar="PART=PROFILE",
            help="Who plays a part of the suite, such as defender=house or weak=house-weak.",
        )  # fmt: skip
        parser.add_argument(
            "--matches", type=whole(0), default=0, help="How many matches, if the suite leaves that open."
        )
        parser.add_argument("--take", type=whole(0), default=0, help="Play only this many, from the first.")
        parser.add_argument("--seed", type=seed, default=1)
        parser.add_argument("--name", default="")
        parser.add_argument("--source", metavar="ID", help="For the suite 'human_study': a competition of 'wiu'.")
        parser.add_argument("--topics", type=whole(1, 100), default=6, help="For 'human_study': of each team.")
        parser.add_argument("--game", default="", help="For the suite 'own'.")
        parser.add_argument("--preset", default="", help="For the suite 'own'.")
        parser.add_argument("--mode", default="seat", help="For the suite 'own': seat, side or self.")
        parser.add_argument("--seats", type=whole(0, 99), default=0, help="For the suite 'own'.")
        parser.add_argument("--at-once", type=whole(1, 1000), default=8, help="How many matches are played at once.")
        parser.add_argument(
            "--processes",
            type=whole(1, 1000),
            default=os.cpu_count() or 1,
            help="How many processes play; by default one for each core.",
        )

    def handle(self, *, suite: str | None, resume: str | None, **options: Any) -> None:
        logging.getLogger("games.match.changes").setLevel(logging.ERROR)  # no pages may be there to be told
        competition = self.found(resume) if resume else self.made(suite, options)
        if any(profile["provider"] == REMOTE for profile in competition.manifest["profiles"].values()):
            raise CommandError(
                f"An agent from outside takes part. Begin competition {competition.pk} on its page, on a running site."
            )
        running.start(competition, here=True)
        self.stdout.write(f"{competition.name}: {competition.pk}")
        if remark := SUITES[competition.suite].remark(competition.entry["more"]):
            self.stdout.write(remark)
        self.play(competition, min(options["processes"], competition.at_once))
        done = running.progress(competition)
        self.stdout.write(f"{done['done']} matches played, {done['failed']} failed, {done['calls']} model calls.")
        for bout in competition.bouts.filter(status="failed"):
            self.stdout.write(f"  match {bout.number} failed: {bout.error}")
        competition.refresh_from_db()
        if competition.status == Competition.Status.PAUSED:
            why = f", since no answer came. {competition.paused_because}" if competition.paused_because else "."
            raise CommandError(f"Paused{why} Go on with: manage.py compete --resume {competition.pk}")
        if done["failed"]:
            raise CommandError(f"{done['failed']} of {done['total']} matches failed.")

    def made(self, suite: str | None, options: dict[str, Any]) -> Competition:
        if not suite:
            raise CommandError(f"Name a suite ({', '.join(SUITES)}), or --resume with an id.")
        defenders = {}
        for given in options["defender"]:
            part, equals, profile = given.partition("=")
            if not equals or part not in SUITES[suite].parts:
                raise CommandError(f"--defender is PART=PROFILE, with a part of: {', '.join(SUITES[suite].parts)}.")
            defenders[part] = profile
        more = {name: options[name] for name in ("game", "preset", "mode", "seats")} if suite == "own" else {}
        if suite == "human_study":
            more = self.deals(options)
        entry = Entry(
            tuple(options["challengers"]), defenders, options["matches"], options["seed"], options["take"], more
        )
        try:
            return running.make(options["name"], suite, entry, at_once=options["at_once"])
        except SuiteError as error:
            raise CommandError(str(error)) from error

    def deals(self, options: dict[str, Any]) -> dict[str, Any]:
        """What a human study deals again."""
        if not options["source"]:
            raise CommandError("--source names the competition of 'wiu' whose deals are played again.")
        source = self.found(options["source"], over=True)
        try:
            return {"topics": options["topics"], "deals": deals_of(source, options["topics"])}
        except SuiteError as error:
            raise CommandError(str(error)) from error

    def found(self, key: str, over: bool = False) -> Competition:
        try:
            competition = Competition.objects.filter(pk=UUID(key)).first()
        except ValueError:
            competition = None
        if competition is None:
            raise CommandError(f"There is no competition {key}.")
        if not over and competition.status in ("stopped", "finished"):
            raise CommandError(f"That competition is {competition.get_status_display()}.")
        return competition

    def play(self, competition: Competition, processes: int) -> None:
        """Play until no match is left: also those that a process which died has begun, once they are given up."""
        began = time.monotonic()
        for profile in competition.manifest["profiles"].values():
            if profile["provider"] in PROVIDERS:
                load(profile["provider"])  # once, and not in each process
        unfinished = competition.bouts.filter(competition__status=RUNNING, status__in=running.OPEN)
        pressed = _Pressed()
        with pressed:
            while unfinished.exists() and not pressed.times:
                if running.unplayed(competition):
                    self.play_what_waits(competition, processes, began, pressed)
                else:  # somebody else plays the rest, or died over it and will be given up
                    self.show(competition, time.monotonic() - began)
                    time.sleep(WAIT)
        running.take(competition, 0)  # it is over, if nothing is left
        if pressed.times:
            running.pause(competition)

    def play_what_waits(self, competition: Competition, processes: int, began: float, pressed: _Pressed) -> None:
        """Processes that take bouts until none waits, while this one shows how far it is."""
        shares = [len(range(n, competition.at_once, processes)) for n in range(processes)]
        connections.close_all()  # a connection does not survive a fork
        # Forked, since a fresh interpreter would take longer to load than a small competition to play.
        context = multiprocessing.get_context("fork")
        players = [context.Process(target=play_bouts, args=(competition, share)) for share in shares if share]
        for player in players:
            player.start()
        paused = False
        while alive := [player for player in players if player.is_alive()]:
            self.show(competition, time.monotonic() - began)
            news.tell(competition.pk)
            if pressed.times and not paused:
                paused = True
                running.pause(competition)
                self.stderr.write(
                    "Pausing: matches that have begun are played to their end. Press Ctrl-C again to break them off."
                )
            if pressed.again:
                for player in alive:
                    player.terminate()
            alive[0].join(0.3)
        self.show(competition, time.monotonic() - began)
        news.tell(competition.pk)
        if sys.stderr.isatty():
            self.stderr.write("")

    def show(self, competition: Competition, seconds: float) -> None:
        """The progress bar; nothing where nobody looks at it."""
        if not sys.stderr.isatty():
            return
        now = running.progress(competition)
        full = round(BAR * now["share"])
        left = "" if now["seconds_left"] is None else f", about {now['seconds_left']:.0f} s left"
        cost = f", {dollars(now['cost'])}" if now["cost"] else ""
        failed = f", {now['failed']} failed" if now["failed"] else ""
        line = f"[{'#' * full}{'.' * (BAR - full)}] {now['done']}/{now['total']}{failed}, {seconds:.0f} s{left}{cost}"
        self.stderr.write(f"\r{line:<100}", ending="")
        self.stderr.flush()


class _Pressed:
    """Ctrl-C, noted and not raised: however often it comes, what is being done is not torn in two."""

    def __init__(self) -> None:
        self.times: list[float] = []

    @property
    def again(self) -> bool:
        """Whether it was pressed a second time, and not just sent twice at the same moment."""
        return bool(self.times) and self.times[-1] - self.times[0] > MEANT

    def __enter__(self) -> None:
        self.before = signal.signal(signal.SIGINT, lambda *_: self.times.append(time.monotonic()))

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self.before)


def play_bouts(competition: Competition, threads: int) -> None:
    """Play bouts in so many threads until none is left, or the competition is paused or stopped."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that shows the progress
    logging.getLogger("agents.house").setLevel(logging.WARNING)  # each process would say how it reads
    # Why matches failed is told at the end.
    logging.getLogger("evaluation.competitions.running").setLevel(logging.CRITICAL)
    taken = running.take(competition, threads)
    first = taken + [None] * (threads - len(taken))
    players = [threading.Thread(target=_play_bouts, args=(competition, key)) for key in first]
    for player in players:
        player.start()
    for player in players:
        player.join()


def _play_bouts(competition: Competition, key: UUID | None) -> None:
    """Work on the job `key`, if any, and on one after another from then on."""
    pause = threading.Event()
    unplayed = Bout.objects.filter(competition=competition, competition__status=RUNNING, status__in=("waiting", "sent"))
    try:
        while key is not None or unplayed.exists():
            if key is not None:
                jobs.work(key, follow=False)
            else:
                pause.wait(WAIT)
            key = next(iter(running.take(competition, 1)), None)
    finally:
        connections.close_all()
