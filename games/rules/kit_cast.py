"""The kit's checks of the cast: that it is whole, that sides win together, and that it hides just what cards hide."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .cast import ROLE, SIDE, Member
from .play import Play


def check_members(play: Play) -> None:
    """Every seat is something, and what the game declares of its cast agrees with it."""
    rules = play.rules
    cast = rules.cast(play.state)
    assert set(cast) == {seat.seat for seat in play.header.seats}, "not every seat has its part in the cast"
    if not rules.sought:
        return
    assert rules.sought in rules.teams and rules.seeking, "who is sought, and who looks for them, are teams"
    assert {member.role for member in cast.values()} <= set(rules.role_words), "no words say some role"
    every = rules.dealt(play.options, rules.public(play.state))
    held = Counter(what for member in cast.values() for what in {member.role, member.side} if what in every)
    assert held == every and every.total() == len(cast), f"{dict(every)} are said to be dealt, and {dict(held)} are"
    for seat, member in cast.items():
        _check_card(play, seat, member, tuple(every))


def _check_card(play: Play, seat: int, member: Member, every: tuple[str, ...]) -> None:
    """What the seat's own card is said to tell it is true."""
    rules, card = play.rules, play.rules.card(play.view(seat), seat)
    cast = rules.cast(play.state)
    told = rules.own_side(card)
    assert told == (None if member.hidden_from(seat) else member.side), f"seat {seat} is told that it is {told}"
    assert not rules.told or told is not None, f"seat {seat} is not told its side"
    assert all(cast[other].side == rules.sought for other in rules.fellows(card)), f"seat {seat} has a false fellow"
    for other, open_to in rules.possible(card, seat, cast, every).items():
        assert {cast[other].role, cast[other].side} & set(open_to), f"seat {seat} cannot take {other} for what it is"


def check_winners(play: Play) -> None:
    """Who is on one team wins and loses together."""
    for team in play.rules.teams:
        cast = play.rules.cast(play.state)
        won = {seat in play.state.outcome.winners for seat, member in cast.items() if member.side == team}
        assert len(won) < 2, f"some of {team} won and some did not"


def check_hidden(one: Play, alike: Mapping[int, Sequence[Play]]) -> None:
    """What the cast hides from a seat is another thing in some deal that looks the same to that seat, and what it does
    not hide is the same in all of them. alike: by seat such deals."""
    cast = one.rules.cast(one.state)
    for viewer, others in alike.items():
        casts = [play.rules.cast(play.state) for play in others]
        for seat, member in cast.items():
            for what in (ROLE, SIDE):
                seen: set[Any] = {getattr(found[seat], what) for found in casts} - {getattr(member, what)}
                hidden = member.hidden_from(viewer, what)
                assert bool(seen) == hidden, (
                    f"the {what} of seat {seat} is said to be {'hidden from' if hidden else 'known to'} {viewer}"
                )
