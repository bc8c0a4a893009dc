"""The classifier of leaks finds what is there to find, and little in tables that are played."""

from __future__ import annotations

import numpy as np
import pytest
from django.core.management import call_command

from benchmarks import fit_stumps, leak_classifier
from benchmarks.leak_classifier import AGENT, SMALLER

TABLES = 4


def made_up(difference: float, tables: int = 60) -> np.ndarray:
    """Answers as of that many tables of six, at which agents take so many times as long."""
    rng = np.random.default_rng(3)
    seats = tables * 6
    agent, smaller = np.tile([0, 0, 0, 1, 1, 1], tables), np.tile([1, 0, 0, 1, 0, 0], tables)
    who = np.column_stack(
        [np.repeat(np.arange(tables), 6), np.zeros(seats), np.tile(np.arange(6), tables), agent, smaller]
    )
    who = np.repeat(who, 4, axis=0)
    letters = np.tile([20, 0], len(who) // 2) * rng.integers(1, 3, len(who))
    seconds = rng.lognormal(2, 0.5, len(who)) * np.where(who[:, AGENT], difference, 1)
    ones = np.ones(len(who))
    return np.column_stack(
        [who, letters == 0, letters, seconds, 900 * ones, 2 * ones, rng.integers(1, 7, len(who)), 12 * ones]
    )


def test_a_difference_is_found_and_none_is_made_up():
    assert leak_classifier.judged(made_up(1.6), AGENT)[0] > 0.75
    for label in (AGENT, SMALLER):
        value, (low, high) = leak_classifier.judged(made_up(1), label)
        assert low - 0.05 < 0.5 < high + 0.05 and abs(value - 0.5) < 0.1


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_page_does_not_tell_agents_or_sides_by_its_frames(settings):
    pytest.importorskip("agents.pace", reason="agents do not take as long as people here")
    settings.SEALED_SECONDS = (10.0, 14.0)
    call_command("load_fixtures", verbosity=0)
    rows = leak_classifier.play(range(TABLES))
    features, tables, _, labels = leak_classifier.seats_of(rows)
    assert tables.max() + 1 == TABLES and 0 < labels[:, 0].mean() < 1
    for name, feature in (("words", features[:, 0]), ("choices", features[:, 6])):
        for label in labels.T:
            alone, _ = fit_stumps.within(feature, label, tables)
            assert 0.1 < alone < 0.9, f"the time for {name} tells: {alone:.2f} of {len(tables)} seats"
