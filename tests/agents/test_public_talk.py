"""What house agents say before the first vote tells nobody their roles: the roles are exchanged, and the same is heard.

In the word games what is said may mean something else then; whether a seat speaks, and how long it is, may not change.
"""

import itertools
import random
import statistics

import pytest

from benchmarks.public_talk import auc, bound, said_before_the_vote, settings, talks, words
from games.avalon.setting import USUAL_ROLES, AvalonOptions
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header

TALK = [way for way in AvalonOptions.__dataclass_fields__["discussion"].metadata["choices"] if way != "none"]


def dealt(game, preset, seats, seed, setting, **options):
    header = new_header(
        RULES[game], preset, seats=agents_and_people(0, seats), seed=seed, options=options, setting=setting
    )
    return Play(RULES[game], header)


@pytest.mark.parametrize("talk", TALK)
@pytest.mark.parametrize("preset", RULES["avalon"].presets)
def test_at_avalon_each_role_says_the_same_word_for_word(preset, talk):
    seats = RULES["avalon"].presets[preset].low
    for seed in range(4):
        heard = set()
        for shift in range(seats):
            roles = random.Random(seed).sample(USUAL_ROLES[seats], seats)
            setting = {"roles": roles[shift:] + roles[:shift], "first_leader": 1 + seed % seats}
            play = dealt("avalon", preset, seats, seed, setting, discussion=talk)
            heard.add(tuple(said_before_the_vote(play)))
        assert len(heard) == 1
        assert len(heard.pop()) >= seats


def test_no_classifier_tells_roles_at_avalon_from_what_is_said():
    heard = list(talks("avalon", "recon", 6, 40))
    for role in {talk.role for talk in heard}:
        assert auc(heard, role, words) < bound(heard, role)


def exchanges(game, preset, seats, options, roles, seeds):
    """For each seed what is said at a table when each of some seats in turn has the odd role."""
    for seed in range(seeds):
        setting = random.Random(seed).choice(settings(game))
        for pair in itertools.pairwise(roles):
            plays = [dealt(game, preset, seats, seed, setting | odd, discussion="free", **options) for odd in pair]
            yield [said_before_the_vote(play) for play in plays]


WORD_GAMES = [
    ("undercover", "magic", 3, {}, [{"undercovers": [seat]} for seat in (1, 2, 3)]),
    (
        "undercover",
        "party",
        4,
        {"blanks": 1},
        [{"undercovers": [a], "blanks": [b]} for a, b in ((1, 2), (2, 3), (3, 1))],
    ),
    ("chameleon", "magic", 3, {}, [{"chameleon": seat} for seat in (1, 2, 3)]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "preset", "seats", "options", "roles"), WORD_GAMES)
def test_in_word_games_a_role_changes_neither_who_speaks_nor_how_long_it_is(game, preset, seats, options, roles):
    apart, unlike = [], []
    for one, other in exchanges(game, preset, seats, options, roles, 6):
        assert [(seat, text is None) for seat, text in one] == [(seat, text is None) for seat, text in other]
        clues = [(len(a), len(b)) for (_, a), (_, b) in zip(one, other, strict=True) if a and b]
        apart += [abs(a - b) for a, b in clues]
        unlike += [a - b for a, b in clues]
    assert statistics.mean(apart) < 3.5
    assert abs(statistics.mean(unlike)) < 1.5
