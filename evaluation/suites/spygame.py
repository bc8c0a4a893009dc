"""SpyGame's experiment (section IV): one spy against six citizens at seven places, strong and weak citizens, three
trials each: 42 matches a spy."""

import itertools
import random
from collections.abc import Callable, Iterator, Sequence

from .base import Entry, Planned, Setting, Suite, SuiteError, number_from

SEATS, PLACES, TRIALS = 7, 7, 3
CITIZENS = ("strong", "weak")


class SpyGame(Suite):
    name = "spygame"
    title = "SpyGame"
    about = "The challenger is the spy: seven places, strong and weak citizens, three trials each."
    source = "SpyGame, section IV"
    games = ("spygame",)
    page = "spygame"
    parts = {"strong": "house", "weak": "house-weak"}

    def of(self, challenger: str, entry: Entry, settings: Callable[[str], Sequence[Setting]]) -> Iterator[Planned]:
        places = [(name, data) for name, data in settings("spygame") if len(data["roles"]) >= SEATS - 1]
        if len(places) < PLACES:
            raise SuiteError(f"The SpyGame suite needs {PLACES} places with six roles; there are {len(places)}.")
        chosen = random.Random(f"{entry.seed}:places").sample(places, PLACES)
        for trial, (name, data), citizens in itertools.product(range(TRIALS), chosen, CITIZENS):
            defender = self.defender(entry, citizens)
            seed = number_from(entry.seed, "spygame", name, trial)
            spy = random.Random(f"{seed}:spy").randint(1, SEATS)
            agents = tuple(challenger if seat == spy else defender for seat in range(1, SEATS + 1))
            labels = {"challenger": challenger, "defender": defender, "citizens": citizens, "setting": name}
            labels["trial"] = str(trial + 1)
            yield Planned("spygame", "seed004", agents, seed, setting=data | {"spy": spy}, labels=labels)
