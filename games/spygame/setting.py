"""What a match of SpyGame can choose, and what it can be dealt from."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeGuard

from games.rules.clues import same_answer, tokens
from games.rules.discussion import TalkOptions, length_option, talk_option
from games.rules.fields import plain
from games.rules.guesses import sentence_option
from games.rules.options import option
from games.rules.own_words import OWN, parts_of
from games.rules.sentences import sentence
from games.rules.values import Impossible, MaybeNone

PLACE_LIMIT = 60
THRESHOLD = 70
"""From so many percent on the spy stands up. The paper gives no number: ours."""
KNOWN = ("place", "roles", "spy", "first_leader", "places", "openings", OWN)
ANYWHERE = (
    "regular",
    "first-time visitor",
    "cleaner",
    "supervisor",
    "trainee",
    "photographer",
    "inspector",
    "courier",
    "repairer",
)
"""Roles at a place of which nobody named as many as are needed."""


@dataclass(frozen=True, kw_only=True)
class SpyGameOptions(TalkOptions):
    """What a match of SpyGame can choose. None stands for the usual number at this size of table."""

    turns: int | MaybeNone = option(
        None,
        sentence("After this many turns all vote on who is the spy. Left empty: two more than there are players."),
        label=sentence("Turns"),
        low=2,
        high=20,
    )
    list_places: bool = option(True, sentence("Everybody sees the list of places that it may be."))
    by_list: bool = option(
        False, sentence("The spy picks the place from that list, and nobody may name one of its places.")
    )
    ask_back: bool = option(False, sentence("Whoever was asked may ask back at once."))
    threshold: int | None = option(
        None,
        sentence(
            "The spy says how sure it is of a place. From this many percent on it stands up and names the place. "
            "An agent may have a threshold of its own. Left empty: the spy decides itself when to stand up."
        ),
        label=sentence("Sure enough"),
        low=1,
        high=100,
    )
    discussion: str = talk_option()
    speech_limit: int = length_option()
    guess_in_sentence: bool = sentence_option()

    def resolve(self) -> SpyGameOptions:
        return dataclasses.replace(self, turns=self.seats + 2) if self.turns is None else self

    def check(self) -> None:
        if self.seats < 4:
            raise Impossible(
                sentence("SpyGame needs at least four seats: somebody must be left to vote on an accusation.")
            )


def check_deal(options: SpyGameOptions, setting: dict[str, Any]) -> None:
    """Raise `Impossible` if the place and roles of a setting cannot be dealt with these options."""
    if unknown := [key for key in setting if key not in KNOWN]:
        raise Impossible(sentence("A setting of SpyGame has no '{unknown}'.", unknown=unknown[0]))
    place = setting.get("place")
    if not is_words(place):
        raise Impossible(
            sentence(
                "SpyGame is played at a place; it needs a name of at most {place_limit} characters.",
                place_limit=PLACE_LIMIT,
            )
        )
    for name in ("spy", "first_leader"):
        if setting.get(name) is not None and setting[name] not in range(1, options.seats + 1):
            raise Impossible(
                sentence("'{name}' in the setting is a seat from 1 to {seats}.", name=name, seats=options.seats)
            )
    _check_roles(options, setting)
    places = setting.get("places")
    if places is None:
        return
    if not isinstance(places, list) or not all(map(is_words, places)):
        raise Impossible(sentence("'places' in the setting is a list of names of places."))
    if not any(same_answer(name, place) for name in places):
        raise Impossible(sentence("The list of places lacks '{place}' itself.", place=plain(place)))


def in_seat_order(options: SpyGameOptions, setting: dict[str, Any]) -> bool:
    """Whether the setting gives each seat its role, with null for the spy; else they are a pool to draw from."""
    roles, spy = setting["roles"], setting.get("spy")
    return spy is not None and len(roles) == options.seats and roles[spy - 1] is None


def listed(places: Iterable[str]) -> list[str]:
    """Names of places as everybody sees them: each once, in the order of the alphabet."""
    return sorted({plain(name) for name in places}, key=str.casefold)


def is_words(value: Any) -> TypeGuard[str]:
    """Whether this is a name that can be said and compared."""
    return isinstance(value, str) and bool(tokens(value)) and len(plain(value)) <= PLACE_LIMIT


def own_place(line: str) -> list[dict[str, Any]]:
    """The setting of a line with a place and, after a colon, roles there."""
    place, _colon, rest = line.partition(":")
    place, roles = plain(place), parts_of(rest)
    if not is_words(place):
        raise Impossible(
            sentence("A line holds a place, with a name of at most {place_limit} characters.", place_limit=PLACE_LIMIT)
        )
    if not roles and len(parts_of(place)) > 1:
        raise Impossible(
            sentence("A line holds one place. Roles there stand after a colon, such as: farm: farmer, vet.")
        )
    if not all(map(is_words, roles)):
        raise Impossible(sentence("A role has a name of at most {place_limit} characters.", place_limit=PLACE_LIMIT))
    return [{"place": place, "roles": [*dict.fromkeys((*roles, *ANYWHERE))]}]


def _check_roles(options: SpyGameOptions, setting: dict[str, Any]) -> None:
    roles = setting.get("roles")
    if not isinstance(roles, list):
        raise Impossible(sentence("A setting of SpyGame lists the roles at its place."))
    pool = [role for role in roles if role is not None] if in_seat_order(options, setting) else roles
    if not all(map(is_words, pool)):
        raise Impossible(
            sentence("A role is a name of at most 60 characters; null stands at the seat of the spy only.")
        )
    if len(pool) < options.seats - 1:
        raise Impossible(
            sentence(
                "{seats} seats need {roles} roles; '{place}' has {given}.",
                seats=options.seats,
                roles=options.seats - 1,
                place=setting["place"],
                given=len(pool),
            )
        )
