"""Sentences of the rules in the language of who reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import models
from django.utils.html import escape
from django.utils.translation import gettext, ngettext

from games.rules.sentences import Seat, Sentence, declared


def translated(text: str, called: Callable[[int], str] | None = None) -> str:
    """A sentence in the reader's language; any other text, such as one from a log, as it is. called: how a seat in it
    is called."""
    if not isinstance(text, Sentence):
        return text
    words = ngettext(text.message, text.many, text.params["n"]) if text.many else gettext(text.message)
    if not text.params:
        return words
    return words.format_map({name: _put_in(value, called) for name, value in text.params.items()})


def shown(sentence: Sentence) -> str:
    """A sentence on a page: templates call this by themselves."""
    return escape(translated(sentence))


class _Told(models.Field):
    """A text of a row that pages say in the reader's language, as far as somebody translated it: what rows in
    fixtures say is collected."""

    def from_db_value(self, value: str | None, *_where: Any) -> str | None:
        return value and declared(value)

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, f"django.db.models.{self.get_internal_type()}", args, kwargs


class ToldField(_Told, models.CharField):
    """A line of it."""


class ToldTextField(_Told, models.TextField):
    """As much of it as one likes."""


def _put_in(value: Any, called: Callable[[int], str] | None) -> Any:
    if isinstance(value, Seat):
        return called(value) if called else gettext("seat {number}").format(number=int(value))
    return translated(value, called) if isinstance(value, str) else value
