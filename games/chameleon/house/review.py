"""What a review of a match of Chameleon is made of: how the match stood, and what a seat could have known of a move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from agents.house.words import network
from agents.reviews.odds import log_odds
from agents.reviews.suspects import percents, suspected, told_suspected, told_vote
from agents.situation import Situation
from games.chameleon.house.agent import course
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
        told = Course(options.seats, deal["topic"], tuple(clues))
        suspicion = Mind(network(), told, knower, word).suspicion(knower)
        guess = Mind(network(), told, hidden, None)
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


# What could be known -------------------------------------------------------------------------------------------------


SILENT = frozenset(("ready",))
"""The kinds of talk that are left out where a match is played on."""


def pace(seats: int) -> float:
    """Milliseconds that a decision of a house agent takes, about."""
    return 1.0 + 0.3 * seats


def known(at: Situation, move: Event) -> dict[str, Any]:
    """What a house agent would have held just before a move of this seat, from what the seat had seen.

    word, found: the likeliest word, and its chance, to one who was not told it. after: the chance of the true one after
    a clue, before: before it. Of a seat that is named: how much it is suspected, and who is most.
    """
    heard = course(at)
    mind = Mind(network(), heard, at.seat, at.state.words[at.seat])
    if move.kind in ("guess", "clue") and mind.is_chameleon:
        best = int(mind.words.argmax())
        return {"word": mind.name(best), "found": round(float(mind.words[best]), 3)}
    if move.kind == "clue" and mind.place is not None:
        clues = (*heard.clues, (move.seat, move.data["text"]))
        after = Mind(network(), replace(heard, clues=clues), move.seat, mind.word).heard()
        return {"before": round(float(mind.heard()[mind.place]), 3), "after": round(float(after[mind.place]), 3)}
    if move.kind == "clue":
        return {}
    return suspected(mind.suspicion(move.seat), move.data.get("seat"), mind.is_chameleon)


def told_move(kind: str, data: Mapping[str, Any], known: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """A move in a few words."""
    if kind == "vote":
        return told_vote(data, names)
    raise ValueError(f"no words for a move of kind '{kind}'")


def told_known(kind: str, data: Mapping[str, Any], known: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """What the seat could have known, in a sentence; "" where there is nothing to say."""
    figures = percents(known)
    if "word" in known:
        return _("By the clues the likeliest word was “{word}”, with a chance of {found} in 100.").format(
            **figures, word=known["word"]
        )
    if "before" in known:
        listening = _(
            "From the clues alone the chance to find the word was {before} in 100 before it, and {after} after."
        )
        return listening.format(**figures)
    if "best" not in known:
        return ""
    return told_suspected(
        known,
        data.get("seat"),
        names,
        hidden=_("To the others {best} looked most like the chameleon: a chance of {best_chance} in 100."),
        first=_("By the clues {best} was most likely the chameleon: a chance of {best_chance} in 100."),
        other=_("By the clues {name} was the chameleon with a chance of {chance} in 100, {best} with {best_chance}."),
    )
