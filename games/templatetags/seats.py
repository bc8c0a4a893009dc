"""Seats in templates: the disc with its number, a name beside it, lists of names, look-ups by seat."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.rules.fields import Field
from games.translation import translated
from games.web import stages
from games.web.wording import in_words

register = template.Library()


@register.filter
def stage_about(stage: str, names: Mapping[int, str]) -> str:
    """A stage of a way of thinking in a sentence; nothing for one that is called by the move itself."""
    return stages.about(stage, lambda seat: _name(names, seat))


@register.simple_tag
def disc(seat: int, size: str = "") -> SafeString:
    """The seat's number on its colour and pattern; `size` 'sm' for within a line of text."""
    return format_html('<span class="disc p{} {}" aria-hidden="true">{}</span>', seat, size, seat)


@register.simple_tag(takes_context=True)
def seat_name(context: template.Context, seat: int) -> SafeString:
    """The name of a seat, marked so that the browser can tell the reader's own."""
    return format_html('<span class="who-name" data-who="{}">{}</span>', seat, _name(context["names"], seat))


@register.simple_tag(takes_context=True)
def seat_chip(context: template.Context, seat: int) -> SafeString:
    """Disc and name together."""
    return format_html('<span class="chip">{}{}</span>', disc(seat, "sm"), seat_name(context, seat))


@register.simple_tag(takes_context=True)
def seat_names(context: template.Context, seats: Iterable[int]) -> SafeString:
    """The names of some seats as a phrase: Ann, Ben and Cleo."""
    return phrase([seat_name(context, seat) for seat in seats])


@register.filter
def phrase(names: Sequence[str]) -> SafeString:
    """Names as a phrase: Ann, Ben and Cleo."""
    if len(names) < 2:
        return format_html("{}", *names) if names else SafeString("")
    first = format_html_join(", ", "{}", ((name,) for name in names[:-1]))
    return format_html(gettext("{} and {}"), first, names[-1])


@register.filter
def at(mapping: Mapping[Any, Any] | list[Any] | None, key: Any) -> Any:
    """What belongs to a seat: in a list in seat order, or by its number, which JSON may have made a string."""
    if not mapping:
        return None
    if isinstance(mapping, list):
        return mapping[key - 1]
    return mapping.get(key, mapping.get(str(key)))


@register.filter
def items(mapping: Mapping[str, Any] | None) -> list[tuple[int, Any]]:
    """The (seat, value) pairs of a mapping from a log, by seat."""
    return sorted((int(seat), value) for seat, value in (mapping or {}).items())


@register.filter
def up_to(last: int) -> range:
    """1, 2, ... last."""
    return range(1, last + 1)


@register.filter
def words(value: str) -> str:
    """One of a field's choices as a person reads it (`sentences.word`)."""
    return in_words(value)


@register.filter
def told(value: str) -> str:
    """A sentence in the reader's language, for filters that take texts alone."""
    return translated(value)


@register.simple_tag(takes_context=True)
def asked(context: template.Context, field: Field) -> str:
    """A field's question, with the names of seats, in the reader's language."""
    return field.asked(lambda label: translated(label, lambda seat: _name(context["names"], seat)))


def _name(names: Mapping[int, str], seat: int) -> str:
    return names.get(seat) or gettext("Seat {}").format(seat)
