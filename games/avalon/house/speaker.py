"""What a house agent says at an Avalon table: its stand on the team, what it answers, whom it doubts or trusts and why.

Every reason is one that the record holds (`reasons`) and that the speaker may give: it did not do the same itself.
What it thinks of others is what a servant at its seat would think (`Position.face`), so that words tell no role.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property, lru_cache
from random import Random
from typing import ClassVar, NamedTuple

from agents.house.discourse import Reason, Speaker, Vocabulary, listed, within
from agents.house.discourse.lines import Line
from agents.house.discourse.meaning import ME
from agents.house.discourse.reasons import AGAINST, FOR
from agents.situation import Situation
from games.avalon.house import sayings
from games.avalon.house.position import Position
from games.avalon.house.reasons import reasons
from games.avalon.house.record import Record, Tabled
from games.avalon.house.vocabulary import VOCABULARY
from games.avalon.posterior.exact import EVIL

MENTIONED = 0.8
"""How much a reason loses of its weight by each time that it was given before."""
REPEATED = 2.0
"""How much more where the seat gave it itself."""
PRAISES = 0.4
"""How often a seat that doubts somebody speaks well of another one too."""

STANDS = frozenset(("", "will_vote", "would_team", "view_take"))
"""Questions that the stand on the team answers anyway."""


class Mention(NamedTuple):
    """Somebody spoke of a seat, and of a quest or (0) of none."""

    line: Line
    subject: int
    quest: int


class AvalonSpeaker(Speaker):
    """The seat's view of the table as it may speak of it."""

    vocabulary: ClassVar[Vocabulary] = VOCABULARY

    def __init__(self, situation: Situation, chance: Random, position: Position | None = None):
        super().__init__(situation, chance)
        self.position = position or Position.of(situation.seat, situation.log, situation.names)

    # The record ----------------------------------------------------------------------------------------------------

    @property
    def record(self) -> Record:
        return self.position.table

    @property
    def tabled(self) -> Tabled | None:
        """The team that is to be voted on."""
        last = self.record.teams[-1] if self.record.teams else None
        return last if last is not None and last.votes is None else None

    @cached_property
    def doubt(self) -> dict[int, float]:
        """How many times the usual chance each other seat is evil, to a servant at this seat."""
        evil = self.position.face.evil()
        usual = sum(role in EVIL for role in self.position.cast) / (len(self.position.cast) - 1)
        return {seat: float(evil[seat - 1]) / usual for seat in self.position.others}

    @cached_property
    def mentions(self) -> list[Mention]:
        names = tuple(self.names.items())
        return [Mention(line, *one) for line in self.heard for one in _mentioned(line.text, names)]

    def named(self, seats: frozenset[int] | set[int] | list[int], own: str = "myself") -> str:
        """Seats as they are listed in a sentence, the own one last."""
        others = [self.names[seat] for seat in sorted(seats) if seat != self.seat]
        listing = [*others, own] if self.seat in seats else others
        return listed(listing) if listing else "nobody"

    # Reasons -------------------------------------------------------------------------------------------------------

    def against(self, seat: int, record: Record | None = None) -> list[Reason]:
        """What it may hold against a seat, the reason to be given now first."""
        return self._freshest(reasons(record or self.record, seat, self.seat, AGAINST))

    def speaks_for(self, seat: int, record: Record | None = None) -> list[Reason]:
        return self._freshest(reasons(record or self.record, seat, self.seat, FOR))

    def _freshest(self, found: list[Reason]) -> list[Reason]:
        told = Counter((mention.subject, mention.quest) for mention in self.mentions)
        own = Counter((one.subject, one.quest) for one in self.mentions if one.line.seat == self.seat)

        def worth(reason: Reason) -> float:
            about = (reason.subject, reason.facts.get("quest", 0))
            return reason.weight - MENTIONED * told[about] - REPEATED * own[about]

        return sorted(found, key=worth, reverse=True)

    def accused_by(self, subject: int) -> list[int]:
        """Who said in this discussion that they doubt ``subject``."""
        said = self.position.said_now
        return sorted({one.speaker for one in said if one.subject == subject and one.doubts} - {self.seat})

    def spoke_of(self, seat: int, subject: int, quest: int) -> bool:
        """Whether a seat spoke in this discussion of ``subject`` and this quest."""
        said = (one for one in self.mentions if one.line.seat == seat and one.line.seq > self.position.tabled_at)
        return any((one.subject, one.quest) == (subject, quest) for one in said)

    # Speeches ------------------------------------------------------------------------------------------------------

    @property
    def suspect(self) -> int | None:
        """The seat that a servant here would suspect most, None where it would name nobody."""
        seat = max(self.doubt, key=lambda seat: (self.doubt[seat], seat))
        return seat if self.doubt[seat] > self.temper.needs else None

    def speech(self, approves: bool) -> str:
        """The words on the team on the table: a stand on it, an answer to who asked or doubts, whom it doubts or
        trusts and why."""
        team, suspect = self.record.teams[-1], self.suspect
        parts = [self._stand(team, approves), *self._answered()]
        doubt = self._doubt(team, approves, suspect) if suspect is not None else ""
        if doubt:
            parts.append(doubt)
        if not doubt or self.chance.random() < PRAISES:
            parts.append(self._praise(team, suspect) or ("" if doubt else self._remark(team)))
        spoken = [part for part in parts if part]
        return within(spoken[: self.temper.sentences] or ["I have said what I think."], self.room)

    def _stand(self, team: Tabled, approves: bool) -> str:
        parts = {"leader": self.names[team.leader], "quest": team.quest}
        if self.seat == team.leader:
            return self.voice.say(sayings.LEADS, team=self.named(team.team), **parts)
        ways = sayings.LAST_CHANCE if team.attempt >= 5 else sayings.APPROVES if approves else sayings.REJECTS
        return self.voice.say(ways, team=self.named(team.team, "me"), **parts)

    def _answered(self) -> list[str]:
        """An answer to whoever asked this seat something by name, else to one who doubts it."""
        for line in reversed(self.unanswered()):
            asked = [point for point in self.points(line) if point.to == ME and point.asks and point.kind not in STANDS]
            if asked:
                return self.answers(asked)[:2]
        accusers = self.accused_by(self.seat)
        if not accusers:
            return []
        other = self.names[self.chance.choice(accusers)]
        return [self.defence(other)]

    def defence(self, other: str) -> str:
        """What it says to who doubts it."""
        own = self.speaks_for(self.seat)
        if own and self.chance.random() < 0.6:
            return self.voice.say(sayings.ANSWERS_DOUBT_BY, other=other, reason=own[0].of_me, **own[0].facts)
        return self.voice.say(sayings.ANSWERS_DOUBT, other=other)

    def _doubt(self, team: Tabled, approves: bool, suspect: int) -> str:
        found = self.against(suspect)
        if not found or (approves and suspect in team.team):
            return ""
        reason, name = found[0], self.names[suspect]
        quest = reason.facts.get("quest", 0)
        agreeing = self.accused_by(suspect)
        before = [seat for seat in agreeing if quest and self.spoke_of(seat, suspect, quest)]
        if before:
            other = self.names[self.chance.choice(before)]
            return self.voice.say(sayings.TAKES_UP, other=other, name=name, quest=quest)
        own = (one for one in self.mentions if one.line.seat == self.seat)
        if suspect in self.doubted_before and any((one.subject, one.quest) == (suspect, quest) for one in own):
            return self.voice.say(sayings.STANDS_BY, name=name)
        parts = {"name": name, "reason": reason.ways, **reason.facts}
        if agreeing and self.chance.random() < 0.6:
            return self.voice.say(sayings.AGREES, other=self.names[self.chance.choice(agreeing)], **parts)
        aboard = suspect in team.team and not approves
        ways = (sayings.ACCUSES_ABOARD,) if aboard else (sayings.ACCUSES, reason.tales)
        return self.voice.say(*ways, **parts)

    @cached_property
    def doubted_before(self) -> frozenset[int]:
        """Whom it said that it doubts, as it last spoke of them."""
        said = self.position.said.values()
        return frozenset(one.subject for one in said if one.speaker == self.seat and one.doubts)

    def _praise(self, team: Tabled, suspect: int | None) -> str:
        praised = [seat for seat in sorted(team.team) if seat not in (self.seat, suspect) and self.doubt[seat] < 1]
        found = {seat: why for seat in praised if (why := self.speaks_for(seat)) and why[0].weight > 1}
        if not found:
            return ""
        seat = self.chance.choice(list(found))
        reason = found[seat][0]
        return self.voice.say(
            sayings.TRUSTS_BY, reason.tales, name=self.names[seat], reason=reason.ways, **reason.facts
        )

    def _remark(self, team: Tabled) -> str:
        """A fact about the team on the table; before the first quest that nobody has shown anything."""
        if not self.record.went and self.chance.random() < 0.6:
            return self.voice.say(sayings.NOTHING_YET)
        facts = about(self.record, team, self.seat)
        if not facts:
            return ""
        kind = self.chance.choice(sorted(facts))
        return self.voice.say(sayings.STAND_BY[kind], **facts[kind])


