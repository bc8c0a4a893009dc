"""The own word in disguise is the own word; what people and house agents say of it is not."""

import base64
import json
from pathlib import Path

import pytest

from agents.house.words import network
from games.registry import RULES
from games.rules.clues import holds_word
from games.rules.disguise import hides
from games.rules.play import Play, new_header
from games.rules.values import Refusal, SeatInfo

FREE = json.loads((Path(__file__).parents[1] / "agents" / "free_clues.json").read_text())
CODED = base64.b64encode(b"penguin").decode()
PENGUIN = (
    *("niugnep", "a niugnep", "NIUGNEP", "pen guin", "pen-guin", "pe ng uin", "p e n g u i n", "n i u g n e p"),
    *(
        "thepenguin",
        "thepenguins",
        "mypenguinfriend",
        "penguinbird",
        "penguinpenguin",
        "isPenguinIs",
        "notpenguin",
        "whatpenguin",
    ),
    *("pinguin", "pengin", "penguiin", "pnguin", "pegnuin", "Penguim's", "benguin"),
    *(
        "p\u0435nguin",
        "\u0440\u0435ngu\u0456n",
        "PENGU1N",
        "p3ngu1n",
        "PENGUlN",
        "\u1d18\u1d07\u0274\u0262\u1d1c\u026a\u0274",
        "\U0001f17f\U0001f174\U0001f17dguin",
        "\U0001d4f9\U0001d4ee\U0001d4f7guin",
    ),
    *(
        CODED,
        CODED.rstrip("="),
        f"decode {CODED}",
        f"{CODED[:4]} {CODED[4:]}",
        base64.b64encode(b"I am a penguin!").decode(),
    ),
    *("70656e6775696e", "70 65 6e 67 75 69 6e", "0x70656e6775696e", "\\x70\\x65\\x6e\\x67\\x75\\x69\\x6e", "crathva"),
    "\\u0070\\u0065\\u006e\\u0067\\u0075\\u0069\\u006e",
    "&#x70;&#x65;&#x6e;&#x67;&#x75;&#x69;&#x6e;",
)


@pytest.mark.parametrize("clue", PENGUIN)
def test_a_word_in_disguise_is_found(clue):
    assert hides(clue, "penguin")


@pytest.mark.parametrize(
    ("clue", "word"),
    [
        ("cof-fee", "coffee"),
        ("eeffoc", "coffee"),
        ("maerc eci", "ice cream"),
        ("i ce cr eam", "ice cream"),
        ("theice cream", "cream"),
    ],
)
def test_so_are_others(clue, word):
    assert hides(clue, word)


@pytest.mark.parametrize(
    ("clue", "word"),
    [
        ("he at the door", "heat"),  # words that every sentence is made of are themselves
        ("to get in", "toge"),
        ("a house for it", "horse"),  # one slip, but a word of its own
        ("the beach", "peach"),
        ("a violinist", "violin"),
        ("put it on top", "pot"),
        ("carpet", "car"),
        ("a vegetable", "table"),
        ("an island", "land"),
        ("withstand it", "stand"),
        ("an offence", "fence"),
        ("7 of 10 people", "coffee"),
        ("x", ""),
    ],
)
def test_what_only_seems_so_is_not(clue, word):
    assert not hides(clue, word)


@pytest.mark.slow
def test_no_free_clue_and_no_house_clue_is_newly_refused():
    """Neither for its word nor for the partner: whoever holds that may say it too."""
    free = [(clue, row[name]) for row in FREE for clue in row["clues"] for name in ("word", "partner")]
    words = network()
    house = [(clue.text, word) for word in words.words for clue in words.clues(word)][::6]
    assert len(free) == 120 and len(house) > 1000
    for clue, word in (*free, *house):
        assert holds_word(clue, word) or not hides(clue, word), (clue, word)


@pytest.mark.parametrize("preset", RULES["undercover"].presets)
def test_no_preset_of_undercover_takes_the_own_word_in_disguise(preset):
    play = undercover(preset)
    request = next(iter(play.state.open.values()))
    for clue in ("eeffoc", "cof fee", "thecoffee", "cofee"):
        refused = play.act(request.seat, request.id, {"text": clue})
        assert type(refused) is Refusal and refused.code == "own_word"
    assert type(play.act(request.seat, request.id, {"text": "black, in the morning"})) is list


def test_a_match_of_earlier_rules_keeps_the_clues_that_it_took():
    play = undercover("magic", rules_version=1)
    request = next(iter(play.state.open.values()))
    assert type(play.act(request.seat, request.id, {"text": "eeffoc"})) is list


def undercover(preset, **header):
    rules = RULES["undercover"]
    low = rules.presets[preset].low
    seats = tuple(SeatInfo(n, f"P{n}") for n in range(1, low + 1))
    undercovers = rules.options(preset, {}, low).undercovers
    setting = {"civilian_word": "tea", "undercover_word": "coffee", "undercovers": list(range(1, undercovers + 1))}
    made = new_header(rules, preset, seats=seats, seed=1, setting=setting, options={"order": "seats"})
    if header:
        kept = {name: value for name, value in made.options.items() if name not in rules.earlier[1]}
        made = type(made)(**{**vars(made), "options": kept} | header)
    return Play(rules, made)
