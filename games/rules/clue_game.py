"""What games of clues share: rounds in which each seat gives one, talk if the options want it, a vote, and a guess.

A game takes `ClueGame` in place of `Rules` and `ClueState` in place of `State`, adds `KINDS` to its kinds, and names
the step `after_vote`; `dealt` tells a seat its word.
"""

from collections import Counter
from typing import Any, ClassVar, TypeVar

from . import discussion
from .chance import Chance
from .clues import holds_word, repeats
from .discussion import FREE, Discussion, TalkOptions, TalkState, said
from .disguise import hides
from .fields import vote_for
from .polls import ODD_ONE, others
from .sentences import sentence
from .values import Draft, Event, Kind, MaybeNone, Refusal, Request, Seen

KINDS: dict[str, Kind] = {
    "round": Kind(sentence("A round of clues begins, in this order."), ("round", "order")),
    "turn": Kind(sentence("A seat is asked for its clue.")),
    "clue": Kind(sentence("A clue; null: the seat stayed silent."), ("text",), words=("text",)),
    "voting": Kind(
        sentence("All who are in vote for one of the candidates."), ("round", "voters", "candidates", "runoff")
    ),
    "vote": Kind(sentence("A vote; null: an abstention."), ("seat",), "seat", "shell"),
    "tally": Kind(sentence("All votes, and who is tied on top."), ("round", "votes", "runoff", "tied"), beats=1),
    "guess": Kind(sentence("The guess; null: none."), ("text",), words=("text",), beats=2),
} | discussion.KINDS


class ClueOptions(TalkOptions):
    """What is chosen about clues, votes and guesses."""

    clue_rounds: int
    order: str
    tie: str
    guess_in_sentence: bool
    disguises: bool


ClueOptionsT = TypeVar("ClueOptionsT", bound=ClueOptions)


class ClueState(TalkState[ClueOptionsT]):
    """The table as a fold knows it. `words` hold what the viewer may know: all, the own word, or nothing.

    `step` is what the moderator does next once nobody is waited for; it follows from public events alone.
    """

    def __init__(self, options: ClueOptionsT):
        super().__init__(options)
        self.step = "round"
        self.phase = "clues"
        self.words: dict[int, str | None] = {}
        self.round = 0
        self.order: list[int] = []
        self.spoken = 0
        self.clues: list[dict[str, Any]] = []
        self.candidates: list[int] = []
        self.runoff = False
        self.votes: dict[int, int | None] = {}
        self.tallies: list[dict[str, Any]] = []

    @property
    def playing(self) -> list[int]:
        """The seats that are in."""
        return list(range(1, self.options.seats + 1))

    @property
    def turn(self) -> int | MaybeNone:
        """Whose clue is next."""
        return self.order[self.spoken] if self.step == "turn" else None

    def most_votes(self) -> int | None:
        """The seat that the last vote found alone on top; None after a tie."""
        tally = self.tallies[-1]
        if tally["tied"] is not None:
            return None
        ((seat, _),) = Counter(target for target in tally["votes"].values() if target is not None).most_common(1)
        return seat


ClueStateT = TypeVar("ClueStateT", bound=ClueState[Any])


