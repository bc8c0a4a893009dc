"""Free talk before a vote, for any game that wants it: who has something to say says it, until all are ready.

A game takes `Discussion` in place of `Rules` and `TalkState` in place of `State`, adds `KINDS` to its kinds and
`talk_option()` to its options, and drafts `discussing` where the talk begins. `say` may be answered at any time until
then; `ready` is waited for, and may carry last words: so an agent, which is asked once, can speak as well.
"""

from typing import Any, ClassVar, TypeVar

from .chance import Chance
from .core import Rules, State
from .fields import TEXT_LIMIT, Text
from .options import Options, option
from .sentences import Sentence, sentence
from .values import Event, Kind, Refusal, Request

FREE = "free"
UNLIMITED = 4000
"""Characters of what is said where a paper names no limit; no speech in it comes near."""
MESSAGES = 20
"""So many messages a seat may send in one discussion, so that no log grows without end."""
WHAT = sentence("What do you say?")
BEFORE_A_VOTE = sentence("Whether the table talks before it votes.")

KINDS: dict[str, Kind] = {
    "discussing": Kind(sentence("All of these seats may talk until each is ready."), ("round", "seats")),
    "say": Kind(sentence("Something said; null: nothing."), ("text",), words=("text",)),
    "ready": Kind(sentence("A seat is ready to go on; text: its last words, or null."), ("text",), words=("text",)),
}


def talk_option(about: Sentence = BEFORE_A_VOTE) -> Any:
    """The option `discussion` of a game; about: what it decides."""
    return option(
        "none",
        about,
        label=sentence("Talk"),
        choices={"none": sentence("No talk"), FREE: sentence("All talk until they are ready")},
    )


def length_option(usual: int = TEXT_LIMIT) -> Any:
    """The option `speech_limit` of a game."""
    return option(usual, sentence("How many characters may be said at once."), low=20, high=UNLIMITED, hidden=True)


class TalkOptions(Options):
    """What is chosen about talk."""

    discussion: str
    speech_limit: int


TalkOptionsT = TypeVar("TalkOptionsT", bound=TalkOptions)


def said(options: TalkOptions, label: Sentence = WHAT, *, optional: bool = False) -> tuple[Text]:
    """The fields of a request for words that the table hears."""
    return (Text("text", limit=options.speech_limit, optional=optional, label=label),)


class TalkState(State[TalkOptionsT]):
    """talk: everything said, {round, seat, text} each; talking: the seats that are not ready yet."""

    step: str
    phase: str

    def __init__(self, options: TalkOptionsT):
        super().__init__(options)
        self.talk: list[dict[str, Any]] = []
        self.talking: list[int] = []
        self.talk_round = 0
        self.messages: dict[int, int] = {}

    def close(self, *kinds: str) -> None:
        super().close(*kinds)
        if not kinds:
            self.phase = self.step = "over"


TalkStateT = TypeVar("TalkStateT", bound=TalkState[Any])


class Discussion(Rules[TalkStateT, TalkOptionsT]):
    """Rules with talk. The talk is over, and `say` closed, as soon as nobody is waited for. last_words: how a seat is
    asked for what it says as it becomes ready."""

    last_words: ClassVar[Sentence] = sentence("What do you say before the vote?")

    def on_discussing(self, state: TalkStateT, event: Event) -> None:
        state.talking, state.talk_round = list(event.data["seats"]), event.data["round"]
        state.messages = dict.fromkeys(state.talking, 0)
        for seat in event.data["seats"]:
            state.ask(event, "say", seat, said(state.options), waits=False)
            state.ask(event, "ready", seat, said(state.options, self.last_words, optional=True))

    def on_say(self, state: TalkStateT, event: Event) -> None:
        self._note(state, event)
        if event.data["text"] is not None and state.messages[event.seat] < MESSAGES:
            state.ask(event, "say", event.seat, said(state.options), waits=False)

    def on_ready(self, state: TalkStateT, event: Event) -> None:
        self._note(state, event)
        state.talking.remove(event.seat)
        if not state.talking:
            state.close("say")

    def _note(self, state: TalkStateT, event: Event) -> None:
        if event.data["text"] is not None:
            state.messages[event.seat] += 1
            state.talk.append({"round": state.talk_round, "seat": event.seat, "text": event.data["text"]})

    def act_say(self, state: TalkStateT, request: Request, action: dict[str, Any]) -> dict[str, Any] | Refusal:
        refused = None if action["text"] is None else self.check_talk(state, request.seat, action["text"])
        return action if refused is None else refused

    act_ready = act_say

    def default_say(self, state: TalkStateT, request: Request, chance: Chance) -> dict[str, Any]:
        return {"text": None}

    default_ready = default_say
