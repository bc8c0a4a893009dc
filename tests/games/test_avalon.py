"""Avalon: teams, votes, quests, the Lady of the Lake, the dagger, and what each role is shown."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.avalon.rules import EVIL, GOOD
from games.registry import RULES
from games.rules import kit
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import OMNISCIENT, PUBLIC, Impossible, Refusal, Shell

AVALON = RULES["avalon"]
FIVE = ["merlin", "percival", "servant", "morgana", "minion"]
SEVEN = ["merlin", "percival", "servant", "servant", "morgana", "oberon", "minion"]
SILENT = {"discussion": "none"}
TEN = ["merlin", "percival", "servant", "servant", "servant", "servant", "morgana", "mordred", "oberon", "minion"]


def match(roles, assassin="last", leader=1, preset="official", seed=1, **options) -> Play:
    """A match with this deal, without talk unless said otherwise; the dagger lies with the last seat."""
    options = (SILENT if preset == "official" else {}) | options
    setting = {"roles": roles, "assassin": len(roles) if assassin == "last" else assassin, "first_leader": leader}
    seats = agents_and_people(len(roles), 0)
    return Play(AVALON, new_header(AVALON, preset, seats=seats, seed=seed, options=options, setting=setting))


def asked(play: Play, kind: str) -> list:
    return [request for request in play.state.open.values() if request.kind == kind]


def answer(play: Play, request, action):
    result = play.act(request.seat, request.id, action)
    assert type(result) is not Refusal, result.sentence
    return result


def propose(play: Play, team: list[int]) -> None:
    (request,) = asked(play, "team")
    answer(play, request, {"seats": team})


def vote(play: Play, approve) -> None:
    """Votes by seat, or one for all."""
    for request in asked(play, "team_vote"):
        answer(play, request, {"approve": approve if isinstance(approve, bool) else approve[request.seat]})


def quest(play: Play, fails: int = 0, team: list[int] | None = None) -> None:
    """A whole quest in which the first `fails` evil seats of the team play fail; by default the first seats go."""
    size = play.state.team_size
    propose(play, team or list(range(1, size + 1)))
    vote(play, True)
    for request in asked(play, "quest"):
        evil = play.state.roles[request.seat] in EVIL
        answer(play, request, {"success": not (evil and fails > 0)})
        fails -= evil
    assert fails <= 0


def kinds(play: Play, viewer: int = OMNISCIENT) -> list[str]:
    return [event.kind for event in play.visible(viewer)]


# What each role is shown


@pytest.mark.parametrize(
    ("seat", "sees", "sees_as"),
    [
        (1, [7, 9, 10], "evil"),
        (2, [1, 7], "merlin or morgana"),
        (3, [], None),
        (7, [8, 10], "fellow evil"),
        (8, [7, 10], "fellow evil"),
        (9, [], None),
        (10, [7, 8], "fellow evil"),
    ],
)
def test_each_role_is_shown_what_it_should(seat, sees, sees_as):
    play = match(TEN)
    card = AVALON.card(play.view(seat), seat)
    assert (card["role"], card["sees"], card["sees_as"]) == (TEN[seat - 1], sees, sees_as)
    assert card["dagger"] is (seat == 10)


def test_nobody_is_shown_more_than_the_own_card():
    play = match(TEN)
    for viewer in (PUBLIC, *range(1, 11)):
        known = {event.seat: event.data for event in play.visible(viewer) if event.kind == "dealt" and event.data}
        assert set(known) == ({viewer} if viewer else set())
        assert "record" not in kinds(play, viewer)
        assert AVALON.card(play.view(viewer), 10 if viewer != 10 else 1) == {}


# Teams and votes


@pytest.mark.parametrize(
    ("seats", "sizes", "evil"),
    [
        (5, [2, 3, 2, 3, 3], 2),
        (6, [2, 3, 4, 3, 4], 2),
        (7, [2, 3, 3, 4, 4], 3),
        (8, [3, 4, 4, 5, 5], 3),
        (9, [3, 4, 4, 5, 5], 3),
        (10, [3, 4, 4, 5, 5], 4),
    ],
)
def test_the_tables_of_the_game(seats, sizes, evil):
    header = new_header(AVALON, "official", seats=agents_and_people(seats, 0), seed=1, options=SILENT)
    opened = Play(AVALON, header).log[0].data
    assert opened["sizes"] == sizes
    assert opened["fails_needed"] == [1, 1, 1, 2 if seats >= 7 else 1, 1]
    assert sum(role in EVIL for role in opened["roles"]) == evil
    assert len(opened["roles"]) == seats


@pytest.mark.parametrize("team", [[1], [1, 2, 3], [1, 1], [1, 9], [0, 1], "12", None])
def test_a_team_has_exactly_its_size(team):
    play = match(FIVE)
    (request,) = asked(play, "team")
    assert type(play.act(1, request.id, {"seats": team})) is Refusal


def test_a_tied_vote_rejects_and_the_lead_goes_left():
    play = match(["merlin", "percival", "servant", "servant", "morgana", "minion"], leader=6)
    propose(play, [1, 2])
    vote(play, {1: True, 2: True, 3: True, 4: False, 5: False, 6: False})
    voted = play.log[-2]
    assert (voted.kind, voted.data["approved"], voted.data["rejections"]) == ("voted", False, 1)
    assert play.state.leader == 1


def test_the_fifth_rejection_in_a_row_loses():
    play = match(FIVE)
    for number in range(5):
        assert not play.over and play.state.rejections == number
        propose(play, [1, 2])
        vote(play, False)
    assert play.state.outcome.result == "evil_rejections"
    assert play.state.outcome.winners == (4, 5)
    assert AVALON.summary(play.state.outcome, play.state)["winner"] == "evil"


def test_an_approved_team_starts_the_count_anew():
    play = match(FIVE)
    for _ in range(4):
        propose(play, [1, 2])
        vote(play, False)
    assert play.state.leader == 5
    quest(play, team=[1, 2])
    assert play.state.rejections == 0 and play.state.quest == 2 and play.state.leader == 1


def test_votes_are_sealed_until_all_are_in():
    play = match(FIVE)
    propose(play, [1, 2])
    request = asked(play, "team_vote")[0]
    answer(play, request, {"approve": True})
    assert isinstance(play.visible(2)[-1], Shell) and play.visible(2)[-1].seat == 1
    assert len(asked(play, "team_vote")) == 4


# Quests


def test_good_cards_are_always_success():
    play = match(FIVE)
    propose(play, [1, 5])
    vote(play, True)
    good, evil = asked(play, "quest")
    assert play.act(1, good.id, {"success": False}).sentence == "You are good: your card is always success."
    answer(play, evil, {"success": False})


def test_cards_are_shown_to_nobody_neither_as_done_nor_as_asked():
    play = match(FIVE)
    propose(play, [4, 5])
    vote(play, True)
    before = {viewer: play.visible(viewer) for viewer in (PUBLIC, 1, 5)}
    answer(play, next(request for request in asked(play, "quest") if request.seat == 4), {"success": False})
    for viewer, seen in before.items():
        assert play.visible(viewer) == seen
        assert [request.seat for request in play.requests(viewer)] == ([5] if viewer == 5 else [])
    answer(play, asked(play, "quest")[0], {"success": True})
    assert "quest" not in kinds(play, PUBLIC)


def test_whose_card_was_the_fail_is_told_to_nobody_else():
    def played(failing: int) -> Play:
        play = match(FIVE)
        propose(play, [4, 5])
        vote(play, True)
        for request in asked(play, "quest"):
            answer(play, request, {"success": request.seat != failing})
        return play

    one, other = played(4), played(5)
    for viewer in (PUBLIC, 1, 2, 3):
        assert kit.file_of(one, viewer) == kit.file_of(other, viewer)
    assert kit.file_of(one, 4) != kit.file_of(other, 4)


@pytest.mark.parametrize(("roles", "one_fail_loses"), [(FIVE, True), (SEVEN, False), (TEN, False)])
def test_quest_four_needs_two_fails_from_seven_seats(roles, one_fail_loses):
    play = match(roles, assassin=None)
    quest(play)
    quest(play)
    evil = [seat for seat, role in enumerate(roles, 1) if role in EVIL]
    quest(play, fails=1, team=[evil[0], *range(1, play.state.team_size)])
    quest(play, fails=1, team=[evil[0], *range(1, play.state.team_size)])
    assert play.state.quests[3] == {"team": play.state.quests[3]["team"], "fails": 1, "success": not one_fail_loses}
    assert play.over is (not one_fail_loses)


def test_two_fails_lose_quest_four_at_ten_seats():
    play = match(TEN)
    quest(play)
    quest(play)
    quest(play, fails=1, team=[1, 2, 3, 7])
    quest(play, fails=2, team=[1, 2, 3, 7, 8])
    assert (play.state.successes, play.state.failures) == (2, 2)
    quest(play, fails=1, team=[1, 2, 3, 4, 10])
    assert play.state.outcome.result == "evil_quests"


def test_three_failed_quests_end_it_at_once():
    play = match(FIVE)
    for _ in range(3):
        quest(play, fails=1, team=[4, 5, 1][: play.state.team_size])
    assert play.state.outcome.result == "evil_quests"
    assert len(play.state.quests) == 3 and "assassinating" not in kinds(play)


# The dagger


def three_successes(play: Play) -> Play:
    for _ in range(3):
        quest(play)
    return play


def test_the_dagger_finds_merlin_or_does_not():
    for target, result, winners in ((1, "evil_assassination", (4, 5)), (3, "good", (1, 2, 3)), (4, "good", (1, 2, 3))):
        play = three_successes(match(FIVE))
        (request,) = play.state.open.values()
        answer(play, request, {"seat": target})
        assert (play.state.outcome.result, play.state.outcome.winners) == (result, winners)
        assert AVALON.summary(play.state.outcome, play.state)["assassinated"] == target


def test_only_the_dagger_is_asked_and_nobody_is_told_who_that_is():
    play = three_successes(match(FIVE))
    assert kinds(play, PUBLIC)[-1] == "assassinating"
    for viewer in range(6):
        assert [request.seat for request in play.requests(viewer)] == ([5] if viewer == 5 else [])
    assert play.visible(1)[-1].seat is None


def test_who_has_the_dagger_is_called_the_assassin():
    recon = match(["merlin", "percival", "servant", "servant", "morgana", "minion"], preset="recon")
    assert AVALON.titles(recon.state) == {6: "Assassin"} and AVALON.card(recon.state, 6)["assassin"] == "minion"
    assert AVALON.titles(match(FIVE).state) == {5: "minion, Assassin"}
    assert AVALON.titles(match(FIVE, assassin=4).state) == {4: "morgana, Assassin"}
    assert AVALON.titles(match(FIVE, assassin=None).state) == {}


def test_the_dagger_cannot_name_its_own_seat():
    play = three_successes(match(FIVE))
    (request,) = play.state.open.values()
    assert type(play.act(5, request.id, {"seat": 5})) is Refusal


def test_no_name_in_time_and_good_wins():
    play = three_successes(match(FIVE))
    play.expire(next(iter(play.state.open)))
    assert play.state.outcome.result == "good" and play.state.assassinated is None


@pytest.mark.parametrize(
    ("roles", "assassin"),
    [(FIVE, None), (["percival", "servant", "servant", "morgana", "minion"], 5)],
    ids=["no dagger", "no Merlin"],
)
def test_without_dagger_or_merlin_three_successes_win_at_once(roles, assassin):
    play = three_successes(match(roles, assassin=assassin))
    assert play.state.outcome.result == "good"
    assert "assassinating" not in kinds(play)


def test_the_dagger_may_lie_with_any_evil_seat():
    play = three_successes(match(TEN, assassin=9))
    (request,) = play.state.open.values()
    assert request.seat == 9


# The Lady of the Lake


def test_the_lady_comes_after_quests_two_to_four_and_shows_a_side_to_its_holder():
    play = match(SEVEN, leader=1, lady=True)
    assert play.state.lady_holder == 7
    quest(play)
    assert not asked(play, "lady")
    quest(play, fails=1, team=[1, 2, 5])
    (request,) = asked(play, "lady")
    assert (request.seat, request.fields[0].seats) == (7, (1, 2, 3, 4, 5, 6))
    answer(play, request, {"seat": 6})
    shown = {viewer: next(e for e in play.visible(viewer) if e.kind == "shown").data for viewer in (PUBLIC, 1, 6, 7)}
    assert shown == {PUBLIC: None, 1: None, 6: None, 7: {"seat": 6, "side": "evil"}}
    assert AVALON.card(play.view(7), 7)["shown"] == [{"seat": 6, "side": "evil"}]
    assert AVALON.public(play.view(PUBLIC))["lady_holder"] == 6
    quest(play, fails=1, team=[1, 2, 5])
    (request,) = asked(play, "lady")
    assert (request.seat, request.fields[0].seats) == (6, (1, 2, 3, 4, 5))


def test_there_is_no_lady_when_the_match_is_decided():
    play = match(SEVEN, lady=True)
    quest(play)
    quest(play)
    answer(play, asked(play, "lady")[0], {"seat": 1})
    quest(play)
    assert kinds(play)[-1] == "assassinating"


def test_a_holder_who_does_not_answer_has_a_seat_drawn():
    play = match(SEVEN, lady=True)
    quest(play)
    quest(play)
    assert play.expire(asked(play, "lady")[0].id)[0].data["seat"] in range(1, 7)


# recon and discussion


def test_recon_is_the_papers_table():
    header = new_header(AVALON, "recon", seats=agents_and_people(6, 0), seed=3)
    play = Play(AVALON, header)
    assert Counter(play.log[0].data["roles"]) == Counter(
        ["merlin", "percival", "servant", "servant", "morgana", "minion"]
    )
    assert play.state.roles[play.state.dagger] == "minion"
    leader = play.state.leader
    propose(play, [1, 2])
    spoke = []
    while requests := asked(play, "speech"):
        spoke.append(requests[0].seat)
        answer(play, requests[0], {"text": "I trust them."})
    assert spoke == [(leader - 1 + step) % 6 + 1 for step in range(6)]
    assert {request.seat for request in asked(play, "team_vote")} == {1, 2, 3, 4, 5, 6} - {leader}


def test_silence_in_a_discussion_is_marked():
    play = match(FIVE, discussion="once")
    propose(play, [1, 2])
    while requests := asked(play, "speech"):
        play.expire(requests[0].id)
    assert [speech["text"] for speech in play.state.speeches] == [None] * 5
    assert len(asked(play, "team_vote")) == 5


def test_defaults_are_a_team_by_lot_rejection_and_success():
    play = match(FIVE)
    teams = {tuple(match(FIVE, seed=seed).expire("8:1:team")[0].data["seats"]) for seed in range(80)}
    assert len(teams) == 10
    assert play.expire("8:1:team")
    assert play.expire(asked(play, "team_vote")[0].id)[0].data == {"approve": False}
    quest_play = match(FIVE)
    propose(quest_play, [4, 5])
    vote(quest_play, True)
    assert quest_play.expire(asked(quest_play, "quest")[0].id)[0].data == {"success": True}


# The deal


def test_the_deal_is_by_lot_where_the_setting_is_silent():
    def deal(seed):
        play = Play(AVALON, new_header(AVALON, "official", seats=agents_and_people(5, 0), seed=seed, options=SILENT))
        return play.rules.deal(play.state)

    deals = [deal(seed) for seed in range(300)]
    assert {deal["first_leader"] for deal in deals} == {1, 2, 3, 4, 5}
    assert len({tuple(deal["roles"]) for deal in deals}) > 80
    holders = Counter(deal["roles"][deal["assassin"] - 1] for deal in deals)
    assert set(holders) == {"morgana", "minion"}


def test_a_setting_may_fix_a_part_and_leave_the_rest_to_chance():
    def play(setting):
        return Play(
            AVALON,
            new_header(AVALON, "official", seats=agents_and_people(5, 0), seed=4, setting=setting, options=SILENT),
        )

    assert play({"first_leader": 3}).state.leader == 3
    assert list(play({"roles": FIVE}).state.roles.values()) == FIVE
    assert play({"roles": FIVE}).state.dagger in (4, 5)
    assert play({"roles": FIVE, "assassin": None}).state.dagger is None


@pytest.mark.parametrize(
    ("roles", "reason"),
    [
        (["merlin", "percival", "servant", "servant", "minion"], "5 seats need 2 evil roles; there are 1."),
        (["merlin", "merlin", "servant", "morgana", "minion"], "There can be only one merlin."),
        (["merlin", "servant", "servant", "morgana", "morgana"], "There can be only one morgana."),
        (["merlin", "servant", "servant", "morgana"], "5 seats need 5 roles; there are 4."),
        (["merlin", "servant", "servant", "morgana", "assassin"], "Avalon has no role 'assassin'."),
        ("merlin", "The roles in the setting are a list in seat order."),
    ],
)
def test_roles_that_cannot_be_dealt_are_refused(roles, reason):
    with pytest.raises(Impossible) as refused:
        new_header(AVALON, "official", seats=agents_and_people(5, 0), seed=1, setting={"roles": roles}, options=SILENT)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ({"roles": FIVE, "assassin": 1}, "Seat 1 is good and cannot be the Assassin."),
        ({"roles": FIVE, "assassin": 6}, "'assassin' in the setting is a seat from 1 to 5."),
        ({"assassin": 5}, "names the Assassin must give the roles too"),
        ({"first_leader": 0}, "'first_leader' in the setting is a seat from 1 to 5."),
        ({"spy": 1}, "A setting of Avalon has no 'spy'."),
        ({"openings": {"1": [{"seats": [1]}]}}, "An opening of seat 1 cannot be played. Choose exactly 2 seats"),
        ({"openings": {"1": ["go"]}}, "An opening of seat 1 cannot be played."),
    ],
)
def test_settings_that_cannot_be_played_are_refused(setting, reason):
    with pytest.raises(Impossible) as refused:
        new_header(AVALON, "official", seats=agents_and_people(5, 0), seed=1, setting=setting, options=SILENT)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("seats", "options", "reason"),
    [
        (6, {"lady": True}, "The Lady of the Lake needs a table of 7 seats or more."),
        (5, {"roles": ["merlin"] * 5}, "There can be only one merlin."),
        (5, {"roles": ["king"] * 5}, "Option 'roles' knows no 'king'."),
        (5, {"roles": FIVE[:4]}, "5 seats need 5 roles; there are 4."),
        (
            5,
            {"roles": ["merlin", "servant", "servant", "morgana", "mordred"], "dagger": "minion"},
            "no minion is in play",
        ),
    ],
)
def test_options_that_cannot_be_played_are_refused(seats, options, reason):
    with pytest.raises(Impossible) as refused:
        AVALON.options("official", options, seats)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    "roles",
    [
        ["percival", "servant", "servant", "minion", "minion"],
        ["merlin", "servant", "servant", "morgana", "oberon"],
        ["servant", "servant", "servant", "mordred", "oberon"],
    ],
)
def test_anything_else_that_people_play_is_allowed(roles):
    assert match(roles, assassin=None).state.in_play == sorted(roles, key=(GOOD + EVIL).index)


# Beside another reading of the rules


def by_hand(roles, assassin, leader, rng: random.Random):
    """A game by a loop of its own; returns its actions and what they should come to."""
    seats, evil = len(roles), {seat for seat, role in enumerate(roles, 1) if role in EVIL}
    sizes = {5: "23233", 6: "23434", 7: "23344"}.get(seats, "34455")
    actions, won, lost, rejected = [], 0, 0, 0
    while won < 3 and lost < 3 and rejected < 5:
        team = sorted(rng.sample(range(1, seats + 1), int(sizes[won + lost])))
        actions.append((leader, {"seats": team}))
        ayes = [rng.random() < 0.6 for _ in range(seats)]
        actions += [(seat, {"approve": aye}) for seat, aye in enumerate(ayes, 1)]
        leader = 1 if leader == seats else leader + 1
        if ayes.count(True) <= ayes.count(False):
            rejected += 1
            continue
        rejected = 0
        cards = [seat not in evil or rng.random() < 0.5 for seat in team]
        actions += [(seat, {"success": card}) for seat, card in zip(team, cards, strict=True)]
        enough = 2 if seats >= 7 and won + lost == 3 else 1
        failed = cards.count(False) >= enough
        won, lost = won + (not failed), lost + failed
    named = None
    if won == 3 and assassin and "merlin" in roles:
        named = rng.choice([seat for seat in range(1, seats + 1) if seat != assassin])
        actions.append((assassin, {"seat": named}))
    good = won == 3 and not (named and roles[named - 1] == "merlin")
    return actions, {"winner": "good" if good else "evil", "successes": won, "fails": lost, "assassinated": named}


@settings(max_examples=150)
@given(seed=st.integers(0, 2**32), seats=st.integers(5, 10))
def test_the_rules_agree_with_another_reading_of_them(seed, seats):
    rng = random.Random(seed)
    evil = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}[seats]
    roles = rng.sample(["morgana", "mordred", "oberon", "minion", "minion", "minion"], evil)
    roles += rng.sample(["merlin", "percival", *["servant"] * 6], seats - evil)
    rng.shuffle(roles)
    assassin = rng.choice([None, *(seat for seat, role in enumerate(roles, 1) if role in EVIL)])
    leader = rng.randint(1, seats)
    actions, expected = by_hand(roles, assassin, leader, rng)
    play = match(roles, assassin=assassin, leader=leader)
    for seat, action in actions:
        request = next(request for request in play.state.open.values() if request.seat == seat)
        answer(play, request, action)
    assert play.over
    summary = AVALON.summary(play.state.outcome, play.state)
    assert {name: summary[name] for name in expected} == expected


def test_where_talk_is_free_all_talk_until_they_are_ready_and_then_vote():
    play = Play(RULES["avalon"], new_header(RULES["avalon"], "classic", seats=agents_and_people(0, 6), seed=1))
    request = next(iter(play.state.open.values()))
    play.act(request.seat, request.id, {"seats": [1, 2]})
    asked = {(r.seat, r.kind): r.id for r in play.state.open.values()}
    assert set(asked) == {(seat, kind) for seat in range(1, 7) for kind in ("say", "ready")}
    play.act(3, asked[3, "say"], {"text": "I trust them."})
    for seat in range(1, 7):
        play.act(seat, asked[seat, "ready"], {"text": "So do I." if seat == 2 else None})
    assert [(s["seat"], s["proposal"]) for s in play.state.speeches] == [(3, 1), (2, 1)]
    assert {(r.seat, r.kind) for r in play.state.open.values()} == {(seat, "team_vote") for seat in range(1, 7)}


# Beliefs -------------------------------------------------------------------------------------------------------------


def test_beliefs_are_asked_for_before_each_vote_and_only_what_a_seat_was_not_told():
    play = match(FIVE, polls="magic")
    propose(play, [1, 2])
    polls = {request.seat: [item.name for item in request.fields] for request in asked(play, "poll")}
    told = {seat for seat, names in polls.items() if "evil" not in names}
    assert set(polls) == {1, 2, 3, 4, 5} and told == {1, 4, 5}, "Merlin and evil, who know one another"
    assert polls[2] == ["evil", "suspect_of_1", "suspect_of_3", "suspect_of_4", "suspect_of_5"]
    assert not asked(play, "team_vote")
    for request in asked(play, "poll"):
        assert play.requests(1 + request.seat % 5).count(request) == 0, "a poll is nobody else's"
        answer(play, request, {"evil": [3, 4]} if request.seat == 2 else {})
    assert len(asked(play, "team_vote")) == 5
    vote(play, False)
    propose(play, [2, 3])
    assert len(asked(play, "poll")) == 5
    assert [event.data["moment"] for event in play.log if event.kind == "polling"] == ["team 1.1", "team 1.2"]


def test_a_poll_names_as_many_evil_seats_as_there_are_or_nobody():
    play = match(["servant", "servant", "servant", "mordred", "oberon"], polls="magic")
    propose(play, [1, 2])
    requests = {request.seat: request for request in asked(play, "poll")}
    refusal = play.act(1, requests[1].id, {"evil": [2]})
    assert refusal.sentence == "Choose exactly 2 seats; you chose 1."
    assert requests[5].fields[0].count == 1, "Oberon looks for the one other"
    answer(play, requests[1], {"evil": []})  # as the page sends it
    assert play.log[-1].data["evil"] is None


def test_the_papers_presets_ask_for_no_beliefs():
    assert {AVALON.presets[name].options.polls for name in AVALON.presets} == {"none"}
