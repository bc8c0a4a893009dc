"""JSON from elsewhere, read within limits, so that nothing that handles or stores it later gives up.

Whatever is wrong with a text, `StrictDecoder` raises `json.JSONDecodeError` and nothing else.
"""

import json
import math
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

DEEPEST = 40
LARGEST = 2**63 - 1
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""What no database keeps: NUL, and halves of pairs."""


class _Unfit(ValueError):
    """A value that is JSON and still too much."""


def _whole(digits: str) -> int:
    if len(digits) > 20 or abs(number := int(digits)) > LARGEST:
        raise _Unfit("a number is too large")
    return number


def _real(digits: str) -> float:
    if not math.isfinite(number := float(digits)):
        raise _Unfit("a number is too large")
    return number


def _no_number(name: str) -> float:
    raise _Unfit(f"{name} is no number")


class StrictDecoder(json.JSONDecoder):
    """Refuses what is nested deeper than DEEPEST, whole numbers beyond LARGEST, numbers that are none, and characters
    that no database keeps."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"parse_int": _whole, "parse_float": _real, "parse_constant": _no_number})

    def decode(self, text: str, *where: Any) -> Any:
        try:
            written = text.encode(errors="surrogatepass")
            value = super().decode(text, *where) if _has_odd_numbers(written) else _plain.decode(text, *where)
            _check(value, text, written)
        except RecursionError as error:
            raise json.JSONDecodeError("it is nested too deep", text, 0) from error
        except _Unfit as error:
            raise json.JSONDecodeError(str(error), text, 0) from error
        return value


_plain = json.JSONDecoder(parse_constant=_no_number)
"""For texts without odd numbers: it reads them all by itself, many times as fast."""
_decoder = StrictDecoder()

_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_ODD = b"0" * 19, b"0e", b"0E"
_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def loads(text: str) -> Any:
    """What a text of JSON says; raises `json.JSONDecodeError`."""
    return _decoder.decode(text)


def _has_odd_numbers(written: bytes) -> bool:
    """Whether there may be a number that is too large: it has many digits, or an exponent."""
    digits = written.translate(_ZEROS)
    return any(odd in digits for odd in _ODD)


def _check(value: Any, text: str, written: bytes) -> None:
    """Raise `_Unfit` for what is nested too deep or cannot be stored; few values have to be looked through for it."""
    if not _is_flat(written) and _is_deep(value):
        raise _Unfit("it is nested too deep")
    if ("\\u" in text or UNSTORABLE.search(text)) and any(map(UNSTORABLE.search, _texts(value))):
        raise _Unfit("it holds characters that cannot be stored")


def _is_flat(written: bytes) -> bool:
    """Whether a text is nested no deeper than DEEPEST, seen by its brackets alone: those of a level at a time are taken
    away. Brackets in words may hide that."""
    brackets = written.translate(None, _BRACKETS)
    for _depth in range(DEEPEST):
        if not brackets:
            return True
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return not brackets


def _is_deep(value: Any) -> bool:
    level = [value]
    for _depth in range(DEEPEST):
        level = [one for outer in level for one in _inside(outer) if isinstance(one, (dict, list))]
        if not level:
            return False
    return any(level)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        yield from chain.from_iterable(map(_texts, chain(value, value.values()) if isinstance(value, dict) else value))


def _inside(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
