"""SpyGame by hand: every way to end it, what may be asked of whom, and what the hidden request keeps hidden."""

from __future__ import annotations

import dataclasses

import pytest

from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.sight import requests_for
from games.rules.values import PUBLIC, Impossible, Refusal

RULES_OF = RULES["spygame"]
ROLES = ["curator", "guard", "visitor", None, "guide", "restorer", "director"]
DEAL = {"place": "museum", "roles": ROLES, "spy": 4, "first_leader": 1}
WAIT = {"place": None, "certainty": 10}


def new_play(preset="seed004", seats=7, seed=1, options=None, **setting) -> Play:
    deal = DEAL | setting
    return Play(
        RULES_OF,
        new_header(
            RULES_OF, preset, seats=agents_and_people(seats, 0), seed=seed, options=options, setting=deal, id="m"
        ),
    )


def request(play: Play, kind: str, seat: int | None = None):
    return next(r for r in play.state.open.values() if r.kind == kind and seat in (None, r.seat))


def act(play: Play, kind: str, action: dict, seat: int | None = None):
    asked = request(play, kind, seat)
    result = play.act(asked.seat, asked.id, action)
    assert type(result) is not Refusal, result.sentence
    return result


def answer_hidden(play: Play, action: dict) -> None:
    """Answer the hidden question for the spy, where there is one."""
    if play.state.phase == "asking":
        act(play, "reveal", action)


def ask(play: Play, target: int, guess: dict = WAIT) -> None:
    """One turn: the hidden question where there is one, a question to `target`, and the answer."""
    answer_hidden(play, guess)
    act(play, "lead", {"seat": target, "text": f"What do you do here, in turn {play.state.turn}?", "accuse": False})
    act(play, "answer", {"text": "I look at things."})


def accuse(play: Play, target: int, agree: dict[int, bool]) -> None:
    """One turn: an accusation, and the votes, by default in favour."""
    answer_hidden(play, WAIT)
    act(play, "lead", {"seat": target, "accuse": True})
    for asked in list(play.state.open.values()):
        play.act(asked.seat, asked.id, {"agree": agree.get(asked.seat, True)})


def final(play: Play, votes: str) -> None:
    """Ask until the turns are over, then vote: one target for each seat in seat order, '-' for an abstention."""
    while play.state.phase != "vote":
        ask(play, play.state.leader % 7 + 1)
    for seat, target in enumerate(votes, 1):
        asked = request(play, "vote", seat)
        if target == "-":
            play.expire(asked.id)
        else:
            play.act(seat, asked.id, {"seat": int(target)})


# The spy is seat 4, the place is the museum, seat 1 leads first. --------------------------------------------------


def guess_after_one_turn(guess: str):
    def played(play: Play) -> None:
        ask(play, 2)
        act(play, "reveal", {"place": guess, "certainty": 90})

    return played


def guess_before_the_last_turn(play: Play) -> None:
    for _turn in range(8):
        ask(play, play.state.leader % 7 + 1)
    act(play, "reveal", {"place": "the Museums", "certainty": 100})


def a_citizen_doubts_and_then_all_agree_on_the_accuser(play: Play) -> None:
    accuse(play, 4, {7: False})
    accuse(play, 1, {})


def the_spy_accuses(play: Play) -> None:
    ask(play, 4)
    accuse(play, 5, {})


ENDINGS = {
    "all agree on the spy": (lambda play: accuse(play, 4, {}), "spy_accused", 1),
    "all agree on a citizen": (lambda play: accuse(play, 2, {}), "citizen_accused", 1),
    "all agree with the spy": (the_spy_accuses, "citizen_accused", 2),
    "one doubts, the accused strikes back": (
        a_citizen_doubts_and_then_all_agree_on_the_accuser,
        "citizen_accused",
        2,
    ),
    "a right guess": (guess_after_one_turn("Museum"), "right_guess", 1),
    "a right guess in other words, before the last turn": (guess_before_the_last_turn, "right_guess", 8),
    "a wrong guess": (guess_after_one_turn("library"), "wrong_guess", 1),
    "six votes for the spy": (lambda play: final(play, "4442444"), "spy_voted", 9),
    "three votes for the spy, nobody else has more than one": (
        lambda play: final(play, "4415426"),
        "spy_voted",
        9,
    ),
    "six votes for a citizen": (lambda play: final(play, "2122222"), "citizen_voted", 9),
    "three votes for the spy and three for a citizen": (lambda play: final(play, "4441112"), "vote_tied", 9),
    "two votes for each of two citizens": (lambda play: final(play, "2121435"), "vote_tied", 9),
    "no vote at all": (lambda play: final(play, "-------"), "vote_tied", 9),
}
SPY_WINS = ("citizen_accused", "right_guess", "vote_tied", "citizen_voted")


