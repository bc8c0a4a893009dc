"""Erasing a person: the one change that stored logs allow.

Their words become `[erased]`, wherever others quoted them too; their name becomes that of the seat, and nothing ties
the seat to their browser any more. What they did stays: a match goes on adding up, and its log can still be imported.
Copies of their matches that were imported are changed alike.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from games import audit
from games.match import access, identity, store
from games.match.rows import MatchSeat
from games.match.words import Change
from games.models import Match, Room, Seat
from games.registry import RULES
from games.rules import replay, values
from games.rules.fields import plain
from games.rules.play import NOTES
from games.rules.values import ERASED

Changes = dict[int, dict[str, Any]]
"""By seq the data that an event has afterwards."""

# What other apps keep of a match is changed by them; they put it here when they start.
also: list[Callable[[Match, Change], None]] = []

SHORT = 4
"""Words of fewer letters, such as "no", are found where they are marked as said, and not wherever they stand."""


@dataclass(frozen=True)
class Erased:
    """How much was erased."""

    matches: int
    words: int


def erase(person: str) -> Erased:
    """Erase a person by the key in their cookie, from every match and table. Raises `ValueError` with a sentence while
    they still play one."""
    with transaction.atomic():
        erased = _erase_seats(seats_of(person))
        Seat.objects.filter(person=person).update(person="", name="", ready=False)
        Room.objects.filter(host=person).update(host="")
        for room in access.kicked_from(person):
            room.kicked.remove(person)
            room.save(update_fields=["kicked"])
    return erased


def seats_of(person: str) -> dict[UUID, int]:
    """The seats of this person in all matches, by match; also those that were freed for others. What both said there is
    told apart by nothing."""
    sat = MatchSeat.objects.filter(Q(person=person) | Q(former__contains=person))
    return dict(sat.values_list("match", "seat")) if person else {}


@transaction.atomic
def erase_seat(match: Match, seat: int) -> Erased:
    """Erase whoever played a seat of an imported match: no more is known of them here. Raises `ValueError`."""
    return _erase_seats({match.pk: seat})


def _erase_seats(seats: dict[UUID, int]) -> Erased:
    every = _with_copies(seats)
    elsewhere = (Match.Origin.IMPORT, Match.Origin.FORK)
    running = [match for match, _seat in every if match.status == "running"]
    playing = next((match for match in running if match.origin not in elsewhere), None)
    if playing is not None:
        raise ValueError(f"They still play match {playing.pk}. End it first.")
    found = [erase_from(match, seat) for match, seat in every]
    audit.erase(lambda text: reduce(lambda left, erased: erased[1](left), found, text))
    return Erased(len(every), sum(words for words, _without in found))


def _with_copies(seats: dict[UUID, int]) -> list[tuple[Match, int]]:
    """These matches, and all that are the same or begin with one of them, each with the seat. They are held until the
    transaction ends, so that nobody adds to them meanwhile or lets another match begin with them."""
    every: dict[UUID, tuple[Match, int]] = {}
    while seats:
        held = [(match, seats[match.pk]) for match in store.held(seats)]
        every |= {match.pk: (match, seat) for match, seat in held}
        copies = {copy.pk: seat for match, seat in held for copy in identity.copies_of(match)}
        seats = {key: seat for key, seat in copies.items() if key not in every}
    return list(every.values())


def erase_from(match: Match, seat: int) -> tuple[int, Change]:
    """Erase whoever played a seat from this one match: how many of their texts that are; what takes these and their
    name out of a text."""
    identity.remember(match, seat)
    said = _said(match, seat)
    texts = {text for fields in said.values() for text in fields.values()}
    without = _without(texts, match.names()[seat], f"Player {seat}")
    groups = [_with_echoes(match, seq, fields) for seq, fields in said.items()]
    groups += _quoting(match, said, texts, without)
    changes: Changes = {}
    for group in _possible(match, groups):
        changes |= group
    store.erase(match, seat, changes, without)
    for change in also:
        change(match, without)
    return len(said.keys() & changes.keys()), without


def _said(match: Match, seat: int) -> dict[int, dict[str, str]]:
    """The person's own texts: {seq: {field: text}}; those that a stand-in or the table gave for them are not theirs."""
    rules, found = RULES[match.game], {}
    for event in match.events.filter(seat=seat, by="person"):
        texts = {name: event.data.get(name) for name in rules.words_of(event.kind, event.data)}
        if any(isinstance(text, str) and text != ERASED for text in texts.values()):
            found[event.seq] = {name: text for name, text in texts.items() if isinstance(text, str)}
    return found


