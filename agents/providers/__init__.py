"""Model APIs, one file each. `PROVIDERS` is all of them.

Adding one: a file with a `Provider` subclass, and its line here.
"""

import os
from functools import cache
from importlib import import_module

from .base import Provider
from .errors import (
    MisconfiguredError,
    NoAnswerError,
    NoKeyError,
    ProviderError,
    RefusedError,
    SpendingError,
    TimedOutError,
    TooBusyError,
    UnreachableError,
)
from .values import Completion, Message, Usage

PROVIDERS = {
    "openai": "agents.providers.openai:OpenAIProvider",
    "anthropic": "agents.providers.anthropic:AnthropicProvider",
}


@cache
def connect(kind: str, base_url: str = "", key_env: str | None = None) -> Provider:
    """The provider of that kind at that address: one a process, its connections shared by all threads."""
    return load(kind)(base_url=base_url, key_env=key_env)


def load(kind: str) -> type[Provider]:
    """The class of that kind, imported with its SDK at its first use: who calls no model pays nothing for it."""
    if kind not in PROVIDERS:
        raise MisconfiguredError(f"There is no provider called {kind}. Known are: {', '.join(PROVIDERS)}.")
    module, name = PROVIDERS[kind].split(":")
    return getattr(import_module(module), name)


os.register_at_fork(after_in_child=connect.cache_clear)  # two processes must not talk on one connection
