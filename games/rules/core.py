"""The core of every game: its state as a fold over events, and what a game answers.

A game is a subclass of `Rules` with methods named by kind: `on_<kind>` folds an event into the state, `act_<kind>`
checks an action, `default_<kind>` says what is done for somebody who does not answer. `proceed` is asked for the
moderator's next events whenever no waiting request is open. Everything is pure: no clock, no input or output, no
random source but the `Chance` that is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar

from . import table_talk
from .cast import Cast
from .chance import Chance
from .fields import Field, Malformed
from .forced import only_values
from .options import OptionsT, Preset, chosen
from .own_words import OWN, Compared
from .sentences import sentence
from .values import (
    RUNNING,
    Draft,
    Event,
    Header,
    Impossible,
    Kind,
    LogError,
    Outcome,
    Refusal,
    Request,
    Seen,
)


@dataclass(frozen=True)
class Poll:
    """Beliefs to ask for now: at which moment of the match, and with which fields each seat is asked."""

    moment: str
    fields: dict[int, tuple[Field, ...]]


class State(Generic[OptionsT]):
    """What a log, or the visible part of one, amounts to. Games add their own attributes in `Rules.start`.

    Nothing here is set by anything but the folding of events. Of a partial log what is not known stays None. held: an
    admin paused it, so that its host cannot let it go on.
    """

    def __init__(self, options: OptionsT):
        self.options = options
        self.seq = 0
        self.open: dict[str, Request] = {}
        self.waiting = 0
        self.paused = False
        self.held = False
        self.outcome: Outcome = RUNNING
        self.deal: dict[str, Any] | None = None
        self.polled: set[str] = set()
        self.poll: str | None = None
        self.stand_ins: dict[int, str] = {}

    def ask(
        self,
        event: Event,
        kind: str,
        seat: int,
        fields: tuple[Field, ...] = (),
        waits: bool = True,
        audience: tuple[int, ...] | None = None,
        unasked: tuple[Field, ...] = (),
        ways: tuple[tuple[Field, ...], ...] = (),
    ) -> None:
        """Open a request; its id is fixed by the event that opens it."""
        opened_at = event[0]
        request_id = f"{opened_at}:{seat}:{kind}"
        # The bare constructor, as in Play: every move opens a request.
        opened = (request_id, kind, seat, fields, opened_at, waits, audience, unasked, ways)
        self.open[request_id] = tuple.__new__(Request, opened)
        if waits:
            self.waiting += 1

    def close(self, *kinds: str) -> None:
        """Close the open requests of these kinds; without a kind all of them."""
        if not kinds:
            self.open.clear()
            self.waiting = 0
            return
        for request in [request for request in self.open.values() if request.kind in kinds]:
            del self.open[request.id]
            self.waiting -= request.waits


StateT = TypeVar("StateT", bound=State[Any])

REASON = ("reason",)
"""Why an admin did something at a table; what the table or its host did has none, but for an early end."""

CORE_KINDS: dict[str, Kind] = {
    "polling": Kind(sentence("The moderator asks for beliefs, out of band."), ("moment",)),
    "poll": Kind(sentence("What a seat believes; {'skipped': true} if it does not say."), ("...",), "seat"),
    "polled": Kind(sentence("All beliefs asked for are in."), ("moment",)),
    "taken_over": Kind(sentence("An agent plays a seat for the one who is away."), ("by", *REASON), words=REASON),
    "returned": Kind(sentence("A seat is played by its own player again."), ()),
    "handed_over": Kind(sentence("Another person plays on at a seat."), ()),
    "moved_on": Kind(sentence("An admin has the usual move made for a seat."), REASON, words=REASON),
    "paused": Kind(sentence("The table is paused; nobody can act."), REASON, words=REASON),
    "resumed": Kind(sentence("The table goes on."), REASON, words=REASON),
    "ended": Kind(sentence("The match ended early."), ("status", "reason", "deal"), ends_round=True, words=REASON),
    "finished": Kind(
        sentence("The match is over: how, who won, points by seat, and what was dealt."),
        ("result", "winners", "returns", "deal"),
        ends_round=True,
        beats=1,
    ),
} | table_talk.KINDS


class Rules(Cast, Generic[StateT, OptionsT]):
    """One game. Subclasses name their state and options, and fill in the class attributes and the methods below, and
    those of `Cast`; they hold no state of a match.

    players: the preset and the number of seats of a match that starts at once, without a question.
    quick: those of a match at which an agent is tried.
    earlier: versions before this one whose matches still read and play as they did, each with what the options of now
    have to be for that.
    secret: kinds of request that one seat is asked while nobody may learn which; the time that it takes may not tell.
    own_lines: what a line of a table's own words holds, for people; empty: the game takes none. own_example: such
    lines. own_least: so many lines it takes at least. own_fields: the fields of a setting that hold what players speak
    about.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    version: ClassVar[int] = 1
    earlier: ClassVar[Mapping[int, dict[str, Any]]] = {}
    presets: ClassVar[dict[str, Preset]]
    players: ClassVar[tuple[str, int]]
    quick: ClassVar[tuple[str, int]]
    kinds: ClassVar[dict[str, Kind]]
    results: ClassVar[tuple[str, ...]]
    secret: ClassVar[frozenset[str]] = frozenset()
    own_lines: ClassVar[str] = ""
    own_example: ClassVar[str] = ""
    own_least: ClassVar[int] = 1
    own_fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        package, _, module = cls.__module__.rpartition(".")
        if module == "rules":
            cls.folder = package

    def __init__(self) -> None:
        self.all_kinds: dict[str, Kind] = CORE_KINDS | self.kinds
        self._on: dict[str, Callable[[StateT, Any], None]] = {
            kind: getattr(self, f"on_{kind}") for kind in self.all_kinds
        }
        self._act = {kind: getattr(self, f"act_{kind}") for kind in self.kinds if hasattr(self, f"act_{kind}")}
        self.sealed = {kind for kind, about in self.all_kinds.items() if about.audience == "seat"}

    # What a game answers -------------------------------------------------------------------------------------------

    def start(self, options: OptionsT) -> StateT:
        """The state before the first event."""
        raise NotImplementedError

    def setup(self, options: OptionsT, setting: dict[str, Any], chance: Chance) -> Iterable[Draft]:
        """The first events: one public `opened` with all public facts, one `dealt` a seat in seat order, then the
        moderator's own `record`. Raises `Impossible` for a setting that cannot be dealt."""
        raise NotImplementedError

    def proceed(self, state: StateT, chance: Chance) -> list[Draft]:
        """The moderator's next events, with no waiting request open; nothing when the match is over."""
        raise NotImplementedError

    def result(self, state: StateT) -> Outcome:
        """How the match stands by the rules; read from the whole state only."""
        raise NotImplementedError

    def deal(self, state: StateT) -> dict[str, Any]:
        """What was dealt, as the end of the match publishes it."""
        raise NotImplementedError

    def public(self, state: StateT) -> dict[str, Any]:
        """Everything that everybody may know, as JSON values. The same from every viewer's fold."""
        raise NotImplementedError

    def card(self, state: StateT, seat: int) -> dict[str, Any]:
        """What this seat was dealt, as JSON values; empty where the fold does not know it."""
        raise NotImplementedError

    def summary(self, outcome: Outcome, state: StateT) -> dict[str, Any]:
        """The facts of a finished match that recorded games are compared by."""
        return {"result": outcome.result, "winners": list(outcome.winners)}

    def known(self, state: StateT, request: Request) -> dict[str, Any]:
        """What the rules leave no choice about in a request, by field; the fold of what the asked seat sees tells it.
        A game adds what follows from its cards."""
        return only_values(request.fields)

    def forced(self, state: StateT, request: Request) -> dict[str, Any] | None:
        """The one action by which a request can be answered; None where there is a choice."""
        known = self.known(state, request)
        return known if len(known) == len(request.fields) else None

    def poll(self, state: StateT) -> Poll | None:
        """The beliefs to ask for at this point, for the seats that the fold knows to be asked; None for none."""
        return None

    def check_setting(self, options: OptionsT, setting: dict[str, Any]) -> None:
        """Raise `Impossible` with the reason if this setting cannot be played with these options. A game's own checks
        come on top of this one, which is of the openings."""
        if OWN in setting and (type(setting[OWN]) is not int or not 0 <= setting[OWN] <= options.seats):
            raise Impossible(sentence("'{own}' in the setting is a seat, or 0.", own=OWN))
        openings = setting.get("openings", {})
        if not isinstance(openings, dict) or any(not isinstance(moves, list) for moves in openings.values()):
            raise Impossible(sentence("Openings are a list of actions for each seat."))
        if unknown := [seat for seat in openings if seat not in map(str, range(1, options.seats + 1))]:
            raise Impossible(sentence("There is no seat '{unknown}' for these openings.", unknown=unknown[0]))
        for seat, moves in openings.items():
            for move in moves:
                try:
                    self.check_opening(options, setting, int(seat), move)
                except Malformed as error:
                    raise Impossible(
                        sentence("An opening of seat {seat} cannot be played. {error}", seat=seat, error=error.sentence)
                    ) from error

    def drawn(self, setting: dict[str, Any], settings: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """A setting as it is dealt after it was drawn from these."""
        return setting

    def own_settings(self, line: str) -> list[dict[str, Any]]:
        """The settings that a line of a table's own words stands for (`own_words`). Raises `Impossible` with a sentence
        for whoever typed it."""
        raise NotImplementedError

    def own_compared(self, settings: Sequence[tuple[int, dict[str, Any]]]) -> Iterable[Compared]:
        """What in a table's own words should be neither too alike nor too different, by (line, setting)."""
        return ()

    def check_opening(self, options: OptionsT, setting: dict[str, Any], seat: int, move: Any) -> None:
        """Raise `Malformed` or `Impossible` if this seat can never make this move as one of its first."""

    def check_talk(self, state: StateT, seat: int, text: str) -> Refusal | None:
        """Why these words may not be said to the table by this seat; None if they may."""
        return None

    def titles(self, state: StateT) -> dict[int, str]:
        """What people call what a seat is, where its role alone does not say it all; read from the whole state only."""
        return {}

    def called(self, preset: str) -> str:
        """A preset as people know it: its title if it is for players, else its name, as one that is no more."""
        known = self.presets.get(preset)
        return (known and known.title) or preset

    # What stands in its folder -------------------------------------------------------------------------------------

    def part(self, name: str) -> ModuleType:
        """A module of the game's folder: `house`, `moments`, `sample`."""
        return import_module(f"{self.folder}.{name}")

    def page(self, part: str) -> str:
        """The template of a part of its pages."""
        return f"{self.family}/page/{part}.html"

    @property
    def prompts(self) -> str:
        """Where the templates of its prompts stand."""
        return f"{self.family}/prompts"

    # What the core does with it ------------------------------------------------------------------------------------

    def options(self, preset: str, overrides: dict[str, Any], seats: int) -> OptionsT:
        """The resolved options of a preset with overrides; raises `Impossible` with a sentence."""
        if preset not in self.presets:
            raise Impossible(
                sentence(
                    "{game} has no preset '{preset}'. It has: {presets}.",
                    game=self.title,
                    preset=preset,
                    presets=", ".join(self.presets),
                )
            )
        return chosen(self.title, preset, self.presets[preset], overrides, seats)

    def options_of(self, header: Header) -> OptionsT:
        """The resolved options of a match, of whichever version it is."""
        then = self.earlier.get(header.rules_version, {})
        return self.options(header.preset, then | header.options, len(header.seats))

    def plays(self, version: int) -> bool:
        """Whether matches of this version of the rules can be played on and again."""
        return version == self.version or version in self.earlier

    def words_of(self, kind: str, data: Mapping[str, Any]) -> Collection[str]:
        """The fields of an event that hold somebody's words: every text of one whose kind is no more."""
        about = self.all_kinds.get(kind)
        return [name for name, value in data.items() if isinstance(value, str)] if about is None else about.words

    def not_played(self, version: int) -> LogError:
        """Why a log of a version that they do not play cannot be read to its end."""
        return LogError(
            f"This log was played under version {version} of {self.title}; these rules are version {self.version}."
        )

    def apply(self, state: StateT, event: Seen) -> None:
        """Fold one event into the state. Raises only when the code or the log is wrong."""
        state.seq = event[0]
        answered = event[6]
        if answered is not None:
            request = state.open.pop(answered, None)
            if request is not None and request.waits:
                state.waiting -= 1
        self._on[event[1]](state, event)

    def act(self, state: StateT, request: Request, action: dict[str, Any]) -> dict[str, Any] | Refusal:
        """The action as it goes into the log, or why it does not count. The fields are already read."""
        check = self._act.get(request.kind)
        return action if check is None else check(state, request, action)

    def default(self, state: StateT, request: Request, chance: Chance) -> dict[str, Any]:
        """What is done when nobody answers."""
        return getattr(self, f"default_{request.kind}")(state, request, chance)

    # Events of every game ------------------------------------------------------------------------------------------

    def on_polling(self, state: StateT, event: Event) -> None:
        state.poll = event.data["moment"]
        state.polled.add(state.poll)
        asked = self.poll(state)
        if asked is not None and asked.moment == state.poll:
            for seat, fields in asked.fields.items():
                state.ask(event, "poll", seat, fields, audience=(seat,))

    def on_poll(self, state: StateT, event: Event) -> None:
        pass

    def on_chat(self, state: StateT, event: Event) -> None:
        """Talk decides nothing."""

    on_reaction = on_chat

    def on_polled(self, state: StateT, event: Event) -> None:
        state.close("poll")
        state.poll = None

    def on_taken_over(self, state: StateT, event: Event) -> None:
        state.stand_ins[event.seat] = event.data["by"]

    def on_returned(self, state: StateT, event: Event) -> None:
        state.stand_ins.pop(event.seat, None)

    on_handed_over = on_returned

    def on_moved_on(self, state: StateT, event: Event) -> None:
        """The move that is made for the seat follows."""

    def on_paused(self, state: StateT, event: Event) -> None:
        state.paused, state.held = True, "reason" in event.data

    def on_resumed(self, state: StateT, event: Event) -> None:
        state.paused = state.held = False

    def on_ended(self, state: StateT, event: Event) -> None:
        state.close()
        state.deal = event.data["deal"]
        state.outcome = Outcome(event.data["status"])

    def on_finished(self, state: StateT, event: Event) -> None:
        data = event.data
        state.close()
        state.deal = data["deal"]
        returns = {int(seat): points for seat, points in data["returns"].items()}
        state.outcome = Outcome("finished", data["result"], tuple(data["winners"]), returns)


def fold(rules: Rules[StateT, OptionsT], options: OptionsT, events: Iterable[Seen]) -> StateT:
    """The state that these events amount to; they may be a whole log or what a viewer sees of one."""
    state = rules.start(options)
    apply = rules.apply
    for event in events:
        apply(state, event)
    return state


def last_round(rules: Rules, log: Sequence[Seen]) -> int:
    """The seq up to which delayed watching shows a log: the end of the last finished round, or 0."""
    ends = {name for name, kind in rules.all_kinds.items() if kind.ends_round}
    return next((event.seq for event in reversed(log) if event.kind in ends), 0)
