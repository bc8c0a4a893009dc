"""Chameleon: who speaks, votes and guesses when, how it ends, and what each may know."""

import pytest

from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import OMNISCIENT, PUBLIC, Impossible, Refusal

CHAMELEON = RULES["chameleon"]
CODE = {"topic": "Fruits", "word": "pineapple", "chameleon": 2}


def match(preset: str = "magic", seats: int = 3, setting: dict | None = None, seed: int = 1, **options) -> Play:
    people = agents_and_people(seats, 0)
    setting = CODE if setting is None else setting
    return Play(CHAMELEON, new_header(CHAMELEON, preset, seats=people, seed=seed, options=options, setting=setting))


def asked(play: Play) -> set[str]:
    return {request.kind for request in play.state.open.values()}


def speak(play: Play, *clues: str) -> None:
    """These clues in turn; without any, one of each until no clue is asked for."""
    given = iter(clues)
    while asked(play) == {"clue"}:
        (request,) = play.state.open.values()
        made = play.act(request.seat, request.id, {"text": next(given, f"hint {len(play.log)}")})
        assert type(made) is not Refusal, made


def vote(play: Play, votes: dict[int, int | None]) -> None:
    """These votes; None is an abstention."""
    for request in list(play.state.open.values()):
        if votes[request.seat] is None:
            play.expire(request.id)
        else:
            assert type(play.act(request.seat, request.id, {"seat": votes[request.seat]})) is not Refusal


def guess(play: Play, word: str | None) -> None:
    (request,) = play.state.open.values()
    assert request.kind == "guess"
    if word is None:
        play.expire(request.id)
    else:
        play.act(request.seat, request.id, {"text": word})


# The deal


def test_all_know_the_topic_all_but_one_the_word_and_that_one_knows_it():
    play = match()
    for seat in (1, 3):
        assert CHAMELEON.card(play.view(seat), seat) == {"topic": "Fruits", "word": "pineapple", "chameleon": False}
    assert CHAMELEON.card(play.view(2), 2) == {"topic": "Fruits", "word": None, "chameleon": True}
    for viewer in (PUBLIC, 1, 2, 3):
        assert CHAMELEON.public(play.view(viewer))["topic"] == "Fruits"
    assert "pineapple" not in str(play.visible(PUBLIC)) and "pineapple" not in str(play.visible(2))


def test_the_chameleon_is_drawn_where_the_setting_names_none():
    drawn = {match(setting={"topic": "Fruits", "word": "fig"}, seed=seed).state.chameleon for seed in range(30)}
    assert drawn == {1, 2, 3}


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"word": "fig"}, "'topic' is missing"),
        ({"topic": "Fruits"}, "'word' is missing"),
        ({"topic": "Fig", "word": "fig"}, "would tell the word"),
        ({"topic": "Fruits", "word": "f" * 61}, "longer than 60"),
        (CODE | {"chameleon": 4}, "a seat from 1 to 3"),
        (CODE | {"chameleon": True}, "a seat from 1 to 3"),
        (CODE | {"code": "fig"}, "has no 'code'"),
        (CODE | {"openings": {"1": [{"text": "a pineapple"}]}}, "holds its word"),
        (CODE | {"openings": {"4": [{"text": "sweet"}]}}, "no seat '4'"),
    ],
)
def test_a_setting_that_cannot_be_played_is_refused_with_its_reason(setting, sentence):
    with pytest.raises(Impossible, match=sentence):
        match(setting=setting)


def test_the_opening_of_the_chameleon_is_not_held_against_the_word():
    play = match(setting=CODE | {"openings": {"2": [{"text": "not a pineapple"}]}}, scripted=[2])
    speak(play, "tropical")
    assert [clue["text"] for clue in play.state.clues][:2] == ["tropical", "not a pineapple"]


# Clues


def test_magic_is_one_clue_each_by_seat_and_then_all_vote_the_chameleon_too():
    play = match()
    speak(play)
    assert [clue["seat"] for clue in play.state.clues] == [1, 2, 3]
    targets = {request.seat: request.fields[0].seats for request in play.state.open.values()}
    assert targets == {1: (2, 3), 2: (1, 3), 3: (1, 2)}


def test_party_draws_the_order_and_may_have_two_rounds():
    play = match("party", 5, clue_rounds=2)
    first = list(play.state.order)
    speak(play)
    assert len(play.state.clues) == 10 and sorted(first) == [1, 2, 3, 4, 5]
    orders = {tuple(match("party", 5, seed=seed).state.order) for seed in range(20)}
    assert len(orders) > 5


def test_who_knows_the_word_may_not_say_it_and_the_chameleon_is_never_told_by_a_refusal():
    play = match()
    (request,) = play.state.open.values()
    assert play.act(1, request.id, {"text": "Pineapples!"}).code == "own_word"
    speak(play, "tropical", "pineapple")
    assert play.state.clues[1]["text"] == "pineapple"


def test_a_clue_is_given_once():
    play = match()
    (request,) = play.state.open.values()
    play.act(1, request.id, {"text": "tropical"})
    (request,) = play.state.open.values()
    assert play.act(2, request.id, {"text": "Tropical."}).code == "repeat"


# How it ends


