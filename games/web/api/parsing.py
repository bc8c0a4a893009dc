"""JSON as the API reads it."""

import codecs
import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from games.rules import strict_json


class StrictJSON(BaseParser):
    """Refuses what nothing behind it could handle or store (`games.rules.strict_json`)."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, context: Mapping[str, Any] | None = None) -> Any:
        try:
            return strict_json.loads(codecs.decode(stream.read(), "utf-8"))
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise ParseError from error
