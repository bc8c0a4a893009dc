"""The exact posterior against brute force, against logic, and against recorded games of people."""

import math
import os
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import belief_quality
from benchmarks.fit_avalon_behaviour import fit, recorded_games
from evaluation.metrics.beliefs import log_loss
from games.avalon.house.position import heard
from games.avalon.posterior import VERSION
from games.avalon.posterior.behaviour import MINDS, moment
from games.avalon.posterior.exact import EVIL, ROLES, Knowledge, Posterior, Proposal, PublicRecord, Remark, posterior

CASTS = [
    ("merlin", "percival", "servant", "morgana", "minion"),
    ("merlin", "servant", "servant", "mordred", "oberon"),
    ("servant", "servant", "servant", "minion", "minion"),
    ("merlin", "percival", "servant", "servant", "morgana", "mordred"),
    ("merlin", "percival", "servant", "servant", "morgana", "oberon", "mordred"),
]


def likelihood(deal, proposals, remarks):
    """P(what was seen | deal), one seat and one event at a time, straight from the table."""
    table = heard()
    total = 0.0

    def mind_and_counted(seat):
        role = deal[seat - 1]
        mind = {"merlin": "merlin", "oberon": "lone"}.get(role, "evil" if role in EVIL else "loyal")
        hidden = {"merlin": "mordred", "evil": "oberon"}.get(mind)
        counted = {s for s, r in enumerate(deal, 1) if r in EVIL and r != hidden} if hidden else set()
        return MINDS.index(mind), counted

    def weight(mind, counted, team):
        return table.team_weight[mind, min(len(counted & set(team)), 2)]

    for proposal in proposals:
        mind, counted = mind_and_counted(proposal.leader)
        taken = proposal.leader in proposal.team
        others = [seat for seat in range(1, len(deal) + 1) if seat != proposal.leader]
        teams = combinations(others, len(proposal.team) - taken)
        counted = counted - {proposal.leader}
        chosen = weight(mind, counted, proposal.team) / sum(weight(mind, counted, team) for team in teams)
        itself = table.takes_itself[mind] if taken else 1 - table.takes_itself[mind]
        total += table.proposal_temper * (math.log(itself) + math.log(chosen))
        for seat, approves in proposal.votes or ():
            mind, counted = mind_and_counted(seat)
            k = min(len(counted & proposal.team), 2)
            p = table.approve[mind, int(seat in proposal.team), moment(proposal.quest, proposal.attempt), k]
            total += table.vote_temper * math.log(p if approves else 1 - p)
        if proposal.fails is not None:
            evil = sum(deal[seat - 1] in EVIL for seat in proposal.team)
            if proposal.fails > evil:
                return 0.0
            if evil:
                row = table.fails[min(evil, 3) - 1, min(proposal.quest, 4) - 1, proposal.lost]
                total += math.log(row[min(proposal.fails, 3)])
    for remark in remarks:
        mind, counted = mind_and_counted(remark.speaker)
        evil = {s for s, r in enumerate(deal, 1) if r in EVIL} if MINDS[mind] == "loyal" else counted
        p = table.doubts[mind, int(remark.subject in evil)]
        total += math.log(p if remark.doubts else 1 - p)
    return math.exp(total)


def sees(deal, seat):
    role = deal[seat - 1]
    if role == "merlin":
        return frozenset(s for s, r in enumerate(deal, 1) if r in EVIL and r != "mordred")
    if role == "percival":
        return frozenset(s for s, r in enumerate(deal, 1) if r in ("merlin", "morgana"))
    if role in EVIL and role != "oberon":
        return frozenset(s for s, r in enumerate(deal, 1) if r in EVIL and r != "oberon" and s != seat)
    return frozenset()


@st.composite
def positions(draw):
    """A true deal, a seat, a record of up to six proposals that this deal could have made, and remarks."""
    deal = tuple(draw(st.permutations(draw(st.sampled_from(CASTS)))))
    seats = range(1, len(deal) + 1)
    proposals, quest, attempt, lost = [], 1, 1, 0
    for _ in range(draw(st.integers(0, 6))):
        team = frozenset(draw(st.lists(st.sampled_from(seats), min_size=2, max_size=4, unique=True)))
        voters = draw(st.lists(st.sampled_from(seats), unique=True))
        votes = draw(st.one_of(st.none(), st.just(tuple((seat, draw(st.booleans())) for seat in voters))))
        evil = sum(deal[seat - 1] in EVIL for seat in team)
        fails = draw(st.one_of(st.none(), st.integers(0, evil)))
        proposals.append(Proposal(draw(st.sampled_from(seats)), team, quest, attempt, lost, votes, fails))
        lost = min(2, lost + bool(fails))
        quest, attempt = (quest, min(5, attempt + 1)) if fails is None else (min(5, quest + 1), 1)
    pairs = draw(st.lists(st.permutations(seats).map(lambda order: order[:2]), max_size=6, unique_by=tuple))
    remarks = tuple(Remark(*pair, doubts=draw(st.booleans())) for pair in pairs)
    return deal, draw(st.sampled_from(seats)), tuple(proposals), remarks


