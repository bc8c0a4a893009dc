"""Erasing a person: the one change that stored logs allow.

Their words become `[erased]`, wherever agents quoted them too; their name becomes that of the seat, and nothing ties
the seat to their browser any more. What they did stays: a match goes on adding up, and its log can still be imported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games import table
from games.models import Attempt, Event, Match, Room, Seat
from games.rules import RULES, logfile, values
from games.rules.fields import Text
from games.rules.logfile import ERASED

Change = Callable[[str], str]

# What other apps keep of a match is changed by them; they put it here when they start.
also: list[Callable[[Match, Change], None]] = []


@dataclass(frozen=True)
class Erased:
    """How much was erased."""

    matches: int
    words: int


def erase(person: str) -> Erased:
    """Erase a person by the key in their cookie, from every match and table. Raises `ValueError` with a sentence while
    they still play one."""
    matches = [match for match in Match.objects.all() if match.seat_of(person) is not None]
    playing = next((match for match in matches if match.status == "running"), None)
    if playing is not None:
        raise ValueError(f"They still play match {playing.pk}. End it first.")
    words = 0
    with transaction.atomic():
        for match in matches:
            words += _erase_from(match, match.seat_of(person))
        Seat.objects.filter(person=person).update(person="", name="", ready=False)
        Room.objects.filter(host=person).update(host="")
        for room in Room.objects.exclude(kicked=[]):
            if person in room.kicked:
                room.kicked.remove(person)
                room.save(update_fields=["kicked"])
    return Erased(len(matches), words)


def _erase_from(match: Match, seat: int) -> int:
    said = _said(match, seat)
    rows = {row.seq: row for row in match.events.filter(seq__in=said)}
    for seq, fields in said.items():
        rows[seq].data = rows[seq].data | dict.fromkeys(fields, ERASED)
    for seq in _needed(match, rows):
        del rows[seq], said[seq]
    Event.objects.bulk_update(rows.values(), ["data"])
    _erase_attempts(match, seat)
    _erase_quotes(match, seat, [text for fields in said.values() for text in fields.values()])
    return len(rows)


def _said(match: Match, seat: int) -> dict[int, dict[str, str]]:
    """The person's own texts: {seq: {field: text}}; those that a stand-in or the table gave for them are not theirs."""
    play = table.load(match)
    rules, state = play.rules, play.rules.start(play.options)
    found = {}
    for event in play.log:
        request = state.open.get(event.request) if event.request else None
        if request is not None and event.seat == seat and event.by == "person":
            texts = {f.name: event.data.get(f.name) for f in request.fields if isinstance(f, Text)}
            if any(texts.values()):
                found[event.seq] = {name: text for name, text in texts.items() if text}
        rules.apply(state, event)
    return found


def _needed(match: Match, changed: dict[int, Event]) -> list[int]:
    """Those of the changed events without whose words the match would have gone another way, such as a right guess:
    the words are the table's own then."""
    log = [row.value for row in match.events.order_by("seq")]

    def agrees(seqs: Iterable[int]) -> bool:
        erased = [changed[event.seq].value if event.seq in seqs else event for event in log]
        try:
            logfile.replay(RULES[match.game], match.header, erased)
        except values.LogError:
            return False
        return True

    return [] if agrees(changed) else [seq for seq in changed if not agrees([seq])]


def _erase_attempts(match: Match, seat: int) -> None:
    own = list(match.attempts.filter(seat=seat, by="person"))
    for attempt in own:
        attempt.action = _everywhere(attempt.action, lambda text: ERASED)
    Attempt.objects.bulk_update(own, ["action"])


def _erase_quotes(match: Match, seat: int, texts: list[str]) -> None:
    """Take the texts and the name out of all that agents read and thought, and the name out of the header."""
    name, seat_name = match.names()[seat], f"Player {seat}"
    pattern = re.compile("|".join(_whole(text) for text in [*sorted(texts, key=len, reverse=True), name]))

    def without(text: str) -> str:
        return pattern.sub(lambda found: seat_name if found.group() == name else ERASED, text)

    thoughts = list(match.thoughts.all())
    for thought in thoughts:
        thought.prompt, thought.reply = without(thought.prompt), without(thought.reply)
        matrix = {"beliefs": thought.data["beliefs"]} if "beliefs" in thought.data else {}
        thought.data = _everywhere(thought.data, without) | matrix  # numbers, and labels that are the game's
    match.thoughts.bulk_update(thoughts, ["prompt", "reply", "data"])
    others = list(match.attempts.exclude(seat=seat))
    for attempt in others:
        attempt.action = _everywhere(attempt.action, without)
    Attempt.objects.bulk_update(others, ["action"])
    for change in also:
        change(match, without)
    for entry in match.seats:
        if entry["seat"] == seat:
            entry |= {"name": seat_name, "person": ""}
    match.save(update_fields=["seats"])


def _whole(words: str) -> str:
    return rf"(?<!\w){re.escape(words)}(?!\w)"


def _everywhere(value: Any, change: Change) -> Any:
    """A JSON value with every text in it changed; keys stay."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_everywhere(item, change) for item in value]
    if isinstance(value, dict):
        return {key: _everywhere(item, change) for key, item in value.items()}
    return value
