"""How good a team must be to be approved, and how surely a servant approves the one on the table."""

import math
from collections.abc import Callable

import numpy as np

from games.avalon.house.position import Position, innocent


def approval_as_servant(position: Position) -> float:
    """The probability with which a servant at the seat would approve the team on the table."""
    if position.seat == position.leader:
        return 1.0
    return servant_likes(position, position.team)


def servant_likes(position: Position, team: frozenset[int]) -> float:
    """The probability with which a servant at the seat would approve a team that somebody else proposed now."""
    return measured(position, lambda teams: position.success(teams, position.face), team)


def measured(
    position: Position, worth: Callable[[list[frozenset[int]]], np.ndarray], team: frozenset[int] | None = None
) -> float:
    """How surely a team, that on the table unless another is named, passes that is judged by ``worth`` against the
    best team possible."""
    if position.last_attempt:
        return 1.0
    on_the_table, *others = worth([team or position.team, *position.teams()])
    share = on_the_table / max(others) if max(others) > 0 else 1.0
    return 1 / (1 + math.exp((_standard(position) - share) / position.skill.doubt))


def approval_of_the_good(position: Position, teams: list[frozenset[int]]) -> np.ndarray:
    """``[team]``: how many of those who may be good would approve each, if all of them were servants."""
    every = position.teams()
    approval = np.zeros(len(teams))
    for seat in set(position.seats) - position.known_evil:
        view = innocent(position.record, seat)
        best = position.success(every, view).max()
        share = position.success(teams, view) / best if best > 0 else np.ones(len(teams))
        approval += 1 / (1 + np.exp((_standard(position) - share) / position.skill.doubt))
    return approval


def _standard(position: Position) -> float:
    """The share of the best team's worth that is enough for an even chance to be approved."""
    return position.skill.standard[position.quest - 1] - position.skill.patience * (position.attempt - 1)
