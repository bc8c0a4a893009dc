"""Form fields of numbers whose limits are told in plain words."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

LIMITS: dict[str, Any] = {"min_value": _("At least %(limit_value)s."), "max_value": _("At most %(limit_value)s.")}


class WholeNumberField(forms.IntegerField):
    default_error_messages = LIMITS


class NumberField(forms.FloatField):
    default_error_messages = LIMITS
