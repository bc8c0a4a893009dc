"""One request to a model, read the same way whichever protocol it came by."""

import time
from dataclasses import asdict, dataclass, field
from typing import Any

TRUE = "as it was"


@dataclass
class Call:
    """What a client asked.

    `messages` are (role, text) pairs, the system text first. `schema` is the JSON schema that the answer must fit, or
    None; `structure` says how it was asked for: "response_format", "text.format", "output_config", "tool" or None, and
    `strict` whether the API must hold the model to it. `called` is the name that the API gives its model. `at` is
    seconds since the epoch at arrival, `status` the HTTP status that was sent back (0: the line was cut).
    """

    protocol: str
    model: str
    messages: list[tuple[str, str]]
    schema: dict[str, Any] | None = None
    structure: str | None = None
    strict: bool = False
    tool: str | None = None
    called: str = ""
    thought: str = ""
    stream: bool = False
    headers: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)
    at: float = field(default_factory=time.time)
    behaviour: str = ""
    cached: int = 0
    stored: int = 0
    usage: Any = TRUE
    status: int = 0

    @property
    def prompt(self) -> str:
        """All that the model was told, in order."""
        return "\n\n".join(text for _, text in self.messages)

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"prompt": self.prompt}


def text_of(content: str | list[dict[str, Any]] | None) -> str:
    """The words of a message whose content is a string or a list of parts."""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content or [])


def count_tokens(text: str) -> int:
    """A steady stand-in for a tokenizer: one token a word."""
    return len(text.split())
