"""What a metric may read of one match, wherever it comes from: the database (`stored`), an exported file, or
memory. Everything is the omniscient's: a metric is for those who may see all.
"""

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, NamedTuple, TypeVar

from agents.situation import NO_ANSWER
from evaluation.records.declining import declined
from games.registry import RULES
from games.rules import logfile
from games.rules.cast import Member
from games.rules.core import Rules, fold
from games.rules.play import Play, deal_ends
from games.rules.schema import Cost
from games.rules.values import Attempt, Event, Header, MaybeNone, Outcome, SeatInfo, Thought

T = TypeVar("T")

# Who made a move.
OWN = "own"
"""The seat's own player."""
UNUSABLE = "unusable"
"""Nobody else: the default stands for a reply of the seat's own player that stayed unreadable or illegal."""
NOBODY = "nobody"
"""The default, for want of an answer: no time left, no model there, nothing more to be spent."""
OTHER = "other"
"""Whoever stood in."""
GIVEN = "given"
"""The deal: openings are planned with it."""


class Note(NamedTuple):
    """What a metric may read of a thought, without its prompt. beliefs: a matrix as plain JSON, or None; problem: the
    reply could not be used; declined: the model would not do what was asked; reply: its words, in games alone of which
    a metric reads them (`Rules.words_read`)."""

    request: str
    seat: int
    stage: str
    model: str
    cost: Cost
    beliefs: Mapping[str, Any] | MaybeNone = None
    problem: bool = False
    declined: bool = False
    reply: str = ""

    @property
    def at(self) -> int:
        """The seq of the event that opened its request: the belief is of that moment."""
        return int(self.request.split(":", 1)[0])


class Mark(NamedTuple):
    """What a person marked in the notebook, and gave to research. seq: the last event before it; doubt: or trust."""

    seat: int
    subject: int
    doubt: bool
    seq: int


class Ballot(NamedTuple):
    """One vote in a game of clues. out: who goes out in that round by it, None for nobody."""

    event: Event
    voter: int
    target: int | MaybeNone
    round: int
    runoff: bool
    out: int | None


class Asked(NamedTuple):
    """One answered poll: at which moment, and what was said. moment: as in the log ("voting 2"); nth: which polling of
    the match it was."""

    event: Event
    seat: int
    moment: str
    nth: int
    said: Mapping[str, Any]


