"""Flat files of what is said of matches: labels, how far raters agree, values of metrics."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from evaluation.exports.declared import JSON, MATCH, NUMBER, SEAT, TEXT, WHOLE, YES_NO, Column, Row, as_json, collection
from evaluation.exports.told import Told
from evaluation.labelling.labels import Anchor, Said
from evaluation.metrics import METRICS
from evaluation.tables.agreement import Matrix, by_item

ITEM = Column("item", WHOLE, "What was labelled: all labels given to it in a round have the same.", "made by the site")
ON = (
    Column("on", TEXT, "What the item is: event, thought, seat or match.", "the item"),
    Column("seat", WHOLE, "The seat, of an item that is one.", "the item"),
    Column("event", WHOLE, "The event (`seq`), of an item that is one.", "the item"),
    Column("request", TEXT, "The request of the thought, of an item that is one.", "the item"),
    Column("thought", WHOLE, "The number of the thought (`n`), of an item that is one.", "the item"),
)
TASK = Column("task", TEXT, "The task that asked for it.", "the task")
ROUND = Column("round", WHOLE, "The round of the task, from 1.", "the task")
SCHEME = Column("scheme", TEXT, "The scheme of labels.", "the scheme")
VERSION = Column("version", WHOLE, "The version of the scheme.", "the scheme")


def _on(anchor: Anchor) -> Row:
    what = next((name for name in ("thought", "event", "seat") if name in anchor), "match")
    return [what, *(anchor.get(name) for name in ("seat", "event", "request", "thought"))]


def _kind(said: Said) -> str:
    return "model" if said.profile else "person"


@collection(
    "labels", "A row is a label that a rater gave, or one that holds in the end; of closed rounds.",
    MATCH, ITEM, *ON, TASK, ROUND,
    Column("calibration", YES_NO, "Whether the round was one in which everybody rates everything.", "the task"),
    SCHEME, VERSION,
    Column("rater", TEXT, "Who gave it: a pseudonym, the same within a task; empty for one that holds.", "the label"),
    Column("kind", TEXT, "Of whom it is: person, model, or final for one that holds.", "the label"),
    Column("how", TEXT, "How one came to hold: agreed, adjudicated, rule.", "the label"),
    Column("label", TEXT, "The label; empty where none of them was found to fit.", "the label"),
    Column("span_from", WHOLE, "The first character that is meant, from 0, if not all words are.", "the label"),
    Column("span_to", WHOLE, "The character after the last one that is meant.", "the label"),
    Column("note", TEXT, "The rater's own words.", "the label"),
    Column("seconds", NUMBER, "How long the rater took for the item.", "the label"),
    part="labels",
)  # fmt: skip
def labels(told: Told) -> Iterator[Row]:
    for one in told.said:
        about = [told.id, one.item, *_on(one.anchor), str(one.task), one.round, one.calibration]
        about += [one.scheme, one.version, one.rater, _kind(one), None]
        for label, start, end in _parts(one.labels, one.spans):
            yield [*about, label, start, end, told.reworded(one.note) or None, one.seconds]
    for held in told.held:
        about = [told.id, held.item, *_on(held.anchor), None, None, None]
        about += [held.scheme, held.version, None, "final", held.how]
        for label, start, end in _parts(held.labels, held.spans):
            yield [*about, label, start, end, None, None]


def _parts(labels: list[str], spans: list[Any]) -> Iterator[tuple[str | None, int | None, int | None]]:
    for number, label in enumerate(labels or [None]):
        span = spans[number] if number < len(spans) else None
        yield label, *(span or (None, None))


@collection(
    "agreement", "A row is an item that people rated: what each gave, and how far they agree.",
    MATCH, ITEM, *ON, TASK, ROUND, SCHEME, VERSION,
    Column("raters", WHOLE, "How many people rated it.", "counted"),
    Column("given", JSON, "By rater what they gave: a row of the matrix of items by raters.", "the labels"),
    Column("share", NUMBER, "The share of pairs of raters that agree; empty with one rater.", "counted"),
    Column("agreed", YES_NO, "Whether all of several raters gave the same.", "counted"),
    Column("final", JSON, "What holds in the end, if that is known.", "the final label"),
    Column("how", TEXT, "How it came to hold: agreed, adjudicated, rule.", "the final label"),
    part="labels", key="item",
)  # fmt: skip
def agreement(told: Told) -> Iterator[Row]:
    final = {held.item: held for held in told.held}
    items: dict[int, list[Said]] = defaultdict(list)
    for one in told.said:
        if not one.profile:
            items[one.item].append(one)
    for item, each in items.items():
        first, held = each[0], final.get(item)
        given = {one.rater: sorted(one.labels) for one in each}
        cells = [tuple(given[rater]) for rater in given]
        matrix = Matrix([item], list(given), sorted({label for cell in cells for label in cell}), [cells])
        (found,) = by_item(matrix)
        yield [
            told.id, item, *_on(first.anchor), str(first.task), first.round, first.scheme, first.version, found.raters,
            as_json(given), found.share, found.whole, as_json(held.labels) if held else None, held and held.how,
        ]  # fmt: skip


@collection(
    "metric_values", "A row is what a seat of a match gives to a metric: a number is the sum of numerators by that of "
    "denominators.",
    MATCH, SEAT,
    Column("metric", TEXT, "The metric; docs/metrics.md has each.", "the registry of metrics"),
    Column("once", TEXT, "What it counts, where a group of several seats counts that once a match.", "the metric"),
    Column("numerator", NUMBER, "What is counted.", "the metric, over the match"),
    Column("denominator", NUMBER, "Of how much.", "the metric, over the match"),
    Column("n", WHOLE, "How many items count.", "the metric, over the match"),
    Column("unit", TEXT, "share for what is a share, else what it is counted in.", "the registry of metrics"),
    part="metrics",
)  # fmt: skip
def metric_values(told: Told) -> Iterator[Row]:
    for seat, metric, once, numerator, denominator, n in told.amounts:
        unit = METRICS[metric].unit
        yield [told.id, seat, metric, None if once is None else repr(once), numerator, denominator, n, unit or None]
