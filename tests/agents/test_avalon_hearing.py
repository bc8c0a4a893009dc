"""What a house agent understands of what is said at an Avalon table."""

import itertools
import re

import pytest

from agents.headless import of_profile, play_out
from agents.house.discourse.reasons import AGAINST, FOR
from agents.house.discourse.wording import Ways, listed, sentences
from agents.models import AgentProfile
from games.avalon.house import sayings
from games.avalon.house.hearing import remarks
from games.avalon.house.reasons import KINDS
from games.avalon.house.sayings import DOUBTS, TRUSTS
from games.avalon.posterior.exact import Remark
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header

NAMES = ((1, "Ann"), (2, "Ben"), (3, "Player 3"), (4, "Kim"), (5, "Kim"), (6, "Dr. No"), (10, "Player 10"))


def heard(text, speaker=1, names=NAMES, before=()):
    found = remarks(speaker, text, names, before)
    return {(remark.subject, "doubts" if remark.doubts else "trusts") for remark in found}


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
    assert heard(text) == set(understood)


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        # Who is spoken of beside the one who is meant
        ("Like Ben, I doubt Player 3.", [(3, "doubts")]),
        ("I'm with Ben on Player 3: quest 3 failed with them aboard.", [(3, "doubts")]),
        ("Ben and Dr. No agree that Player 3 is evil.", []),
        ("Ben is wrong about Player 3: he is good.", [(3, "trusts")]),
        ("Player 3 is more suspicious than Ben.", [(3, "doubts")]),
        ("Player 3 is less suspicious than Ben.", [(3, "trusts")]),
        ("Everyone except Ben is evil.", []),
        # Lists and plurals
        ("Quest 2 failed with Ben and Player 3 aboard.", [(2, "doubts"), (3, "doubts")]),
        ("I doubt Ben, Player 3 and Dr. No.", [(2, "doubts"), (3, "doubts"), (6, "doubts")]),
        ("Players 2 and 3 worry me.", [(2, "doubts"), (3, "doubts")]),
        ("Seats 2, 3, and 10 are good", [(2, "trusts"), (3, "trusts"), (10, "trusts")]),
        ("Players 2 & 99 are evil", [(2, "doubts")]),
        ("I don't trust Ben or Player 3.", [(2, "doubts"), (3, "doubts")]),
        ("Neither Ben nor Player 3 is evil.", [(2, "trusts"), (3, "trusts")]),
        ("I trust both Ben and Player 3, but not Dr. No.", [(2, "trusts"), (3, "trusts"), (6, "doubts")]),
        ("Ben is evil, and so is Player 3.", [(2, "doubts"), (3, "doubts")]),
        ("Ben is fine; Player 3 and Dr. No are not to be trusted.", [(2, "trusts"), (3, "doubts"), (6, "doubts")]),
        # Whom one agrees with is not spoken of
        ("I agree with Ben about Player 3; quest 3 failed with them aboard", [(3, "doubts")]),
        ("I agree with Ben and Player 10 about Player 3: they won quest 1", [(3, "trusts")]),
        ("As Ben said, Player 3 is evil.", [(3, "doubts")]),
        ("Ben is right.", []),
        # Subordinate clauses
        ("Since quest 2 failed with Ben aboard, I doubt him.", [(2, "doubts")]),
        ("Ben, who was on the team that failed, worries me.", [(2, "doubts")]),
        ("Although Ben won quest 1, I suspect him.", [(2, "doubts")]),
        ("I trust Ben, although quest 2 failed with him.", [(2, "trusts")]),
        ("Ben was against the team that won quest 1.", [(2, "doubts")]),
        ("Ben rejected the team that failed quest 1.", [(2, "trusts")]),
        ("Ann, I trust Player 3.", [(3, "trusts")]),
        ("Ben, I trust Player 3.", [(3, "trusts")]),
        ("No doubt Ben is evil.", [(2, "doubts")]),
        ("I am sure that it's Ben.", [(2, "doubts")]),
        # No statement of the speaker's own
        ("Is Ben evil?", []),
        ("If Ben is evil, Player 3 is good.", []),
        ("Ben thinks that Player 3 is evil.", []),
        ("Ben doubts Player 3.", []),
        ("Ben, you are looking at the wrong one.", []),
    ],
)
def test_it_hears_a_sentence_as_it_is_built(text, understood):
    assert heard(text) == set(understood)


