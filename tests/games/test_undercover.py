"""Undercover: who speaks and votes when, who is out, how it ends, and what each may know."""

import pytest

from games.registry import RULES
from games.rules import kit, scripts
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import OMNISCIENT, PUBLIC, Impossible, Refusal

UNDERCOVER = RULES["undercover"]
WORDS = {"civilian_word": "violin", "undercover_word": "cello"}


def match(preset, seats, undercovers, blanks=(), seed=1, **options) -> Play:
    setting = WORDS | {"undercovers": list(undercovers)} | ({"blanks": list(blanks)} if blanks else {})
    options |= {"undercovers": len(undercovers), "blanks": len(blanks)} if preset == "party" else {}
    people = agents_and_people(seats, 0)
    return Play(UNDERCOVER, new_header(UNDERCOVER, preset, seats=people, seed=seed, options=options, setting=setting))


def speak(play: Play) -> None:
    """One clue of each until no clue is asked for."""
    while requests := [request for request in play.state.open.values() if request.kind == "clue"]:
        request = requests[0]
        assert type(play.act(request.seat, request.id, {"text": f"hint {len(play.log)}"})) is not Refusal


def vote(play: Play, votes: dict[int, int | None]) -> None:
    """These votes; None is an abstention."""
    for request in list(play.state.open.values()):
        if votes[request.seat] is None:
            play.expire(request.id)
        else:
            result = play.act(request.seat, request.id, {"seat": votes[request.seat]})
            assert type(result) is not Refusal, result


def all_for(play: Play, target: int, other: int) -> dict[int, int]:
    return {seat: target if seat != target else other for seat in play.state.alive}


def kinds(play: Play) -> list[str]:
    return [event.kind for event in play.log]


# magic


def test_magic_is_two_rounds_of_clues_by_seat_and_one_vote():
    play = match("magic", 3, [2])
    speak(play)
    assert [clue["seat"] for clue in play.state.clues] == [1, 2, 3, 1, 2, 3]
    assert {request.kind for request in play.state.open.values()} == {"vote"}
    assert len(play.state.open) == 3


@pytest.mark.parametrize(
    ("votes", "result", "winners", "returns"),
    [
        ({1: 2, 2: 1, 3: 2}, "civilians", (1, 3), {1: 3, 2: 0, 3: 3}),
        ({1: 3, 2: 3, 3: 1}, "undercovers", (2,), {1: 0, 2: 3, 3: 0}),
        ({1: 2, 2: 3, 3: 1}, "even", (), {1: 1, 2: 2, 3: 1}),
        ({1: 2, 2: 1, 3: None}, "even", (), {1: 1, 2: 2, 3: 1}),
        ({1: None, 2: None, 3: None}, "even", (), {1: 1, 2: 2, 3: 1}),
        ({1: 2, 2: None, 3: None}, "civilians", (1, 3), {1: 3, 2: 0, 3: 3}),
    ],
)
def test_magic_ends_with_its_one_vote(votes, result, winners, returns):
    play = match("magic", 3, [2])
    speak(play)
    vote(play, votes)
    outcome = play.state.outcome
    assert (outcome.status, outcome.result, outcome.winners, outcome.returns) == ("finished", result, winners, returns)


def test_the_published_settings_form_is_played_with_its_openings():
    setting = WORDS | {
        "undercovers": [3],
        "openings": {"1": [{"text": "strings"}, {"text": "bow"}], "2": [{"text": "wood"}]},
    }
    header = new_header(
        UNDERCOVER, "magic", seats=agents_and_people(3, 0), seed=1, options={"scripted": [1, 2]}, setting=setting
    )
    play = Play(UNDERCOVER, header)
    assert [clue["text"] for clue in play.state.clues] == ["strings", "wood"]
    play.act(3, next(iter(play.state.open)), {"text": "deep"})
    assert [clue["text"] for clue in play.state.clues] == ["strings", "wood", "deep", "bow"]


# wiu


