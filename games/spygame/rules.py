"""SpyGame: all but one know where they are. They ask one another to find the spy, who listens to find the place.

Preset `seed004` as in the paper on evaluating players of social deduction (SpyGame, section III-A), a form of Spyfall
counted in turns; and `party` for friends. Before every turn but the first the moderator asks the spy, and nobody else
knows whom, which place it takes it for and how sure it is; from a threshold on it stands up and names the place. The
paper has such a threshold without a number. Where the table has none, the spy says itself whether it stands up.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, ClassVar

from games.rules.cast import Member, one_apart
from games.rules.chance import Chance
from games.rules.clues import holds_word, same_answer
from games.rules.discussion import FREE, KINDS, UNLIMITED, Discussion, TalkState, said
from games.rules.disguise import hides
from games.rules.fields import (
    TEXT_LIMIT,
    Choice,
    Field,
    Flag,
    Malformed,
    Number,
    OneSeat,
    Text,
    narrowed,
    plain,
    vote_for,
)
from games.rules.guesses import readings
from games.rules.options import Preset
from games.rules.own_words import NEAR, Compared
from games.rules.sentences import Seat, sentence
from games.rules.values import Draft, Event, Impossible, Kind, MaybeNone, Outcome, Refusal, Request, Seen, Shell
from games.spygame.setting import THRESHOLD, SpyGameOptions, check_deal, in_seat_order, listed, own_place

SPY, CITIZEN, CITIZENS = "spy", "citizen", "citizens"
# Who wins by each way in which a match ends.
WINNERS = {
    "spy_accused": CITIZENS,
    "citizen_accused": SPY,
    "right_guess": SPY,
    "wrong_guess": CITIZENS,
    "spy_voted": CITIZENS,
    "citizen_voted": SPY,
    "vote_tied": SPY,
}

Fields = tuple[Field, ...]
Ways = tuple[Fields, ...]

DAY_VOTE_FIELDS = (Flag("agree", label=sentence("Do you agree that the accused is the spy?")),)


class SpyGameState(TalkState[SpyGameOptions]):
    """The table as a fold knows it. `place`, `spy` and `cards` hold what the viewer may know; `exchanges` are questions
    with their answers.

    `step` is what the moderator does next once nobody is waited for. Only of a hidden answer it may differ between
    folds, and then for one event.
    """

    def __init__(self, options: SpyGameOptions):
        super().__init__(options)
        self.step = "turn"
        self.phase = "lead"
        self.place: str | MaybeNone = None
        self.spy: int | None = None
        self.cards: dict[int, dict[str, Any]] = {}
        self.places: list[str] = []
        self.turn = 0
        self.leader = 0
        self.asked_by: int | None = None
        self.exchanges: list[dict[str, Any]] = []
        self.accusation: dict[str, Any] | MaybeNone = None
        self.accusations: list[dict[str, Any]] = []
        self.votes: dict[int, Any] = {}
        self.final: dict[str, Any] | None = None
        self.guess: str | None = None
        self.revealed: dict[str, Any] | None = None
        self.certainties: list[dict[str, Any]] = []

    @property
    def everybody(self) -> range:
        return range(1, self.options.seats + 1)


class SpyGame(Discussion[SpyGameState, SpyGameOptions]):
    name: ClassVar[str] = "spygame"
    title: ClassVar[str] = sentence("SpyGame")
    about: ClassVar[str] = sentence(
        "All but one know the place. Ask, answer, and find the spy before the spy finds the place."
    )
    version: ClassVar[int] = 3
    earlier: ClassVar[dict[int, dict[str, Any]]] = {
        1: {"guess_in_sentence": False, "speech_limit": TEXT_LIMIT, "by_list": False, "threshold": None},
        2: {"threshold": None},
    }
    teams: ClassVar[tuple[str, ...]] = (CITIZENS, SPY)
    sought: ClassVar[str] = SPY
    spoken: ClassVar[bool] = True
    common_knowledge: ClassVar[str] = "place"
    asking: ClassVar[frozenset[str]] = frozenset(("asking", "turn", "accused", "voting", "discussing"))
    knowing: ClassVar[frozenset[str]] = frozenset(("reveal",))
    role_words: ClassVar[dict[str, tuple[str, ...]]] = {SPY: (SPY,), CITIZEN: ()}
    role_names: ClassVar[tuple[str, ...]] = (SPY,)
    role_on: ClassVar[dict[str, str]] = {CITIZENS: CITIZEN}
    results: ClassVar[tuple[str, ...]] = tuple(WINNERS)
    presets: ClassVar[dict[str, Preset]] = {
        "seed004": Preset(
            SpyGameOptions(turns=9, list_places=False, ask_back=True, threshold=THRESHOLD, speech_limit=UNLIMITED),
            sentence(
                "Nine turns, one spy, no list of places. Seven seats in the SpyGame paper. How sure the spy must be "
                "to stand up is our choice."
            ),
            5,
            10,
        ),
        "party": Preset(
            SpyGameOptions(by_list=True, threshold=THRESHOLD),
            sentence("Everybody sees the list of places. For 5 to 10."),
            5,
            10,
            sentence("Classic"),
        ),
    }
    players: ClassVar[tuple[str, int]] = ("party", 6)
    quick: ClassVar[tuple[str, int]] = ("party", 6)
    secret: ClassVar[frozenset[str]] = frozenset({"reveal"})
    kinds: ClassVar[dict[str, Kind]] = {
        "opened": Kind(
            sentence("The match begins; places: where it may be, if all are told."),
            ("seats", "turns", "places", "first_leader"),
        ),
        "dealt": Kind(
            sentence("A seat's place and role; the spy gets neither."), ("place", "role", "spy"), "seat", "shell"
        ),
        "record": Kind(
            sentence("What was dealt, for the record; pool: the roles as they were drawn, the first ones dealt."),
            ("place", "spy", "roles", "pool"),
            "nobody",
        ),
        "asking": Kind(sentence("The moderator asks the spy, without saying who that is."), ("turn",)),
        "reveal": Kind(
            sentence(
                "The spy's answer: which place it takes it for, how sure it is in percent, and the threshold of its "
                "player, if it is not the table's. Where the table has none: whether to reveal, the guess, how sure "
                "it is."
            ),
            ("place", "certainty", "threshold", "reveal", "guess"),
            "seat",
            words=("place", "guess"),
        ),
        "revealed": Kind(
            sentence("The spy stands up and guesses the place."),
            ("guess",),
            turning=lambda event: True,
            words=("guess",),
            beats=2,
        ),
        "turn": Kind(sentence("A seat leads this turn."), ("turn",)),
        "lead": Kind(
            sentence("The leader asks a seat (text), or accuses it (accuse); all null: the leader stayed silent."),
            ("seat", "text", "accuse"),
            words=("text",),
        ),
        "answer": Kind(
            sentence("The answer; null: silence."),
            ("text",),
            ends_round=True,
            turning=lambda event: False,
            words=("text",),
        ),
        "accused": Kind(
            sentence("All but accuser and accused vote on an accusation."), ("accuser", "accused", "voters")
        ),
        "day_vote": Kind(sentence("Whether a seat agrees with the accusation."), ("agree",), "seat", "shell"),
        "day_voted": Kind(
            sentence("All votes on the accusation; agreed by all, it ends the match."),
            ("accuser", "accused", "votes", "agreed"),
            ends_round=True,
            turning=lambda event: event.data["agreed"],
            beats=1,
        ),
        "voting": Kind(sentence("The turns are over; all vote for whom they take for the spy."), ("voters",)),
        "vote": Kind(sentence("A vote; null: an abstention."), ("seat",), "seat", "shell"),
        "voted": Kind(sentence("All votes, and who has the most."), ("votes", "top"), beats=1),
    } | KINDS

    own_lines: ClassVar[str] = sentence("A place in each line; roles there may follow after a colon.")
    own_example: ClassVar[str] = "my old school: pupil, teacher, caretaker\nthe lake\ngrandma's kitchen"
    own_fields: ClassVar[tuple[str, ...]] = ("place",)
    own_least: ClassVar[int] = 3

    def own_settings(self, line: str) -> list[dict[str, Any]]:
        return own_place(line)

    def own_compared(self, settings: Sequence[tuple[int, dict[str, Any]]]) -> Iterator[Compared]:
        for (_line, one), (line, other) in combinations(settings, 2):
            yield Compared(line, one["place"], other["place"], (NEAR,))

    # The deal ------------------------------------------------------------------------------------------------------

    def start(self, options: SpyGameOptions) -> SpyGameState:
        return SpyGameState(options)

    def check_setting(self, options: SpyGameOptions, setting: dict[str, Any]) -> None:
        check_deal(options, setting)
        super().check_setting(options, setting)

    def drawn(self, setting: dict[str, Any], settings: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Everybody may be told the places that it was drawn from."""
        return {"places": listed(other["place"] for other in settings)} | setting

    def check_opening(self, options: SpyGameOptions, setting: dict[str, Any], seat: int, move: Any) -> None:
        others = _others(range(1, options.seats + 1), seat)
        for kind, fields in (("lead", _lead_fields(options, others)[0]), ("answer", said(options))):
            try:
                Request("", kind, seat, fields, 0).read(move)
                return
            except Malformed as error:
                problem = error.sentence
        raise Impossible(sentence("It is not a question, an accusation or an answer. {problem}", problem=problem))

    def setup(self, options: SpyGameOptions, setting: dict[str, Any], chance: Chance) -> Iterator[Draft]:
        seats = range(1, options.seats + 1)
        place = plain(setting["place"])
        places = listed(setting.get("places", ())) if options.list_places else []
        leader = setting.get("first_leader") or chance.pick("opened.first_leader", seats)
        yield Draft(
            "opened",
            None,
            {"seats": options.seats, "turns": options.turns, "places": places, "first_leader": leader},
        )
        spy = setting.get("spy") or chance.pick("record.spy", seats)
        record: dict[str, Any] = {"place": place, "spy": spy}
        if in_seat_order(options, setting):
            record["roles"] = [role and plain(role) for role in setting["roles"]]
        else:
            record["pool"] = chance.shuffle("record.pool", [plain(role) for role in setting["roles"]])
            roles = iter(record["pool"])
            record["roles"] = [None if seat == spy else next(roles) for seat in seats]
        for seat, role in enumerate(record["roles"], 1):
            hidden = seat == spy
            yield Draft("dealt", seat, {"place": None if hidden else place, "role": role, "spy": hidden}, (seat,))
        yield Draft("record", None, record, ())

    def deal(self, state: SpyGameState) -> dict[str, Any]:
        roles = [state.cards[seat]["role"] for seat in state.everybody]
        return {"place": state.place, "spy": state.spy, "roles": roles}

    # The moderator -------------------------------------------------------------------------------------------------

    def proceed(self, state: SpyGameState, chance: Chance) -> list[Draft]:
        return getattr(self, f"_{state.step}")(state, chance)

    def _asking(self, state: SpyGameState, chance: Chance) -> list[Draft]:
        return [Draft("asking", None, {"turn": state.turn + 1})]

    def _revealed(self, state: SpyGameState, chance: Chance) -> list[Draft]:
        return [Draft("revealed", state.spy, {"guess": state.guess})]

    def _turn(self, state: SpyGameState, chance: Chance) -> list[Draft]:
        return [Draft("turn", state.leader, {"turn": state.turn + 1})]

    def _accused(self, state: SpyGameState, chance: Chance) -> list[Draft]:
        return [Draft("accused", state.accusation["accused"], dict(state.accusation))]

    def _day_voted(self, state: SpyGameState, chance: Chance) -> list[Draft]:
        accusation = state.accusation
        votes = {str(voter): state.votes[voter] for voter in accusation["voters"]}
        data = {name: accusation[name] for name in ("accuser", "accused")}
        return [Draft("day_voted", accusation["accused"], data | {"votes": votes, "agreed": all(votes.values())})]

    def _discussing(self, state: SpyGameState, chance: Chance) -> list[Draft]:
        return [Draft("discussing", None, {"round": state.turn, "seats": list(state.everybody)})]

    def _voting(self, state: SpyGameState, chance: Chance) -> list[Draft]:
        return [Draft("voting", None, {"voters": list(state.everybody)})]

    def _voted(self, state: SpyGameState, chance: Chance) -> list[Draft]:
        received = Counter(target for target in state.votes.values() if target is not None)
        most = max(received.values(), default=0)
        top = [seat for seat in state.everybody if received[seat] == most]
        return [Draft("voted", None, {"votes": {str(seat): state.votes[seat] for seat in state.everybody}, "top": top})]

    def _over(self, state: SpyGameState, chance: Chance) -> list[Draft]:
        return []

    # Folding -------------------------------------------------------------------------------------------------------

    def on_opened(self, state: SpyGameState, event: Event) -> None:
        state.places, state.leader = event.data["places"], event.data["first_leader"]

    def on_dealt(self, state: SpyGameState, event: Seen) -> None:
        if isinstance(event, Shell):
            return
        state.cards[event.seat] = event.data
        if event.data["spy"]:
            state.spy = event.seat
        else:
            state.place = event.data["place"]

    def on_record(self, state: SpyGameState, event: Event) -> None:
        state.place, state.spy = event.data["place"], event.data["spy"]

    def on_asking(self, state: SpyGameState, event: Event) -> None:
        state.phase, state.step = "asking", "turn"
        if state.spy is not None:
            fields, unasked, ways = _reveal_fields(state)
            state.ask(event, "reveal", state.spy, fields, audience=(state.spy,), unasked=unasked, ways=ways)

    def on_reveal(self, state: SpyGameState, event: Event) -> None:
        state.certainties.append({"turn": state.turn + 1, **event.data})
        if stands_up(state.options, event.data):
            state.step, state.guess = "revealed", believed(event.data)

    def on_revealed(self, state: SpyGameState, event: Event) -> None:
        state.phase, state.step = "revealed", "over"
        state.revealed = {"seat": event.seat, "guess": event.data["guess"]}

    def on_turn(self, state: SpyGameState, event: Event) -> None:
        state.phase, state.turn, state.leader = "lead", event.data["turn"], event.seat
        barred = None if state.options.ask_back else state.asked_by
        fields, ways = _lead_fields(state.options, _others(state.everybody, event.seat), barred)
        state.ask(event, "lead", event.seat, fields, ways=ways)

    def on_lead(self, state: SpyGameState, event: Event) -> None:
        leader, target = event.seat, event.data["seat"]
        if event.data["accuse"]:
            voters = list(_others(_others(state.everybody, leader), target))
            state.accusation = {"accuser": leader, "accused": target, "voters": voters}
            state.step = "accused"
            return
        question = {"turn": state.turn, "leader": leader, "seat": target, "question": event.data["text"]}
        state.exchanges.append(question | {"answer": None})
        if target is None:
            self._end_turn(state, leader % state.options.seats + 1, None)
            return
        state.phase = "answer"
        state.ask(event, "answer", target, said(state.options, sentence("What is your answer?")))

    def on_answer(self, state: SpyGameState, event: Event) -> None:
        state.exchanges[-1]["answer"] = event.data["text"]
        self._end_turn(state, event.seat, state.leader)

    def on_accused(self, state: SpyGameState, event: Event) -> None:
        state.phase, state.step, state.votes = "day_vote", "day_voted", {}
        for voter in event.data["voters"]:
            state.ask(event, "day_vote", voter, DAY_VOTE_FIELDS)

    def on_day_vote(self, state: SpyGameState, event: Seen) -> None:
        if isinstance(event, Event):
            state.votes[event.seat] = event.data["agree"]

    def on_day_voted(self, state: SpyGameState, event: Event) -> None:
        state.accusations.append({"turn": state.turn, **event.data})
        if event.data["agreed"]:
            state.step = "over"
        else:
            self._end_turn(state, event.data["accused"], None)

    def on_discussing(self, state: SpyGameState, event: Event) -> None:
        super().on_discussing(state, event)
        state.phase, state.step = "talk", "voting"

    def on_voting(self, state: SpyGameState, event: Event) -> None:
        state.phase, state.step, state.votes = "vote", "voted", {}
        for voter in event.data["voters"]:
            state.ask(event, "vote", voter, (vote_for(_others(state.everybody, voter)),))

    def on_vote(self, state: SpyGameState, event: Seen) -> None:
        if isinstance(event, Event):
            state.votes[event.seat] = event.data["seat"]

    def on_voted(self, state: SpyGameState, event: Event) -> None:
        state.final, state.step = event.data, "over"

    def _end_turn(self, state: SpyGameState, leader: int, asked_by: int | None) -> None:
        state.leader, state.asked_by, state.accusation = leader, asked_by, None
        vote = "discussing" if state.options.discussion == FREE else "voting"
        state.step = vote if state.turn >= state.options.turns else "asking"

    # Acting --------------------------------------------------------------------------------------------------------

    def act_lead(self, state: SpyGameState, request: Request, action: dict[str, Any]) -> dict[str, Any] | Refusal:
        """An accusation is said; without a word on it the leader asks."""
        if action["accuse"]:
            return {"seat": action["seat"], "text": None, "accuse": True}
        if action["text"] is None:
            return Refusal("no_question", sentence("Write your question first."))
        if named := self.check_talk(state, request.seat, action["text"]):
            return named
        if not state.options.ask_back and action["seat"] == state.asked_by:
            return Refusal(
                "ask_back", sentence("You cannot ask back whoever has just asked you. Choose somebody else.")
            )
        return action | {"accuse": False}

    def act_answer(self, state: SpyGameState, request: Request, action: dict[str, Any]) -> dict[str, Any] | Refusal:
        return self.check_talk(state, request.seat, action["text"]) or action

    def check_talk(self, state: SpyGameState, seat: int, text: str) -> Refusal | None:
        """Nobody may name any place of the list: were it only the true one, the refusal would tell the spy."""
        if state.options.by_list and any(holds_word(text, place) or hides(text, place) for place in state.places):
            return Refusal(
                "names_place", sentence("No place of the list may be named. Speak of it without its name."), keep=True
            )
        return None

    def act_reveal(self, state: SpyGameState, request: Request, action: dict[str, Any]) -> dict[str, Any] | Refusal:
        if action.get("reveal") and action["guess"] is None:
            return Refusal("no_guess", sentence("Name the place first, then reveal."))
        return action

    def default_lead(self, state: SpyGameState, request: Request, chance: Chance) -> dict[str, Any]:
        """Silence: the turn is used up, and the next seat leads."""
        return {"seat": None, "text": None, "accuse": False}

    def default_answer(self, state: SpyGameState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"text": None}

    def default_day_vote(self, state: SpyGameState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"agree": False}

    def default_vote(self, state: SpyGameState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"seat": None}

    def default_reveal(self, state: SpyGameState, request: Request, chance: Chance) -> dict[str, Any]:
        if state.options.threshold is None:
            return {"reveal": False, "guess": None, "certainty": None}
        return {"place": None, "certainty": 0}

    # The end -------------------------------------------------------------------------------------------------------

    def _result(self, state: SpyGameState) -> str | None:
        if state.revealed is not None:
            guess = state.revealed["guess"]
            named = readings(guess, state.options) if guess is not None else ()
            return "right_guess" if any(same_answer(reading, state.place) for reading in named) else "wrong_guess"
        if state.accusations and state.accusations[-1]["agreed"]:
            return "spy_accused" if state.accusations[-1]["accused"] == state.spy else "citizen_accused"
        if state.final is None:
            return None
        top = state.final["top"]
        if len(top) > 1:
            return "vote_tied"
        return "spy_voted" if top == [state.spy] else "citizen_voted"

    def result(self, state: SpyGameState) -> Outcome:
        """One point to each of the side that wins; the paper counts games won, not points."""
        result = self._result(state)
        if result is None:
            return Outcome()
        winners = tuple(seat for seat, side in self.sides(state).items() if side == WINNERS[result])
        return Outcome("finished", result, winners, {seat: int(seat in winners) for seat in state.everybody})

    def cast(self, state: SpyGameState) -> dict[int, Member]:
        """What a citizen is at the place is no role of the game: it hides nothing and wins nothing."""
        return one_apart(state.everybody, state.spy, (SPY, SPY), (CITIZEN, CITIZENS))

    def own_side(self, card: Mapping[str, Any]) -> str | None:
        return SPY if card["spy"] else CITIZENS

    def summary(self, outcome: Outcome, state: SpyGameState) -> dict[str, Any]:
        return super().summary(outcome, state) | {"winner": WINNERS.get(outcome.result or ""), "turns": state.turn}

    # What may be known ---------------------------------------------------------------------------------------------

    def public(self, state: SpyGameState) -> dict[str, Any]:
        return {
            "phase": state.phase,
            "turn": state.turn,
            "turns": state.options.turns,
            "leader": state.leader,
            "asked_by": state.asked_by,
            "ask_back": state.options.ask_back,
            "exchanges": [dict(exchange) for exchange in state.exchanges],
            "talk": list(state.talk),
            "talking": list(state.talking),
            "accusation": state.accusation and dict(state.accusation),
            "accusations": list(state.accusations),
            "votes": state.final,
            "places": list(state.places),
            "threshold": state.options.threshold,
            "revealed": state.revealed,
        }

    def card(self, state: SpyGameState, seat: int) -> dict[str, Any]:
        return dict(state.cards.get(seat, {}))


