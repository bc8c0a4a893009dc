"""A stored match, played again from its stored model calls, with no provider: the same log, thoughts and attempts.

What people did comes from the log, what house agents did from the seed, what models did from the replies that were
kept. The rules, the prompts and the profiles are those of now: where one of them has changed, a sentence says at which
event it shows.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from agents import headless, reply_store, turns
from agents.calls import Ask, Reply, ReplyStore
from agents.headless import Played
from agents.models import AgentProfile, Call
from agents.providers import ProviderError, SpendingError
from agents.providers.errors import RefusedError, UnreachableError
from agents.situation import LOST, PROFILE, PROVIDER, SETUP, SPENDING, Decision, Thought
from games.match.view import MatchView, log_of, whole
from games.models import Match
from games.registry import RULES
from games.rules import answering, logfile, table_talk, values
from games.rules.play import NOTES, Play

RANDOM = "random"
"""Who plays anything legal; it has no profile, and its moves come from the log."""

NEVER_DECIDED = {LOST, PROFILE}
"""Codes of attempts after which the default was played without any agent's doing."""

FAILURES = {PROVIDER: UnreachableError, SETUP: RefusedError, SPENDING: SpendingError}
"""By the code of an attempt an error that leaves one like it."""


class RerunError(Exception):
    """The match does not come out again; the text is a sentence that says what is missing or different."""


class _Stored(ReplyStore):
    """Answers from one match's calls alone. A call that failed then fails again, with the same sentence."""

    def __init__(self, stored: MatchView) -> None:
        rows = Call.objects.filter(match=stored.match.pk, error="")
        self._calls = {
            (row.match, row.request, row.seat, row.stage, row.nth, row.key): reply_store.completion(row) for row in rows
        }
        self._occasions = {place[:-1] for place in self._calls}
        self._failures: dict[str, list[ProviderError]] = defaultdict(list)
        for attempt in stored.attempts:
            if attempt["code"] in FAILURES:
                self._failures[attempt["request"]].append(FAILURES[attempt["code"]](attempt["sentence"]))

    def known(self, asks: Sequence[Ask]) -> dict[int, Reply]:
        return {n: self._reply(ask) for n, ask in enumerate(asks)}

    def _reply(self, ask: Ask) -> Reply:
        place = reply_store.of(ask)
        if place in self._calls:
            return self._calls[place]
        failures = self._failures[ask.purpose.request]
        if failures:
            return failures.pop(0)
        on = ask.purpose
        what = f"call {on.nth} of the stage '{on.stage}' of seat {on.seat} at request {on.request}"
        if place[:-1] in self._occasions:
            raise RerunError(f"The stored {what} answers another prompt, or a model at other settings.")
        raise RerunError(f"No reply is stored for {what}.")


def rerun(match: Match) -> Played:
    """Play a match again. Raises `RerunError` where it cannot be done or comes out differently."""
    return _Again(whole(match)).play_out()


