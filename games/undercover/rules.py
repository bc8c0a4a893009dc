"""Undercover: two close words, one for the civilians and one for the undercovers; nobody is told a role.

Presets: `magic` as in MAgIC (Xu et al. 2023, section 3.1), `wiu` as in "Who is Undercover?" (Dong et al. 2024, section
3), and `party` for friends.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from games.rules.cast import ROLE, SIDE, Member
from games.rules.chance import Chance
from games.rules.clue_game import KINDS, ClueGame, ClueState, says_word
from games.rules.clues import same_answer
from games.rules.core import Poll
from games.rules.discussion import UNLIMITED, said
from games.rules.fields import TEXT_LIMIT, plain
from games.rules.guesses import readings
from games.rules.options import Preset
from games.rules.own_words import FAR, NEAR, Compared
from games.rules.polls import magic_fields, own_side, wiu_fields
from games.rules.sentences import sentence
from games.rules.values import Draft, Event, Impossible, Kind, MaybeNone, Outcome, Request
from games.undercover.setting import (
    BLANK,
    CIVILIAN,
    UNDERCOVER,
    UndercoverOptions,
    check_deal,
    own_pair,
    possible_words,
)

# MAgIC's points, as its results give them: 3 to who wins; an even vote gives 1 to a civilian and 2 to an undercover.
WIN, EVEN_CIVILIAN, EVEN_UNDERCOVER = 3, 1, 2

OWN_SIDE, WHO = own_side(CIVILIAN, UNDERCOVER), sentence("Who is the undercover?")


class UndercoverState(ClueState[UndercoverOptions]):
    """`roles`, like `words`, hold what the viewer may know."""

    def __init__(self, options: UndercoverOptions):
        super().__init__(options)
        self.alive: list[int] = list(range(1, options.seats + 1))
        self.out: dict[int, str | None] = {}
        self.roles: dict[int, str] = {}
        self.civilian_word: str | MaybeNone = None
        self.undercover_word: str | None = None
        self.guesser: int | None = None
        self.guesses: list[dict[str, Any]] = []

    @property
    def playing(self) -> list[int]:
        return list(self.alive)

    def left(self, role: str) -> int:
        """How many of a role are still in; from the whole fold only."""
        return sum(self.roles[seat] == role for seat in self.alive)


class Undercover(ClueGame[UndercoverState, UndercoverOptions]):
    name: ClassVar[str] = "undercover"
    title: ClassVar[str] = sentence("Undercover")
    about: ClassVar[str] = sentence(
        "Most of you hold the same word, a few a similar one, and nobody is told which. Give clues, then vote one out."
    )
    version: ClassVar[int] = 2
    earlier: ClassVar[dict[int, dict[str, Any]]] = {
        1: {"guess_in_sentence": False, "speech_limit": TEXT_LIMIT, "disguises": False}
    }
    teams: ClassVar[tuple[str, ...]] = (CIVILIAN, UNDERCOVER)
    sought: ClassVar[str] = UNDERCOVER
    told: ClassVar[bool] = False
    words_read: ClassVar[bool] = True
    role_words: ClassVar[dict[str, tuple[str, ...]]] = {CIVILIAN: (), UNDERCOVER: (UNDERCOVER,), BLANK: (BLANK,)}
    role_names: ClassVar[tuple[str, ...]] = (CIVILIAN, UNDERCOVER, BLANK)
    earlier_words: ClassVar[dict[str, str]] = {"civilians": CIVILIAN, "undercovers": UNDERCOVER}
    results: ClassVar[tuple[str, ...]] = ("civilians", "undercovers", "blank", "even")
    presets: ClassVar[dict[str, Preset]] = {
        "magic": Preset(
            UndercoverOptions(
                undercovers=1,
                blanks=0,
                clue_rounds=2,
                rounds=2,
                order="seats",
                tie="none",
                reveal_out=False,
                speech_limit=UNLIMITED,
            ),
            sentence("Three seats, one undercover, two rounds of clues, one vote. As in the MAgIC paper."),
            3,
            3,
        ),
        "wiu": Preset(
            UndercoverOptions(undercovers=2, blanks=0, rounds=3, reveal_out=False, speech_limit=UNLIMITED),
            sentence(
                "Five seats, two undercovers, and each round somebody is out. As in the paper on Who is Undercover. It "
                "names no rule for a tie; in our reading there is one more vote among the tied, then the lot decides."
            ),
            5,
            5,
        ),
        "party": Preset(
            UndercoverOptions(),
            sentence("After each round of clues one of you is out. For 4 to 12."),
            4,
            12,
            sentence("Classic"),
        ),
    }
    players: ClassVar[tuple[str, int]] = ("party", 5)
    quick: ClassVar[tuple[str, int]] = ("wiu", 5)
    after_vote: ClassVar[str] = "out"
    kinds: ClassVar[dict[str, Kind]] = {
        "opened": Kind(sentence("The match begins."), ("seats", "undercovers", "blanks", "rounds")),
        "dealt": Kind(sentence("A seat's word; null for a blank."), ("word",), "seat", "shell"),
        "record": Kind(
            sentence("What was dealt, for the record."),
            ("roles", "civilian_word", "undercover_word"),
            "nobody",
            "nothing",
        ),
        "out": Kind(
            sentence("A seat is out, or nobody; lot: the seat if chance chose it."),
            ("lot", "side"),
            ends_round=True,
            turning=lambda event: event.seat is not None,
            beats=1,
        ),
        "guessing": Kind(sentence("A blank that is out guesses the civilians' word.")),
    } | KINDS

    own_lines: ClassVar[str] = sentence("Two close words in each line.")
    own_example: ClassVar[str] = "cat, dog\ntea / coffee"
    own_fields: ClassVar[tuple[str, ...]] = ("civilian_word", "undercover_word")

    def own_settings(self, line: str) -> list[dict[str, Any]]:
        return own_pair(line)

    def own_compared(self, settings: Sequence[tuple[int, dict[str, Any]]]) -> Iterator[Compared]:
        pairs = {line: (setting["civilian_word"], setting["undercover_word"]) for line, setting in reversed(settings)}
        yield from (Compared(line, *pairs[line], (NEAR, FAR)) for line in sorted(pairs))

    # The deal ------------------------------------------------------------------------------------------------------

    def start(self, options: UndercoverOptions) -> UndercoverState:
        return UndercoverState(options)

    def check_setting(self, options: UndercoverOptions, setting: dict[str, Any]) -> None:
        check_deal(options, setting)
        super().check_setting(options, setting)

    def check_opening(self, options: UndercoverOptions, setting: dict[str, Any], seat: int, move: Any) -> None:
        text = Request("", "clue", seat, said(options), 0).read(move)["text"]
        if any(says_word(text, word, options) for word in possible_words(setting, seat)):
            raise Impossible(sentence("The opening clue '{text}' of seat {seat} holds its word.", text=text, seat=seat))

    def setup(self, options: UndercoverOptions, setting: dict[str, Any], chance: Chance) -> Iterator[Draft]:
        roles = self._roles(options, setting, chance)
        words = {CIVILIAN: plain(setting["civilian_word"]), UNDERCOVER: plain(setting["undercover_word"]), BLANK: None}
        public = {name: getattr(options, name) for name in ("seats", "undercovers", "blanks", "rounds")}
        yield Draft("opened", None, public)
        for seat, role in enumerate(roles, 1):
            yield Draft("dealt", seat, {"word": words[role]}, (seat,))
        record = {"roles": roles, "civilian_word": words[CIVILIAN], "undercover_word": words[UNDERCOVER]}
        yield Draft("record", None, record, ())

    def _roles(self, options: UndercoverOptions, setting: dict[str, Any], chance: Chance) -> list[str]:
        """Roles in seat order, as the setting fixes them or by lot."""
        if "undercovers" not in setting:
            pool = [UNDERCOVER] * options.undercovers + [BLANK] * options.blanks
            pool += [CIVILIAN] * (options.seats - len(pool))
            return chance.shuffle("record.roles", pool)
        undercovers, blanks = setting["undercovers"], setting.get("blanks", ())
        return [
            UNDERCOVER if seat in undercovers else BLANK if seat in blanks else CIVILIAN
            for seat in range(1, options.seats + 1)
        ]

    def deal(self, state: UndercoverState) -> dict[str, Any]:
        return {
            "roles": [state.roles[seat] for seat in sorted(state.roles)],
            "civilian_word": state.civilian_word,
            "undercover_word": state.undercover_word,
        }

    # The moderator -------------------------------------------------------------------------------------------------

    def _round(self, state: UndercoverState, chance: Chance) -> list[Draft]:
        if self._result(state) is not None:
            return []
        return super()._round(state, chance)

    def _out(self, state: UndercoverState, chance: Chance) -> list[Draft]:
        seat, lot = state.most_votes(), None
        if seat is None and state.options.tie != "none":
            seat = lot = chance.pick("out.lot", state.tallies[-1]["tied"])
        data: dict[str, Any] = {"lot": lot}
        if state.options.reveal_out:
            data["side"] = None if seat is None else state.roles[seat]
        return [Draft("out", seat, data)]

    def _guessing(self, state: UndercoverState, chance: Chance) -> list[Draft]:
        return [Draft("guessing", state.guesser, {})]

    # Folding -------------------------------------------------------------------------------------------------------

    def on_opened(self, state: UndercoverState, event: Event) -> None:
        pass

    def on_record(self, state: UndercoverState, event: Event) -> None:
        state.roles = dict(enumerate(event.data["roles"], 1))
        state.civilian_word = event.data["civilian_word"]
        state.undercover_word = event.data["undercover_word"]

    def on_out(self, state: UndercoverState, event: Event) -> None:
        state.step = "round"
        if event.seat is None:
            return
        state.alive.remove(event.seat)
        state.out[event.seat] = side = event.data.get("side")
        if side == BLANK:
            state.step, state.guesser = "guessing", event.seat

    def on_guess(self, state: UndercoverState, event: Event) -> None:
        state.step = "round"
        state.guesses.append({"seat": event.seat, "text": event.data["text"]})

    # The end -------------------------------------------------------------------------------------------------------

    def _result(self, state: UndercoverState) -> str | None:
        """How the match ends between two rounds, or None where it goes on."""
        guess = state.guesses[-1]["text"] if state.guesses else None
        named = readings(guess, state.options) if guess is not None else ()
        if any(same_answer(reading, state.civilian_word) for reading in named):
            return "blank"
        if not state.left(UNDERCOVER):
            return "civilians"
        if state.left(CIVILIAN) <= 1:
            return "undercovers"
        return "even" if state.round >= state.options.rounds else None

    def result(self, state: UndercoverState) -> Outcome:
        """Points: MAgIC's, with those who were voted out sharing their side's. A blank that is still in shares the
        civilians' points and their win; one that guessed the word takes all points alone."""
        result = self._result(state)
        if result is None:
            return Outcome()
        points = {
            "civilians": {CIVILIAN: WIN, UNDERCOVER: 0},
            "undercovers": {CIVILIAN: 0, UNDERCOVER: WIN},
            "even": {CIVILIAN: EVEN_CIVILIAN, UNDERCOVER: EVEN_UNDERCOVER},
            "blank": {CIVILIAN: 0, UNDERCOVER: 0},
        }[result]
        returns = {}
        for seat, role in state.roles.items():
            if role != BLANK:
                returns[seat] = points[role]
            elif seat in state.alive:
                returns[seat] = points[CIVILIAN]
            else:
                returns[seat] = WIN if result == "blank" and seat == state.guesses[-1]["seat"] else 0
        winners = () if result == "even" else tuple(seat for seat in sorted(returns) if returns[seat])
        return Outcome("finished", result, winners, returns)

    # The cast ------------------------------------------------------------------------------------------------------

    def cast(self, state: UndercoverState) -> dict[int, Member]:
        """Nobody is told who is what, but that blanks know themselves."""
        everybody = frozenset(state.roles)
        found = {}
        for seat, role in state.roles.items():
            unknowing = everybody - {seat} if role == BLANK else everybody
            found[seat] = Member(role, role, {ROLE: unknowing, SIDE: unknowing})
        return found

    def own_side(self, card: Mapping[str, Any]) -> str | None:
        return BLANK if card.get("blank") else None

    def dealt(self, options: UndercoverOptions, public: Mapping[str, Any]) -> Counter[str]:
        odd, blanks = options.undercovers, options.blanks
        return Counter({CIVILIAN: options.seats - odd - blanks, UNDERCOVER: odd}) + Counter({BLANK: blanks})

    def with_sought(self, setting: dict[str, Any], seat: int) -> dict[str, Any]:
        return setting | {"undercovers": [seat]}

    # What may be known ---------------------------------------------------------------------------------------------

    def public(self, state: UndercoverState) -> dict[str, Any]:
        options = state.options
        return super().public(state) | {
            "rounds": options.rounds,
            "undercovers": options.undercovers,
            "blanks": options.blanks,
            "alive": list(state.alive),
            "out": {str(seat): side for seat, side in state.out.items()},
            "votes": state.tallies[-1] if state.tallies else None,
            "guesses": list(state.guesses),
        }

    def card(self, state: UndercoverState, seat: int) -> dict[str, Any]:
        if seat not in state.words:
            return {}
        word = state.words[seat]
        return {"word": word} if word is not None else {"word": None, "blank": True}

    # Polls ---------------------------------------------------------------------------------------------------------

    def poll(self, state: UndercoverState) -> Poll | None:
        """`magic`: after each round of clues all who are in are asked for the odd one, whom each other suspects, and
        their own side. `wiu`: who speaks next is asked for the own side; before a vote all are, and whom they trust,
        suspect and take to hold their word."""
        if state.options.polls == "magic" and state.step in ("round", "discussing", "voting") and state.round:
            return Poll(
                f"round {state.round}", {seat: magic_fields(OWN_SIDE, WHO, seat, state.alive) for seat in state.alive}
            )
        if state.options.polls == "wiu" and state.step == "turn":
            return Poll(f"speaking {state.round}.{state.turn}", {state.turn: (OWN_SIDE,)})
        if state.options.polls == "wiu" and state.step == "voting":
            return Poll(
                f"voting {state.round}", {seat: wiu_fields(OWN_SIDE, seat, state.alive) for seat in state.alive}
            )
        return None
