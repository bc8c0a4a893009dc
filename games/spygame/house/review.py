"""What a review of a match of SpyGame is made of: how the match stood, and what a seat could have known of a move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from agents.reviews.odds import log_odds
from agents.reviews.suspects import percents, suspected, told_suspected, told_vote
from agents.situation import Situation
from games.rules import values
from games.rules.sentences import sentence
from games.rules.values import Event
from games.spygame.house.agent import mind_of
from games.spygame.house.mind import Mind, Said
from games.spygame.house.places import places, spread
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
                asked = event.data["text"]
                if asked:
                    said.append(Said(event.seat, asked, question=True))
            case "answer":
                if event.data["text"]:
                    said.append(Said(event.seat, event.data["text"], to=asked))
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


# What could be known -------------------------------------------------------------------------------------------------


SILENT = frozenset(("ready",))
"""The kinds of talk that are left out where a match is played on."""


def pace(seats: int) -> float:
    """Milliseconds that a decision of a house agent takes, about."""
    return 2.0


def known(at: Situation, move: Event) -> dict[str, Any]:
    """What a house agent would have held just before a move of this seat, from what the seat had seen.

    place, found: to the spy the likeliest place, and its chance. before, after: the chance of the true one to who only
    listens, before a question or an answer and after it. Of a seat that is named: how much it is suspected, and who is
    most.
    """
    mind = mind_of(at)
    named = move.data.get("seat") if move.kind == "vote" or move.data.get("accuse") else None
    if move.kind == "day_vote":
        named = at.state.accusation["accused"]
    if named is not None or move.kind in ("vote", "say", "ready"):
        return suspected(mind.suspicion(), named, mind.spy) | {"named": named}
    if mind.spy:
        best = int(mind.where.argmax())
        return {"place": mind.candidates[best], "found": round(float(mind.where[best]), 3)}
    if mind.place is None:
        return {}
    asked = at.state.exchanges[-1]["question"] if move.kind == "answer" else None
    words = Said(at.seat, move.data["text"], question=move.kind == "lead", to=asked)
    heard = Mind(places(), [*mind.said, words], mind.seats, at.seat, mind.name, False, at.state.places)
    before, after = (spread(one.seen_from[0])[mind.place] for one in (mind, heard))
    return {"before": round(float(before), 3), "after": round(float(after), 3)}


def told_move(kind: str, data: Mapping[str, Any], known: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """A move in a few words."""
    match kind:
        case "vote":
            return told_vote(data, names)
        case "lead" if data["accuse"]:
            return _("Accused {name}").format(name=names[data["seat"]])
        case "lead":
            return _("Asked {name}").format(name=names[data["seat"]])
        case "day_vote" if data["agree"]:
            return _("Agreed with the accusation of {name}").format(name=names[known["named"]])
        case "day_vote":
            return _("Stood against the accusation of {name}").format(name=names[known["named"]])
        case "reveal":
            return _("Took it for {place}, {certainty} percent sure").format(
                place=data.get("place") or data.get("guess") or _("no place"), certainty=data["certainty"] or 0
            )
    raise ValueError(f"no words for a move of kind '{kind}'")


def told_known(kind: str, data: Mapping[str, Any], known: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """What the seat could have known, in a sentence; "" where there is nothing to say."""
    figures = percents(known)
    if "place" in known:
        return _("By what was said the likeliest place was {place}, with a chance of {found} in 100.").format(
            **figures, place=known["place"]
        )
    if "before" in known:
        listening = _(
            "To one who only listened the chance of the place was {before} in 100 before it, and {after} after."
        )
        return listening.format(**figures)
    if "best" not in known:
        return ""
    return told_suspected(
        known,
        known["named"],
        names,
        hidden=_("To the others {best} looked most like the spy: a chance of {best_chance} in 100."),
        first=_("By what was said {best} was most likely the spy: a chance of {best_chance} in 100."),
        other=_("By what was said {name} was the spy with a chance of {chance} in 100, {best} with {best_chance}."),
    )