def test_wiu_draws_an_order_for_each_round_and_all_who_are_in_speak():
    play = match("wiu", 5, [1, 2])
    assert sorted(play.state.order) == [1, 2, 3, 4, 5]
    speak(play)
    assert [clue["seat"] for clue in play.state.clues] == play.state.order
    vote(play, all_for(play, 5, 1))
    assert sorted(play.state.order) == [1, 2, 3, 4]
    assert len({tuple(match("wiu", 5, [1, 2], seed=seed).state.order) for seed in range(20)}) > 5


def test_wiu_ends_when_one_civilian_is_left():
    play = match("wiu", 5, [1, 2])
    for target in (5, 4):
        speak(play)
        vote(play, all_for(play, target, 1))
    assert play.state.outcome.result == "undercovers"
    assert play.state.outcome.winners == (1, 2)


def test_wiu_ends_when_no_undercover_is_left():
    play = match("wiu", 5, [1, 2])
    for target in (1, 2):
        speak(play)
        vote(play, all_for(play, target, 5))
    assert play.state.outcome.result == "civilians"
    assert play.state.outcome.winners == (3, 4, 5)


def test_wiu_a_tie_gets_one_runoff_among_the_tied():
    play = match("wiu", 5, [1, 2])
    speak(play)
    vote(play, {1: 3, 2: 3, 3: 4, 4: 5, 5: 4})
    assert play.state.runoff and play.state.candidates == [3, 4]
    targets = {request.seat: request.fields[0].seats for request in play.state.open.values()}
    assert targets == {1: (3, 4), 2: (3, 4), 3: (4,), 4: (3,), 5: (3, 4)}
    vote(play, {1: 3, 2: 3, 3: 4, 4: 3, 5: 4})
    assert 3 not in play.state.alive
    assert play.state.round == 2


def test_wiu_a_second_tie_is_decided_by_lot():
    outs = set()
    for seed in range(20):
        play = match("wiu", 5, [1, 2], seed=seed)
        speak(play)
        vote(play, {1: 3, 2: 3, 3: 4, 4: 5, 5: 4})
        vote(play, {1: 3, 2: None, 3: 4, 4: 3, 5: 4})
        out = next(event for event in play.log if event.kind == "out")
        assert out.data == {"lot": out.seat}
        outs.add(out.seat)
    assert outs == {3, 4}


def test_wiu_if_nobody_votes_somebody_is_out_by_lot():
    play = match("wiu", 5, [1, 2])
    speak(play)
    vote(play, dict.fromkeys(range(1, 6)))
    vote(play, dict.fromkeys(range(1, 6)))
    assert len(play.state.alive) == 4


@pytest.mark.parametrize("seed", range(30))
def test_wiu_is_over_in_three_rounds_and_never_even(seed):
    trial = kit.KitCase(UNDERCOVER, kit.sample_of(RULES["undercover"]), "wiu", 5, seed)
    play = kit.play_through(trial)
    assert play.state.outcome.result in ("civilians", "undercovers")
    assert play.state.round <= 3


def test_wiu_tells_nothing_of_who_is_out():
    play = match("wiu", 5, [1, 2])
    speak(play)
    vote(play, all_for(play, 1, 5))
    out = next(event for event in play.log if event.kind == "out")
    assert (out.seat, out.data) == (1, {"lot": None})
    assert UNDERCOVER.public(play.view(PUBLIC))["out"] == {"1": None}


def test_who_is_out_neither_speaks_nor_votes_nor_can_be_voted_for():
    play = match("wiu", 5, [1, 2], polls="wiu")
    while not play.over:
        for request in list(play.state.open.values()):
            assert request.seat in play.state.alive
            for field in request.fields:
                assert set(getattr(field, "seats", ())) <= set(play.state.alive)
            play.expire(request.id)


# party


def test_party_tells_the_side_of_who_is_out():
    play = match("party", 5, [1])
    speak(play)
    vote(play, all_for(play, 5, 1))
    assert UNDERCOVER.public(play.view(PUBLIC))["out"] == {"5": "civilian"}