@pytest.mark.parametrize("name", ENDINGS)
def test_an_ending_worked_out_by_hand(name):
    moves, result, turns = ENDINGS[name]
    play = new_play()
    moves(play)
    outcome = play.state.outcome
    assert (outcome.result, play.state.turn) == (result, turns)
    assert outcome.winners == ((4,) if result in SPY_WINS else (1, 2, 3, 5, 6, 7))
    assert outcome.returns == {seat: int(seat in outcome.winners) for seat in range(1, 8)}
    assert play.state.deal == {"place": "museum", "spy": 4, "roles": ROLES}
    winner = "spy" if result in SPY_WINS else "citizens"
    assert RULES_OF.summary(outcome, play.state)["winner"] == winner


def test_every_way_to_end_is_among_them():
    assert {result for _, result, _ in ENDINGS.values()} == set(RULES_OF.results)


# Leading ------------------------------------------------------------------------------------------------------------


def test_who_was_asked_leads_next_and_who_was_accused_too():
    play = new_play()
    ask(play, 5)
    assert play.state.leader == 5
    accuse(play, 2, {1: False})
    assert play.state.leader == 2
    assert play.state.accusations[0]["votes"] == {"1": False, "3": True, "4": True, "6": True, "7": True}
    assert not play.over


def test_on_an_accusation_all_but_accuser_and_accused_vote():
    play = new_play()
    act(play, "lead", {"seat": 6, "accuse": True})
    assert [r.seat for r in play.state.open.values()] == [2, 3, 4, 5, 7]
    assert {r.kind for r in play.state.open.values()} == {"day_vote"}


def test_who_does_not_vote_on_an_accusation_disagrees():
    play = new_play()
    act(play, "lead", {"seat": 4, "accuse": True})
    for asked in list(play.state.open.values()):
        play.expire(asked.id) if asked.seat == 2 else play.act(asked.seat, asked.id, {"agree": True})
    assert not play.over and play.state.accusations[0]["agreed"] is False


def test_a_leader_who_stays_silent_loses_the_turn_and_the_next_seat_leads():
    play = new_play(first_leader=7)
    play.expire(request(play, "lead").id)
    act(play, "reveal", WAIT)
    assert (play.state.leader, play.state.turn) == (1, 2)


def test_silence_is_an_answer():
    play = new_play()
    act(play, "lead", {"seat": 2, "text": "Is it cold?", "accuse": False})
    play.expire(request(play, "answer").id)
    assert play.state.exchanges[-1]["answer"] is None and play.state.leader == 2


def test_a_question_needs_words_and_an_accusation_is_said():
    play = new_play()
    asked = request(play, "lead")
    assert play.act(1, asked.id, {"seat": 2, "accuse": False}).sentence == "Write your question first."
    for unsaid in ({"accuse": None}, {}):  # yes or no is said, and never guessed at
        assert play.act(1, asked.id, {"seat": 2, "text": "Is it cold?"} | unsaid).code == "malformed"
    act(play, "lead", {"seat": 2, "text": "Never mind this", "accuse": True})
    assert play.state.accusation["accused"] == 2


def test_naming_the_place_is_allowed():
    play = new_play()
    act(play, "lead", {"seat": 2, "text": "How do you like the museum?", "accuse": False})
    act(play, "answer", {"text": "The museum is lovely."})
    assert play.state.leader == 2


def test_asking_back_is_refused_where_the_table_says_so():
    play = new_play("party", 7)
    ask(play, 2)
    act(play, "reveal", WAIT)
    asked = request(play, "lead", 2)
    assert "You may accuse seat 1, but not ask back." in asked.fields[0].asked()
    refused = play.act(2, asked.id, {"seat": 1, "text": "And you?", "accuse": False})
    assert refused.sentence.startswith("You cannot ask back")
    assert type(play.act(2, asked.id, {"seat": 1, "accuse": True})) is not Refusal  # an accusation is no question


