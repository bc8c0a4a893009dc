"""Fits the table of human behaviour in Avalon on recorded games of people; `benchmarks.belief_quality` judges it.

Usage: ``MAGIC_DATA=<folder> python -m benchmarks.fit_avalon_behaviour [--write]``. The table is printed; ``--write``
keeps it.
"""

import argparse
import gzip
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path

import numpy as np

from games.avalon.posterior import behaviour as table
from games.avalon.posterior.behaviour import COUNTED, MINDS, MOMENTS, Behaviour, moment
from games.avalon.posterior.exact import EVIL, Proposal

VOTE_TEMPER = 0.4
PROPOSAL_TEMPER = 0.4
PRIOR = 1.0
"""Added to each count, so that no frequency is 0 or 1."""


@dataclass(frozen=True)
class RecordedGame:
    """A finished game: the roles in seat order and the proposals, all votes public."""

    roles: tuple[str, ...]
    proposals: tuple[Proposal, ...]

    @property
    def evil(self) -> frozenset[int]:
        return frozenset(seat for seat, role in enumerate(self.roles, 1) if role in EVIL)

    def counted_by(self, seat: int) -> frozenset[int]:
        """The evil seats that the mind of ``seat`` counts on a team (see ``behaviour``)."""
        hidden = {"merlin": "mordred", "oberon": None}.get(self.roles[seat - 1], "oberon")
        if mind_of(self.roles[seat - 1]) not in (1, 2):
            return frozenset()
        return frozenset(other for other in self.evil if self.roles[other - 1] != hidden)


def mind_of(role: str) -> int:
    """Index into ``MINDS``."""
    return MINDS.index({"merlin": "merlin", "oberon": "lone"}.get(role, "evil" if role in EVIL else "loyal"))


def recorded_games(folder: Path) -> Iterator[RecordedGame]:
    """The games of ``human_avalon_*.jsonl.gz``, scripts of headers and actions in the order of play."""
    for path in sorted(folder.glob("human_avalon_*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                game = json.loads(line)
                roles = tuple(game["header"]["setting"]["roles"])
                yield RecordedGame(roles, tuple(_proposals(len(roles), game["actions"])))


def recorded() -> list[RecordedGame]:
    """All recorded games; ends the program where there are none."""
    folder = os.environ.get("MAGIC_DATA")
    games = list(recorded_games(Path(folder))) if folder else []
    if not games:
        sys.exit("Set MAGIC_DATA to the folder that holds human_avalon_*.jsonl.gz.")
    return games


def _proposals(seats: int, actions: Sequence[dict]) -> Iterator[Proposal]:
    quest, attempt, lost = 1, 1, 0
    moves = iter(actions)
    for move in moves:
        if "seats" not in move["action"]:
            continue
        team = frozenset(move["action"]["seats"])
        ballots = [next(moves) for _ in range(seats)]
        votes = tuple((ballot["seat"], ballot["action"]["approve"]) for ballot in ballots)
        approved = 2 * sum(approves for _, approves in votes) > seats
        fails = sum(not next(moves)["action"]["success"] for _ in team) if approved else None
        yield Proposal(move["seat"], team, quest, attempt, lost, votes, fails)
        if fails is not None:
            lost += fails >= (2 if quest == 4 and seats >= 7 else 1)
            quest, attempt = quest + 1, 1
        else:
            attempt += 1


def fit(games: Sequence[RecordedGame]) -> Behaviour:
    """The table of frequencies over ``games``."""
    votes = np.full((len(MINDS), 2, len(MOMENTS), COUNTED, 2), PRIOR)
    itself = np.full((len(MINDS), 2), PRIOR)
    fails = np.zeros((3, 4, 3, 4))
    for evil in range(3):
        fails[evil, :, :, : evil + 2] = PRIOR / 2
    for game in games:
        for proposal in game.proposals:
            when = moment(proposal.quest, proposal.attempt)
            itself[mind_of(game.roles[proposal.leader - 1]), int(proposal.leader in proposal.team)] += 1
            for seat, approves in proposal.votes or ():
                counted = min(len(game.counted_by(seat) & proposal.team), COUNTED - 1)
                votes[mind_of(game.roles[seat - 1]), int(seat in proposal.team), when, counted, int(approves)] += 1
            evil = len(game.evil & proposal.team)
            if proposal.fails is not None and evil:
                fails[min(evil, 3) - 1, min(proposal.quest, 4) - 1, proposal.lost, min(proposal.fails, 3)] += 1
    return Behaviour(
        approve=votes[..., 1] / votes.sum(axis=-1),
        takes_itself=itself[:, 1] / itself.sum(axis=1),
        team_weight=_team_weights(games),
        fails=fails / fails.sum(axis=-1, keepdims=True),
        vote_temper=VOTE_TEMPER,
        proposal_temper=PROPOSAL_TEMPER,
    )


def _team_weights(games: Sequence[RecordedGame], passes: int = 8) -> np.ndarray:
    """Weights under which each mind expects as many evil on its teams as it took: iterative proportional fitting."""
    weights = np.ones((len(MINDS), COUNTED))
    for mind in (MINDS.index("merlin"), MINDS.index("evil")):
        choices = [choice for game in games for choice in _choices(game, mind)]
        for _ in range(passes):
            taken, expected = np.full(COUNTED, PRIOR), np.full(COUNTED, PRIOR)
            for known, others, chosen, evil in choices:
                ways = np.array([comb(known, t) * comb(others - known, max(chosen - t, 0)) for t in range(known + 1)])
                ways[chosen + 1 :] = 0
                bins = np.minimum(np.arange(known + 1), COUNTED - 1)
                share = ways * weights[mind, bins]
                np.add.at(expected, bins, share / share.sum())
                taken[min(evil, COUNTED - 1)] += 1
            weights[mind] *= taken / expected
            weights[mind] /= weights[mind, 0]
    return weights


def _choices(game: RecordedGame, mind: int) -> Iterator[tuple[int, int, int, int]]:
    """For each team led by ``mind``: other evil it counts, other seats, others chosen, evil among those."""
    for proposal in game.proposals:
        if mind_of(game.roles[proposal.leader - 1]) == mind:
            counted = game.counted_by(proposal.leader) - {proposal.leader}
            team = proposal.team - {proposal.leader}
            yield len(counted), len(game.roles) - 1, len(team), len(team & counted)


def on_one_line(text: str) -> str:
    """Each list of numbers in one line."""
    return re.sub(r"\[[^\[\]]*\]", lambda found: " ".join(found[0].split()).replace("[ ", "[").replace(" ]", "]"), text)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--write", action="store_true", help="keep the table")
    arguments = options.parse_args()
    shipped = on_one_line(json.dumps(fit(recorded()).to_json(), indent=2))
    if arguments.write:
        table.FILE.write_text(shipped + "\n", encoding="utf-8")
    print(shipped)


if __name__ == "__main__":
    main()
