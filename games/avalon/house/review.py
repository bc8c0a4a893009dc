"""What a review of a match of Avalon is made of: how the match stood, and what a seat could have known of a move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.reviews.odds import log_odds
from agents.situation import Situation
from games.avalon.house.position import Position, believed
from games.avalon.posterior.exact import EVIL, ROLES, Knowledge, Posterior, mask_of, posterior
from games.rules import values
from games.rules.sentences import sentence
from games.rules.values import Event

WON = frozenset(("good",))
"""The results in which good wins."""

ABOUT = sentence("How likely good was to win")
ABOVE, BELOW = sentence("good wins"), sentence("evil wins")

FEATURES = (
    "successes",
    "failures",
    "rejections",
    "last attempt",
    "two lost",
    "seats",
    "evil found",
    "dagger",
    "Merlin found",
    "on the table: clean",
    "on the table: not clean",
    "on its quest: clean",
    "on its quest: not clean",
    "evil leads",
    "dagger falls",
)
MERLIN = ROLES.index("merlin")


def standings(
    options: Any, deal: Mapping[str, Any], events: Sequence[values.Seen]
) -> Iterator[tuple[int, tuple[float, ...]]]:
    """The numbers of `FEATURES` after each event that changes them.

    Evil is found as far as a watcher's posterior says who it is, Merlin as far as that of the Assassin does; both are
    log odds. events: what everybody sees.
    """
    at = _Standing(deal)
    for event in events:
        if isinstance(event, Event) and at.take(event):
            yield event.seq, at.numbers()


class _Standing:
    """A match as a watcher sees it who knows the deal."""

    def __init__(self, deal: Mapping[str, Any]) -> None:
        roles = dict(enumerate(deal["roles"], 1))
        self.evil = frozenset(seat for seat, role in roles.items() if role in EVIL)
        self.merlin = next((seat for seat, role in roles.items() if role == "merlin"), None)
        self.dagger = deal["assassin"] if self.merlin else None
        self.position = Position(0)
        self.rejections = 0
        self.stage = ""
        if self.dagger:
            known = frozenset(seat for seat in self.evil if roles[seat] != "oberon")
            sees = known - {self.dagger} if self.dagger in known else frozenset[int]()
            self.knows = Knowledge(self.dagger, roles[self.dagger], sees)

    def take(self, event: Event) -> bool:
        """Take an event in; says whether the match may stand otherwise after it."""
        self.position.fold([event])
        match event.kind:
            case "team":
                self.stage = "table"
            case "voted":
                self.stage, self.rejections = "quest" if event.data["approved"] else "", event.data["rejections"]
            case "quested" | "proposing":
                self.stage = ""
            case "assassinating":
                self.stage = "dagger"
            case "opened":
                return False
            case _:
                return False
        return True

    def numbers(self) -> tuple[float, ...]:
        at, evil = self.position, self.evil
        clean = bool(self.stage in ("table", "quest") and len(at.team & evil) < at.needed)
        dirty = self.stage in ("table", "quest") and not clean
        return (
            at.successes,
            at.failures,
            self.rejections,
            self.rejections == 4,
            at.failures == 2,
            len(at.cast) - 6,
            self._found(),
            self.dagger is not None,
            self._merlin_found(),
            clean and self.stage == "table",
            dirty and self.stage == "table",
            clean and self.stage == "quest",
            dirty and self.stage == "quest",
            at.leader in evil,
            self.stage == "dagger",
        )

    def _found(self) -> float:
        """The mean log odds of each evil seat to be evil, to a watcher, less what they were at first."""
        record = self.position.record
        chances = believed(record).evil()
        before = len(self.evil) / record.seats
        odds = [log_odds(float(chances[seat - 1])) for seat in self.evil]
        return sum(odds) / len(odds) - log_odds(before)

    def _merlin_found(self) -> float:
        """The log odds of Merlin to be Merlin, to the Assassin, less what they were at first."""
        if not self.dagger or not self.merlin:
            return 0.0
        chance = float(believed(self.position.record, self.knows).roles()[self.merlin - 1, MERLIN])
        return log_odds(chance) - log_odds(1 / (len(self.position.cast) - len(self.evil)))


# What could be known -------------------------------------------------------------------------------------------------


SILENT = frozenset(("speech", "ready"))
"""The kinds of talk that are left out where a match is played on."""


def pace(seats: int) -> float:
    """Milliseconds that a decision of a house agent takes, about."""
    return 0.32 * 1.45 ** (seats - 4) + 0.6


def known(situation: Situation, move: Event) -> dict[str, Any]:
    """What the seat could have known just before a move of its own, from what it had seen.

    deals, clean: in how many ways evil could sit, by logic alone, and in how many of them the team was clean enough;
    chance: how likely it was clean, by the fitted behaviour of people too; servant: the same to a servant in its place.
    team: the one on the table when something was said. Of a seat that is named: how likely it is Merlin, or evil, and
    who is likeliest.
    """
    at = Position.of(situation.seat, situation.log, situation.names)
    sides = Posterior(at.record, at.knowledge).sides
    if move.kind == "assassinate":
        merlin = at.mind.roles()[:, MERLIN]
        best = int(merlin.argmax()) + 1
        named = move.data["seat"]
        chance = 0.0 if named is None else float(merlin[named - 1])
        return {"chance": round(chance, 3), "best": best, "best_chance": round(float(merlin[best - 1]), 3)}
    if move.kind == "lady":
        return {"chance": round(float(at.mind.evil()[move.data["seat"] - 1]), 3)}
    team = frozenset(move.data["seats"]) if move.kind == "team" else at.team
    ways = [mask for mask in range(len(sides)) if sides[mask] > 0]
    clean = [mask for mask in ways if (mask & mask_of(team)).bit_count() < at.needed]
    told: dict[str, Any] = {
        "leader": at.leader,
        "deals": len(ways),
        "clean": len(clean),
        "chance": round(float(posterior(at.record, at.knowledge).fewer_evil([team], at.needed)[0]), 3),
    }
    if move.kind == "speech":
        told["team"] = sorted(team)
    if len(ways) == 1:
        told["servant"] = round(float(at.success([team], at.face)[0]), 3)
    return told


def told_move(kind: str, data: Mapping[str, Any], known: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """A move in a few words."""
    match kind:
        case "team":
            return _("Proposed {names}").format(names=", ".join(names[seat] for seat in data["seats"]))
        case "team_vote" if data["approve"]:
            return _("Approved the team of {name}").format(name=names[known["leader"]])
        case "team_vote":
            return _("Rejected the team of {name}").format(name=names[known["leader"]])
        case "quest":
            return _("Played success") if data["success"] else _("Played fail")
        case "lady":
            return _("Looked at {name}").format(name=names[data["seat"]])
        case "assassinate" if data["seat"] is None:
            return _("Named nobody as Merlin")
        case "assassinate":
            return _("Named {name} as Merlin").format(name=names[data["seat"]])
    raise ValueError(f"no words for a move of kind '{kind}'")


def told_known(kind: str, data: Mapping[str, Any], known: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """What the seat could have known, in a sentence or two."""
    figures = {name: round(100 * known[name]) for name in ("chance", "best_chance", "servant") if name in known}
    if kind == "assassinate":
        likeliest = _("By votes, teams and words {best} was the likeliest Merlin: a chance of {best_chance} in 100.")
        named = _(
            "By votes, teams and words {name} was Merlin with a chance of {chance} in 100, {best} with {best_chance}."
        )
        right = data["seat"] in (None, known["best"])
        return (likeliest if right else named).format(
            **figures, name=names.get(data["seat"], ""), best=names[known["best"]]
        )
    if kind == "lady":
        return _("Until then {name} was evil with a chance of {chance} in 100.").format(
            **figures, name=names[data["seat"]]
        )
    told = []
    if "team" in known:
        team = ", ".join(names[seat] for seat in known["team"])
        told.append(_("When this was said, the team on the table was {team}.").format(team=team))
    if known["deals"] == 1:
        sure = _("This seat knew who is evil, and so that the team was clean enough.")
        unclean = _("This seat knew who is evil, and so that the team was not clean enough.")
        servant = _("To a servant in its place the team was clean enough with a chance of {servant} in 100.")
        told += [sure if known["clean"] else unclean, servant.format(**figures)]
    else:
        counted = ngettext(
            "Only {clean} of {deals} deals still had a clean enough team here.",
            "{clean} of {deals} deals still had a clean enough team here.",
            known["clean"],
        )
        weighed = _("Weighed by how people vote and propose: a chance of {chance} in 100.")
        told += [counted.format(clean=known["clean"], deals=known["deals"]), weighed.format(**figures)]
    return " ".join(told)
