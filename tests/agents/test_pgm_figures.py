"""The authors' rule of the matrix gives the numbers that their figure prints (MAgIC, ACL edition, figure 5)."""

from __future__ import annotations

import pytest

from agents.beliefs import SUBJECTS, Beliefs
from agents.methods import pgm_matrix as matrix


def after(start, *readings):
    """The row of player 1, in thousandths, after these readings: {subject: sign}."""
    cells = {subject: (share,) for subject, share in enumerate(start, 1)}
    beliefs = Beliefs(1, ("chameleon",), ("chameleon",), {1: cells}, SUBJECTS)
    for reading in readings:
        beliefs = matrix.updated(beliefs, {1: reading}, matrix.MAGIC, 1.0)
    return [round(1000 * cell[0]) for _, cell in sorted(beliefs.own.items())]


@pytest.mark.parametrize(
    ("start", "readings", "printed"),
    [
        ((0.0, 0.5, 0.5), [{2: -1}], [237, 372, 391]),
        ((0.0, 0.5, 0.5), [{2: -1}, {2: -1}], [306, 337, 357]),
        ((1 / 3, 1 / 3, 1 / 3), [{2: -1}], [337, 326, 337]),
        ((0.5, 0.5, 0.0), [{1: 1, 2: -1}], [403, 365, 232]),
    ],
)
def test_rows_of_the_figure_come_out(start, readings, printed):
    assert after(start, *readings) == printed
