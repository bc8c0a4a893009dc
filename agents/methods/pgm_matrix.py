"""The matrix of probabilistic graphical modelling (MAgIC, ACL edition, section 4 and figure 5): who is the odd one?

Row i is what the owner thinks that player i believes, each row a distribution over the seats. The owner's own row is
the first hop, the others are the second. Everything here is arithmetic: beliefs in, beliefs out.
"""

import math
from collections.abc import Collection, Mapping

from agents.beliefs import SUBJECTS, Beliefs, Row, highest

NORMALISED, MAGIC = "normalised", "magic"

STEP = 0.1
"""How far one verdict moves a number under the `magic` rule."""

Signs = Mapping[int, Mapping[int, int]]
"""By viewer and subject: +1 more suspicious, 0 no change, -1 less suspicious. Who is not listed does not change."""


def start(owner: int, seats: Collection[int], label: str, own: Collection[int]) -> Beliefs:
    """Before anything was said: the owner's row is even over the seats in `own` and nothing elsewhere, the others' are
    even over all `seats`."""
    rows = {viewer: dict.fromkeys(sorted(seats), (1.0,)) for viewer in sorted(seats)}
    rows[owner] = {subject: (float(subject in own),) for subject in sorted(seats)}
    return Beliefs.normalised(owner, (label,), (label,), rows, SUBJECTS)


def among(beliefs: Beliefs, seats: Collection[int]) -> Beliefs:
    """The part of the matrix about these seats, each row sharing out the whole again."""
    rows = {
        viewer: {subject: cell for subject, cell in row.items() if subject in seats}
        for viewer, row in beliefs.rows.items()
        if viewer in seats
    }
    return _with(beliefs, rows)


def updated(beliefs: Beliefs, signs: Signs, rule: str, eta: float) -> Beliefs:
    """The matrix after the verdicts of a text analysis; rows without any stay as they are.

    `normalised`: P * exp(eta * F), each row in proportion; a zero stays zero. `magic`: the softmax over the row, zeros
    too, of P * (1 + 0.1 F), as the authors' figures show; it flattens, so that only the order counts.
    """
    rows = dict(beliefs.rows)
    for viewer, verdicts in signs.items():
        row = {subject: cell[0] for subject, cell in beliefs.rows[viewer].items()}
        verdict = {subject: verdicts.get(subject, 0) for subject in row}
        if rule == MAGIC:
            powers = {subject: share * (1 + STEP * verdict[subject]) for subject, share in row.items()}
            row = dict.fromkeys(row, 1.0)
        else:
            powers = {subject: eta * verdict[subject] for subject in row}
        highest = max((powers[subject] for subject, share in row.items() if share), default=0.0)
        rows[viewer] = {
            subject: (share * math.exp(powers[subject] - highest) if share else 0.0,) for subject, share in row.items()
        }
    return _with(beliefs, rows)


def replaced(beliefs: Beliefs, numbers: Mapping[int, Mapping[int, int]]) -> Beliefs:
    """The matrix with the rows that were given as numbers of any scale; subjects without a number get none."""
    given = {
        viewer: {subject: (float(row.get(subject, 0)),) for subject in beliefs.rows[viewer]}
        for viewer, row in numbers.items()
        if any(row.values())
    }
    return _with(beliefs, {**beliefs.rows, **given})


def suspect_most(beliefs: Beliefs, seats: Collection[int]) -> list[int]:
    """Who of these seats suspects the owner most, several where they are level."""
    return highest({seat: beliefs.suspicion(beliefs.owner, seat) for seat in seats})


def trust_most(beliefs: Beliefs, seats: Collection[int]) -> list[int]:
    """Who of these seats suspects the owner least, several where they are level."""
    return highest({seat: 1 - beliefs.suspicion(beliefs.owner, seat) for seat in seats})


def _with(beliefs: Beliefs, rows: Mapping[int, Row]) -> Beliefs:
    return Beliefs.normalised(beliefs.owner, beliefs.labels, beliefs.suspects, rows, SUBJECTS)
