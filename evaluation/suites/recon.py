"""ReCon's four arms (arXiv 2310.01320, section 4.1), on six-seat Avalon.

The method under test as good against chain of thought as evil; the method under test as evil against ReCon as good;
chain of thought against itself and ReCon against itself. The latter two do not depend on who is tested: they are
planned once, with the first challenger.
"""

from collections.abc import Callable, Iterator, Sequence

from .base import Entry, Planned, Setting, Suite, by_side, number_from, sides_of

SEATS = 6
ARMS = {
    "good against CoT": ("challenger", "cot"),
    "evil against ReCon": ("recon", "challenger"),
    "CoT against CoT": ("cot", "cot"),
    "ReCon against ReCon": ("recon", "recon"),
}
"""By arm: who plays good, and who plays evil."""


class Recon(Suite):
    name = "recon"
    title = "ReCon"
    about = "Four arms of six-seat Avalon: the method under test as good and as evil, and both baselines."
    source = "ReCon (arXiv 2310.01320), section 4.1"
    games = ("avalon",)
    page = "recon"
    parts = {"cot": "house", "recon": "house"}
    matches = 20

    def of(self, challenger: str, entry: Entry, settings: Callable[[str], Sequence[Setting]]) -> Iterator[Planned]:
        profiles = {"challenger": challenger, "cot": self.defender(entry, "cot")}
        profiles["recon"] = self.defender(entry, "recon")
        for arm, (good, evil) in ARMS.items():
            if "challenger" not in (good, evil) and challenger != entry.challengers[0]:
                continue
            for number in range(entry.matches or self.matches):
                seed = number_from(entry.seed, "recon", number)
                sides = sides_of("avalon", "recon", SEATS, seed, {}, {})
                agents = by_side(sides, {"good": profiles[good], "evil": profiles[evil]}, profiles[good])
                tested = profiles[good] if good in ("challenger", evil) else profiles[evil]
                labels = {"challenger": tested, "arm": arm, "good": profiles[good], "evil": profiles[evil]}
                labels["setting"] = f"deal {number + 1}"
                yield Planned("avalon", "recon", agents, seed, labels=labels)
