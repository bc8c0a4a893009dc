"""What a review of a match of Chameleon is made of: how the match stood, and what a seat could have known of a move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agents.house.words import network
from agents.reviews.odds import log_odds
from games.chameleon.house.mind import Course, Mind
from games.rules import values
from games.rules.sentences import sentence
from games.rules.values import Event

WON = frozenset(("non_chameleons",))
"""The results in which those who know the word win."""

ABOUT = sentence("How likely those who knew the word were to win")
ABOVE, BELOW = sentence("those who know the word win"), sentence("they do not win")

FEATURES = (
    "seats",
    "chameleon suspected",
    "suspected most",
    "word found",
    "found first",
    "clues given",
    "voting",
    "voted again",
    "caught",
    "near guess",
)


def standings(
    options: Any, deal: Mapping[str, Any], events: Sequence[values.Seen]
) -> Iterator[tuple[int, tuple[float, ...]]]:
    """The numbers of `FEATURES` after each event that changes them. events: what everybody sees.

    How far the chameleon is suspected by one who knows the word, and the word found by the chameleon, are log odds.
    """
    hidden, word = deal["chameleon"], deal["word"]
    knower = 1 if hidden != 1 else 2
    clues: list[tuple[int, str | None]] = []
    stage = ""
    for event in events:
        if not isinstance(event, Event):
            continue
        match event.kind:
            case "clue":
                clues.append((event.seat, event.data["text"]))
            case "voting":
                stage = "again" if event.data["runoff"] else "vote"
            case "accused":
                stage = "caught" if event.data["chameleon"] else "over"
            case "round":
                pass
            case _:
                continue
        if stage == "over":
            continue
        course = Course(options.seats, deal["topic"], tuple(clues))
        suspicion = Mind(network(), course, knower, word).suspicion(knower)
        guess = Mind(network(), course, hidden, None)
        place = [guess.name(number) for number in range(len(guess.candidates))]
        found = float(guess.words[place.index(word)]) if word in place else 0.0
        yield (
            event.seq,
            (
                options.seats,
                log_odds(suspicion[hidden]) - log_odds(1 / (options.seats - 1)),
                suspicion[hidden] >= max(suspicion.values()),
                log_odds(found),
                found >= float(guess.words.max()),
                len(clues) / options.seats,
                stage in ("vote", "again"),
                stage == "again",
                stage == "caught",
                options.near_guess,
            ),
        )