@pytest.mark.parametrize(
    ("votes", "said", "result", "winners", "returns"),
    [
        ({1: 2, 2: 1, 3: 2}, "apple", "non_chameleons", (1, 3), {1: 2, 2: 0, 3: 2}),
        ({1: 2, 2: 1, 3: 2}, None, "non_chameleons", (1, 3), {1: 2, 2: 0, 3: 2}),
        ({1: 2, 2: 1, 3: 2}, "The PINEAPPLE", "guessed", (), {1: 1, 2: 1, 3: 1}),
        ({1: 3, 2: 3, 3: 1}, "", "chameleon", (2,), {1: 0, 2: 2, 3: 0}),
        ({1: 3, 2: 1, 3: 2}, "", "even", (), {1: 1, 2: 1, 3: 1}),
        ({1: None, 2: None, 3: None}, "", "even", (), {1: 1, 2: 1, 3: 1}),
        ({1: 2, 2: None, 3: None}, "apple", "non_chameleons", (1, 3), {1: 2, 2: 0, 3: 2}),
    ],
)
def test_magic_ends_with_its_vote_or_the_guess(votes, said, result, winners, returns):
    play = match()
    speak(play)
    vote(play, votes)
    if said != "":
        guess(play, said)
    outcome = play.state.outcome
    assert (outcome.result, outcome.winners, outcome.returns) == (result, winners, returns)
    assert play.state.deal == {"topic": "Fruits", "word": "pineapple", "chameleon": 2}


def test_party_a_tie_gets_one_runoff_among_the_tied_and_then_is_even():
    play = match("party", 4)
    speak(play)
    vote(play, {1: 2, 2: 1, 3: 2, 4: 1})
    assert play.state.runoff and play.state.candidates == [1, 2]
    vote(play, {1: 2, 2: 1, 3: 2, 4: 1})
    assert play.state.outcome.result == "even"


@pytest.mark.parametrize(
    ("said", "exactly", "nearly"),
    [
        ("pineapple", True, True),
        ("a Pine-apple", True, True),
        ("PINEAPPLE!", True, True),
        ("pineapples", False, True),
        ("pineaple", False, True),
        ("pinneapple", False, True),
        ("pineappel", False, True),
        ("pineappla", False, True),
        ("pinapel", False, False),
        ("apple", False, False),
        ("wineapple", False, False),
        ("the", False, False),
    ],
)
def test_a_guess_is_read_without_case_and_article_and_by_option_with_a_plural_or_a_slip(said, exactly, nearly):
    for near, right in ((False, exactly), (True, nearly)):
        play = match(near_guess=near)
        speak(play)
        vote(play, {1: 2, 2: 1, 3: 2})
        guess(play, said)
        assert (play.state.outcome.result == "guessed") is right


@pytest.mark.parametrize(("word", "said"), [("bat", "cat"), ("pear", "bear"), ("plum", "plus"), ("mango", "tango")])
def test_another_word_is_no_slip(word, said):
    play = match(setting=CODE | {"word": word}, near_guess=True)
    speak(play)
    vote(play, {1: 2, 2: 1, 3: 2})
    guess(play, said)
    assert play.state.outcome.result == "non_chameleons"


# Polls and talk


def test_magic_polls_everybody_after_every_clue():
    play = match(polls="magic")
    moments = []
    while asked(play) <= {"clue", "poll"}:
        if asked(play) == {"poll"}:
            moments.append(play.state.poll)
            assert sorted(request.seat for request in play.state.open.values()) == [1, 2, 3]
        for request in list(play.state.open.values()):
            assert play.requests(PUBLIC) == [] or request.kind == "clue"
            names = [field.name for field in request.fields]
            assert request.kind == "clue" or (names[:2] == ["side", "odd_one"] and len(names) == 4)
            play.expire(request.id)
    assert moments == ["clue 1", "clue 2", "clue 3"]


def test_the_talk_stands_between_clues_and_vote():
    play = match(discussion="free")
    speak(play)
    assert asked(play) == {"say", "ready"}
    say = next(request for request in play.state.open.values() if request.kind == "say" and request.seat == 1)
    assert play.act(1, say.id, {"text": "it is not the pineapple"}).code == "own_word"
    for request in [request for request in play.state.open.values() if request.kind == "ready"]:
        play.expire(request.id)
    assert asked(play) == {"vote"}


# The games that MAgIC prints: votes, guesses and outcomes of figure 5 in both editions. The clues are stand-ins.

COUNTRY = {"topic": "Countries", "word": "United Kingdom", "chameleon": 1}
MANGO = {"topic": "Fruits", "word": "Mango", "chameleon": 2}
PRINTED = {
    "arXiv, Llama-2-70B": (COUNTRY, (3, 1, 1), "Belgium", "non_chameleons"),
    "arXiv, GPT-3.5": (COUNTRY, (2, 3, 2), None, "chameleon"),
    "arXiv, GPT-4": (COUNTRY, (3, 1, 1), "United Kingdom", "guessed"),
    "arXiv, Llama-2-70B+PGM": (COUNTRY, (3, 3, 2), None, "chameleon"),
    "arXiv, GPT-3.5+PGM": (COUNTRY, (2, 3, 1), None, "even"),
    "arXiv, GPT-4+PGM": (COUNTRY, (3, 1, 1), "Italy", "non_chameleons"),
    "ACL, Llama-2-70B": (MANGO, (3, 1, 1), None, "chameleon"),
    "ACL, GPT-4": (MANGO, (2, 1, 1), None, "chameleon"),
    "ACL, Llama-2-70B+PGM": (MANGO, (2, 3, 2), "Apple", "non_chameleons"),
    "ACL, GPT-4+PGM": (MANGO, (2, 3, 2), "Pineapple", "non_chameleons"),
}


@pytest.mark.parametrize("game", PRINTED)
def test_the_games_of_figure_5_end_as_printed(game):
    setting, votes, said, result = PRINTED[game]
    play = match(setting=setting)
    speak(play)
    vote(play, dict(enumerate(votes, 1)))
    if said is not None:
        guess(play, said)
    assert play.state.outcome.result == result
    assert CHAMELEON.public(play.view(PUBLIC)) == CHAMELEON.public(play.view(OMNISCIENT))
