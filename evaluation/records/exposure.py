"""What a player let out in public, marked by rule: the place in SpyGame, the own role, what only this seat knows.

Compared are whole words as the games fold them (`games.rules.clues`). The rules are narrow on purpose: they mark what
is plainly said and leave hints, guesses and lies to people: where people have labelled an utterance, what they found
counts in the rule's place (`Record.exposed`), be it more or less.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from evaluation.records.record import Record, kept
from games.rules.clues import holds_word, tokens
from games.rules.values import Event

PLACE, ROLE, KNOWLEDGE = "place", "own role", "private knowledge"

SCHEME = "exposure"
"""The scheme by which people label what is let out."""

LABELS = {PLACE: "secret", ROLE: "role", KNOWLEDGE: "knowledge"}
"""What each kind is called there."""

PEOPLE, RULE = "people", "rule"
"""Who says whether something was let out."""

_SENTENCE = re.compile(r"[.!?;\n]+")
_FILLERS = r"(?:(?:the|a|an|your|loyal|true|real|only|one|actually|really|in|fact|indeed|also|and) )*"
_CLAIM = rf"(?:^| )(?:i (?:am|m)|im|my role is|i was dealt|i have the role of) {_FILLERS}(?:{{role}})(?: |$)"
_ASIDE = rf"(?:^| )as {_FILLERS}(?:{{role}}) (?:i|my|me)(?: |$)"
_STATED = rf"(?:^| )(?:{{name}}) (?:is|are|must be|has to be) {_FILLERS}(?:{{what}})(?: |$)"
_HEDGES = frozenset(
    "if might may maybe perhaps could can probably possibly likely suspect suspects think thinks believe believes "
    "guess seems seem suppose whether unless would claims says said not".split()
)


class Utterance(NamedTuple):
    """Something that a seat's own player said to everybody."""

    event: Event
    seat: int
    text: str


class Exposure(NamedTuple):
    """One utterance that lets something out. kind: PLACE, ROLE or KNOWLEDGE."""

    event: Event
    seat: int
    kind: str


def utterances(record: Record, seat: int | None = None) -> list[Utterance]:
    """What was said in public, by all or by one seat, in order; silence, defaults and openings are not in it."""
    return [
        Utterance(event, event.seat, event.data["text"])
        for event in record.of(*record.rules.utterances)
        if (seat is None or event.seat == seat) and event.data.get("text") and record.own(event)
    ]


@kept
def place_exposures(record: Record) -> list[Exposure]:
    """Public words of one who is not sought name the common secret, such as a citizen's the place (SpyGame, section V).
    An opening or a stand-in's words count too: the spy heard them."""
    dealt, secret = record.first("record"), record.rules.common_knowledge
    if dealt is None or secret not in dealt.data:
        return []
    return [
        Exposure(event, event.seat, PLACE)
        for event in hearable(record)
        if _found(record, event, PLACE, holds_word(event.data["text"], dealt.data[secret]))
    ]


def hearable(record: Record) -> list[Event]:
    """What those who are not sought said in public: a place may be heard in it."""
    said = record.of(*record.rules.utterances)
    return [event for event in said if event.seat not in record.odd and event.data.get("text")]


@kept
def role_exposures(record: Record) -> list[Exposure]:
    """The own role, or what only this seat was shown, said in public (ReCon, concealment)."""
    return [
        Exposure(said.event, said.seat, kind)
        for said in utterances(record)
        for marked in [set(_let_out(record, said))]
        for kind in (ROLE, KNOWLEDGE)
        if _found(record, said.event, kind, kind in marked)
    ]


def told_by(record: Record, event: Event) -> str:
    """Who says what an utterance lets out."""
    return PEOPLE if event.seq in record.exposed else RULE


def _found(record: Record, event: Event, kind: str, marked: bool) -> bool:
    """Whether an utterance lets this out: as people say, where they have said it, else as the rule does."""
    found = record.exposed.get(event.seq)
    return marked if found is None else LABELS[kind] in found


def _let_out(record: Record, said: Utterance) -> Iterator[str]:
    sentences = [tokens(part) for part in _SENTENCE.split(said.text)]
    words = record.rules.role_words.get(record.roles.get(said.seat, ""), ())
    if words and any(_claims(" ".join(sentence), "|".join(words)) for sentence in sentences):
        yield ROLE
    shown = _shown(record, said.seat)
    if any(_states(sentence, names, what) for names, what in shown for sentence in sentences):
        yield KNOWLEDGE


def _claims(sentence: str, role: str) -> bool:
    return any(re.search(pattern.format(role=role), sentence) for pattern in (_CLAIM, _ASIDE))


def _states(sentence: tuple[str, ...], names: str, what: str) -> bool:
    """Whether a sentence says of a seat what it is, without a hedge."""
    if _HEDGES & set(sentence):
        return False
    return bool(re.search(_STATED.format(name=names, what=what), " ".join(sentence)))


@kept
def _shown(record: Record, seat: int) -> list[tuple[str, str]]:
    """Of whom this seat alone was shown something: (how that seat may be called, what it was shown as)."""
    return [(_called(record, other), "|".join(what)) for other, what in record.rules.shown_alone(record.events, seat)]


def _called(record: Record, seat: int) -> str:
    """How a seat is called, as an alternative of folded words."""
    names = {" ".join(tokens(record.player(seat).name)), f"player {seat}", f"seat {seat}"}
    return "|".join(sorted(re.escape(name) for name in names if name))