def test_nobody_asks_accuses_or_votes_for_themselves():
    play = new_play()
    asked = request(play, "lead")
    assert play.act(1, asked.id, {"seat": 1, "text": "Who am I?", "accuse": False}).code == "malformed"


# The hidden request -------------------------------------------------------------------------------------------------


def test_the_spy_is_asked_once_before_every_turn_but_the_first():
    play = new_play()
    for _turn in range(9):
        ask(play, play.state.leader % 7 + 1)
    kinds = [event.kind for event in play.log]
    assert kinds.count("asking") == kinds.count("reveal") == 8
    assert kinds.index("turn") < kinds.index("asking")


def test_only_the_spy_knows_of_the_request_and_of_the_answer():
    play = new_play()
    ask(play, 2)
    for viewer in range(PUBLIC, 8):
        known = [r.kind for r in requests_for(play.view(viewer), viewer)]
        assert known == (["reveal"] if viewer == 4 else [])
    act(play, "reveal", WAIT)
    for viewer in range(PUBLIC, 8):
        assert ("reveal" in [event.kind for event in play.visible(viewer)]) == (viewer == 4)


def test_a_spy_who_names_no_place_cannot_stand_up():
    play = new_play()
    ask(play, 2)
    act(play, "reveal", {"place": None, "certainty": 100})
    assert play.state.phase == "lead"
    ask(play, 3, {"place": "zoo", "certainty": 0})
    asked = request(play, "reveal")
    assert play.expire(asked.id)[0].data == {"place": None, "certainty": 0}


@pytest.mark.parametrize(
    ("certainty", "own", "stands"), [(69, None, False), (70, None, True), (70, 71, False), (20, 20, True)]
)
def test_the_threshold_of_the_player_decides_or_else_that_of_the_table(certainty, own, stands):
    play = new_play()
    ask(play, 2)
    brought = {} if own is None else {"threshold": own}
    act(play, "reveal", {"place": "zoo", "certainty": certainty} | brought)
    assert (play.state.phase == "over") == stands


def test_nobody_is_asked_whether_to_stand_up_or_for_a_threshold():
    play = new_play()
    ask(play, 2)
    asked = request(play, "reveal")
    assert [item.name for item in asked.fields] == ["place", "certainty"] == list(asked.schema()["properties"])


def test_at_a_table_without_a_threshold_the_spy_says_itself_when_it_stands_up():
    play = new_play(options={"threshold": None})
    act(play, "lead", {"seat": 2, "text": "Is it loud?", "accuse": False})
    act(play, "answer", {"text": "No."})
    asked = request(play, "reveal")
    assert play.act(4, asked.id, {"reveal": True}).sentence == "Name the place first, then reveal."
    act(play, "reveal", {"reveal": True, "guess": "museum"})
    assert play.state.outcome.result == "right_guess"


@pytest.mark.parametrize("version", [1, 2])
def test_matches_of_the_versions_before_read_as_they_were_played(version):
    header = dataclasses.replace(new_play().header, rules_version=version, options={})
    play = Play(RULES_OF, header)
    act(play, "lead", {"seat": 2, "text": "Is it loud?", "accuse": False})
    act(play, "answer", {"text": "No."})
    assert [item.name for item in request(play, "reveal").fields] == ["reveal", "guess", "certainty"]


def test_what_the_spy_believes_is_kept_at_each_turn():
    play = new_play()
    ask(play, 2)
    ask(play, 3, {"place": "zoo", "certainty": 30})
    assert play.state.certainties == [{"turn": 2, "place": "zoo", "certainty": 30}]


# The deal -----------------------------------------------------------------------------------------------------------


def test_citizens_get_the_place_and_a_role_and_the_spy_neither():
    play = new_play()
    cards = {seat: RULES_OF.card(play.view(seat), seat) for seat in range(1, 8)}
    assert cards[4] == {"place": None, "role": None, "spy": True}
    assert cards[1] == {"place": "museum", "role": "curator", "spy": False}