@dataclass
class Record:
    """One match. labels: what a competition planned it as ({"challenger", "role", "setting", "competition", ...});
    detections: by seat whom its person took for agents, None if that was skipped; lenient: seats count too whose moves
    others made; apart: an agent is another one where an API gave its model another name; marks: of people's
    notebooks; exposed: by utterance what people found to be let out in it, as `exposure.LABELS` calls it."""

    id: str
    game: str
    preset: str
    options: Mapping[str, Any]
    setting: Mapping[str, Any]
    seats: tuple[SeatInfo, ...]
    events: Sequence[Event]
    notes: Sequence[Note] = ()
    attempts: Sequence[Attempt] = ()
    outcome: Outcome = field(default_factory=Outcome)
    labels: Mapping[str, str] = field(default_factory=dict)
    detections: Mapping[int, Sequence[int] | None] = field(default_factory=dict)
    lenient: bool = False
    apart: bool = False
    marks: Sequence[Mark] = ()
    exposed: Mapping[int, Collection[str]] = field(default_factory=dict)
    worked_out: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    # Who is what ---------------------------------------------------------------------------------------------------

    @property
    def finished(self) -> bool:
        """Whether it was played to an end by its rules."""
        return self.outcome.status == "finished"

    @property
    def numbers(self) -> range:
        """The seats' numbers."""
        return range(1, len(self.seats) + 1)

    def player(self, seat: int) -> SeatInfo:
        """Who sits at a seat."""
        return self.seats[seat - 1]

    def called(self, seat: int) -> list[str]:
        """The names that APIs gave the models of a seat."""
        return sorted({note.model for note in self.notes_of(seat) if note.model})

    def notes_of(self, seat: int) -> list[Note]:
        """What the seat's own player thought; the thoughts of whoever stood in are not among it."""
        return [note for note in self.notes if note.seat == seat and not self._of_another(note)]

    def _of_another(self, note: Note) -> bool:
        answer = self.answered.get(note.request)
        return answer is not None and self.maker(answer) == OTHER

    @property
    def has_person(self) -> bool:
        """Whether a person sits at the table."""
        return any(seat.kind == "person" for seat in self.seats)

    @property
    def rules(self) -> Rules:
        """The rules of its game."""
        return RULES[self.game]

    @property
    def family(self) -> str:
        """The game of the papers that was played."""
        return self.rules.family

    @cached_property
    def cast(self) -> Mapping[int, Member]:
        """What each seat is."""
        options = self.rules.options(self.preset, dict(self.options), len(self.seats))
        deal = self.events[: deal_ends(len(self.seats))]
        return self.rules.cast(fold(self.rules, options, deal))

    @cached_property
    def roles(self) -> Mapping[int, str]:
        """What each seat was dealt; in games without roles the game of the papers."""
        return {seat: member.role for seat, member in self.cast.items()}

    @cached_property
    def sides(self) -> Mapping[int, str]:
        """The side of each seat."""
        return {seat: member.side for seat, member in self.cast.items()}

    @cached_property
    def odd(self) -> frozenset[int]:
        """The seats that the others look for: undercovers, the chameleon, evil, the spy."""
        return frozenset(seat for seat, side in self.sides.items() if side == self.rules.sought)

    def on_team(self, seat: int) -> bool:
        """Whether others win and lose with this seat."""
        return self.sides.get(seat) in self.rules.teams

    def team(self, seat: int) -> list[int]:
        """All seats on the side of this one."""
        return [other for other in self.numbers if self.sides[other] == self.sides[seat]]

    def others(self, seat: int) -> list[int]:
        """All seats but this one."""
        return [other for other in self.numbers if other != seat]

    def won(self, seat: int) -> bool:
        """Whether this seat is among the winners."""
        return seat in self.outcome.winners

    # What happened -------------------------------------------------------------------------------------------------

    @cached_property
    def _by_kind(self) -> Mapping[str, list[Event]]:
        kinds: dict[str, list[Event]] = {}
        for event in self.events:
            kinds.setdefault(event.kind, []).append(event)
        return kinds

    def of(self, *kinds: str) -> list[Event]:
        """The events of these kinds, in order."""
        if len(kinds) == 1:
            return self._by_kind.get(kinds[0], [])
        return sorted((event for kind in kinds for event in self._by_kind.get(kind, ())), key=lambda event: event.seq)

    def first(self, kind: str) -> Event | None:
        """The first event of a kind."""
        return next(iter(self.of(kind)), None)

    @cached_property
    def end(self) -> Event:
        """The event that a whole match is seen in: its end, or the last one of a match that has none."""
        return self.first("finished") or self.first("ended") or self.events[-1]

    def maker(self, event: Event) -> str:
        """Who made a move: OWN, UNUSABLE, NOBODY, OTHER or GIVEN."""
        if event.by in ("opening", "moderator"):
            return GIVEN
        if event.by == "default":
            return UNUSABLE if event.request in self._unusable else NOBODY
        player = self.player(event.seat)
        if event.by.startswith("agent:") and (
            player.kind == "person" or player.agent not in (None, event.by.removeprefix("agent:"))
        ):
            return OTHER
        if event.by == "person" and event.seq > self._handed_over.get(event.seat, event.seq):
            return OTHER
        return OWN

    @cached_property
    def _handed_over(self) -> Mapping[int, int]:
        """When a seat first went to another person than the one who sat down there."""
        return {event.seat: event.seq for event in reversed(self.of("handed_over"))}

    @cached_property
    def _unusable(self) -> frozenset[str]:
        """The requests that a seat's own player answered in vain, so that the default was played."""
        return frozenset(
            attempt.request
            for attempt in self.attempts
            if attempt.instead == "default"
            and attempt.code not in NO_ANSWER
            and attempt.by == f"agent:{self.player(attempt.seat).agent}"
        )

    def own(self, event: Event) -> bool:
        """Whether the seat's own player chose this move: not a default, an opening, or whoever stood in."""
        return self.maker(event) == OWN

    def counts(self, seat: int) -> bool:
        """Whether what became of a seat is its own player's doing: nobody else moved for it. A reply that could not be
        used is its doing; what was dealt is nobody's."""
        return self.lenient or seat not in self._moved_by_others

    @cached_property
    def _moved_by_others(self) -> frozenset[int]:
        return frozenset(move.seat for move in self.moves if self.maker(move) in (NOBODY, OTHER))

    @cached_property
    def moves(self) -> list[Event]:
        """Every answer to a request, polls not counted."""
        return [event for event in self.events if event.request is not None and event.kind != "poll"]

    def moves_of(self, seat: int, kind: str) -> list[Event]:
        """The moves of a kind that this seat's own player made."""
        return [event for event in self.of(kind) if event.seat == seat and self.own(event)]

    @cached_property
    def ballots(self) -> list[Ballot]:
        """All votes of a game of clues, whoever made them; abstentions too."""
        found: list[tuple[Event, int, bool]] = []
        rounds, open_since, ballots = (0, False), 0, []
        for event in self.of("voting", "vote", "out", "accused", "finished", "ended"):
            if event.kind == "voting":
                rounds = (event.data["round"], event.data["runoff"])
            elif event.kind == "vote":
                found.append((event, *rounds))
            else:
                out = event.seat if event.kind in ("out", "accused") else None
                ballots += [
                    Ballot(vote, vote.seat, vote.data["seat"], nth, again, out)
                    for vote, nth, again in found[open_since:]
                ]
                open_since = len(found)
        return ballots

    def votes_of(self, seat: int) -> list[Ballot]:
        """The votes that this seat's own player cast."""
        return [b for b in self.ballots if b.voter == seat and b.target is not None and self.own(b.event)]

    @cached_property
    def answers(self) -> list[Asked]:
        """All polls that were answered by the seat's own player, in order."""
        found, moment, nth = [], "", 0
        for event in self.of("polling", "poll"):
            if event.kind == "polling":
                moment, nth = event.data["moment"], nth + 1
            elif not event.data.get("skipped") and self.own(event):
                found.append(Asked(event, event.seat, moment, nth, event.data))
        return found

    def answers_of(self, seat: int) -> list[Asked]:
        """The polls that this seat answered."""
        return [asked for asked in self.answers if asked.seat == seat]

    def alive_after(self, rounds: int | None = None) -> dict[int, Event | None]:
        """By seat the event by which it went out, None if it is still in after so many rounds of votes (or at the
        end)."""
        gone: dict[int, Event | None] = dict.fromkeys(self.numbers)
        for event in self.of("out")[:rounds]:
            if event.seat is not None:
                gone[event.seat] = event
        return gone

    def round_of(self, seq: int) -> int:
        """In which round (quest, turn) an event lies; 0 before the first."""
        return sum(start <= seq for start in self._rounds)

    @cached_property
    def _rounds(self) -> list[int]:
        seen: dict[Any, int] = {}
        for event in self.of("round", "turn", "proposing"):
            number = event.data.get("round") or event.data.get("quest") or event.data.get("turn")
            if number is not None:
                seen.setdefault(number, event.seq)
        return list(seen.values())

    @cached_property
    def answered(self) -> Mapping[str, Event]:
        """By request the event that answers it."""
        return {event.request: event for event in self.events if event.request is not None}

    @property
    def case(self) -> Hashable:
        """What two matches of the same settings share, whoever plays: for paired comparisons of a suite's matches. A
        match that nothing was fixed for has its like nowhere."""
        alike = self.labels.get("setting") or (self.dealt_from if self.setting else self.id)
        return (self.game, self.labels.get("role", ""), self.labels.get("trial", ""), alike)

    @cached_property
    def dealt_from(self) -> str:
        """What it was dealt from, as one text: the same for matches that were dealt alike, planned or not."""
        setting = {name: value for name, value in self.setting.items() if name != "openings"}
        return json.dumps([self.game, setting], sort_keys=True)


