"""What a seat says in the talk at Chameleon and beside it."""

from functools import cached_property

from agents.house.clue_speaker import ClueSpeaker, vocabulary_of
from agents.house.discourse.meaning import BAD
from games.chameleon.house.mind import Mind, course


class Talker(ClueSpeaker):
    """It speaks for the word; the chameleon, for the one that the clues sound like."""

    vocabulary = vocabulary_of({"chameleon": "chameleon", "chameleons": "chameleon"}, BAD)

    hunted = "chameleon"

    @cached_property
    def mind(self) -> Mind:
        return Mind(self.network, course(self.situation), self.seat, self.situation.state.words[self.seat])

    @cached_property
    def word(self) -> int | None:
        knows = self.mind.place is not None or self.mind.is_chameleon
        return int(self.mind.candidates[self.mind.words.argmax()]) if knows else None

    def suspicion(self) -> dict[int, float]:
        return self.mind.suspicion(self.seat)