class _Again:
    """A match on its way through its record."""

    def __init__(self, stored: MatchView) -> None:
        self.stored, self.match, self.recorded = stored, stored.match, stored.told
        self.store, match = _Stored(stored), stored.match
        rules, header = RULES[match.game], match.header
        if not rules.plays(header.rules_version):
            raise RerunError(str(rules.not_played(header.rules_version)))
        shared = self.recorded[: header.forked_from["seq"]] if header.forked_from else None
        self.played = Played(Play(rules, header, shared))
        self.profiles = {profile.name: profile for profile in AgentProfile.objects.select_related("second")}
        self.codes: dict[str, set[str]] = defaultdict(set)
        for attempt in stored.attempts:
            self.codes[attempt["request"]].add(attempt["code"])
        if shared:
            answered = {event.request for event in shared if event.request}
            kept = [Thought(**row) for row in stored.thoughts]
            self.played.thoughts += [thought for thought in kept if thought.request in answered]

    def play_out(self) -> Played:
        play = self.played.play
        for event in self._following():
            if event.kind == "ended":
                play.end(event.data["status"], event.data["reason"])
            elif event.kind in NOTES:
                play.note(event.kind, event.seat, event.data, event.audience)
            elif event.kind in table_talk.KINDS:
                play.talk(event.seat, event.kind, event.data, event.by)
            elif event.request in play.state.open:
                self._answer(event, play.state.open[event.request])
            else:
                raise RerunError(f"Event {event.seq}, '{event.kind}', answers nothing that was asked.")
        self.played.attempts.extend(a for a in play.attempts if a.by != "person")
        return self.played

    def _following(self) -> Iterator[values.Event]:
        """The recorded events that somebody outside of the rules caused, each once all before it have come out."""
        play, compared = self.played.play, 0
        while True:
            if len(play.log) > len(self.recorded):
                raise RerunError(f"It goes on after event {len(self.recorded)}, where the record ends.")
            for event in play.log[compared:]:
                if event != self.recorded[event.seq - 1]:
                    raise RerunError(f"Event {event.seq}, '{event.kind}', comes out differently.")
            compared = len(play.log)
            if compared == len(self.recorded):
                return
            yield self.recorded[compared]

    def _answer(self, event: values.Event, request: values.Request) -> None:
        play = self.played.play
        agents = {seat.seat: seat.agent for seat in play.header.seats} | play.state.stand_ins
        agent, codes = agents.get(request.seat), self.codes[request.id]
        if event.by.startswith("agent:") and SPENDING not in codes:
            agent = event.by.removeprefix("agent:")
        if event.kind == "say":  # an answer
            self._repeat(event, request)
            return
        decided = event.by.startswith("agent:") or (event.by == "default" and not NEVER_DECIDED & codes)
        remote = agent in self.profiles and self.profiles[agent].provider == turns.REMOTE
        if decided and agent and agent != RANDOM and not remote:
            headless.move(self.played, request, self._decision(request, agent), f"agent:{agent}")
        else:
            self._repeat(event, request)

    def _decision(self, request: values.Request, agent: str) -> Decision:
        if agent not in self.profiles:
            raise RerunError(f"There is no agent profile '{agent}' any more.")
        thoughts, names = self.played.thoughts, self.match.names()
        return turns.decide(self.played.play, request, self.profiles[agent], names, thoughts, self.store)

    def _repeat(self, event: values.Event, request: values.Request) -> None:
        """What no agent decided, as it stands in the log."""
        play = self.played.play
        tried = [row for row in self.stored.attempts if row["request"] == request.id and row["by"] != "person"]
        self.played.attempts += [values.Attempt(**row) for row in tried]
        if event.by == "default":
            play.expire(request.id)
        elif event.data == {"skipped": True}:
            play.skip(event.seat, request.id)
        elif event.by != "opening":
            play.act(event.seat, request.id, event.data, event.by)


def differences(match: Match, played: Played) -> list[str]:
    """Where the log, a thought or an attempt of the match played again is not the stored one byte for byte, a sentence
    each. Times are not compared, nor what people tried in vain, nor what answers to who spoke to an agent came from:
    these are taken from the record."""
    stored = log_of(match)
    stored.times, stored.origin = {}, ""
    stored.thoughts = [row for row in stored.thoughts if not answering.is_call(row["request"])]
    stored.attempts = [
        row for row in stored.attempts if row["by"] != "person" and not answering.is_call(row["request"])
    ]
    again = logfile.LogFile(
        header=stored.header,
        events=played.play.log,
        thoughts=[asdict(thought) for thought in played.thoughts],
        attempts=[asdict(attempt) for attempt in played.attempts],
        outcome=played.play.state.outcome,
    )
    then, now = list(logfile.write(stored)), list(logfile.write(again))
    found = [
        f"Line {number} of the log differs:\n  {old}\n  {new}"
        for number, (old, new) in enumerate(zip(then, now, strict=False), 1)
        if old != new
    ]
    return found if len(then) == len(now) else [f"The log had {len(then)} lines and has {len(now)} now.", *found]