def kept(function: Callable[..., T]) -> Callable[..., T]:
    """Work out something about a record once, however many metrics ask for it."""

    @wraps(function)
    def remembered(record: Record, *rest: Hashable) -> T:
        key = (function, *rest)
        if key not in record.worked_out:
            record.worked_out[key] = function(record, *rest)
        return record.worked_out[key]

    return remembered


# Where records come from --------------------------------------------------------------------------------------------


def of_play(
    play: Play,
    thoughts: Iterable[Any] = (),
    attempts: Iterable[Attempt] | None = None,
    labels: Mapping[str, str] | None = None,
    detections: Mapping[int, Sequence[int] | None] | None = None,
) -> Record:
    """The record of a match in memory; thoughts as agents leave them (`agents.situation.Thought`)."""
    attempts = play.attempts if attempts is None else attempts
    return _of(play.header, list(play.log), thoughts, attempts, play.state.outcome, labels, detections)


def of_log(log: logfile.LogFile[Event]) -> Record:
    """The record of an exported match."""
    thoughts = [Thought(**thought) for thought in log.thoughts]
    attempts = [Attempt(**attempt) for attempt in log.attempts]
    return _of(log.header, log.events, thoughts, attempts, log.outcome or Outcome(), log.labels)


def _of(
    header: Header,
    events: Sequence[Event],
    thoughts: Iterable[Any],
    attempts: Iterable[Attempt],
    outcome: Outcome,
    labels: Mapping[str, str] | None,
    detections: Mapping[int, Sequence[int] | None] | None = None,
) -> Record:
    played = header.id, header.game, header.preset, header.options, header.setting, header.seats
    notes = [_note(header.game, thought) for thought in thoughts]
    return Record(*played, events, notes, list(attempts), outcome, labels or {}, detections or {})


def _note(game: str, thought: Thought) -> Note:
    data = thought.data
    return Note(
        thought.request, thought.seat, thought.stage, thought.model, Cost.of(thought),
        data.get("beliefs"), "problem" in data, declined(thought.reply, data.get("finish")),
        thought.reply if RULES[game].words_read else "",
    )  # fmt: skip
