"""JSON of the database, read and written many times as fast: exports do so a million times.

By orjson where it comes to the very same as the standard library, and by that elsewhere.
"""

import json
from typing import Any

import orjson
from django.db import models

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


def tidy(text: str) -> Encoded:
    """What `encoded` makes of the object that a database has this text of: the text itself, if a `TidyJSON` wrote it.
    Databases and Django write a blank after the colon."""
    return Encoded(text) if text[:1] == "{" and '": ' not in text else encoded(read(text))


class TidyJSON(models.JSONField):
    """An object that is stored as log files hold it, where the database keeps its text, so that exports need not read
    it."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.encoder = _Tidy

    def deconstruct(self) -> Any:
        """As the field that it is to the database."""
        name, _path, given, more = super().deconstruct()
        return (
            name,
            "django.db.models.JSONField",
            given,
            {key: value for key, value in more.items() if key != "encoder"},
        )


class _Tidy(json.JSONEncoder):
    def encode(self, value: Any) -> str:
        text = as_json(value)
        try:
            text.encode()
        except UnicodeEncodeError:  # half of a letter, which no database takes but as a number
            return json.dumps(value)
        return text
