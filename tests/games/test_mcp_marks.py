"""What others wrote is marked in all that the MCP door tells a seat, in every game, and nothing else is."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from benchmarks.substitution import read_as
from games.match import contract
from games.match.view import of_play
from games.registry import RULES
from games.rules import kit
from games.rules.play import Play
from games.rules.random_play import random_action
from games.rules.values import OMNISCIENT, PUBLIC, Refusal
from games.web.mcp import tools

MARKED = re.compile("<untrusted>([^<>]*)</untrusted>")
WORDS = ("zib" + "".join(letters) for letters in itertools.product("bdfgklmnprst", "aeiou", "bdfgklmnprst", "aeiou"))


def played(game: str) -> Iterator[tuple[Play, dict[str, int]]]:
    """A match after each move, and who said each word in it; everybody speaks whenever they may."""
    rules = RULES[game]
    trial = next(case for case in kit.kit_cases(rules) if case.preset == rules.players[0] and case.seats > 2)
    trial = replace(trial, overrides=trial.overrides | {"table_talk": True})
    play, rng, said = trial.begin(kit.indistinguishable(trial)[0]), random.Random(1), dict[str, int]()
    while not play.over:
        request = next(request for request in play.requests(OMNISCIENT) if request.waits)
        words = list(itertools.islice(WORDS, 5))
        said |= dict.fromkeys(words, request.seat)
        moves = play.act(request.seat, request.id, random_action(play, request, rng, words))
        assert not isinstance(moves, Refusal)
        if not play.over:
            assert not isinstance(play.talk(request.seat, "chat", {"text": words[0], "to": "all"}), Refusal)
        yield play, said


@pytest.mark.parametrize("game", RULES)
def test_no_word_and_no_name_of_another_stands_outside_of_a_mark(game):
    for play, said in itertools.islice(played(game), 60):
        for viewer in (PUBLIC, 1, 2):
            told = contract.observe(read_as(of_play(play, viewer)), viewer)
            plain = json.dumps(told)
            tools.mark(told, play.rules)
            text = json.dumps(told)
            assert MARKED.sub(r"\1", text) == plain, "nothing but marks is added"
            outside = MARKED.sub("", text)
            assert not [word for word, seat in said.items() if seat != viewer and word in outside]
            inside = " ".join(MARKED.findall(text))
            assert not [word for word, seat in said.items() if seat == viewer and word in inside]
            assert {one["seat"] for one in told["seats"] if not MARKED.fullmatch(one["name"])} == {viewer} - {PUBLIC}
    assert inside
