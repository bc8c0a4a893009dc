"""Chameleon: all but one know a word of a common topic; the one who does not knows that, and blends in.

Presets: `magic` as in MAgIC (Xu et al. 2023, section 3.1), and `party` for friends.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from games.chameleon.setting import CHAMELEON, OTHER, OTHERS, ChameleonOptions, check_deal, own_words
from games.rules.cast import Member, one_apart
from games.rules.chance import Chance
from games.rules.clue_game import KINDS, ClueGame, ClueState, says_word
from games.rules.clues import is_answer, near_answer
from games.rules.core import Poll
from games.rules.discussion import UNLIMITED, said
from games.rules.fields import TEXT_LIMIT, plain
from games.rules.guesses import readings
from games.rules.options import Preset
from games.rules.own_words import FAR, Compared
from games.rules.polls import magic_fields, own_side
from games.rules.sentences import sentence
from games.rules.values import Draft, Event, Impossible, Kind, MaybeNone, Outcome, Request

OWN_SIDE, WHO = own_side(CHAMELEON, OTHERS), sentence("Who is the chameleon?")

# MAgIC's credits, as its figure 5 plays them: of the chameleon, of everybody else.
CREDITS = {"non_chameleons": (0, 2), "chameleon": (2, 0), "even": (1, 1), "guessed": (1, 1)}


class ChameleonState(ClueState[ChameleonOptions]):
    """`chameleon` and `word` are None where the viewer may not know them."""

    def __init__(self, options: ChameleonOptions):
        super().__init__(options)
        self.topic = ""
        self.chameleon: int | None = None
        self.word: str | MaybeNone = None
        self.accused: int | None = None
        self.caught = False
        self.guess: str | MaybeNone = None


class Chameleon(ClueGame[ChameleonState, ChameleonOptions]):
    name: ClassVar[str] = "chameleon"
    title: ClassVar[str] = sentence("Chameleon")
    about: ClassVar[str] = sentence(
        "Everybody knows the topic, and all but one know the word. Find the one who is bluffing."
    )
    version: ClassVar[int] = 2
    earlier: ClassVar[dict[int, dict[str, Any]]] = {
        1: {"guess_in_sentence": False, "speech_limit": TEXT_LIMIT, "disguises": False}
    }
    teams: ClassVar[tuple[str, ...]] = (OTHERS, CHAMELEON)
    sought: ClassVar[str] = CHAMELEON
    role_words: ClassVar[dict[str, tuple[str, ...]]] = {CHAMELEON: (CHAMELEON,), OTHER: ()}
    role_names: ClassVar[tuple[str, ...]] = (CHAMELEON,)
    role_on: ClassVar[dict[str, str]] = {OTHERS: OTHER}
    results: ClassVar[tuple[str, ...]] = tuple(CREDITS)
    presets: ClassVar[dict[str, Preset]] = {
        "magic": Preset(
            ChameleonOptions(order="seats", tie="even", near_guess=False, speech_limit=UNLIMITED),
            sentence("Three seats, one clue each, one vote, one guess. As in the MAgIC paper."),
            3,
            3,
        ),
        "party": Preset(
            ChameleonOptions(), sentence("One clue each, then a vote. For 3 to 8."), 3, 8, sentence("Classic")
        ),
    }
    players: ClassVar[tuple[str, int]] = ("party", 5)
    quick: ClassVar[tuple[str, int]] = ("party", 5)
    after_vote: ClassVar[str] = "accused"
    kinds: ClassVar[dict[str, Kind]] = {
        "opened": Kind(sentence("The match begins; everybody knows the topic."), ("seats", "topic", "clue_rounds")),
        "dealt": Kind(sentence("The word, or to be the chameleon."), ("word", "chameleon"), "seat", "shell"),
        "record": Kind(sentence("What was dealt, for the record."), ("chameleon", "word"), "nobody", "nothing"),
        "accused": Kind(
            sentence("Whom the table accuses, or nobody; whether that is the chameleon."),
            ("chameleon",),
            ends_round=True,
            beats=1,
        ),
        "guessing": Kind(sentence("The chameleon, caught, may guess the word.")),
    } | KINDS

    own_lines: ClassVar[str] = sentence("A topic and words of it in each line.")
    own_example: ClassVar[str] = "fruits: apple, pear, plum\nsports: golf, tennis"
    own_fields: ClassVar[tuple[str, ...]] = ("word",)

    def own_settings(self, line: str) -> list[dict[str, Any]]:
        return own_words(line)

    def own_compared(self, settings: Sequence[tuple[int, dict[str, Any]]]) -> Iterator[Compared]:
        yield from (Compared(line, setting["word"], setting["topic"], (FAR,)) for line, setting in settings)

    # The deal ------------------------------------------------------------------------------------------------------

    def start(self, options: ChameleonOptions) -> ChameleonState:
        return ChameleonState(options)

    def check_setting(self, options: ChameleonOptions, setting: dict[str, Any]) -> None:
        check_deal(options, setting)
        super().check_setting(options, setting)

    def check_opening(self, options: ChameleonOptions, setting: dict[str, Any], seat: int, move: Any) -> None:
        text = Request("", "clue", seat, said(options), 0).read(move)["text"]
        if seat != setting.get("chameleon") and says_word(text, setting["word"], options):
            raise Impossible(sentence("The opening clue '{text}' of seat {seat} holds its word.", text=text, seat=seat))

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

    def _accused(self, state: ChameleonState, chance: Chance) -> list[Draft]:
        seat = state.most_votes()
        return [Draft("accused", seat, {"chameleon": None if seat is None else seat == state.chameleon})]

    def _guessing(self, state: ChameleonState, chance: Chance) -> list[Draft]:
        return [Draft("guessing", state.accused, {})]

    # Folding -------------------------------------------------------------------------------------------------------

    def on_opened(self, state: ChameleonState, event: Event) -> None:
        state.topic = event.data["topic"]

    def on_record(self, state: ChameleonState, event: Event) -> None:
        state.chameleon, state.word = event.data["chameleon"], event.data["word"]

    def on_accused(self, state: ChameleonState, event: Event) -> None:
        state.accused, state.caught = event.seat, event.data["chameleon"] is True
        state.step = "guessing" if state.caught else "over"

    def on_guess(self, state: ChameleonState, event: Event) -> None:
        state.guess, state.step = event.data["text"], "over"

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
        returns = {seat: hidden if seat == state.chameleon else known for seat in state.playing}
        winners = tuple(seat for seat, credits in returns.items() if credits == 2)
        return Outcome("finished", result, winners, returns)

    def _is_right(self, state: ChameleonState) -> bool:
        check = near_answer if state.options.near_guess else is_answer
        return any(check(guess, state.word) for guess in readings(state.guess, state.options))

    # The cast ------------------------------------------------------------------------------------------------------

    def cast(self, state: ChameleonState) -> dict[int, Member]:
        return one_apart(state.playing, state.chameleon, (CHAMELEON, CHAMELEON), (OTHER, OTHERS))

    def own_side(self, card: Mapping[str, Any]) -> str | None:
        return CHAMELEON if card["chameleon"] else OTHERS

    def with_sought(self, setting: dict[str, Any], seat: int) -> dict[str, Any]:
        return setting | {"chameleon": seat}

    # What may be known ---------------------------------------------------------------------------------------------

    def public(self, state: ChameleonState) -> dict[str, Any]:
        return super().public(state) | {
            "topic": state.topic,
            "rounds": state.options.clue_rounds,
            "accused": state.accused,
            "caught": state.caught,
            "guess": state.guess,
        }

    def card(self, state: ChameleonState, seat: int) -> dict[str, Any]:
        if seat not in state.words:
            return {}
        return {"topic": state.topic, "word": state.words[seat], "chameleon": state.words[seat] is None}

    def known(self, state: ChameleonState, request: Request) -> dict[str, Any]:
        """The chameleon need not be asked who it is."""
        known = super().known(state, request)
        if request.kind == "poll" and request.seat in state.words and state.words[request.seat] is None:
            known["odd_one"] = request.seat
        return known

    # Polls ---------------------------------------------------------------------------------------------------------

    def poll(self, state: ChameleonState) -> Poll | None:
        """`magic`: after every clue all are asked for their own side, the odd one, and whom each other suspects."""
        if state.options.polls != "magic" or not state.clues or state.phase != "clues":
            return None
        fields = {seat: magic_fields(OWN_SIDE, WHO, seat, state.playing) for seat in state.playing}
        return Poll(f"clue {len(state.clues)}", fields)