@settings(max_examples=60)
@given(position=positions(), learned=st.integers(0, 7))
def test_it_equals_the_sum_over_every_possible_deal(position, learned):
    deal, seat, proposals, remarks = position
    sides = frozenset({(learned, deal[learned - 1] in EVIL)} if 0 < learned <= len(deal) else ())
    expected = np.zeros((len(deal), len(ROLES)))
    for other in set(permutations(deal)):
        told = (other[seat - 1], sees(other, seat)) == (deal[seat - 1], sees(deal, seat))
        if told and all((other[s - 1] in EVIL) == evil for s, evil in sides):
            weight = likelihood(other, proposals, remarks)
            for index, role in enumerate(other):
                expected[index, ROLES.index(role)] += weight
    expected /= expected.sum(axis=1, keepdims=True)

    knowledge = Knowledge(seat, deal[seat - 1], sees(deal, seat), sides)
    belief = Posterior(PublicRecord(deal, proposals, remarks), knowledge, heard())
    np.testing.assert_allclose(belief.roles(), expected, atol=1e-9)
    evil_columns = [ROLES.index(role) for role in EVIL]
    np.testing.assert_allclose(belief.evil(), expected[:, evil_columns].sum(axis=1), atol=1e-9)


def test_a_watcher_knows_only_the_roles_in_play():
    belief = posterior(PublicRecord(CASTS[0]))
    np.testing.assert_allclose(belief.evil(), 2 / 5)
    np.testing.assert_allclose(belief.roles()[:, ROLES.index("merlin")], 1 / 5)


def test_two_fails_from_a_team_of_two_name_both():
    quest = Proposal(1, frozenset({1, 2}), quest=1, attempt=1, fails=2)
    belief = Posterior(PublicRecord(CASTS[0], (quest,)), Knowledge(3, "servant"))
    np.testing.assert_allclose(belief.evil(), [1, 1, 0, 0, 0])
    np.testing.assert_allclose(belief.fewer_evil([{3, 4}, {1, 3}, {1, 2}], than=1), [1, 0, 0])
    np.testing.assert_allclose(belief.fewer_evil([{3, 4}, {1, 3}, {1, 2}], than=2), [1, 1, 0])


def test_percival_looks_for_merlin_among_the_two_that_are_seen():
    belief = posterior(PublicRecord(CASTS[0]), Knowledge(1, "percival", frozenset({2, 3})))
    np.testing.assert_allclose(belief.roles()[1:3, ROLES.index("merlin")], 0.5)
    assert belief.evil()[3:].sum() == pytest.approx(1)


def test_what_the_lady_showed_is_certain():
    belief = posterior(PublicRecord(CASTS[0]), Knowledge(1, "servant", sides=frozenset({(2, True), (3, False)})))
    np.testing.assert_allclose(belief.evil()[:3], [0, 1, 0])


def test_the_word_of_a_seat_that_is_known_to_be_good_counts():
    lady = Knowledge(1, "servant", sides=frozenset({(2, False)}))
    silent, doubted, trusted = (
        Posterior(PublicRecord(CASTS[0], (), said), lady, heard()).evil()[4]
        for said in ((), (Remark(2, 5, doubts=True),), (Remark(2, 5, doubts=False),))
    )
    assert trusted < silent < doubted


def test_knowledge_that_no_deal_fits_is_refused():
    with pytest.raises(ValueError, match="fits what the seat knows"):
        posterior(PublicRecord(CASTS[2]), Knowledge(1, "merlin", frozenset({2})))


def test_more_fail_cards_than_evil_seats_are_refused():
    quest = Proposal(1, frozenset({1, 2}), quest=1, attempt=1, fails=2)
    with pytest.raises(ValueError, match="fits the fail cards"):
        posterior(PublicRecord(CASTS[0], (quest,)), Knowledge(1, "servant"))


def test_ten_seats_with_every_role_are_weighed_exactly():
    cast = ("merlin", "percival", "servant", "servant", "servant", "servant", "morgana", "mordred", "oberon", "minion")
    belief = posterior(PublicRecord(cast), Knowledge(7, "morgana", frozenset({8, 10})))
    assert belief.deals.roles.shape == (7 * 6 * 5 * 2, 10)
    assert belief.evil()[7] == pytest.approx(1)
    assert belief.evil().sum() == pytest.approx(4)


@pytest.mark.slow
def test_it_predicts_recorded_games_of_people_better_than_logic_alone():
    folder = os.environ.get("MAGIC_DATA")
    if not folder:
        pytest.skip("MAGIC_DATA does not name the folder of recorded games.")
    games = list(recorded_games(Path(folder)))
    some, behaviour = games[1::8], fit(games[::2])

    def loss(believes) -> float:
        return np.mean([log_loss(p, truth) for *_, p, truth in belief_quality.judged(some, believes)])

    informed = loss(lambda record, knowledge: Posterior(record, knowledge, behaviour).evil())
    assert informed < loss(belief_quality.logic) - 0.05
    assert loss(belief_quality.logic) < loss(belief_quality.uniform)


PUBLISHED = {1: [0.6243, 0.1699, 0.0, 0.4626, 0.5874, 0.1559]}
"""By version what a servant at seat 3 believes after two quests."""


def test_its_numbers_belong_to_its_version():
    votes = tuple((seat, seat != 4) for seat in range(2, 7))
    went = (
        Proposal(1, frozenset({1, 5}), 1, 1, 0, votes, fails=1),
        Proposal(2, frozenset({2, 3, 6}), 2, 1, 1, votes, fails=0),
    )
    believed = posterior(PublicRecord(CASTS[3], went), Knowledge(3, "servant")).evil()
    assert believed == pytest.approx(PUBLISHED[VERSION], abs=1e-4), (
        "what moves them raises games.avalon.posterior.VERSION"
    )