@pytest.mark.parametrize(
    ("seats", "undercovers", "blanks"),
    [(4, 1, 0), (5, 1, 0), (6, 1, 1), (7, 2, 1), (8, 2, 1), (9, 2, 1), (10, 2, 1), (11, 3, 1), (12, 3, 1)],
)
def test_party_has_its_usual_numbers_at_each_size(seats, undercovers, blanks):
    options = UNDERCOVER.options("party", {}, seats)
    assert (options.undercovers, options.blanks) == (undercovers, blanks)


def test_a_blank_that_is_out_may_guess_the_word_and_wins_alone():
    play = match("party", 6, [1], blanks=[2])
    assert UNDERCOVER.card(play.view(2), 2) == {"word": None, "blank": True}
    speak(play)
    vote(play, all_for(play, 2, 1))
    (request,) = play.state.open.values()
    assert (request.seat, request.kind) == (2, "guess")
    play.act(2, request.id, {"text": "The VIOLINS"})
    assert play.state.outcome.result == "blank"
    assert play.state.outcome.winners == (2,)
    assert play.state.outcome.returns == {1: 0, 2: 3, 3: 0, 4: 0, 5: 0, 6: 0}


@pytest.mark.parametrize("guess", ["cello", None])
def test_after_a_wrong_guess_or_none_the_match_goes_on(guess):
    play = match("party", 6, [1], blanks=[2])
    speak(play)
    vote(play, all_for(play, 2, 1))
    (request,) = play.state.open.values()
    if guess:
        play.act(2, request.id, {"text": guess})
    else:
        play.expire(request.id)
    assert not play.over and play.state.round == 2
    speak(play)
    vote(play, all_for(play, 1, 3))
    assert play.state.outcome.winners == (3, 4, 5, 6)
    assert play.state.outcome.returns[2] == 0


def test_a_blank_that_is_in_at_the_end_shares_the_civilians_result():
    play = match("party", 6, [1], blanks=[2])
    speak(play)
    vote(play, all_for(play, 1, 3))
    assert play.state.outcome.winners == (2, 3, 4, 5, 6)


def test_a_blank_counts_with_neither_side():
    play = match("party", 6, [1], blanks=[2])
    for target in (3, 4, 5):
        assert not play.over
        speak(play)
        vote(play, all_for(play, target, 1))
    assert play.state.outcome.result == "undercovers"
    assert sorted(play.state.alive) == [1, 2, 6]


def test_party_by_lot_at_once_or_nobody():
    by_lot = match("party", 4, [1], tie="lot")
    speak(by_lot)
    vote(by_lot, {1: 2, 2: 1, 3: 2, 4: 1})
    assert len(by_lot.state.alive) == 3 and len(by_lot.state.tallies) == 1
    nobody = match("party", 4, [1], tie="none")
    speak(nobody)
    vote(nobody, {1: 2, 2: 1, 3: 2, 4: 1})
    assert nobody.state.alive == [1, 2, 3, 4] and nobody.state.round == 2


def test_party_ends_even_after_its_rounds():
    play = match("party", 4, [1], tie="none", rounds=2)
    for _ in range(2):
        speak(play)
        vote(play, {1: 2, 2: 1, 3: 2, 4: 1})
    assert (play.state.outcome.result, play.state.outcome.winners) == ("even", ())


# Clues


def clue(play: Play, text: str):
    (request,) = play.state.open.values()
    return play.act(request.seat, request.id, {"text": text})


def test_a_clue_may_not_hold_the_own_word_and_the_attempt_is_kept():
    play = match("magic", 3, [2])
    refused = clue(play, "It is a Violin")
    assert (refused.code, refused.sentence) == ("own_word", "Your clue holds your word. Try another.")
    assert play.attempts[0].action == {"text": "It is a Violin"}
    assert clue(play, "wood")


def test_a_clue_is_not_checked_against_the_other_sides_word():
    play = match("magic", 3, [2])
    assert type(clue(play, "not a cello")) is not Refusal
    assert type(clue(play, "not a violin")) is not Refusal


def test_a_blanks_clue_is_checked_against_no_word():
    play = match("party", 6, [2], blanks=[1], order="seats")
    assert type(clue(play, "violin, cello")) is not Refusal


