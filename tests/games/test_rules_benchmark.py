"""The benchmark of the rules runs, and its games are whole ones."""

import pytest

from benchmarks import rules


@pytest.mark.parametrize("game", [rules.plain_avalon, rules.avalon, rules.undercover], ids=lambda game: game.__name__)
def test_it_plays_whole_games(game):
    assert all(game(seed) >= 14 for seed in range(20))


def test_both_ways_of_playing_avalon_make_about_as_many_moves():
    plain, ours = (sum(game(seed) for seed in range(300)) for game in (rules.plain_avalon, rules.avalon))
    assert abs(plain - ours) < 0.1 * plain
