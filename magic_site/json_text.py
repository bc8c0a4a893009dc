"""JSON that people write: nested no deeper than anything here needs, so that nothing that handles it later gives up."""

from __future__ import annotations

import json
from itertools import chain
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

DEEPEST = 40


class ShallowDecoder(json.JSONDecoder):
    """Refuses as `json.JSONDecodeError` what is nested deeper than DEEPEST."""

    def decode(self, text: str, *where: Any) -> Any:
        try:
            value = super().decode(text, *where)
        except RecursionError as error:
            raise self._too_deep(text) from error
        level = [value]
        for _depth in range(DEEPEST):
            level = list(chain.from_iterable(_inside(one) for one in level))
            if not level:
                return value
        raise self._too_deep(text)

    def _too_deep(self, text: str) -> json.JSONDecodeError:
        return json.JSONDecodeError("it is nested too deep", text, 0)


class ShallowJSONField(forms.JSONField):
    """A form's field of JSON, read by `ShallowDecoder`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"decoder": ShallowDecoder})

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except ValidationError as error:
            why = error.__context__
            if not isinstance(why, json.JSONDecodeError):
                raise
            raise ValidationError(_("This is not JSON: {why}.").format(why=why.msg), code="invalid") from why


def _inside(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
