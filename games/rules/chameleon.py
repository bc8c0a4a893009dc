"""Chameleon: all but one know a word of a common topic; the one who does not knows that, and blends in.

Presets: `magic` as in MAgIC (Xu et al. 2023, section 3.1), and `party` for friends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar

from .chameleon_setting import CHAMELEON, OTHERS, WORD_LIMIT, ChameleonOptions, check_deal
from .chance import Chance
from .clues import holds_word, is_answer, near_answer, repeats
from .core import Poll, Preset
from .discussion import FREE, KINDS, Discussion, TalkState
from .fields import OneSeat, Text, plain
from .polls import magic_fields, others, own_side
from .values import Draft, Event, Impossible, Kind, Outcome, Refusal, Request

CLUE_FIELDS = (Text("text"),)
GUESS_FIELDS = (Text("text", limit=WORD_LIMIT),)
OWN_SIDE = own_side(CHAMELEON, OTHERS)

# MAgIC's credits, as its figure 5 plays them: of the chameleon, of everybody else.
CREDITS = {"non_chameleons": (0, 2), "chameleon": (2, 0), "even": (1, 1), "guessed": (1, 1)}


class ChameleonState(TalkState):
    """The table as a fold knows it: `chameleon` and `word` are None where the viewer may not know them.

    `step` is what the moderator does next once nobody is waited for; it follows from public events alone.
    """

    def __init__(self, options: ChameleonOptions):
        super().__init__(options)
        self.step = "round"
        self.phase = "clues"
        self.topic = ""
        self.chameleon: int | None = None
        self.word: str | None = None
        self.words: dict[int, str | None] = {}
        self.round = 0
        self.order: list[int] = []
        self.spoken = 0
        self.clues: list[dict[str, Any]] = []
        self.candidates: list[int] = []
        self.runoff = False
        self.votes: dict[int, int | None] = {}
        self.tallies: list[dict[str, Any]] = []
        self.accused: int | None = None
        self.caught = False
        self.guess: str | None = None

    @property
    def turn(self) -> int | None:
        """Whose clue is next."""
        return self.order[self.spoken] if self.step == "turn" else None

    @property
    def seats(self) -> list[int]:
        return list(range(1, self.options.seats + 1))


class Chameleon(Discussion):
    name: ClassVar[str] = "chameleon"
    title: ClassVar[str] = "Chameleon"
    about: ClassVar[str] = "All know the topic, and all but one the word. Find the one who only plays along."
    results: ClassVar[tuple[str, ...]] = tuple(CREDITS)
    presets: ClassVar[dict[str, Preset]] = {
        "magic": Preset(
            ChameleonOptions(order="seats", tie="even", near_guess=False),
            "Three seats, one clue each, one vote, one guess. As in the MAgIC paper.",
            3,
            3,
        ),
        "party": Preset(ChameleonOptions(), "For 3 to 8 friends and agents.", 3, 8),
    }
    quick: ClassVar[tuple[str, int]] = ("party", 5)
    kinds: ClassVar[dict[str, Kind]] = {
        "opened": Kind("The match begins; everybody knows the topic.", ("seats", "topic", "clue_rounds")),
        "dealt": Kind("The word, or to be the chameleon.", ("word", "chameleon"), "seat", "shell"),
        "record": Kind("What was dealt, for the record.", ("chameleon", "word"), "nobody", "nothing"),
        "round": Kind("A round of clues begins, in this order.", ("round", "order")),
        "turn": Kind("A seat is asked for its clue."),
        "clue": Kind("A clue; null: the seat stayed silent.", ("text",)),
        "voting": Kind("All vote for one of the candidates.", ("round", "voters", "candidates", "runoff")),
        "vote": Kind("A vote; null: an abstention.", ("seat",), "seat", "shell"),
        "tally": Kind("All votes, and who is tied on top.", ("round", "votes", "runoff", "tied")),
        "accused": Kind(
            "Whom the table accuses, or nobody; whether that is the chameleon.", ("chameleon",), ends_round=True
        ),
        "guessing": Kind("The chameleon, caught, may guess the word."),
        "guess": Kind("The guess; null: none.", ("text",)),
    } | KINDS

    # The deal ------------------------------------------------------------------------------------------------------

    def start(self, options: ChameleonOptions) -> ChameleonState:
        return ChameleonState(options)

    def check_setting(self, options: ChameleonOptions, setting: dict[str, Any]) -> None:
        check_deal(options, setting)
        super().check_setting(options, setting)

    def check_opening(self, options: ChameleonOptions, setting: dict[str, Any], seat: int, move: Any) -> None:
        text = Request("", "clue", seat, CLUE_FIELDS, 0).read(move)["text"]
        if seat != setting.get("chameleon") and holds_word(text, setting["word"]):
            raise Impossible(f"The opening clue '{text}' of seat {seat} holds its word.")

    def setup(self, options: ChameleonOptions, setting: dict[str, Any], chance: Chance) -> Iterator[Draft]:
        seats = range(1, options.seats + 1)
        word = plain(setting["word"])
        chameleon = setting.get("chameleon") or chance.pick("record.chameleon", seats)
        topic = plain(setting["topic"])
        yield Draft("opened", None, {"seats": options.seats, "topic": topic, "clue_rounds": options.clue_rounds})
        for seat in seats:
            hand = {"word": None if seat == chameleon else word, "chameleon": seat == chameleon}
            yield Draft("dealt", seat, hand, (seat,))
        yield Draft("record", None, {"chameleon": chameleon, "word": word}, ())

    def deal(self, state: ChameleonState) -> dict[str, Any]:
        return {"topic": state.topic, "word": state.word, "chameleon": state.chameleon}

    # The moderator -------------------------------------------------------------------------------------------------

    def proceed(self, state: ChameleonState, chance: Chance) -> list[Draft]:
        return [] if state.step == "over" else getattr(self, f"_{state.step}")(state, chance)

    def _round(self, state: ChameleonState, chance: Chance) -> list[Draft]:
        drawn = state.options.order == "drawn"
        order = chance.shuffle("round.order", state.seats) if drawn else state.seats
        return [Draft("round", None, {"round": state.round + 1, "order": order})]

    def _turn(self, state: ChameleonState, chance: Chance) -> list[Draft]:
        return [Draft("turn", state.turn, {})]

    def _discussing(self, state: ChameleonState, chance: Chance) -> list[Draft]:
        return [Draft("discussing", None, {"round": state.round, "seats": state.seats})]

    def _voting(self, state: ChameleonState, chance: Chance) -> list[Draft]:
        data = {
            "round": state.round,
            "voters": state.seats,
            "candidates": state.tallies[-1]["tied"] if state.runoff else state.seats,
            "runoff": state.runoff,
        }
        return [Draft("voting", None, data)]

    def _tally(self, state: ChameleonState, chance: Chance) -> list[Draft]:
        received = Counter(target for target in state.votes.values() if target is not None)
        most = max(received.values(), default=0)
        top = [seat for seat in state.candidates if received[seat] == most]
        data = {
            "round": state.round,
            "votes": {str(voter): state.votes[voter] for voter in state.seats},
            "runoff": state.runoff,
            "tied": top if len(top) > 1 else None,
        }
        return [Draft("tally", None, data)]

    def _accused(self, state: ChameleonState, chance: Chance) -> list[Draft]:
        tally = state.tallies[-1]
        if tally["tied"] is not None:
            return [Draft("accused", None, {"chameleon": None})]
        received = Counter(target for target in tally["votes"].values() if target is not None)
        ((seat, _),) = received.most_common(1)
        return [Draft("accused", seat, {"chameleon": seat == state.chameleon})]

    def _guessing(self, state: ChameleonState, chance: Chance) -> list[Draft]:
        return [Draft("guessing", state.accused, {})]

    # Folding -------------------------------------------------------------------------------------------------------

    def on_opened(self, state: ChameleonState, event: Event) -> None:
        state.topic = event.data["topic"]

    def on_dealt(self, state: ChameleonState, event: Event) -> None:
        if event.data is not None:
            state.words[event.seat] = event.data["word"]

    def on_record(self, state: ChameleonState, event: Event) -> None:
        state.chameleon, state.word = event.data["chameleon"], event.data["word"]

    def on_round(self, state: ChameleonState, event: Event) -> None:
        state.step = "turn"
        state.round, state.order, state.spoken = event.data["round"], event.data["order"], 0

    def on_turn(self, state: ChameleonState, event: Event) -> None:
        state.ask(event, "clue", event.seat, CLUE_FIELDS)

    def on_clue(self, state: ChameleonState, event: Event) -> None:
        state.clues.append({"round": state.round, "seat": event.seat, "text": event.data["text"]})
        state.spoken += 1
        if state.spoken == len(state.order):
            vote = "discussing" if state.options.discussion == FREE else "voting"
            state.step = "round" if state.round < state.options.clue_rounds else vote

    def on_discussing(self, state: ChameleonState, event: Event) -> None:
        super().on_discussing(state, event)
        state.phase, state.step = "talk", "voting"

    def on_voting(self, state: ChameleonState, event: Event) -> None:
        state.phase, state.step = "votes", "tally"
        state.candidates, state.votes = event.data["candidates"], {}
        for voter in event.data["voters"]:
            state.ask(event, "vote", voter, (OneSeat("seat", seats=others(state.candidates, voter)),))

    def on_vote(self, state: ChameleonState, event: Event) -> None:
        if event.data is not None:
            state.votes[event.seat] = event.data["seat"]

    def on_tally(self, state: ChameleonState, event: Event) -> None:
        state.tallies.append(event.data)
        again = event.data["tied"] is not None and state.options.tie == "runoff" and not event.data["runoff"]
        state.step, state.runoff = ("voting", True) if again else ("accused", False)

    def on_accused(self, state: ChameleonState, event: Event) -> None:
        state.accused, state.caught = event.seat, event.data["chameleon"] is True
        state.step = "guessing" if state.caught else "over"

    def on_guessing(self, state: ChameleonState, event: Event) -> None:
        state.phase = "guess"
        state.ask(event, "guess", event.seat, GUESS_FIELDS)

    def on_guess(self, state: ChameleonState, event: Event) -> None:
        state.guess, state.step = event.data["text"], "over"

    def on_finished(self, state: ChameleonState, event: Event) -> None:
        super().on_finished(state, event)
        state.phase = state.step = "over"

    def on_ended(self, state: ChameleonState, event: Event) -> None:
        super().on_ended(state, event)
        state.phase = state.step = "over"

    # Acting --------------------------------------------------------------------------------------------------------

    def act_clue(self, state: ChameleonState, request: Request, action: dict[str, Any]) -> dict[str, Any] | Refusal:
        word = state.words[request.seat]
        if word is not None and holds_word(action["text"], word):
            return Refusal("own_word", "Your clue holds your word. Try another.", keep=True)
        if any(clue["text"] is not None and repeats(action["text"], clue["text"]) for clue in state.clues):
            return Refusal("repeat", "That clue was given before. Try another.", keep=True)
        return action

    def check_talk(self, state: ChameleonState, seat: int, text: str) -> Refusal | None:
        word = state.words[seat]
        if word is not None and holds_word(text, word):
            return Refusal("own_word", "You may not say the word. Put it in another way.", keep=True)
        return None

    def default_clue(self, state: ChameleonState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"text": None}

    def default_vote(self, state: ChameleonState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"seat": None}

    def default_guess(self, state: ChameleonState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"text": None}

    # The end -------------------------------------------------------------------------------------------------------

    def result(self, state: ChameleonState) -> Outcome:
        """Points are MAgIC's credits. An even vote and a right guess share them, so nobody wins."""
        if state.step != "over":
            return Outcome()
        if state.accused is None:
            result = "even"
        elif not state.caught:
            result = "chameleon"
        else:
            right = state.guess is not None and self._is_right(state)
            result = "guessed" if right else "non_chameleons"
        hidden, known = CREDITS[result]
        returns = {seat: hidden if seat == state.chameleon else known for seat in state.seats}
        winners = tuple(seat for seat, credits in returns.items() if credits == 2)
        return Outcome("finished", result, winners, returns)

    def _is_right(self, state: ChameleonState) -> bool:
        check = near_answer if state.options.near_guess else is_answer
        return check(state.guess, state.word)

    def sides(self, state: ChameleonState) -> dict[int, str]:
        return {seat: CHAMELEON if seat == state.chameleon else OTHERS for seat in state.seats}

    # What may be known ---------------------------------------------------------------------------------------------

    def public(self, state: ChameleonState) -> dict[str, Any]:
        return {
            "phase": state.phase,
            "topic": state.topic,
            "round": state.round,
            "rounds": state.options.clue_rounds,
            "order": list(state.order),
            "turn": state.turn,
            "clues": list(state.clues),
            "talk": list(state.talk),
            "talking": list(state.talking),
            "candidates": list(state.candidates) if state.phase == "votes" else [],
            "tallies": list(state.tallies),
            "accused": state.accused,
            "caught": state.caught,
            "guess": state.guess,
        }

    def card(self, state: ChameleonState, seat: int) -> dict[str, Any]:
        if seat not in state.words:
            return {}
        return {"word": state.words[seat], "chameleon": state.words[seat] is None}

    # Polls ---------------------------------------------------------------------------------------------------------

    def poll(self, state: ChameleonState) -> Poll | None:
        """`magic`: after every clue all are asked for their own side, the odd one, and whom each other suspects."""
        if state.options.polls != "magic" or not state.clues or state.phase != "clues":
            return None
        fields = {seat: magic_fields(OWN_SIDE, seat, state.seats) for seat in state.seats}
        return Poll(f"clue {len(state.clues)}", fields)
