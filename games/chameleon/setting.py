"""What a match of Chameleon can be dealt: options, topic and word, and why some of it cannot be played."""

from dataclasses import dataclass
from typing import Any

from games.rules.clue_game import ClueOptions
from games.rules.clues import tokens
from games.rules.discussion import length_option, talk_option
from games.rules.disguise import disguise_option
from games.rules.fields import plain
from games.rules.guesses import sentence_option
from games.rules.options import option, polls_option
from games.rules.own_words import OWN, parts_of
from games.rules.sentences import sentence, word
from games.rules.values import Impossible

CHAMELEON, OTHER, OTHERS = word("chameleon"), "non-chameleon", word("non-chameleons")
WORD_LIMIT = 60


@dataclass(frozen=True, kw_only=True)
class ChameleonOptions(ClueOptions):
    """What a match of Chameleon can choose."""

    clue_rounds: int = option(
        1, sentence("Rounds of clues before the vote."), label=sentence("Clues before the vote"), low=1, high=2
    )
    order: str = option(
        "drawn",
        sentence("The order in which clues are given."),
        label=sentence("Who begins"),
        choices={"seats": sentence("Always the first seat"), "drawn": sentence("Drawn for each round")},
    )
    discussion: str = talk_option()
    speech_limit: int = length_option()
    guess_in_sentence: bool = sentence_option()
    disguises: bool = disguise_option()
    tie: str = option(
        "runoff",
        sentence("What happens when two or more have the most votes."),
        label=sentence("A tied vote"),
        choices={"runoff": sentence("One more vote among them"), "even": sentence("Nobody wins")},
    )
    near_guess: bool = option(True, sentence("A plural or a small slip in the chameleon's guess does not matter."))
    polls: str = polls_option(magic=sentence("As in MAgIC"))


def check_deal(options: ChameleonOptions, setting: dict[str, Any]) -> None:
    """Raise `Impossible` if the topic, the word and the chameleon of a setting cannot be played with these options."""
    if unknown := [key for key in setting if key not in ("topic", "word", "chameleon", "openings", OWN)]:
        raise Impossible(sentence("A setting of Chameleon has no '{unknown}'.", unknown=unknown[0]))
    _check_words(setting)
    seat = setting.get("chameleon", 1)
    if type(seat) is not int or not 1 <= seat <= options.seats:
        raise Impossible(sentence("'chameleon' in the setting is a seat from 1 to {seats}.", seats=options.seats))


def own_words(line: str) -> list[dict[str, Any]]:
    """The settings of a line with a topic and words of it."""
    topic, *words = [part for piece in line.split(":", 1) for part in parts_of(piece)] or [""]
    if not words:
        raise Impossible(sentence("A line holds a topic and words of it, such as: fruits: apple, pear, plum."))
    settings = [{"topic": topic, "word": word} for word in words]
    for setting in settings:
        _check_words(setting)
    return settings


def _check_words(setting: dict[str, Any]) -> None:
    for name in ("topic", "word"):
        text = setting.get(name)
        if not isinstance(text, str) or not tokens(text):
            raise Impossible(sentence("Chameleon is played with a topic and a word; '{name}' is missing.", name=name))
        if len(plain(text)) > WORD_LIMIT:
            raise Impossible(
                sentence(
                    "'{text}...' is longer than {word_limit} characters.", text=plain(text)[:20], word_limit=WORD_LIMIT
                )
            )
    if tokens(setting["topic"]) == tokens(setting["word"]):
        raise Impossible(sentence("The topic would tell the word."))
