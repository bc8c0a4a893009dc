"""The beliefs that the papers ask for, as fields of a poll.

MAgIC: Xu et al. 2023; "Who is Undercover?": Dong et al. 2024.
"""

from __future__ import annotations

from collections.abc import Sequence

from .fields import Choice, Field, OneSeat, SomeSeats

UNSURE = "unsure"


def own_side(*sides: str) -> Choice:
    """Which side a seat takes itself to be on."""
    return Choice("side", options=(*sides, UNSURE))


def magic_fields(side: Choice, seat: int, alive: Sequence[int]) -> tuple[Field, ...]:
    """MAgIC: the own side, who the odd one is, and whom each other player suspects."""
    everyone = tuple(alive)
    suspects = [OneSeat(f"suspect_of_{other}", seats=everyone, optional=True) for other in others(alive, seat)]
    return side, OneSeat("odd_one", seats=everyone, optional=True), *suspects


def wiu_fields(side: Choice, seat: int, alive: Sequence[int]) -> tuple[Field, ...]:
    """Who is Undercover: the own side, whom one trusts, whom one suspects, and who holds one's word."""
    seats = others(alive, seat)
    return side, *(SomeSeats(name, seats=seats, optional=True) for name in ("trusted", "suspected", "same_word"))


def others(seats: Sequence[int], own: int) -> tuple[int, ...]:
    """These seats without the own one."""
    return tuple(seat for seat in seats if seat != own)
