"""What a house agent says at an Avalon table: a few short sentences, each with a reason that everybody can check.

Agents play in English, like the prompts of the other methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from games.avalon.house.position import Position
from games.avalon.posterior.exact import Proposal

Names = Mapping[int, str]

DOUBTS, TRUSTS = "doubts", "trusts"
SHAPES: list[Shape] = []
"""Every kind of sentence that is said here."""


class Shape:
    """Ways to say one thing. means: what they say of the seat that stands for ``{name}``: DOUBTS, TRUSTS or nothing."""

    def __init__(self, *ways: str, means: str = ""):
        self.ways, self.means = ways, means
        SHAPES.append(self)

    def say(self, chance: Random, **parts: str | int) -> str:
        return chance.choice(self.ways).format(**parts)


_LEADS = Shape(
    "I take {team}.",
    "My team is {team}.",
    "Let us send {team}.",
    "I would like to see {team} on this one.",
)
_APPROVES = Shape(
    "I can live with this team.",
    "This team looks all right to me.",
    "I have no better idea than this team.",
    "I lean towards this team.",
)
_REJECTS = Shape(
    "I would rather not send this team.",
    "I do not like this team.",
    "I think we can do better than this.",
    "I lean against this team.",
)
_LAST_CHANCE = Shape(
    "If we turn this down we lose, so it has to go.",
    "This is the fifth try; whoever rejects it helps evil.",
)
_ACCUSES = Shape(
    "I have my doubts about {name}: {reason}.",
    "{name} worries me: {reason}.",
    "Keep an eye on {name}; {reason}.",
    "For me it is {name}, since {reason}.",
    means=DOUBTS,
)
_ACCUSES_ABOARD = Shape(
    "{name} should not be on it: {reason}.",
    "With {name} aboard I am uneasy: {reason}.",
    means=DOUBTS,
)
_AGREES = Shape(
    "I agree with {other} about {name}: {reason}.",
    "{other} is right about {name}; {reason}.",
    means=DOUBTS,
)
_ANSWERS = Shape(
    "{other} is mistaken about me.",
    "{other}, you are looking at the wrong one.",
    "I can only say to {other} that I want these quests to succeed.",
)
_TRUSTS = Shape(
    "{name} helped to win quest {quest}.",
    "I believe {name} after quest {quest}.",
    "Quest {quest} speaks for {name}.",
    means=TRUSTS,
)
_NOTHING_YET = Shape(
    "There is little to go on yet.",
    "Nobody has shown anything so far.",
    "So far I trust nobody more than anybody else.",
    "We will know more after this quest.",
)
HUNCHES = (
    "their votes do not add up for me",
    "I cannot make sense of their votes",
    "I have a bad feeling about them so far",
)
REASONS = {
    "aboard": "quest {quest} failed with them aboard",
    "approved": "they approved the team that failed quest {quest}",
    "opposed": "they were against the team that won quest {quest}",
    "alone": "they approved a team that most of us turned down",
}
"""What the public record can hold against a seat, the strongest kind first."""


def speech(position: Position, names: Names, chance: Random, *, approves: bool, suspect: int | None) -> str:
    """The words of the seat on the team on the table: its stand, an answer to whoever doubts it, then whom it doubts
    itself, or else whom it believes."""
    sentences = [_stand(position, names, chance, approves)]
    accusers = _doubters(position, position.seat)
    if accusers:
        sentences.append(_ANSWERS.say(chance, other=names[chance.choice(accusers)]))
    if suspect is not None:
        sentences.append(_accusation(position, names, chance, suspect, approves))
    praised = _won_together(position, position.team - {position.seat, suspect})
    if praised and (suspect is None or chance.random() < 0.4):
        seat, quest = chance.choice(praised)
        sentences.append(_TRUSTS.say(chance, name=names[seat], quest=quest))
    elif suspect is None:
        sentences.append(_NOTHING_YET.say(chance))
    return " ".join(sentences)


def _accusation(position: Position, names: Names, chance: Random, suspect: int, approves: bool) -> str:
    reason = chance.choice(reasons_against(position, suspect) or HUNCHES)
    agreeing = _doubters(position, suspect)
    if agreeing and chance.random() < 0.6:
        return _AGREES.say(chance, other=names[chance.choice(agreeing)], name=names[suspect], reason=reason)
    aboard = suspect in position.team and not approves
    return (_ACCUSES_ABOARD if aboard else _ACCUSES).say(chance, name=names[suspect], reason=reason)


def _doubters(position: Position, subject: int) -> list[int]:
    """Who said in this discussion that they doubt ``subject``."""
    return sorted({remark.speaker for remark in position.said_now if remark.subject == subject and remark.doubts})


def _stand(position: Position, names: Names, chance: Random, approves: bool) -> str:
    if position.seat == position.leader:
        others = [names[seat] for seat in sorted(position.team - {position.seat})]
        team = listed(["myself", *others] if position.seat in position.team else others)
        return _LEADS.say(chance, team=team)
    if position.last_attempt:
        return _LAST_CHANCE.say(chance)
    return (_APPROVES if approves else _REJECTS).say(chance)


def reasons_against(position: Position, seat: int) -> list[str]:
    """What the public record holds against a seat, the strongest kind only; empty where it holds nothing."""
    quests = [proposal for proposal in position.proposals if proposal.fails is not None]
    lost = [proposal for proposal in quests if proposal.fails]
    won = [proposal for proposal in quests if not proposal.fails]
    turned_down = [proposal for proposal in position.proposals if proposal.votes and proposal.fails is None]
    found = {
        "aboard": [quest.quest for quest in lost if seat in quest.team],
        "approved": [quest.quest for quest in lost if _voted(quest, seat)],
        "opposed": [quest.quest for quest in won if _voted(quest, seat) is False],
        "alone": [team.quest for team in turned_down if _voted(team, seat)],
    }
    strongest = next((kind for kind in REASONS if found[kind]), None)
    return [REASONS[strongest].format(quest=quest) for quest in found[strongest]] if strongest else []


def _voted(proposal: Proposal, seat: int) -> bool | None:
    return dict(proposal.votes or ()).get(seat)


def _won_together(position: Position, seats: Iterable[int]) -> list[tuple[int, int]]:
    """(seat, quest) for each of ``seats`` on a team that won without a fail, unless it was on one with a fail too."""
    quests = [proposal for proposal in position.proposals if proposal.fails is not None]
    stained = {seat for proposal in quests if proposal.fails for seat in proposal.team}
    return [
        (seat, proposal.quest)
        for seat in sorted(seats)
        for proposal in quests
        if not proposal.fails and seat in proposal.team and seat not in stained
    ]


def listed(names: Sequence[str]) -> str:
    """Names as in a sentence: "A", "A and B", "A, B and C"."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
