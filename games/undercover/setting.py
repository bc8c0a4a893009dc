"""What a match of Undercover can be dealt: sides, options, words, and why some of it cannot be played."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from games.rules.clue_game import ClueOptions
from games.rules.clues import same_word, tokens
from games.rules.discussion import length_option, talk_option
from games.rules.disguise import disguise_option
from games.rules.fields import plain
from games.rules.guesses import sentence_option
from games.rules.options import option, polls_option
from games.rules.own_words import OWN, parts_of
from games.rules.sentences import sentence, word
from games.rules.values import Impossible, MaybeNone

CIVILIAN, UNDERCOVER, BLANK = word("civilian"), word("undercover"), "blank"
WORD_LIMIT = 60
CLOSENESS = ("close", "near", "far")
"""How alike the two words of a setting may be rated; a setting may also name the ``part`` of a collection."""


@dataclass(frozen=True, kw_only=True)
class UndercoverOptions(ClueOptions):
    """What a match of Undercover can choose. None stands for the usual number at this size of table."""

    undercovers: int | MaybeNone = option(
        None,
        sentence("How many hold the other word. Left empty: about one in four."),
        label=sentence("With the other word"),
        low=1,
        high=5,
    )
    blanks: int | MaybeNone = option(
        None,
        sentence("How many hold no word at all. Left empty: one from six seats on."),
        label=sentence("Without a word"),
        low=0,
        high=3,
    )
    clue_rounds: int = option(
        1, sentence("Rounds of clues before each vote."), label=sentence("Clues before a vote"), low=1, high=3
    )
    rounds: int | MaybeNone = option(
        None,
        sentence("After this many rounds of clues nobody wins. Left empty: as many as are ever needed."),
        label=sentence("Most rounds"),
        low=1,
        high=36,
    )
    order: str = option(
        "drawn",
        sentence("The order in which clues are given."),
        label=sentence("Who begins"),
        choices={"seats": sentence("Always the first seat"), "drawn": sentence("Drawn for each round")},
    )
    tie: str = option(
        "runoff",
        sentence("What happens when two or more have the most votes."),
        label=sentence("A tied vote"),
        choices={
            "runoff": sentence("One more vote, then the lot"),
            "lot": sentence("The lot decides"),
            "none": sentence("Nobody is out"),
        },
    )
    discussion: str = talk_option()
    speech_limit: int = length_option()
    guess_in_sentence: bool = sentence_option()
    disguises: bool = disguise_option()
    reveal_out: bool = option(True, sentence("Tell everybody which word the one who is out held."))
    polls: str = polls_option(magic=sentence("As in MAgIC"), wiu=sentence("As in Who is Undercover"))

    def resolve(self) -> UndercoverOptions:
        usual = {
            "undercovers": (self.seats + 1) // 4 or 1,
            "blanks": 1 if self.seats >= 6 else 0,
            "rounds": self.clue_rounds * self.seats,
        }
        left: dict[str, Any] = {name: number for name, number in usual.items() if getattr(self, name) is None}
        return dataclasses.replace(self, **left)

    def check(self) -> None:
        if self.seats - self.undercovers - self.blanks < 2:
            raise Impossible(
                sentence("Undercover needs at least two civilians. Take fewer undercovers or blanks, or more seats.")
            )
        if self.rounds % self.clue_rounds:
            raise Impossible(
                sentence(
                    "{rounds} rounds cannot be divided: there is a vote after every {clue_rounds}.",
                    rounds=self.rounds,
                    clue_rounds=self.clue_rounds,
                )
            )
        if self.blanks and not self.reveal_out:
            raise Impossible(
                sentence(
                    "A blank that is out guesses before everybody. So with blanks "
                    "everybody must be told which word the one who is out held."
                )
            )


def check_deal(options: UndercoverOptions, setting: dict[str, Any]) -> None:
    """Raise `Impossible` if the words and roles of a setting cannot be played with these options."""
    known = ("civilian_word", "undercover_word", "undercovers", "blanks", "openings", "part", "closeness", OWN)
    if unknown := [key for key in setting if key not in known]:
        raise Impossible(sentence("A setting of Undercover has no '{unknown}'.", unknown=unknown[0]))
    words = [_word(setting, name) for name in ("civilian_word", "undercover_word")]
    if same_word(*("".join(tokens(word)) for word in words)):
        raise Impossible(sentence("The two words must differ."))
    if setting.get("closeness", CLOSENESS[0]) not in CLOSENESS:
        raise Impossible(
            sentence(
                "How alike two words are is one of: {known}; not '{closeness}'.",
                known=", ".join(CLOSENESS),
                closeness=setting["closeness"],
            )
        )
    if not isinstance(setting.get("part", ""), str):
        raise Impossible(sentence("The part of a setting is the name of the collection that it is from."))
    for name, wanted in (("undercovers", options.undercovers), ("blanks", options.blanks)):
        if name in setting:
            _check_seats(name, setting[name], wanted, options.seats)
    if options.blanks and ("undercovers" in setting) != ("blanks" in setting):
        raise Impossible(sentence("A setting names both the undercovers and the blanks, or neither."))
    if set(setting.get("undercovers", ())) & set(setting.get("blanks", ())):
        raise Impossible(sentence("A seat cannot be both undercover and blank."))


def possible_words(setting: dict[str, Any], seat: int) -> tuple[str, ...]:
    """The words that a seat may be dealt under a setting."""
    if seat in setting.get("blanks", ()):
        return ()
    if "undercovers" not in setting:
        return setting["civilian_word"], setting["undercover_word"]
    return (setting["undercover_word" if seat in setting["undercovers"] else "civilian_word"],)


def own_pair(line: str) -> list[dict[str, Any]]:
    """The settings of a line with two words: by lot either is the civilians', so that who typed them knows no side."""
    words = parts_of(line)
    if len(words) != 2:
        raise Impossible(sentence("A line holds two words, such as: cat, dog."))
    pairs = [dict(zip(("civilian_word", "undercover_word"), pair, strict=True)) for pair in (words, words[::-1])]
    for name in pairs[0]:
        _word(pairs[0], name)
    if same_word(*("".join(tokens(word)) for word in words)):
        raise Impossible(sentence("The two words must differ."))
    return pairs


def _word(setting: dict[str, Any], name: str) -> str:
    word = setting.get(name)
    if not isinstance(word, str) or not tokens(word):
        raise Impossible(sentence("Undercover is played with two words; '{name}' is missing.", name=name))
    if len(plain(word)) > WORD_LIMIT:
        raise Impossible(
            sentence(
                "'{word}...' is longer than {word_limit} characters.", word=plain(word)[:20], word_limit=WORD_LIMIT
            )
        )
    return word


def _check_seats(role: str, seats: Any, wanted: int, table: int) -> None:
    if not isinstance(seats, list) or any(type(seat) is not int or not 1 <= seat <= table for seat in seats):
        raise Impossible(
            sentence("'{role}' in the setting is a list of seats from 1 to {table}.", role=role, table=table)
        )
    if len(set(seats)) != wanted or len(seats) != wanted:
        raise Impossible(
            sentence(
                "'{role}' in the setting names {given} seats; the options ask for {wanted}.",
                given=len(set(seats)),
                role=role,
                wanted=wanted,
            )
        )
