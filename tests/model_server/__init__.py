"""A model API on loopback that answers by script: the protocols of OpenAI (chat completions, responses) and Anthropic.

In a test::

    with ModelServer([busy(retry_after=0), good('{"seat": 2}')]) as server:
        ...  # point a provider at server.openai_url or server.anthropic_url
        assert [call.status for call in server.calls] == [429, 200]

As a process: ``python -m tests.model_server --port 0``. Its paths are in `server.py`.
"""

from . import player, strict
from .calls import Call
from .script import Behaviour, Script, broken, busy, cut, good, malformed, named, schemaless, slow, unauthorised
from .server import ModelServer

__all__ = [
    "Behaviour",
    "Call",
    "ModelServer",
    "Script",
    "broken",
    "busy",
    "cut",
    "good",
    "malformed",
    "named",
    "player",
    "schemaless",
    "slow",
    "strict",
    "unauthorised",
]
