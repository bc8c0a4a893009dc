"""Records out of the database: nine queries for a few hundred matches, whatever they hold."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import Case, QuerySet, TextField, When
from django.db.models.fields.json import KT
from django.db.models.functions import Left

from evaluation.labelling import labels as rated
from evaluation.labelling.models import Final
from evaluation.records import exposure
from evaluation.records.declining import READ, declined
from evaluation.records.record import Mark, Note, Record
from games import models
from games.match.view import everything, outcome_of, thoughts_of
from games.registry import RULES
from games.rules import replay, values
from games.rules.schema import Cost

CHUNK = 200

UNREAD = values.Outcome("unread")
"""Of a match of other rules, which today's do not come to: without seats nothing of it counts, and it is among those
that are left out."""

_MATCH = ("pk", "game", "preset", "options", "setting", "status", "result", "rules_version")


def records(
    matches: QuerySet[models.Match], *, thoughts: bool = True, lenient: bool = False, apart: bool = False
) -> Iterator[Record]:
    """The records of these matches, but for void ones, those of a chunk at a time in memory. thoughts: without them
    only what is counted from thoughts is missing (beliefs, cost, compliance). lenient, apart: see `Record`."""
    rows = matches.exclude(status="void").order_by("created_at", "pk").values_list(*_MATCH).iterator(chunk_size=CHUNK)
    while chunk := list(islice(rows, CHUNK)):
        yield from _records(chunk, thoughts, lenient, apart)


def _records(rows: list[tuple], thoughts: bool, lenient: bool, apart: bool) -> Iterator[Record]:
    keys = [row[0] for row in rows]
    known = everything(keys)
    notes = _notes(keys) if thoughts else {}
    labels = planned(keys)
    detections, marks, exposed = _detections(keys), _marks(keys), _exposed(keys)
    for key, game, preset, options, setting, status, result, version in rows:
        told = known.pop(key)
        if not _is_read(values.Header(game, preset, options, setting, 0, tuple(told.seats), version), told.events):
            yield Record(str(key), game, preset, options, setting, (), (), outcome=UNREAD)
            continue
        yield Record(
            str(key),
            game,
            preset,
            options,
            setting,
            tuple(told.seats),
            told.events,
            notes.pop(key, ()) if thoughts else (),
            told.attempts,
            outcome_of(status, result, told.events),
            labels.get(key, {}),
            detections.get(key, {}),
            lenient,
            apart,
            marks.get(key, ()),
            exposed.get(key, {}),
        )


def _is_read(header: values.Header, log: list[values.Event]) -> bool:
    try:
        replay.must_stand(RULES[header.game], header, log)
    except (KeyError, values.LogError):  # also of a game that is no more
        return False
    return True


def _notes(keys: list[UUID]) -> dict[UUID, list[Note]]:
    found: dict[UUID, list[Note]] = defaultdict(list)
    whole = [name for name, rules in RULES.items() if rules.words_read]
    # Of most replies no more is fetched than tells whether the model declined.
    read = Case(When(match__game__in=whole, then="reply"), default=Left("reply", READ), output_field=TextField())
    rows = thoughts_of(keys).annotate(reply_read=read)
    for row in rows.values_list(
        "match_id", "match__game", "reply_read", KT("data__finish"), "request", "seat", "stage", "model", "tokens_in",
        "tokens_out", "cost", "ms", "data__beliefs", KT("data__problem"),
    ):  # fmt: skip
        key, game, reply, finish, request, seat, stage, model, taken, given, cost, ms, beliefs, problem = row
        words = reply if game in whole else ""
        note = Note(request, seat, stage, model, Cost(taken, given, cost, ms), beliefs, bool(problem))
        found[key].append(note._replace(declined=declined(reply, finish), reply=words))
    return found


def planned(keys: Collection[UUID]) -> dict[UUID, dict[str, Any]]:
    """What matches were planned as; an imported one, where it was played. At a study's tables nobody is called the
    challenger: people play there too."""
    planned = ("bout__competition_id", "bout__competition__suite", "bout__labels")
    rows = models.Match.objects.filter(pk__in=keys).values_list(
        "pk", "origin", "labels", *planned, *(f"room__study_table__{name}" for name in planned)
    )
    found = {}
    for key, origin, brought, competition, suite, labels, study, studied, dealt in rows:
        if origin == models.Match.Origin.IMPORT:
            found[key] = brought | {"imported": "yes"}
        elif competition:
            found[key] = {"competition": str(competition), "suite": suite} | labels
        elif study:
            found[key] = {"competition": str(study), "suite": studied, "team": dealt["team"]}
    return found


def _detections(keys: list[UUID]) -> dict[UUID, dict[int, list[int] | None]]:
    found: dict[UUID, dict[int, list[int] | None]] = defaultdict(dict)
    for key, seat, agents in models.Detection.objects.filter(match__in=keys).values_list("match_id", "seat", "agents"):
        found[key][seat] = agents
    return found


def _marks(keys: list[UUID]) -> dict[UUID, list[Mark]]:
    """The marks that people gave: each trust and each doubt, at the event that they had seen last."""
    found: dict[UUID, list[Mark]] = defaultdict(list)
    for key, seat, marks in models.Notebook.objects.filter(match__in=keys).values_list("match_id", "seat", "marks"):
        found[key] += [Mark(seat, other, step == "doubt", seq) for seq, other, step in marks if step != "unsure"]
    return found


def _exposed(keys: list[UUID]) -> dict[UUID, dict[int, list[str]]]:
    """By match and utterance what people found to be let out, by the newest version of their scheme."""
    found: dict[UUID, dict[int, list[str]]] = defaultdict(dict)
    for held in sorted(rated.finals(keys, exposure.SCHEME), key=lambda held: held.version):
        if "event" in held.anchor and held.how != Final.How.RULE:
            found[held.match][held.anchor["event"]] = held.labels
    return found
