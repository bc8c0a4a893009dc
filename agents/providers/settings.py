"""The settings of a model that a profile may name (docs/models.md)."""

from typing import Any

from .errors import MisconfiguredError

DEFAULTS: dict[str, Any] = {
    "max_tokens": 2048,
    "timeout": 60.0,
    "silence": 60.0,
    "retries": 3,
    "backoff": 0.5,
    "patience": 180.0,
}
WHOLE, ANY = int, (int, float)

NUMBERS: dict[str, tuple[Any, float, float]] = {
    "max_tokens": (WHOLE, 1, 1_000_000),
    "timeout": (ANY, 0.01, 3600),
    "silence": (ANY, 0.01, 3600),
    "retries": (WHOLE, 0, 20),
    "backoff": (ANY, 0, 60),
    "patience": (ANY, 0.01, 3600),
    "temperature": (ANY, 0, 2),
    "top_p": (ANY, 0, 1),
    "seed": (WHOLE, -(2**63), 2**63 - 1),
}
"""What each setting may be: a whole number or any, and from where to where."""

APIS = ("chat", "responses")
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")

WORDED = {"effort": EFFORTS, "api": APIS}
"""Settings that are one of some words."""


def check(name: str, value: Any) -> None:
    """Raises `MisconfiguredError` with a sentence for a setting that is none, or cannot be so."""
    if name in NUMBERS:
        _check_number(name, value)
    elif name in WORDED:
        if value not in WORDED[name]:
            raise MisconfiguredError(f"The model setting {name} is one of: {', '.join(WORDED[name])}.")
    elif name == "extra":
        if not isinstance(value, dict):
            raise MisconfiguredError("The model setting extra must be an object of further fields.")
    else:
        raise MisconfiguredError(f"Unknown model setting: {name}.")


def _check_number(name: str, value: Any) -> None:
    kinds, low, high = NUMBERS[name]
    if type(value) not in (int, float):
        raise MisconfiguredError(f"The model setting {name} must be a number.")
    if kinds is WHOLE and type(value) is not int:
        raise MisconfiguredError(f"The model setting {name} must be a whole number.")
    if not low <= value <= high:
        raise MisconfiguredError(f"The model setting {name} must be from {low:g} to {high:g}.")