def test_roles_are_drawn_where_the_setting_has_more_than_seats():
    play = new_play(roles=[f"role {number}" for number in range(9)], spy=None)
    roles = play.rules.deal(play.state)["roles"]
    assert roles.count(None) == 1 and len(set(roles)) == 7


def test_everybody_may_see_the_list_of_places_at_a_party_only():
    places = ["zoo", "museum", "beach"]
    assert new_play("party", places=places).state.places == ["beach", "museum", "zoo"]
    assert new_play("seed004", places=places).state.places == []


def test_a_drawn_setting_takes_the_other_places_along():
    others = [{"place": "zoo", "roles": ROLES}, {"place": "beach", "roles": ROLES}]
    assert RULES_OF.drawn(others[1], others)["places"] == ["beach", "zoo"]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"place": ""}, "needs a name"),
        ({"roles": ["guide"], "spy": None}, "6 roles"),
        ({"roles": "guide"}, "lists the roles"),
        ({"spy": 8}, "from 1 to 7"),
        ({"places": ["zoo"]}, "lacks 'museum'"),
        ({"word": "museum"}, "has no 'word'"),
        ({"openings": {"1": [{"agree": True}]}}, "not a question"),
    ],
)
def test_a_setting_that_cannot_be_dealt_is_refused_in_a_sentence(wrong, sentence):
    with pytest.raises(Impossible, match=sentence):
        new_play(**wrong)


def test_an_opening_question_and_an_opening_answer_are_played():
    openings = {"1": [{"seat": 2, "text": "Is it quiet?", "accuse": False}], "2": [{"text": "Mostly."}]}
    play = new_play(options={"scripted": [1, 2]}, openings=openings)
    assert play.state.exchanges == [
        {"turn": 1, "leader": 1, "seat": 2, "question": "Is it quiet?", "answer": "Mostly."}
    ]


def test_with_talk_all_speak_before_the_last_vote():
    play = new_play(options={"turns": 2, "discussion": "free"})
    ask(play, 2)
    ask(play, 3)
    assert {r.kind for r in play.state.open.values()} == {"say", "ready"}
    for seat in range(1, 8):
        act(play, "ready", {"text": "It is not me."}, seat)
    assert {r.kind for r in play.state.open.values()} == {"vote"}


# A place from the list --------------------------------------------------------------------------------------------

PLACES = ["museum", "gym", "night train"]


def party(place="museum", **options) -> Play:
    return new_play("party", options=options, place=place, places=PLACES)


def test_in_party_the_spy_chooses_one_of_the_places():
    play = party()
    ask(play, 2)
    asked = request(play, "reveal")
    places, nothing = asked.schema()["properties"]["place"]["anyOf"]
    assert (places, nothing) == ({"type": "string", "enum": sorted(PLACES)}, {"type": "null"})
    for guess in ("fitness studio", "Museum", ["gym"]):
        assert play.act(4, asked.id, {"place": guess, "certainty": 90}).code == "malformed"
    act(play, "reveal", {"place": "museum", "certainty": 90})
    assert play.state.outcome.result == "right_guess"


@pytest.mark.parametrize(
    "said", ["Do you like the gym?", "by NIGHT-TRAIN?", "muesum", "a museun", "mus eum", "the gyms"]
)
def test_in_party_no_place_of_the_list_is_named_whichever_is_true(said):
    """So a refusal tells the spy nothing: it is the same at every place, for every seat."""
    for place in PLACES:
        play = party(place)
        asked = request(play, "lead")
        refused = play.act(1, asked.id, {"seat": 4, "text": said, "accuse": False})
        assert refused.code == "names_place" and "list" in refused.sentence
        play.act(1, asked.id, {"seat": 4, "text": "What do you do here?", "accuse": False})
        assert play.act(4, request(play, "answer").id, {"text": said}) == refused


def test_where_the_list_is_not_shown_or_as_in_the_paper_words_are_free():
    for play in (new_play(places=PLACES), party(list_places=False), party(by_list=False)):
        act(play, "lead", {"seat": 2, "text": "Is this a museum?", "accuse": False})
        act(play, "answer", {"text": "It is no gym."})
        act(play, "reveal", {"place": "a museum", "certainty": 90})
        assert play.state.outcome.result == "right_guess"
