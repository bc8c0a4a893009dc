"""What a review of a match of SpyGame is made of: how the match stood, and what a seat could have known of a move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agents.reviews.odds import log_odds
from games.rules import values
from games.rules.sentences import sentence
from games.rules.values import Event
from games.spygame.house.mind import Mind, Said
from games.spygame.house.places import places
from games.spygame.rules import WINNERS

WON = frozenset(result for result, side in WINNERS.items() if side == "citizens")
"""The results in which the citizens win."""

ABOUT = sentence("How likely the citizens were to win")
ABOVE, BELOW = sentence("citizens win"), sentence("the spy wins")

FEATURES = (
    "seats",
    "turns left",
    "last turn",
    "spy suspected",
    "suspected most",
    "place found",
    "found first",
    "surest",
    "listed",
    "spy accused",
    "citizen accused",
    "voting",
)


def standings(
    options: Any, deal: Mapping[str, Any], events: Sequence[values.Seen]
) -> Iterator[tuple[int, tuple[float, ...]]]:
    """The numbers of `FEATURES` after each event that changes them. events: what everybody sees.

    How far the spy is suspected by a citizen, and the place found by the spy, are log odds; surest is the spy's chance
    of the place that it takes it for.
    """
    spy, place = deal["spy"], deal["place"]
    citizen = 1 if spy != 1 else 2
    said: list[Said] = []
    listed: list[str] = []
    turn, accused, voting = 0, None, False
    for event in events:
        if not isinstance(event, Event):
            continue
        match event.kind:
            case "opened":
                listed = event.data["places"]
                continue
            case "turn":
                turn = event.data["turn"]
            case "lead":
                if event.data["text"]:
                    said.append(Said(event.seat, event.data["text"], question=True))
            case "answer":
                if event.data["text"]:
                    said.append(Said(event.seat, event.data["text"]))
            case "accused":
                accused = event.seat
            case "day_voted":
                accused = None
            case "voting":
                voting = True
            case _:
                continue
        knows = Mind(places(), said, options.seats, citizen, place, False, listed)
        guess = Mind(places(), said, options.seats, spy, None, True, listed)
        suspicion, where = knows.suspicion(), guess.where
        found = float(where[guess.candidates.index(place)]) if place in guess.candidates else 0.0
        yield (
            event.seq,
            (
                options.seats,
                (options.turns - turn) / options.turns,
                turn >= options.turns,
                log_odds(suspicion[spy]) - log_odds(1 / (options.seats - 1)),
                suspicion[spy] >= max(suspicion.values()),
                log_odds(found),
                found >= float(where.max()),
                float(where.max()),
                bool(listed),
                accused == spy,
                accused not in (None, spy),
                voting,
            ),
        )
