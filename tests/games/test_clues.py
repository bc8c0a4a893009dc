"""Which clues hold a word, and which say an earlier one again."""

import pytest

from games.rules.clues import holds_word, repeats, same_answer


@pytest.mark.parametrize(
    ("clue", "word"),
    [
        ("a violin", "violin"),
        ("VIOLIN!", "violin"),
        ("two violins", "violin"),
        ("one dish", "dishes"),
        ("a fairy", "fairies"),
        ("a pie", "pies"),
        ("ＶＩＯＬＩＮ", "violin"),
        ("vio\u200blin", "violin"),
        ("vio\u00adlin", "violin"),
        ("vio\u3164lin", "violin"),
        ("v\u0336iolin", "violin"),
        ("cafe", "café"),
        ("café", "cafe\u0301"),
        ("STRASSE", "straße"),
        ("ice cream", "ice cream"),
        ("ice-creams", "ice cream"),
        ("icecream", "ice cream"),
        ("it_is_a_violin", "violin"),
        ("violin's", "violin"),
        ("我喜欢苹果树", "苹果"),
    ],
)
def test_it_holds_the_word(clue, word):
    assert holds_word(clue, word)


@pytest.mark.parametrize(
    ("clue", "word"),
    [
        ("violinist", "violin"),
        ("it has strings", "violin"),
        ("ice on the lake, cream in the cup", "ice cream"),
        ("carpet", "car"),
        ("his", "hi"),
        ("glas", "glass"),
        ("", "violin"),
        ("...", "violin"),
        ("水果", "苹果"),
    ],
)
def test_it_does_not_hold_the_word(clue, word):
    assert not holds_word(clue, word)


@pytest.mark.parametrize(
    ("one", "other"), [("It has strings.", "it has  STRINGS"), ("it-has-strings", "it has strings"), ("🎻", "🎻")]
)
def test_it_says_the_same(one, other):
    assert repeats(one, other)


@pytest.mark.parametrize(("one", "other"), [("it has strings", "strings it has"), ("🎻", "🎸"), ("!", "?")])
def test_it_says_something_else(one, other):
    assert not repeats(one, other)


@pytest.mark.parametrize(
    ("guess", "right"), [("violin", True), ("A violin!", True), ("Violins", True), ("viola", False), ("", False)]
)
def test_a_guess_is_the_word_with_or_without_its_article(guess, right):
    assert same_answer(guess, "violin") is right


@pytest.mark.parametrize(
    "clue",
    [
        "c\u043effee",
        "c0ffee with milk",
        "c o f f e e",
        "I c o f f e e",
        "c.o.f.f.e.e",
        "C-o-f-f-e-e",
        "co\u200bffee",
        "\u0441\u043effees",
    ],
)
def test_a_word_in_disguise_is_the_word(clue):
    assert holds_word(clue, "coffee")


def test_a_word_of_another_script_is_not_spelled_either():
    assert holds_word("\u043a \u043e \u0442", "\u043a\u043e\u0442")


@pytest.mark.parametrize(
    "clue", ["a b c of drinks", "\u043a\u043e\u0444\u0435", "Size 43, I think", "off we go", "7 of 10 people"]
)
def test_honest_words_are_no_disguise(clue):
    assert not holds_word(clue, "coffee")
