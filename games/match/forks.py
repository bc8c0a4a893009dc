"""The tree of forks: which matches begin with which."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple
from uuid import UUID

from games.match.models import Match

MOST = 500
"""So many matches of a tree are shown."""


class Branch(NamedTuple):
    """A match of a tree, with those that begin with it. seq: the last event that it shares with its parent, 0 of the
    first one."""

    match: Match
    seq: int
    forks: list[Branch]


def line(match: Match) -> Iterator[Match]:
    """What a match begins with, what that begins with, and so on."""
    while match.parent is not None:
        match = match.parent
        yield match


def shared(match: Match) -> int:
    """The last event that a match shares with the one with which it begins; 0 where that is none."""
    return (match.forked_from or {}).get("seq", 0)


def tree(match: Match, may: Callable[[Match], bool]) -> Branch:
    """The tree of which a match is part, from the first one on. may: whether somebody may see a match; those that they
    may not are left out, with all that begins with them."""
    root = match
    while root.parent is not None and may(root.parent):
        root = root.parent
    top = Branch(root, shared(root), [])
    level: dict[UUID, Branch] = {root.pk: top}
    shown = 1
    while level and shown < MOST:
        forks = Match.objects.filter(parent__in=level).select_related("room", "parent").prefetch_related("sitters")
        below: dict[UUID, Branch] = {}
        for fork in forks.order_by("created_at")[: MOST - shown]:
            if fork.parent_id is not None and may(fork):
                below[fork.pk] = Branch(fork, shared(fork), [])
                level[fork.parent_id].forks.append(below[fork.pk])
        shown += len(below)
        level = below
    return top