def test_who_agrees_says_what_the_other_one_said():
    before = (Remark(2, 3, True), Remark(2, 6, False))
    assert heard("I agree with Ben about Player 3.", before=before) == {(3, "doubts")}
    assert heard("Ben is right about Dr. No.", before=before) == {(6, "trusts")}
    assert heard("I disagree with Ben about Player 3.", before=before) == {(3, "trusts")}
    assert heard("I agree with Ben about Player 3.") == set()


@pytest.mark.parametrize("name", ["A.B (x)", "Ann Marie", "3", "a+", "Dr. No!"])
def test_a_name_is_heard_whatever_signs_it_holds(name):
    said = remarks(1, f"I doubt {name}, not Ann.", ((1, "Zoe"), (2, name), (3, "Ann")))
    assert (2, True) in {(remark.subject, remark.doubts) for remark in said}


# What house agents say -----------------------------------------------------------------------------------------------

CALLED = [
    dict(enumerate(("Player 1", "Player 2", "Player 3", "Player 4", "Player 5", "Player 6"), 1)),
    dict(enumerate(("Zoe", "Ben", "Mary Ann", "Dr. No", "Evi L.", "Trusty"), 1)),
]
FACTS = {"quest": 2, "second": 3, "later": 3, "count": 3, "votes": 4, "fails": 2, "size": 3, "attempt": 3, "left": 2}
SAYINGS = [ways for ways in vars(sayings).values() if isinstance(ways, Ways)] + list(sayings.STAND_BY.values())
TALES = [(kind, way) for kind in KINDS for way in kind.tales.every]


def parts(names, subject):
    team = listed(["myself", names[subject], names[4]])
    return {"name": names[subject], "other": names[6], "leader": names[6], "team": team} | FACTS


def assert_heard_as_meant(text, subject, means, names):
    meant = {(subject, means)} if means else set()
    for variant in (text, f"Well, {text[0].lower()}{text[1:]}"):
        assert heard(variant, 1, tuple(names.items())) == meant, variant


def clauses(ways):
    """Reasons as clauses of the sort that stands in these ways; one that is no reason where none does."""
    if ways is sayings.ANSWERS_DOUBT_BY:
        return [way for kind in KINDS if kind.tone == FOR for way in kind(1, ()).of_me.every]
    tone = AGAINST if ways.means == DOUBTS else FOR
    return [way for kind in KINDS if kind.tone == tone for way in kind.ways.every]


@pytest.mark.parametrize(("ways", "way"), [(ways, way) for ways in SAYINGS for way in ways.every])
def test_every_sentence_of_a_house_agent_is_heard_as_it_was_meant(ways, way):
    tables = itertools.cycle(itertools.product(CALLED, (2, 5)))
    reasons = clauses(ways) if "{reason}" in way else [""] * 4
    for reason, (names, subject) in zip(reasons, tables, strict=False):
        text = way.format(reason=reason.format(**FACTS), **parts(names, subject))
        assert_heard_as_meant(text, subject, ways.means, names)


@pytest.mark.parametrize(("kind", "way"), TALES)
def test_every_reason_by_itself_is_heard_as_doubt_or_trust(kind, way):
    for names, subject in itertools.product(CALLED, (2, 5)):
        text = way.format(**parts(names, subject))
        assert_heard_as_meant(text, subject, TRUSTS if kind.tone == FOR else DOUBTS, names)


def test_whatever_house_agents_say_is_of_these_sentences():
    """So that no new sentence escapes the tests above."""
    name = r"Player \d"
    wild = dict.fromkeys(FACTS, r"\d") | {"name": name, "other": name, "leader": name, "reason": ".+"}
    wild["team"] = rf"(?:[Mm]yself|[Mm]e|{name}|, | and )+"
    ways = [way for some in SAYINGS for way in some.every] + [way for _, way in TALES]
    known = [
        re.compile(re.escape(way).replace(r"\{", "{").replace(r"\}", "}").format(**wild), re.IGNORECASE) for way in ways
    ]
    house = of_profile(AgentProfile(name="house", provider="house", switches={"hops": 1}))
    play = Play(RULES["avalon"], new_header(RULES["avalon"], "recon", seats=agents_and_people(0, 6), seed=1))
    play_out(play, dict.fromkeys(range(1, 7), house))
    said = [event.data["text"] for event in play.log if event.kind == "speech"]
    assert len(said) > 10
    for text in said:
        for sentence in sentences(text, ()):
            assert any(pattern.fullmatch(sentence) or sentence in pattern.pattern for pattern in known), sentence