class ClueGame(Discussion[ClueStateT, ClueOptionsT]):
    """Rules with clues. A tie of votes is voted on once more where the option `tie` is "runoff"."""

    after_vote: ClassVar[str]
    """The moderator's step once a vote, and its runoff, are counted."""
    spoken: ClassVar[bool] = True
    common_knowledge: ClassVar[str] = "word"
    suspect_field: ClassVar[str] = ODD_ONE
    asking: ClassVar[frozenset[str]] = frozenset(("round", "turn", "voting", "discussing", "guessing"))
    looks: ClassVar[frozenset[str]] = frozenset(("clue",))
    knowing: ClassVar[frozenset[str]] = frozenset(("guess",))

    # The moderator -------------------------------------------------------------------------------------------------

    def proceed(self, state: ClueStateT, chance: Chance) -> list[Draft]:
        return [] if state.step == "over" else getattr(self, f"_{state.step}")(state, chance)

    def _round(self, state: ClueStateT, chance: Chance) -> list[Draft]:
        drawn = state.options.order == "drawn"
        order = chance.shuffle("round.order", state.playing) if drawn else state.playing
        return [Draft("round", None, {"round": state.round + 1, "order": order})]

    def _turn(self, state: ClueStateT, chance: Chance) -> list[Draft]:
        return [Draft("turn", state.turn, {})]

    def _discussing(self, state: ClueStateT, chance: Chance) -> list[Draft]:
        return [Draft("discussing", None, {"round": state.round, "seats": state.playing})]

    def _voting(self, state: ClueStateT, chance: Chance) -> list[Draft]:
        data = {
            "round": state.round,
            "voters": state.playing,
            "candidates": state.tallies[-1]["tied"] if state.runoff else state.playing,
            "runoff": state.runoff,
        }
        return [Draft("voting", None, data)]

    def _tally(self, state: ClueStateT, chance: Chance) -> list[Draft]:
        received = Counter(target for target in state.votes.values() if target is not None)
        most = max(received.values(), default=0)
        top = [seat for seat in state.candidates if received[seat] == most]
        data = {
            "round": state.round,
            "votes": {str(voter): state.votes[voter] for voter in state.playing},
            "runoff": state.runoff,
            "tied": top if len(top) > 1 else None,
        }
        return [Draft("tally", None, data)]

    # Folding -------------------------------------------------------------------------------------------------------

    def on_dealt(self, state: ClueStateT, event: Seen) -> None:
        if isinstance(event, Event):
            state.words[event.seat] = event.data["word"]

    def on_round(self, state: ClueStateT, event: Event) -> None:
        state.phase, state.step = "clues", "turn"
        state.round, state.order, state.spoken = event.data["round"], event.data["order"], 0

    def on_turn(self, state: ClueStateT, event: Event) -> None:
        state.ask(event, "clue", event.seat, said(state.options, sentence("What is your clue?")))

    def on_clue(self, state: ClueStateT, event: Event) -> None:
        state.clues.append({"round": state.round, "seat": event.seat, "text": event.data["text"]})
        state.spoken += 1
        if state.spoken == len(state.order):
            vote = "discussing" if state.options.discussion == FREE else "voting"
            state.step = "round" if state.round % state.options.clue_rounds else vote

    def on_discussing(self, state: ClueStateT, event: Event) -> None:
        super().on_discussing(state, event)
        state.phase, state.step = "talk", "voting"

    def on_voting(self, state: ClueStateT, event: Event) -> None:
        state.phase, state.step = "votes", "tally"
        state.candidates, state.votes = event.data["candidates"], {}
        for voter in event.data["voters"]:
            state.ask(event, "vote", voter, (vote_for(others(state.candidates, voter)),))

    def on_vote(self, state: ClueStateT, event: Seen) -> None:
        if isinstance(event, Event):
            state.votes[event.seat] = event.data["seat"]

    def on_tally(self, state: ClueStateT, event: Event) -> None:
        state.tallies.append(event.data)
        again = event.data["tied"] is not None and state.options.tie == "runoff" and not event.data["runoff"]
        state.step, state.runoff = ("voting", True) if again else (self.after_vote, False)

    def on_guessing(self, state: ClueStateT, event: Event) -> None:
        state.phase = "guess"
        state.ask(event, "guess", event.seat, said(state.options, sentence("Which word is it?")))

    # Acting --------------------------------------------------------------------------------------------------------

    def act_clue(self, state: ClueStateT, request: Request, action: dict[str, Any]) -> dict[str, Any] | Refusal:
        if says_word(action["text"], state.words[request.seat], state.options):
            return Refusal("own_word", sentence("Your clue holds your word. Try another."), keep=True)
        if any(clue["text"] is not None and repeats(action["text"], clue["text"]) for clue in state.clues):
            return Refusal("repeat", sentence("That clue was given before. Try another."), keep=True)
        return action

    def check_talk(self, state: ClueStateT, seat: int, text: str) -> Refusal | None:
        if says_word(text, state.words[seat], state.options):
            return Refusal("own_word", sentence("You may not say your word. Put it in another way."), keep=True)
        return None

    def default_clue(self, state: ClueStateT, request: Request, chance: Chance) -> dict[str, Any]:
        return {"text": None}

    def default_vote(self, state: ClueStateT, request: Request, chance: Chance) -> dict[str, Any]:
        return {"seat": None}

    def default_guess(self, state: ClueStateT, request: Request, chance: Chance) -> dict[str, Any]:
        return {"text": None}

    # What may be known ---------------------------------------------------------------------------------------------

    def public(self, state: ClueStateT) -> dict[str, Any]:
        return {
            "phase": state.phase,
            "round": state.round,
            "order": list(state.order),
            "turn": state.turn,
            "clues": list(state.clues),
            "talk": list(state.talk),
            "talking": list(state.talking),
            "candidates": list(state.candidates) if state.phase == "votes" else [],
            "tallies": list(state.tallies),
        }


def says_word(text: str, word: str | None, options: ClueOptions) -> bool:
    """Whether a text says the word that its seat was dealt, if it was dealt one."""
    return word is not None and (holds_word(text, word) or (options.disguises and hides(text, word)))
