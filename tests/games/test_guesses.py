"""A guess in a sentence: what it names, in every game that takes a guess, and matches from before that was read."""

import dataclasses
import os
from pathlib import Path

import pytest
from django.core.management import call_command

from games.registry import RULES
from games.rules import kit, replay
from games.rules.fields import Text
from games.rules.guesses import named
from games.rules.values import Impossible, LogError, Refusal

PAPERS = {"magic", "wiu", "recon", "seed004"}
LONGEST_PRINTED = 933
"""Characters of the longest speech that a paper prints."""


@pytest.mark.parametrize(
    "guess",
    [
        "wig",
        '"wig"',
        "Wig!",
        'I guess the code is "wig"',
        "I guess the code is \u201cwig\u201d.",
        "The word is wig.",
        "the secret word must be: wig",
        "My final answer: wig",
        "**Guess:** wig",
        "So, I would say it's probably wig!",
        "I'd go with wig, final answer.",
        "wig is my guess",
        "wig, I think",
        "I believe that the answer might be 'wig'",
        "probably wig",
        "Most likely: wig.",
        "Okay, wig!",
        "Perhaps it is wig",
        "Maybe I'd say wig",
        "wig, probably",
        "wig most likely",
    ],
)
def test_the_answer_is_named_in_a_sentence_that_gives_it(guess):
    assert named(guess).strip("\"'\u201c\u201d.!").casefold() == "wig"


@pytest.mark.parametrize(
    "guess",
    [
        "I guess the word is not wig",
        "The word is wig or hair",
        "wig, hair",
        "It is anything but wig",
        "I do not think the word is wig",
        "Is it wig?",
        "I guess wig because they spoke of hair",
        "The word is wig. No, hair.",
        "If it is not hair, the word is wig",
        "place-wig",
        "I said wig before",
        "definitely not wig",
        "Maybe wig, maybe hair",
        "probably wig or hair",
        "unlikely wig",
    ],
)
def test_what_does_more_than_give_one_answer_names_no_word(guess):
    assert named(guess).strip("\"'.!").casefold() != "wig"


def guessed(play, words):
    """Play at random to the guess, then guess with these words as a spy, a chameleon or a blank does."""
    rng = kit.random.Random(3)
    while not play.over:
        request = next(iter(play.state.open.values()))
        action = kit.random_move(play, request, rng)
        if request.kind in ("guess", "reveal"):
            word = play.state.place if request.kind == "reveal" else _word(play)
            action = {"text": words.format(word)} if request.kind == "guess" else _sure_of(request, words.format(word))
        assert type(play.act(request.seat, request.id, action)) is not Refusal
        if request.kind in ("guess", "reveal"):
            break
    return play


def _sure_of(request, place):
    """The answer of a spy who is sure, at a table of any version."""
    if request.unasked:
        return {"place": place, "certainty": 100}
    return {"reveal": True, "guess": place}


def _word(play):
    return play.state.word if play.rules.name == "chameleon" else play.state.civilian_word


GUESSING = {"chameleon": ("party", "guessed"), "undercover": ("party", "blank"), "spygame": ("seed004", "right_guess")}


def _at_a_guess(game, words, version=None):
    """A match in which somebody came to guess, with these words; of an earlier version of the rules if one is named."""
    preset, _ = GUESSING[game]
    for seed in range(1, 60):
        trial = kit.KitCase(RULES[game], kit.sample_of(RULES[game]), preset, 6, seed)
        play = trial.begin()
        if version is not None:
            play = kit.Play(RULES[game], dataclasses.replace(play.header, rules_version=version, options={}))
        play = guessed(play, words)
        if play.log[-1].kind in ("guess", "reveal") or any(event.kind in ("guess", "revealed") for event in play.log):
            return play
    raise AssertionError(f"nobody guessed in {game}")


@pytest.mark.parametrize("game", GUESSING)
def test_every_game_counts_a_guess_in_a_sentence(game):
    play = _at_a_guess(game, 'I guess the word is "{}"')
    assert play.state.outcome.result == GUESSING[game][1]


@pytest.mark.parametrize("game", GUESSING)
def test_a_match_of_the_version_before_still_reads_and_ends_as_it_did(game):
    play = _at_a_guess(game, 'I guess the word is "{}"', version=1)
    assert play.state.outcome.result != GUESSING[game][1]
    again = replay.replay(RULES[game], play.header, play.log)
    assert again.state.outcome == play.state.outcome
    with pytest.raises((LogError, Impossible)):
        replay.replay(RULES[game], dataclasses.replace(play.header, rules_version=99), play.log)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_no_preset_of_a_paper_limits_words_for_comfort(rules):
    for preset in PAPERS & set(rules.presets):
        trial = next(trial for trial in kit.kit_cases(rules) if trial.preset == preset)
        play, asked = trial.begin(), []
        while not play.over:
            asked += play.state.open.values()
            request = next(iter(play.state.open.values()))
            play.act(request.seat, request.id, kit.random_move(play, request, trial.rng))
        limits = [item.limit for request in asked for item in request.fields if isinstance(item, Text)]
        assert all(limit > LONGEST_PRINTED for limit in limits)


@pytest.mark.parametrize("name", ["magic_figure_5_guess", "recon_appendix_f"])
def test_the_games_that_the_papers_print_play(name, capsys):
    folder = os.environ.get("MAGIC_DATA")
    if not folder:
        pytest.skip("MAGIC_DATA does not name the folder of recorded games.")
    call_command("play", str(Path(folder) / "transcripts" / f"{name}.jsonl"))
    assert capsys.readouterr().out.splitlines()[-1] == "1 games, 1 agree"
