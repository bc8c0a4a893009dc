"""What a seat says in the talk at Undercover and beside it."""

from functools import cached_property

from agents.house.clue_speaker import ClueSpeaker, vocabulary_of
from agents.house.discourse.meaning import BAD
from games.undercover.house.mind import Mind, course


def crowd_against(minds: dict[int, Mind], seat: int) -> float:
    """How much the others probably stand against a seat, 0 to 1."""
    views = [other.against(seat) for voter, other in minds.items() if voter != seat]
    return sum(views) / len(views) if views else 0.0


class Talker(ClueSpeaker):
    """It speaks for the word that it holds; one who holds none, for the one that the clues sound like."""

    vocabulary = vocabulary_of(
        {
            "undercover": "undercover",
            "undercovers": "undercover",
            "civilian": "civilian",
            "blank": "blank",
            "spy": "undercover",
        },
        BAD,
    )

    hunted = "undercover"

    @cached_property
    def mind(self) -> Mind:
        return Mind(self.network, course(self.situation), self.seat, self.situation.state.words[self.seat])

    @cached_property
    def word(self) -> int | None:
        place = self.mind.place
        return int(self.mind.civilian_word().argmax()) if place is None and self.mind.word is None else place

    def suspicion(self) -> dict[int, float]:
        others = [seat for seat in self.mind.course.alive if seat != self.seat]
        minds = {seat: self.mind.mind_of(seat) for seat in others}
        return {seat: self.mind.against(seat) + self.mind.skill.crowd * crowd_against(minds, seat) for seat in others}
