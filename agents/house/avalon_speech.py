"""What a house agent says at an Avalon table: a few short sentences, each with a reason that everybody can check.

Agents play in English, like the prompts of the other methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from agents.house.avalon_position import Position
from agents.house.avalon_posterior import Proposal

Names = Mapping[int, str]

_LEADS = (
    "I take {team}.",
    "My team is {team}.",
    "Let us send {team}.",
    "I would like to see {team} on this one.",
)
_APPROVES = (
    "I can live with this team.",
    "This team is fine with me.",
    "I have no better idea than this team.",
    "I will vote for this.",
)
_REJECTS = (
    "I would rather not send this team.",
    "I do not like this team.",
    "I think we can do better than this.",
    "I will vote this down.",
)
_LAST_CHANCE = (
    "If we turn this down we lose, so it has to go.",
    "This is the fifth try; whoever rejects it helps evil.",
)
_ACCUSES = (
    "I have my doubts about {name}: {reason}.",
    "{name} worries me: {reason}.",
    "Keep an eye on {name}; {reason}.",
    "For me it is {name}, since {reason}.",
)
_ACCUSES_ABOARD = (
    "{name} should not be on it: {reason}.",
    "With {name} aboard I am uneasy: {reason}.",
)
_AGREES = (
    "I agree with {other} about {name}: {reason}.",
    "{other} is right about {name}; {reason}.",
)
_ANSWERS = (
    "{other} is mistaken about me.",
    "{other}, you are looking at the wrong one.",
    "I can only say to {other} that I want these quests to succeed.",
)
_TRUSTS = (
    "{name} helped to win quest {quest}.",
    "I believe {name} after quest {quest}.",
    "Quest {quest} speaks for {name}.",
)
_HUNCHES = (
    "their votes do not add up for me",
    "I cannot make sense of their votes",
    "it is no more than a feeling so far",
)
_NOTHING_YET = (
    "There is little to go on yet.",
    "Nobody has shown anything so far.",
    "So far I trust nobody more than anybody else.",
    "We will know more after this quest.",
)


def speech(position: Position, names: Names, chance: Random, *, approves: bool, suspect: int | None) -> str:
    """The words of the seat on the team on the table: its stand, an answer to whoever doubts it, then whom it doubts
    itself, or else whom it believes."""
    sentences = [_stand(position, names, chance, approves)]
    accusers = _doubters(position, position.seat)
    if accusers:
        sentences.append(chance.choice(_ANSWERS).format(other=names[chance.choice(accusers)]))
    if suspect is not None:
        sentences.append(_accusation(position, names, chance, suspect, approves))
    praised = _won_together(position, position.team - {position.seat, suspect})
    if praised and (suspect is None or chance.random() < 0.4):
        seat, quest = chance.choice(praised)
        sentences.append(chance.choice(_TRUSTS).format(name=names[seat], quest=quest))
    elif suspect is None:
        sentences.append(chance.choice(_NOTHING_YET))
    return " ".join(sentences)


def _accusation(position: Position, names: Names, chance: Random, suspect: int, approves: bool) -> str:
    reason = chance.choice(reasons_against(position, suspect) or _HUNCHES)
    agreeing = _doubters(position, suspect)
    if agreeing and chance.random() < 0.6:
        other = names[chance.choice(agreeing)]
        return chance.choice(_AGREES).format(other=other, name=names[suspect], reason=reason)
    aboard = suspect in position.team and not approves
    return chance.choice(_ACCUSES_ABOARD if aboard else _ACCUSES).format(name=names[suspect], reason=reason)


def _doubters(position: Position, subject: int) -> list[int]:
    """Who said in this discussion that they doubt ``subject``."""
    return sorted({remark.speaker for remark in position.said_now if remark.subject == subject and remark.doubts})


def _stand(position: Position, names: Names, chance: Random, approves: bool) -> str:
    if position.seat == position.leader:
        others = [names[seat] for seat in sorted(position.team - {position.seat})]
        team = listed(["myself", *others] if position.seat in position.team else others)
        return chance.choice(_LEADS).format(team=team)
    if position.last_attempt:
        return chance.choice(_LAST_CHANCE)
    return chance.choice(_APPROVES if approves else _REJECTS)


def reasons_against(position: Position, seat: int) -> list[str]:
    """What the public record holds against a seat, the strongest kind only; empty where it holds nothing."""
    quests = [proposal for proposal in position.proposals if proposal.fails is not None]
    lost = [proposal for proposal in quests if proposal.fails]
    won = [proposal for proposal in quests if not proposal.fails]
    turned_down = [proposal for proposal in position.proposals if proposal.votes and proposal.fails is None]
    kinds: Sequence[list[str]] = (
        [f"quest {quest.quest} failed with them aboard" for quest in lost if seat in quest.team],
        [f"they approved the team that failed quest {quest.quest}" for quest in lost if _voted(quest, seat)],
        [f"they were against the team that won quest {quest.quest}" for quest in won if _voted(quest, seat) is False],
        ["they approved a team that most of us turned down" for team in turned_down if _voted(team, seat)],
    )
    return next((found for found in kinds if found), [])


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
