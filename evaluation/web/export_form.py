"""The form of a new export."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from evaluation.desk.selection import Selection
from evaluation.exports.content import PARTS, Content
from evaluation.exports.exporting import NAMES, Order
from evaluation.exports.formats import FORMATS, USUAL


class ExportForm(forms.Form):
    """What is in an export, and in which formats. `order` is what was asked for."""

    content = forms.MultipleChoiceField(
        label=_("What is in it"),
        choices=list(PARTS.items()),
        initial=list(PARTS),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("With nothing chosen, what everybody at the table could know before the end."),
    )
    formats = forms.MultipleChoiceField(
        label=_("Formats"),
        choices=[(name, kind.title) for name, kind in FORMATS.items()],
        initial=list(USUAL),
        widget=forms.CheckboxSelectMultiple,
    )
    excel = forms.BooleanField(
        label=_("For Excel"),
        required=False,
        help_text=_("CSV files with the mark by which Excel knows UTF-8."),
    )
    licence = forms.CharField(
        label=_("Licence"),
        required=False,
        max_length=200,
        help_text=_("What others may do with it, such as CC-BY-4.0. It stands in the data card."),
    )
    names = forms.BooleanField(
        label=_("Name people as they named themselves"),
        required=False,
        help_text=_("Otherwise they have pseudonyms, wherever their names stand."),
    )
    reason = forms.CharField(label=_("Why"), required=False, max_length=500, help_text=_("It is kept in the audit."))

    def __init__(self, selection: Selection, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.selection = selection
        if not user.has_perm(NAMES):
            del self.fields["names"], self.fields["reason"]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if self.errors:
            return given
        chosen = [*given["content"], *(["names"] if given.get("names") else [])]
        try:
            self.order = Order(
                self.selection,
                Content.of(chosen),
                tuple(given["formats"]),
                given["excel"],
                given["licence"],
                given.get("reason", ""),
            )
        except ValidationError as error:
            self.add_error(None, error)
        return given