@lru_cache(4096)
def _lead_fields(options: SpyGameOptions, others: tuple[int, ...], barred: int | None = None) -> tuple[Fields, Ways]:
    """What the leader is asked, and the two ways to answer: with a question, or with an accusation, before which a
    question counts for nothing. barred: who may be accused, and may not be asked back."""
    label = (
        sentence("Whom do you ask, or accuse of being the spy?")
        if barred is None
        else sentence(
            "Whom do you ask, or accuse of being the spy? You may accuse {seat}, but not ask back.", seat=Seat(barred)
        )
    )
    whom = OneSeat("seat", seats=others, label=label)
    question = said(options, sentence("What is your question? Leave it empty if you accuse."), optional=True)
    fields = whom, *question, Flag("accuse", label=sentence("Do you accuse that seat?"))
    asked = {"seats": _others(others, barred)}
    asking = narrowed(fields, seat=asked, text={"optional": False}, accuse={"only": False})
    return fields, (asking, narrowed(fields, accuse={"only": True}))


def _reveal_fields(state: SpyGameState) -> tuple[Fields, Fields, Ways]:
    """What the spy is asked, what it may bring along, and the ways to answer, if there are two: who stands up names a
    place."""
    says_itself = state.options.threshold is None
    name = "guess" if says_itself else "place"
    common: dict[str, Any] = {"optional": True, "label": sentence("Which place is it, as you think?")}
    place: Field = Text(name, limit=state.options.speech_limit, **common)
    if state.options.by_list and state.places:
        place = Choice(name, options=tuple(state.places), **common)
    sure = Number("certainty", optional=says_itself, label=sentence("How certain are you of the place, in percent?"))
    if says_itself:
        fields = Flag("reveal", label=sentence("Do you reveal yourself and guess now?")), place, sure
        standing_up = narrowed(fields, reveal={"only": True}, guess={"optional": False})
        return fields, (), (standing_up, narrowed(fields, reveal={"only": False}))
    return (place, sure), (Number("threshold"),), ()


def believed(answer: dict[str, Any]) -> str | None:
    """The place that the spy took it for when it was asked, None for no opinion."""
    return answer["guess"] if "guess" in answer else answer["place"]


def stands_up(options: SpyGameOptions, answer: dict[str, Any]) -> bool:
    """Whether the spy stands up with this answer: it says so, or it is sure enough of a place."""
    if "reveal" in answer:
        return answer["reveal"]
    return answer["place"] is not None and answer["certainty"] >= answer.get("threshold", options.threshold)


def _others(seats: Sequence[int], own: int | None) -> tuple[int, ...]:
    return tuple(seat for seat in seats if seat != own)
