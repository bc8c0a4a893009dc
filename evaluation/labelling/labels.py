"""Labels as exports, imports and counts have them: what raters gave, what holds in the end, and both as the lines of a
log file. What was given in a round that is still open is told only to who asks for it: raters see nobody else's.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Now

from evaluation.labelling.models import MODEL, Final, Given, Item, Round, Scheme, Task
from games.models import Match

Anchor = dict[str, Any]
Spans = list[list[int] | None]

FINAL = "final:"
"""How the rater of what holds in the end is called in log files; how it came to hold follows."""


class Held(NamedTuple):
    """What holds of one thing. spans: as of `Given`; item: by which its page is found."""

    match: UUID
    anchor: Anchor
    scheme: str
    version: int
    labels: list[str]
    spans: Spans
    how: str
    item: int


class Said(NamedTuple):
    """What one rater gave to one thing. rater: a pseudonym, the same within a task; profile: of a model, or ""."""

    match: UUID
    anchor: Anchor
    scheme: str
    version: int
    labels: list[str]
    spans: Spans
    rater: str
    profile: str
    note: str
    seconds: float
    task: UUID
    round: int
    calibration: bool
    item: int


_THING = ("match_id", "anchor", "round__scheme__name", "round__scheme__version")
_HELD = (*(f"item__{name}" for name in _THING), "labels", "spans", "how", "item_id")
_SAID = (
    *(f"item__{name}" for name in _THING), "labels", "spans", "pseudonym", "profile", "note", "seconds",
    "item__round__task_id", "item__round__number", "item__round__calibration", "item_id",
)  # fmt: skip
_EARLIER_FIRST = ("item__round__opened_at", "item__round_id", "item_id", "pk")


def finals(
    matches: QuerySet[Match] | Collection[UUID], scheme: str | None = None, version: int | None = None
) -> Iterator[Held]:
    """What holds of things in these matches, by one scheme or all. Of a thing that several rounds had, by one version,
    the last round's counts."""
    rows = _of(Final.objects.all(), matches, scheme, version).order_by(*_EARLIER_FIRST)
    found = [Held(*row) for row in rows.values_list(*_HELD)]
    yield from {(_place(one), one.scheme, one.version): one for one in found}.values()


def given(
    matches: QuerySet[Match] | Collection[UUID],
    scheme: str | None = None,
    version: int | None = None,
    *,
    unclosed: bool = False,
) -> Iterator[Said]:
    """What was given to things in these matches, round by round. unclosed: in open rounds too."""
    rows = _of(Given.objects.all(), matches, scheme, version).order_by(*_EARLIER_FIRST)
    if not unclosed:
        rows = rows.filter(item__round__status=Round.Status.CLOSED)
    for row in rows.values_list(*_SAID).iterator():
        yield Said(*row)


def _of(rows: QuerySet, matches: Any, scheme: str | None, version: int | None) -> QuerySet:
    rows = rows.filter(item__match__in=matches)
    if scheme is not None:
        rows = rows.filter(item__round__scheme__name=scheme)
    return rows if version is None else rows.filter(item__round__scheme__version=version)


# Lines of a log file -------------------------------------------------------------------------------------------------


def of_matches(keys: Collection[UUID]) -> dict[UUID, list[dict[str, Any]]]:
    """By match the label lines of its log file (`games.rules.schema.Label`): what raters gave in closed rounds, and
    what holds. In an order of their own, so that they come out the same wherever they are kept."""
    lines: dict[UUID, list[dict[str, Any]]] = defaultdict(list)
    latest = {(_place(one), one.scheme, one.version, one.rater): one for one in given(keys)}
    for one in latest.values():
        lines[one.match] += _lines(one, one.rater, one.note, one.seconds)
    for held in finals(keys):
        lines[held.match] += _lines(held, FINAL + held.how)
    return {key: sorted(found, key=_order) for key, found in lines.items()}


def _lines(one: Held | Said, rater: str, note: str = "", seconds: float = 0.0) -> Iterator[dict[str, Any]]:
    """A line for each part of the words that was marked; the first also has the note and the time."""
    spans = one.spans or [None] * len(one.labels)
    together: dict[tuple[int, ...], list[str]] = {}
    for label, span in zip(one.labels, spans, strict=True):
        together.setdefault(tuple(span or ()), []).append(label)
    beside: dict[str, Any] = ({"note": note} if note else {}) | ({"seconds": seconds} if seconds else {})
    for part, labels in sorted(together.items()):
        line = {"scheme": one.scheme, "version": one.version, "on": one.anchor, "labels": labels, "rater": rater}
        yield line | ({"span": list(part)} if part else {}) | beside
        beside = {}


