"""The beliefs that the papers ask for, as fields of a poll.

MAgIC: Xu et al. 2023; "Who is Undercover?": Dong et al. 2024.
"""

from collections.abc import Sequence

from .fields import Choice, Field, OneSeat, SomeSeats
from .sentences import Seat, Sentence, sentence, word

UNSURE = word("unsure")
ODD_ONE = "odd_one"
"""The field of a poll that asks who the one odd player is."""


def own_side(*sides: str) -> Choice:
    """Which side a seat takes itself to be on."""
    return Choice("side", options=(*sides, UNSURE), optional=True, label=sentence("Which side are you on?"))


def magic_fields(side: Choice, who: Sentence, seat: int, alive: Sequence[int]) -> tuple[Field, ...]:
    """MAgIC: the own side, who the odd one is (as `who` asks), and whom each other player suspects."""
    everyone = tuple(alive)
    odd_one = OneSeat(ODD_ONE, seats=everyone, optional=True, label=who)
    return side, odd_one, *(suspect_of(other, everyone) for other in others(alive, seat))


def suspect_of(viewer: int, seats: Sequence[int]) -> OneSeat:
    """Whom another seat suspects most, of these."""
    label = sentence("Whom does {seat} suspect most?", seat=Seat(viewer))
    return OneSeat(f"suspect_of_{viewer}", seats=tuple(seats), optional=True, label=label)


def wiu_fields(side: Choice, seat: int, alive: Sequence[int]) -> tuple[Field, ...]:
    """Who is Undercover: the own side, whom one trusts, whom one suspects, and who holds one's word."""
    seats = others(alive, seat)
    return side, *(SomeSeats(name, seats=seats, optional=True, label=label) for name, label in WIU.items())


WIU = {
    "trusted": sentence("Whom do you trust?"),
    "suspected": sentence("Whom do you suspect?"),
    "same_word": sentence("Who holds the same word as you?"),
}


def others(seats: Sequence[int], own: int) -> tuple[int, ...]:
    """These seats without the own one."""
    return tuple(seat for seat in seats if seat != own)
