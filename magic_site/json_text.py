"""JSON that people write into forms."""

import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from games.rules.strict_json import StrictDecoder


class StrictJSONField(forms.JSONField):
    """A form's field of JSON, read by `StrictDecoder`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"decoder": StrictDecoder})

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except ValidationError as error:
            why = error.__context__
            if not isinstance(why, json.JSONDecodeError):
                raise
            raise ValidationError(_("This is not JSON: {why}.").format(why=why.msg), code="invalid") from why