def _order(line: dict[str, Any]) -> tuple:
    return line["scheme"], line["version"], _place_of(line["on"]), line["rater"], line.get("span", [])


def _place(one: Held | Said) -> tuple:
    return one.match, _place_of(one.anchor)


def _place_of(on: Anchor) -> tuple:
    opened, _colon, rest = on.get("request", "").partition(":")
    return on.get("seat", 0), on.get("event", 0), int(opened) if opened.isdecimal() else 0, rest, on.get("thought", 0)


def take_in(match: Match, annotations: Iterable[dict[str, Any]]) -> None:
    """Keep the label lines of an imported log. A scheme that is not known here is made of the labels that it gave; it
    is frozen, and marked as imported."""
    by_scheme: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for line in annotations:
        by_scheme.setdefault((line["scheme"], line["version"]), []).append(line)
    for (name, version), lines in by_scheme.items():
        _keep(match, _round_of(_scheme(name, version, lines)), lines)


def _scheme(name: str, version: int, lines: list[dict[str, Any]]) -> Scheme:
    labels = list(dict.fromkeys(str(label) for line in lines for label in line["labels"]))
    kind = Scheme.Kind.SPAN if any(line.get("span") for line in lines) else Scheme.Kind.SINGLE
    what = {"event": "events", "thought": "thoughts", "seat": "seats"}
    applies = {"what": next((what[one] for line in lines for one in what if one in line["on"]), "matches")}
    start: dict[str, Any] = {"title": name, "kind": kind, "applies": applies, "labels": []}
    scheme, _made = Scheme.objects.get_or_create(
        name=name, version=version, defaults=start | {"imported": True, "frozen_at": Now()}
    )
    fresh = [label for label in labels if label not in scheme.names]
    if fresh and scheme.imported:
        scheme.labels += [_unknown(label) for label in fresh]
        if scheme.kind == Scheme.Kind.SINGLE and any(len(line["labels"]) > 1 for line in lines):
            scheme.kind = Scheme.Kind.SEVERAL
        scheme.save(update_fields=["labels", "kind"])
    elif scheme.frozen_at is None:
        Scheme.objects.filter(pk=scheme.pk).update(frozen_at=Now())
    return scheme


def _unknown(label: str) -> dict[str, str]:
    return {"name": label, "title": label, "definition": "", "example": "", "counter": "", "key": ""}


def _round_of(scheme: Scheme) -> Round:
    task, _made = Task.objects.get_or_create(
        imported=True,
        scheme=scheme,
        defaults={"name": f"{scheme.title} ({scheme.version})", "status": Task.Status.CLOSED},
    )
    closed = {"scheme": scheme, "status": Round.Status.CLOSED, "closed_at": Now()}
    return Round.objects.get_or_create(task=task, number=1, defaults=closed)[0]


def _keep(match: Match, number: Round, lines: list[dict[str, Any]]) -> None:
    things: dict[tuple, dict[str, list[dict[str, Any]]]] = {}
    for line in lines:
        things.setdefault(_place_of(line["on"]), {}).setdefault(line["rater"], []).append(line)
    anchors = {_place_of(line["on"]): line["on"] for line in lines}
    items = Item.objects.bulk_create(Item(round=number, match=match, anchor=anchors[place]) for place in things)
    said, held = [], []
    for item, raters in zip(items, things.values(), strict=True):
        for rater, parts in raters.items():
            labels = [label for part in parts for label in part["labels"]]
            spans = [part.get("span") for part in parts for _label in part["labels"]]
            row: dict[str, Any] = {"item": item, "labels": labels, "spans": spans if any(spans) else []}
            how = rater.removeprefix(FINAL)
            if rater.startswith(FINAL) and how in Final.How.values:
                held.append(Final(**row, how=how))
            else:
                profile = rater.removeprefix(MODEL) if rater.startswith(MODEL) else ""
                note = "\n".join(part["note"] for part in parts if part.get("note"))
                seconds = sum(part.get("seconds", 0) for part in parts)
                said.append(Given(**row, pseudonym=rater, profile=profile, note=note, seconds=seconds))
    Given.objects.bulk_create(said)
    Final.objects.bulk_create(held)