def _with_echoes(match: Match, seq: int, fields: dict[str, str]) -> Changes:
    """An event without its words, and what the table said after it in the same ones."""
    event = match.events.get(seq=seq)
    changes = {seq: event.data | dict.fromkeys(fields, ERASED)}
    rules = RULES[match.game]
    for echo in match.events.filter(seq__gt=seq, seat=event.seat, by="moderator"):
        same = {name: ERASED for name in rules.words_of(echo.kind, echo.data) if echo.data.get(name) in fields.values()}
        if same:
            changes[echo.seq] = echo.data | same
    return changes


def _quoting(match: Match, said: Iterable[int], texts: set[str], without: Change) -> list[Changes]:
    """What others, admins too, said with the person's words or name in it. Who says the same and no more does not
    quote."""
    rules, found = RULES[match.game], []
    for event in match.events.exclude(seq__in=said).filter(~Q(by="moderator") | Q(kind__in=NOTES)):
        told = {name: event.data.get(name) for name in rules.words_of(event.kind, event.data)}
        told = {name: text for name, text in told.items() if isinstance(text, str) and text not in texts}
        changed = {name: without(text) for name, text in told.items() if without(text) != text}
        if changed:
            found.append({event.seq: event.data | changed})
    return found


def _possible(match: Match, groups: list[Changes]) -> list[Changes]:
    """Those of the changes with which the match still goes as it went. Without some words it would not, such as a right
    guess: they are the table's own then. All of them where the log cannot be played again anyhow."""
    log = match.events.plain()

    def agrees(chosen: list[Changes]) -> bool:
        changes = {seq: data for group in chosen for seq, data in group.items()}
        changed = [event._replace(data=changes.get(event.seq, event.data)) for event in log]
        try:
            replay.replay(RULES[match.game], match.header, changed)
        except (values.LogError, values.Impossible):
            return False
        return True

    if agrees(groups) or not agrees([]):
        return groups
    possible: list[Changes] = []
    for group in groups:
        if agrees([*possible, group]):
            possible.append(group)
    return possible


def _without(texts: set[str], name: str, seat_name: str) -> Change:
    """What takes the texts and the name out of a text, however it may quote them: in another case, without the full
    stop, inside of JSON, or marked as said in a prompt."""
    forms = {form for text in texts if text != ERASED for form in _forms(text)}
    patterns = [f"(?i:{_whole(form)})" for form in sorted(forms, key=len, reverse=True)]
    names = "|".join(map(_whole, {name, _escaped(name)}))
    pattern = re.compile("|".join([*patterns, f"(?P<name>{names})"]))
    return lambda text: pattern.sub(lambda found: seat_name if found["name"] else ERASED, text)


def _forms(text: str) -> set[str]:
    bare = text.strip(" .,;:!?\"'…")
    if len(bare) < SHORT:
        return {f"<said>{text}</said>"}
    fenced = plain(text).translate(str.maketrans("<>", "\u2039\u203a"))
    forms = {text, bare, fenced}
    return forms | {_escaped(form, ascii) for form in forms for ascii in (True, False)}


def _escaped(text: str, ascii: bool = True) -> str:
    return json.dumps(text, ensure_ascii=ascii)[1:-1]


def _whole(words: str) -> str:
    return rf"(?<!\w){re.escape(words)}(?!\w)"
