"""The benchmark of the rules runs, and its games are whole ones."""

import pytest

from benchmarks import games


def ours(seed: int) -> int:
    return games.play("avalon", "official", games.SEATS, seed, discussion="none")


@pytest.mark.parametrize("game", [games.plain_avalon, ours], ids=lambda game: game.__name__)
def test_it_plays_whole_games(game):
    assert all(game(seed) >= 14 for seed in range(20))


def test_both_ways_of_playing_avalon_make_about_as_many_moves():
    plain, by_rules = (sum(game(seed) for seed in range(300)) for game in (games.plain_avalon, ours))
    assert abs(plain - by_rules) < 0.1 * plain