def test_nobody_says_what_was_said_before():
    play = match("magic", 3, [2])
    clue(play, "It has strings")
    assert clue(play, "it has STRINGS!").sentence == "That clue was given before. Try another."


def test_silence_is_for_those_whose_time_is_over():
    play = match("magic", 3, [2])
    assert clue(play, "").sentence == "Please write something first."
    (request,) = play.state.open.values()
    play.expire(request.id)
    assert play.state.clues == [{"round": 1, "seat": 1, "text": None}]


def test_a_clue_of_ten_thousand_characters_is_refused():
    assert "too long" in clue(match("magic", 3, [2]), "a " * 5000).sentence


def test_nobody_votes_for_themselves_or_twice():
    play = match("magic", 3, [2])
    speak(play)
    request = next(request for request in play.state.open.values() if request.seat == 1)
    assert play.act(1, request.id, {"seat": 1}).sentence == "Choose one of the seats 2, 3."
    play.act(1, request.id, {"seat": 2})
    assert play.act(1, request.id, {"seat": 3}).code == "over"


# What may be known


def test_players_are_told_a_word_and_never_a_role():
    play = match("wiu", 5, [1, 2])
    assert [UNDERCOVER.card(play.view(seat), seat) for seat in (1, 3)] == [{"word": "cello"}, {"word": "violin"}]
    for viewer in range(6):
        text = "".join(str(event) for event in play.visible(viewer))
        assert "civilian_word" not in text and "roles" not in text
    assert [event.data for event in play.visible(3) if event.kind == "dealt"] == [
        None,
        None,
        {"word": "violin"},
        None,
        None,
    ]


def test_the_end_publishes_the_deal():
    play = match("magic", 3, [2])
    speak(play)
    vote(play, {1: 2, 2: 1, 3: 2})
    deal = {"roles": ["civilian", "undercover", "civilian"], "civilian_word": "violin", "undercover_word": "cello"}
    assert play.view(PUBLIC).deal == deal


def test_roles_are_drawn_where_the_setting_names_none():
    def roles(seed):
        header = new_header(UNDERCOVER, "wiu", seats=agents_and_people(5, 0), seed=seed, setting=WORDS)
        return tuple(Play(UNDERCOVER, header).view(OMNISCIENT).roles.values())

    drawn = {roles(seed) for seed in range(60)}
    assert len(drawn) == 10
    assert all(deal.count("undercover") == 2 for deal in drawn)


# Polls


def test_magic_polls_come_after_each_round_of_clues():
    play = match("magic", 3, [2], polls="magic")
    moments, asked = [], []
    while not play.over:
        for request in list(play.state.open.values()):
            if request.kind == "poll":
                asked.append((request.seat, [field.name for field in request.fields]))
            play.expire(request.id)
    moments = [event.data["moment"] for event in play.log if event.kind == "polling"]
    assert moments == ["round 1", "round 2"]
    assert asked[0] == (1, ["side", "odd_one", "suspect_of_2", "suspect_of_3"])
    assert len(asked) == 6
    assert kinds(play).index("polling") > kinds(play).index("clue")


def test_wiu_polls_ask_each_speaker_before_its_clue_and_all_before_the_vote():
    play = match("wiu", 5, [1, 2], polls="wiu")
    first = play.state.order[0]
    (request,) = play.state.open.values()
    assert (request.kind, request.seat, [field.name for field in request.fields]) == ("poll", first, ["side"])
    assert play.requests(PUBLIC) == []
    while "voting" not in kinds(play):
        for request in list(play.state.open.values()):
            play.expire(request.id)
    moments = [event.data["moment"] for event in play.log if event.kind == "polling"]
    assert len(moments) == 6 and moments[-1] == "voting 1"
    polled = [event for event in play.log if event.kind == "poll"][-5:]
    assert [event.seat for event in polled] == [1, 2, 3, 4, 5]


