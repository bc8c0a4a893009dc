"""What of a log is somebody's own words, where others quote them, and what is left without them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .core import Rules
from .fields import plain
from .play import NOTES
from .replay import replay
from .values import ERASED, Event, Header, Impossible, LogError

Change = Callable[[str], str]
Changes = dict[int, dict[str, Any]]
"""By seq the data that an event has afterwards."""

SHORT = 4
"""Words of fewer letters, such as "no", are found where they are marked as said, and not wherever they stand."""


@dataclass(frozen=True)
class Erasure:
    """What becomes of a log: the data that events have afterwards, and what takes the person's words and name out of
    any other text of the match. words: how many of their texts are erased."""

    changes: Changes
    without: Change
    words: int


def erasure(
    rules: Rules,
    header: Header,
    log: Sequence[Event],
    seat: int,
    *,
    by: Collection[str] = ("person",),
    after: int = 0,
    until: int | None = None,
    name: str = "",
) -> Erasure:
    """What becomes of a log without the words and the name of whoever played a seat. by: as whom they acted. after,
    until: between which events they did, where others had the seat before or later. name: theirs, if not the seat's."""
    said = _said(rules, log[after:until], seat, by)
    return _erased(rules, header, log, seat, said, name=name)


def erasure_of_event(rules: Rules, header: Header, log: Sequence[Event], seq: int) -> Erasure:
    """The same of the words of one event by a person, whose name and other words stay; of nothing where there are
    none."""
    event = log[seq - 1]
    said = {} if event.by != "person" else _said(rules, [event], event.seat, ("person",))
    return _erased(rules, header, log, event.seat, said, named=True)


def _erased(
    rules: Rules,
    header: Header,
    log: Sequence[Event],
    seat: int,
    said: dict[int, dict[str, str]],
    *,
    named: bool = False,
    name: str = "",
) -> Erasure:
    """named: the name of the seat's player stays. name: theirs, if not the seat's."""
    texts = {text for fields in said.values() for text in fields.values()}
    name = name or next((one.name for one in header.seats if one.seat == seat), "")
    without = _without(texts, name, name if named else called(seat))
    groups = [_with_echoes(rules, log, seq, fields) for seq, fields in said.items()]
    groups += _quoting(rules, log, said, texts, without)
    changes: Changes = {}
    for group in _possible(rules, header, log, groups):
        changes |= group
    return Erasure(changes, without, len(said.keys() & changes.keys()))


def called(seat: int) -> str:
    """What somebody is called once their name is erased."""
    return f"Player {seat}"


def _said(rules: Rules, log: Iterable[Event], seat: int, by: Collection[str]) -> dict[int, dict[str, str]]:
    """The person's own texts: {seq: {field: text}}; those that a stand-in or the table gave for them are not theirs."""
    found = {}
    for event in log:
        if event.seat != seat or event.by not in by:
            continue
        texts = {name: event.data.get(name) for name in rules.words_of(event.kind, event.data)}
        if any(isinstance(text, str) and text != ERASED for text in texts.values()):
            found[event.seq] = {name: text for name, text in texts.items() if isinstance(text, str)}
    return found


def _with_echoes(rules: Rules, log: Sequence[Event], seq: int, fields: dict[str, str]) -> Changes:
    """An event without its words, and what the table said after it in the same ones."""
    event = next(one for one in log if one.seq == seq)
    changes = {seq: event.data | dict.fromkeys(fields, ERASED)}
    for echo in log:
        if echo.seq <= seq or echo.seat != event.seat or echo.by != "moderator":
            continue
        same = {name: ERASED for name in rules.words_of(echo.kind, echo.data) if echo.data.get(name) in fields.values()}
        if same:
            changes[echo.seq] = echo.data | same
    return changes


def _quoting(
    rules: Rules, log: Iterable[Event], said: Collection[int], texts: set[str], without: Change
) -> list[Changes]:
    """What others, admins too, said with the person's words or name in it. Who says the same and no more does not
    quote."""
    found = []
    for event in log:
        if event.seq in said or (event.by == "moderator" and event.kind not in NOTES):
            continue
        words = {name: event.data.get(name) for name in rules.words_of(event.kind, event.data)}
        told = {name: text for name, text in words.items() if isinstance(text, str) and text not in texts}
        changed = {name: without(text) for name, text in told.items() if without(text) != text}
        if changed:
            found.append({event.seq: event.data | changed})
    return found


def _possible(rules: Rules, header: Header, log: Sequence[Event], groups: list[Changes]) -> list[Changes]:
    """Those of the changes with which the match still goes as it went. Without some words it would not, such as a right
    guess: they are the table's own then. All of them where the log cannot be played again anyhow."""

    def agrees(chosen: list[Changes]) -> bool:
        changes = {seq: data for group in chosen for seq, data in group.items()}
        changed = [event._replace(data=changes.get(event.seq, event.data)) for event in log]
        try:
            replay(rules, header, changed)
        except (LogError, Impossible):
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
