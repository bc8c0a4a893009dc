"""Beginning a table's match: who gets which seat and name, and what is dealt."""

import random
from collections.abc import Sequence
from typing import Any

from games.match import beginning
from games.models import Match, Room, Seat, new_seed
from games.registry import RULES
from games.room import names, own_words

AGENT_NAMES = (
    "Alma Bruno Cleo Dario Edda Felix Greta Hugo Ines Jonas Kira Leo Mila Nils Olga Paul Rosa Sven Tara Udo Vera "
    "Willem Yara Zeno"
).split()


def begin(room: Room, seats: list[Seat]) -> Match:
    """Deal to those who sit here. The first match of a table that plays on from a moment of another one begins with the
    log of that. Raises `values.Impossible`."""
    deal = room.deal or {}
    seed = new_seed() if deal.get("seed") is None else deal["seed"]
    if room.anonymous and not room.study:
        _draw_seats(seats, seed)
    if room.fork_of is not None and room.match is None:
        return beginning.fork(room.fork_of, room.fork_at, _frozen(room, seats, seed), seed, room)
    return beginning.begin(
        game=room.game,
        preset=room.preset,
        seats=_frozen(room, seats, seed),
        options=room.options,
        room=room,
        setting=_own_setting(room, seats, seed) if room.own_words else deal.get("setting"),
        seed=seed,
    )


def story_of(room: Room) -> dict[int, str]:
    """What the story that is played on here calls each seat; {} once its match has begun, or where none is."""
    return {one.seat: one.name for one in _told_seats(room)}


def _told_seats(room: Room) -> list[Any]:
    return [] if room.fork_of is None or room.match is not None else room.fork_of.seated


def _names_before(room: Room, seats: Sequence[Seat]) -> dict[int, str]:
    """What agents were called in the last match that sit where they sat, as far as nobody has come by that name."""
    if room.match is None or room.anonymous:
        return {}
    agents = {seat.number: seat.agent for seat in seats if seat.agent}
    people = [seat.name for seat in seats if seat.name]
    before = [one for one in room.match.seated if one.agent and agents.get(one.seat) == one.agent]
    return {one.seat: one.name for one in before if not names.objection(one.name, people)}


def _own_setting(room: Room, seats: Sequence[Seat], seed: int) -> dict[str, Any]:
    """What a match is dealt from at a table with words of its own."""
    rules = RULES[room.game]
    typed_by = next((seat.number for seat in seats if room.own_by and seat.person == room.own_by), 0)
    return own_words.drawn(rules, rules.options(room.preset, room.options, len(seats)), room.own_words, seed, typed_by)


def _draw_seats(seats: list[Seat], seed: int) -> None:
    """Move all who sit here to seats drawn by lot, so that nobody's place tells when they came."""
    sitters = [(seat.person, seat.agent) for seat in seats]
    random.Random(f"{seed}:seats").shuffle(sitters)
    for seat in seats:  # nobody sits twice, not even for a moment
        seat.person = ""
    Seat.objects.bulk_update(seats, ["person"])
    for seat, (seat.person, seat.agent) in zip(seats, sitters, strict=True):
        seat.name = ""
    Seat.objects.bulk_update(seats, ["person", "agent", "name"])


def _frozen(room: Room, seats: list[Seat], seed: int) -> list[dict[str, Any]]:
    """The seats as the header keeps them, each with the name that others see: at an anonymous table drawn for all.
    Where a story is played on, such a drawn name stays with its seat, and so does an agent's; an agent that plays again
    keeps its name."""
    known = {} if room.anonymous else {seat.number: seat.name for seat in seats}
    kept = {one.seat: one.name for one in _told_seats(room) if room.anonymous or one.kind == "agent"}
    kept |= _names_before(room, seats)
    taken = [*known.values(), *story_of(room).values(), *kept.values()]
    spare = [name for name in AGENT_NAMES if not names.objection(name, taken)]
    random.Random(f"{seed}:names").shuffle(spare)
    frozen = []
    for seat in seats:
        own = known.get(seat.number) or kept.get(seat.number)
        name = f"Player {seat.number}" if room.pseudonyms else own or spare.pop()
        entry = {"seat": seat.number, "name": name, "kind": "agent" if seat.agent else "person"}
        frozen.append(entry | {"agent": seat.agent, "person": seat.person})
    return frozen
