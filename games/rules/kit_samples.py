"""How the test kit tries each game: whole deals, and deals that differ from them in one hidden thing."""

import itertools
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sample:
    """How to try a game.

    setting: a whole deal for these options. neighbours: settings that differ from it by one exchange. telling: the
    kinds of event that may tell a viewer what was hidden, besides the end.
    """

    setting: Callable[[Any, random.Random], dict[str, Any]]
    neighbours: Callable[[Any, dict[str, Any]], Iterable[dict[str, Any]]]
    telling: Callable[[Any], frozenset[str]]


def undercover_setting(options: Any, rng: random.Random) -> dict[str, Any]:
    seats = rng.sample(range(1, options.seats + 1), options.undercovers + options.blanks)
    setting = {"civilian_word": "violin", "undercover_word": "cello", "undercovers": seats[: options.undercovers]}
    return setting | {"blanks": seats[options.undercovers :]}


def undercover_neighbours(options: Any, setting: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The other word is another; two seats change roles; or the words change places with them."""
    for name in ("civilian_word", "undercover_word"):
        yield setting | {name: "viola"}
    turned = {"civilian_word": setting["undercover_word"], "undercover_word": setting["civilian_word"]}
    for one, other in itertools.combinations(range(1, options.seats + 1), 2):
        exchange = {one: other, other: one}
        swapped = setting | {
            role: [exchange.get(seat, seat) for seat in setting[role]] for role in ("undercovers", "blanks")
        }
        yield swapped
        yield swapped | turned


def chameleon_setting(options: Any, rng: random.Random) -> dict[str, Any]:
    return {"topic": "Music", "word": "violin", "chameleon": rng.randint(1, options.seats)}


def chameleon_neighbours(options: Any, setting: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Another word, another chameleon, or both."""
    yield setting | {"word": "cello"}
    for seat in range(1, options.seats + 1):
        if seat != setting["chameleon"]:
            yield setting | {"chameleon": seat}
            yield setting | {"chameleon": seat, "word": "cello"}


def avalon_setting(options: Any, rng: random.Random) -> dict[str, Any]:
    roles = rng.sample(options.roles, options.seats)
    holders = {"evil": ("morgana", "mordred", "oberon", "minion"), "minion": ("minion",), "none": ()}[options.dagger]
    evil = [seat for seat, role in enumerate(roles, 1) if role in holders]
    return {"roles": roles, "assassin": rng.choice(evil) if evil else None, "first_leader": rng.randint(1, len(roles))}


def avalon_neighbours(options: Any, setting: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Two seats change roles, the dagger with them; or the dagger lies with another evil seat."""
    roles, assassin = setting["roles"], setting["assassin"]
    for one, other in itertools.combinations(range(1, len(roles) + 1), 2):
        exchange = {one: other, other: one}
        swapped = [roles[exchange.get(seat, seat) - 1] for seat in range(1, len(roles) + 1)]
        yield setting | {"roles": swapped, "assassin": exchange.get(assassin, assassin)}
    for seat, role in enumerate(roles, 1):
        if assassin is not None and seat != assassin and role in ("morgana", "mordred", "oberon", "minion"):
            yield setting | {"assassin": seat}


def cost_sharing_setting(options: Any, rng: random.Random) -> dict[str, Any]:
    airlines = [
        {
            "name": f"Airline {letter}",
            "flights": rng.randint(20, 120),
            "passengers": 100 * rng.randint(20, 150),
            "hours": rng.choice((1, 1.5, 2.25)),
            "aircraft": rng.choice(("small", "medium", "large")),
            "standalone": 1000 * rng.randint(600, 900),
        }
        for letter in "ABCDEF"[: options.seats]
    ]
    return {"airlines": airlines, "fee": 1_000_000, "challenger": rng.randint(1, options.seats)}


def prisoners_dilemma_setting(options: Any, rng: random.Random) -> dict[str, Any]:
    payoffs = {"cooperate": 4, "defect": 1, "one_defect": 7, "two_defect": 3} if options.payoffs == "drawn" else {}
    return payoffs | {"challenger": rng.randint(1, options.seats)}


def public_good_setting(options: Any, rng: random.Random) -> dict[str, Any]:
    multiplier = 1.8 if options.multiplier == "drawn" else float(options.multiplier)
    return {"multiplier": multiplier, "challenger": rng.randint(1, options.seats)}


def other_challengers(options: Any, setting: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Another seat is put to the test: nobody at the table may notice."""
    for seat in range(1, options.seats + 1):
        if seat != setting["challenger"]:
            yield setting | {"challenger": seat}


def spygame_setting(options: Any, rng: random.Random) -> dict[str, Any]:
    roles: list[str | None] = [f"role {number}" for number in range(1, options.seats + 1)]
    spy = rng.randint(1, options.seats)
    roles[spy - 1] = None
    leader = rng.randint(1, options.seats)
    return {"place": "harbour", "places": ["harbour", "zoo"], "roles": roles, "spy": spy, "first_leader": leader}


def spygame_neighbours(options: Any, setting: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The place is another; or two seats change what they are, the spy's too."""
    yield setting | {"place": "zoo"}
    roles, spy = setting["roles"], setting["spy"]
    for one, other in itertools.combinations(range(1, options.seats + 1), 2):
        exchange = {one: other, other: one}
        swapped = [roles[exchange.get(seat, seat) - 1] for seat in range(1, options.seats + 1)]
        yield setting | {"roles": swapped, "spy": exchange.get(spy, spy)}


SAMPLES: dict[str, Sample] = {
    "undercover": Sample(
        undercover_setting, undercover_neighbours, lambda options: frozenset({"out"} if options.reveal_out else ())
    ),
    "chameleon": Sample(chameleon_setting, chameleon_neighbours, lambda options: frozenset({"accused"})),
    "avalon": Sample(avalon_setting, avalon_neighbours, lambda options: frozenset({"shown", "assassinate"})),
    "cost_sharing": Sample(cost_sharing_setting, other_challengers, lambda options: frozenset()),
    "prisoners_dilemma": Sample(prisoners_dilemma_setting, other_challengers, lambda options: frozenset()),
    "public_good": Sample(public_good_setting, other_challengers, lambda options: frozenset()),
    "spygame": Sample(spygame_setting, spygame_neighbours, lambda options: frozenset({"revealed"})),
}
