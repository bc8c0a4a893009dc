"""JSON of the database, read and written many times as fast: exports do so a million times.

By orjson where it comes to the very same as the standard library, and by that elsewhere.
"""

import json
from typing import Any

import orjson

from games.rules.logfile import Encoded, as_json

_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_LONG = b"0" * 19
"""Numbers of so many digits orjson may read as others."""
_OTHERWISE = b"0e", _LONG
"""Numbers like these it writes otherwise: with exponents, and very long ones."""


def read(text: str) -> Any:
    """What `json.loads` makes of a text."""
    if _LONG in text.encode(errors="surrogatepass").translate(_ZEROS):
        return json.loads(text)
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text)


def encoded(value: Any) -> Encoded:
    """What `as_json` makes of a value that was read: no database keeps numbers that are none."""
    try:
        found = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        return Encoded(as_json(value))
    digits = found.translate(_ZEROS)
    if b"0.0000" in found or any(other in digits for other in _OTHERWISE):
        return Encoded(as_json(value))
    return Encoded(found.decode())
