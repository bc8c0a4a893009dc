"""What a review of a match of Undercover is made of: how it stood, and what a seat could have known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agents.house.words import network
from agents.reviews.suspects import told_vote
from agents.situation import Situation
from games.rules import values
from games.rules.sentences import sentence
from games.rules.values import Event
from games.undercover.house.agent import course
from games.undercover.house.mind import Mind
from games.undercover.setting import BLANK, CIVILIAN, UNDERCOVER

WON = frozenset(("civilians",))
"""The results in which the civilians win."""

ABOUT = sentence("How likely the civilians were to win")
ABOVE, BELOW = sentence("civilians win"), sentence("civilians do not win")

FEATURES = (
    "civilians in",
    "undercovers in",
    "blanks in",
    "seats",
    "rounds left",
    "shown: undercovers",
    "shown: civilians",
    "worst to civilians",
    "worst to undercovers",
    "clues given",
    "voting",
    "votes on undercovers",
)
MOST_ROUNDS = 4


def standings(
    options: Any, deal: Mapping[str, Any], events: Sequence[values.Seen]
) -> Iterator[tuple[int, tuple[float, ...]]]:
    """The numbers of `FEATURES` after each event that changes them. events: what everybody sees.

    What is shown is how much better the clues of a side fit its own word than those of the other side do.
    """
    at = _Standing(options, deal)
    for event in events:
        if isinstance(event, Event) and at.take(event):
            yield event.seq, at.numbers()


class _Standing:
    """A match as a watcher sees it who knows the deal."""

    def __init__(self, options: Any, deal: Mapping[str, Any]) -> None:
        self.options = options
        self.roles = dict(enumerate(deal["roles"], 1))
        self.alive = set(self.roles)
        self.words = {role: network().find(deal[f"{role}_word"]) for role in (CIVILIAN, UNDERCOVER)}
        self.fits = {role: dict.fromkeys(self.roles, 0.0) for role in self.words}
        self.round = self.clues = 0
        self.voting = False
        self.blamed = 0.0

    def take(self, event: Event) -> bool:
        """Take an event in; says whether the match may stand otherwise after it."""
        match event.kind:
            case "round":
                self.round, self.clues, self.voting = event.data["round"], 0, False
            case "clue":
                self._hear(event.seat, event.data["text"])
            case "voting":
                self.voting = True
            case "tally":
                self._count(event.data["votes"])
            case "out":
                self.clues, self.voting = 0, False
                self.alive.discard(event.seat)
            case _:
                return False
        return True

    def _hear(self, seat: int, text: str | None) -> None:
        self.clues += 1
        likely = network().likelihoods(text) if text else None
        for role, place in self.words.items():
            if likely is not None and place is not None:
                self.fits[role][seat] += float(np.log(likely[place]) - np.log(likely.mean()))

    def _count(self, votes: Mapping[str, int | None]) -> None:
        cast = [target for target in votes.values() if target is not None]
        self.blamed = sum(self.roles[target] == UNDERCOVER for target in cast) / len(cast) - 0.5 if cast else 0.0

    def numbers(self) -> tuple[float, ...]:
        sides = {
            role: [seat for seat in self.alive if self.roles[seat] == role] for role in (CIVILIAN, UNDERCOVER, BLANK)
        }
        left = self.options.rounds or MOST_ROUNDS
        return (
            len(sides[CIVILIAN]),
            len(sides[UNDERCOVER]),
            len(sides[BLANK]),
            len(self.roles),
            min(left - self.round, MOST_ROUNDS),
            self._apart(CIVILIAN, sides[CIVILIAN], sides[UNDERCOVER], np.mean),
            self._apart(UNDERCOVER, sides[UNDERCOVER], sides[CIVILIAN], np.mean),
            self._apart(CIVILIAN, sides[CIVILIAN], sides[UNDERCOVER], min),
            self._apart(UNDERCOVER, sides[UNDERCOVER], sides[CIVILIAN], min),
            self.clues / len(self.alive),
            self.voting,
            self.blamed,
        )

    def _apart(self, word: str, own: list[int], others: list[int], of: Any) -> float:
        """How much better the clues of some seats fit a word than those of others do."""
        if not own or not others:
            return 0.0
        fits = self.fits[word]
        return float(np.clip(of([fits[seat] for seat in own]) - of([fits[seat] for seat in others]), -8, 8))


# What could be known -------------------------------------------------------------------------------------------------


SILENT = frozenset(("ready",))
"""The kinds of talk that are left out where a match is played on."""


def pace(seats: int) -> float:
    """Milliseconds that a decision of a house agent takes, about."""
    return 0.5 + 0.1 * seats**2


def known(at: Situation, move: Event) -> dict[str, Any]:
    """What a house agent would have held just before a move of this seat, from what the seat had seen.

    odd: how likely the seat is the odd one itself. Of a seat that is named: how likely it stands against this one, and
    who most likely does. Of a word that is guessed: how likely it is, and which is likeliest.
    """
    mind = Mind(network(), course(at), at.seat, at.state.words[at.seat])
    if move.kind == "guess":
        chances = mind.civilian_word()
        best, guessed = int(chances.argmax()), network().find(move.data["text"])
        told = {"chance": 0.0 if guessed is None else chances[guessed], "best_chance": chances[best]}
        return {name: round(float(chance), 3) for name, chance in told.items()} | {"best": network().words[best]}
    found = {"odd": round(mind.odd, 3)}
    if move.kind != "vote":
        return found
    against = {seat: mind.against(seat) for seat in mind.course.alive if seat != move.seat}
    best = max(against, key=against.__getitem__)
    return found | {
        "chance": round(against.get(move.data["seat"], 0.0), 3),
        "best": best,
        "best_chance": round(against[best], 3),
    }


def told_move(kind: str, data: Mapping[str, Any], known: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """A move in a few words."""
    if kind == "vote":
        return told_vote(data, names)
    raise ValueError(f"no words for a move of kind '{kind}'")


def told_known(kind: str, data: Mapping[str, Any], known: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """What the seat could have known, in a sentence."""
    figures = {name: round(100 * known[name]) for name in ("odd", "chance", "best_chance") if name in known}
    if kind == "guess":
        sentence = _(
            "By the clues “{best}” was the likeliest word: a chance of {best_chance} in 100; the guess had {chance}."
        )
        return sentence.format(**figures, best=known["best"])
    if kind != "vote":
        return _("By the clues until then the chance that this seat held the odd word was {odd} in 100.").format(
            **figures
        )
    if data["seat"] in (None, known["best"]):
        sentence = _("By the clues {best} most likely stood on the other side: a chance of {best_chance} in 100.")
    else:
        sentence = _(
            "By the clues {name} stood on the other side with a chance of {chance} in 100, {best} with {best_chance}."
        )
    return sentence.format(**figures, name=names.get(data["seat"], ""), best=names[known["best"]])
