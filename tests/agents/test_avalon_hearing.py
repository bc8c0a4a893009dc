"""What a house agent understands of what is said at an Avalon table."""

import pytest

from agents.house.avalon_hearing import remarks

NAMES = ((1, "Ann"), (2, "Ben"), (3, "Player 3"), (4, "Kim"), (5, "Kim"), (10, "Player 10"))


def heard(text, speaker=1):
    return [(remark.subject, "doubts" if remark.doubts else "trusts") for remark in remarks(speaker, text, NAMES)]


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("I trust Ben.", [(2, "trusts")]),
        ("ben is EVIL!", [(2, "doubts")]),
        ("I do not trust Ben", [(2, "doubts")]),
        ("I don’t think that Ben is evil", [(2, "trusts")]),
        ("Ben isn't evil.", [(2, "trusts")]),
        ("Seat 10 worries me, but Ben is fine", [(10, "doubts"), (2, "trusts")]),
        ("Ben and player 3 are good", [(2, "trusts"), (3, "trusts")]),
        ("Keep an eye on Player 10; their votes do not add up.", [(10, "doubts")]),
        ("Player 10 helped to win quest 1.", [(10, "trusts")]),
        ("I take myself and Ben.", []),
        ("Benny is evil.", []),
        ("Kim is evil.", []),
        ("Seat 4 is evil.", [(4, "doubts")]),
        ("I, Ann, am good.", []),
        ("", []),
    ],
)
def test_it_hears_doubt_and_trust_of_the_seats_that_are_named(text, understood):
    assert heard(text) == understood


@pytest.mark.parametrize("name", ["A.B (x)", "Ann Marie", "3", "a+", "Dr. No!"])
def test_a_name_is_heard_whatever_signs_it_holds(name):
    said = remarks(1, f"I doubt {name}, not Ann.", ((1, "Zoe"), (2, name), (3, "Ann")))
    assert (2, True) in {(remark.subject, remark.doubts) for remark in said}
