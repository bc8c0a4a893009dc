"""Exchange what a viewer may not know: every byte that the MCP door gives them stays the same.

The pairs of matches are those of `tests/games/test_api_leaks.py`. `MCP_EXCHANGES` makes other than 200 trials,
`MCP_EXCHANGES_FROM` others than those of seed 1.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator

import pytest

pytest.importorskip("mcp", reason="MCP is not installed (requirements-mcp.txt)")

from games.match import view
from games.rules.values import PUBLIC
from games.web.mcp import door
from games.web.mcp.tools import TOOLS, Call
from tests.games.test_api import key_of
from tests.games.test_api_leaks import MATCH, Side, pairs
from tests.games.test_leaks import _difference, no_clock

__all__ = ["no_clock"]

EXCHANGES = int(os.environ.get("MCP_EXCHANGES", "200"))
SEED = int(os.environ.get("MCP_EXCHANGES_FROM", "1"))

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(1200 + 4 * EXCHANGES)]


def trials(seed: int) -> Iterator[tuple[str, str]]:
    """Of each trial: the game, and where two answers differ ("" for nowhere)."""
    keys = {viewer: key_of("key-99" if viewer == PUBLIC else f"key-{viewer}") for viewer in range(PUBLIC, 13)}
    for pair in pairs(seed):
        rng = random.Random(f"{seed}:{pair.game}:{len(pair.moments)}")
        for until in pair.drawn(rng):
            told = [list(answers(keys[pair.viewer], side, until)) for side in pair.sides]
            differing = (_difference(*two) for two in itertools.zip_longest(*told, fillvalue="") if two[0] != two[1])
            yield pair.game, next(differing, "")


def answers(key: str, side: Side, until: int) -> Iterator[str]:
    """All that the tools give whoever has this key at this moment."""
    side.stored(until)
    for after in (0, until // 2, until):
        yield called(key, "observe", after=after, match=str(MATCH))
    yield called(key, "rules")
    kinds = {request.kind for request in side.play.view(PUBLIC, until).open.values()} or {"x"}
    for seat, kind in itertools.product((1, 2), sorted(kinds)):
        yield called(key, "act", match=str(MATCH), request=f"{until}:{seat}:{kind}", action={"nothing": "?"})


def called(key: str, tool: str, **arguments) -> str:
    """What a call gives, as it goes over the wire."""
    try:
        call = Call.begin(TOOLS[tool], {"table": "KITE-1"} | arguments, f"Bearer {key}", "127.0.0.1")
        given = door.result(call.answer())
    except Exception as error:
        given = door.refusal(error)
        assert given.structured_content["code"] not in ("broken", "away"), error
    return given.model_dump_json(by_alias=True)


def test_no_byte_of_the_door_tells_what_a_viewer_may_not_know():
    done = 0
    for game, difference in itertools.islice(trials(SEED), EXCHANGES):
        done += 1
        assert difference == "", f"{game}, after {done} trials: {difference}"
    assert done == EXCHANGES


@pytest.mark.parametrize(
    ("line", "open_to_all"),
    [
        ("seen_by", lambda rules, event, viewer: event),
        ("visible_header", lambda header, viewer, kinds_named: header),
    ],
)
def test_each_line_that_hides_something_is_missed_when_it_is_gone(line, open_to_all, monkeypatch):
    monkeypatch.setattr(view, line, open_to_all)
    assert any(difference for _game, difference in itertools.islice(trials(1), 40))