def test_a_poll_takes_a_partial_answer():
    play = match("wiu", 5, [1, 2], polls="wiu")
    (request,) = play.state.open.values()
    assert (
        play.act(request.seat, request.id, {"side": "hero"}).sentence == "Choose one of: civilian, undercover, unsure."
    )
    (answer, *_) = play.act(request.seat, request.id, {"side": "unsure"})
    assert answer.data == {"side": "unsure"}


# Refused options and settings


@pytest.mark.parametrize(
    ("preset", "seats", "options", "reason"),
    [
        ("magic", 4, {}, "Undercover (magic) is for 3 seats; this table has 4."),
        ("party", 4, {"undercovers": 3}, "Undercover needs at least two civilians."),
        ("party", 5, {"undercovers": 2, "blanks": 2}, "Undercover needs at least two civilians."),
        ("party", 6, {"blanks": 1, "reveal_out": False}, "with blanks everybody must be told"),
        ("party", 6, {"clue_rounds": 2, "rounds": 3}, "3 rounds cannot be divided: there is a vote after every 2."),
        ("party", 6, {"tie": "duel"}, "Option 'tie' is one of: runoff, lot, none."),
    ],
)
def test_options_that_cannot_be_played_are_refused(preset, seats, options, reason):
    with pytest.raises(Impossible) as refused:
        UNDERCOVER.options(preset, options, seats)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ({}, "Undercover is played with two words; 'civilian_word' is missing."),
        ({"civilian_word": "violin"}, "'undercover_word' is missing"),
        ({"civilian_word": "violin", "undercover_word": " ?! "}, "'undercover_word' is missing"),
        ({"civilian_word": "violin", "undercover_word": "Violins"}, "The two words must differ."),
        ({"civilian_word": "violin", "undercover_word": "a" * 61}, "is longer than 60 characters"),
        (WORDS | {"undercovers": [1, 2]}, "'undercovers' in the setting names 2 seats; the options ask for 1."),
        (WORDS | {"undercovers": [4]}, "'undercovers' in the setting is a list of seats from 1 to 3."),
        (WORDS | {"undercovers": 1}, "'undercovers' in the setting is a list of seats from 1 to 3."),
        (WORDS | {"word": "x"}, "A setting of Undercover has no 'word'."),
        (WORDS | {"openings": {"1": [{"text": "my cello"}]}}, "The opening clue 'my cello' of seat 1 holds its word."),
        (WORDS | {"openings": {"1": [{"clue": "x"}]}}, "An opening of seat 1 cannot be played. 'text' is missing."),
    ],
)
def test_settings_that_cannot_be_played_are_refused(setting, reason):
    with pytest.raises(Impossible) as refused:
        new_header(UNDERCOVER, "magic", seats=agents_and_people(3, 0), seed=1, setting=setting)
    assert reason in str(refused.value)


def test_a_setting_names_undercovers_and_blanks_or_neither():
    with pytest.raises(Impossible, match="both the undercovers and the blanks"):
        new_header(UNDERCOVER, "party", seats=agents_and_people(6, 0), seed=1, setting=WORDS | {"undercovers": [1]})
    with pytest.raises(Impossible, match="both undercover and blank"):
        new_header(
            UNDERCOVER,
            "party",
            seats=agents_and_people(6, 0),
            seed=1,
            setting=WORDS | {"undercovers": [1], "blanks": [1]},
        )


def test_a_script_is_played():
    script = {
        "header": {
            "game": "undercover",
            "preset": "magic",
            "setting": WORDS | {"undercovers": [2]},
            "seats": [{"seat": seat, "name": f"Player {seat}", "kind": "human"} for seat in (1, 2, 3)],
        },
        "actions": [
            *(
                {"seat": 1 + n % 3, "action": {"text": text}}
                for n, text in enumerate("strings deep bow low high wood".split())
            ),
            *({"seat": seat, "action": {"seat": 3 - seat if seat < 3 else 2}} for seat in (1, 2, 3)),
        ],
        "expected": {"result": "civilians", "winners": [1, 3]},
    }
    play, disagreements = scripts.play_script(UNDERCOVER, script)
    assert play.over and disagreements == []