def about(record: Record, team: Tabled, seat: int) -> dict[str, dict[str, int]]:
    """What can be said of a team before its vote: by kind (`sayings.STAND_BY`) the numbers that are said."""
    before = [one for one in record if one.seq < team.seq]
    lost, won = [one for one in before if one.lost], [one for one in before if one.won]
    gone = {one for team in before if team.success is not None for one in team.team}
    facts: dict[str, dict[str, int]] = {"me" if seat in team.team else "not_me": {}}
    if lost and all(one.team.isdisjoint(team.team) for one in lost):
        facts["clean"] = {}
    if stained := [one for one in lost if one.team & team.team]:
        facts["stained"] = {"quest": stained[-1].quest}
    if same := [one for one in won if one.team == team.team]:
        facts["same"] = {"quest": same[-1].quest}
    elif grown := [one for one in won if one.team < team.team]:
        facts["grown"] = {"quest": grown[-1].quest}
    if gone and gone.isdisjoint(team.team):
        facts["untried"] = {}
    tried = team.attempt
    if 2 < tried < 4:
        facts["tries"] = {"count": tried - 1, "attempt": tried, "quest": team.quest, "left": 5 - tried}
    return facts


_QUEST = re.compile(r"(?:\bquests? |\bat |, |\band )(\d)\b")


@lru_cache(maxsize=8192)
def _mentioned(text: str, names: tuple[tuple[int, str], ...]) -> tuple[tuple[int, int], ...]:
    """(seat, quest) for each seat that a text names, with each quest that its sentence names; 0 for none."""
    found = []
    for sentence in re.split(r"(?<=[.!?])\s+", text):
        quests = [int(number) for number in _QUEST.findall(sentence)]
        for seat, name in names:
            if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence):
                found += [(seat, quest) for quest in quests or [0]]
    return tuple(found)
