"""The course of a task: its raters, rounds that open and close, what raters give, and what holds in the end.

Who labels what is decided when a round opens, by the task's seed, and stays so; what waits for somebody who may not
label any more goes to others (`settle`). What was given stays.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from evaluation.counting import sums
from evaluation.labelling import items as drawing
from evaluation.labelling.models import Assigned, Final, Given, Item, Round, Scheme, Task
from evaluation.labelling.schemes import freeze
from games.jobs import news
from games.refused import NotThere, NotYours, Refused, Unfit
from magic_site import clock
from magic_site.writing import written

RIGHT = "evaluation.label"
BACKEND = "django.contrib.auth.backends.ModelBackend"
LONGEST_NOTE = 2000
LONGEST_PAUSE = 600.0
"""Seconds of one item, at most: who is away is not labelling."""


class LabelError(Refused, ValueError):
    """It cannot be done; the text is a sentence."""


class UnfitLabelError(LabelError, Unfit):
    """The scheme has no place for what was given."""


class NotTheirsError(LabelError, NotYours):
    """Others label the item."""


class NoItemError(LabelError, NotThere):
    """The item is not there any more."""


def may_label() -> QuerySet[User]:
    """The accounts that have the right of raters."""
    return User.objects.with_perm(RIGHT, backend=BACKEND).order_by("username")


def raters_of(task: Task) -> list[User]:
    """The raters of a task who still may label, in an order that the task's seed decides."""
    found = list(may_label().filter(pk__in=task.raters.values("pk")).order_by("pk"))
    random.Random(f"{task.seed} raters").shuffle(found)
    return found


# Rounds ---------------------------------------------------------------------------------------------------------------


def begin(task: Task) -> Round:
    """Open the first round: the shared sample, where there is one. Raises `LabelError`."""
    if task.shared:
        return open_round(task, task.scheme, task.shared, calibration=True)
    return open_round(task, task.scheme, task.items.get("many", 0))


def open_round(
    task: Task, scheme: Scheme, many: int, *, calibration: bool = False, again: Round | None = None
) -> Round:
    """Open the next round with so many fresh items, or with those of an earlier one again. Raises `LabelError`."""
    raters = raters_of(task)
    if len(raters) < (1 if calibration else task.per_item):
        raise LabelError(
            _("%(many)d raters an item are wanted, and %(there)d may label now.")
            % {"many": task.per_item, "there": len(raters)}
        )
    last = task.last
    if last is not None and not last.closed:
        raise LabelError(_("Close round %d first.") % last.number)
    known = Item.objects.filter(round__task=task) if again is None else again.items.order_by("number")
    before = [drawing.Place(match, anchor) for match, anchor in known.values_list("match_id", "anchor")]
    if again is None:
        places = drawing.draw(task, scheme, many, before)
    else:
        places = [(place, words) for place in before if (words := drawing.words_at(place)) is not None]
    if not places:
        raise LabelError(_("Nothing is left to label: no match of the selection has such a moment."))
    freeze(scheme)
    marked = drawing.marked(scheme, places)
    try:
        with written():
            part = Round.objects.create(
                task=task, number=1 if last is None else last.number + 1, scheme=scheme, calibration=calibration
            )
            Task.objects.filter(pk=task.pk).update(scheme=scheme, status=Task.Status.OPEN)
            drawing.add(part, places, marked)
            _assign(part, raters)
        news.tell(task.pk)
    except IntegrityError as error:
        raise LabelError(_("Somebody else opened the next round just now.")) from error
    task.refresh_from_db()
    return part


def close(part: Round) -> None:
    """End a round: where all raters of an item agree, that holds; the other items wait for an adjudicator."""
    with written():
        held = Round.objects.select_for_update(of=("self",)).select_related("scheme", "task").get(pk=part.pk)
        if held.closed:
            return
        finals = []
        for item in held.items.prefetch_related("given"):
            if agreed := agreement_on(held, item):
                finals.append(Final(item=item, labels=agreed[0], spans=agreed[1], how=Final.How.AGREED))
            elif item.marked and not people(item):
                finals.append(Final(item=item, labels=item.marked, how=Final.How.RULE))
        Final.objects.bulk_create(finals, ignore_conflicts=True)
        held.status, held.closed_at = Round.Status.CLOSED, clock.now()
        held.save(update_fields=["status", "closed_at"])
        sums.drop_labelled_of(held, {final.item.match_id for final in finals})
    news.tell(part.task_id)
    part.refresh_from_db()


def end(task: Task) -> None:
    """Close the task with its open round. What waits for an adjudicator goes on waiting."""
    if (last := task.last) is not None:
        close(last)
    task.status = Task.Status.CLOSED
    task.save(update_fields=["status"])


def people(item: Item) -> list[Given]:
    """What people gave an item, in the order of their pseudonyms; models are counted apart."""
    return [given for given in item.given.all() if not given.profile]


def agreement_on(part: Round, item: Item) -> tuple[list[str], list] | None:
    """The labels that all raters of an item gave it, at least two where two were asked; None where they differ."""
    said = people(item)
    asked = 2 if part.calibration or part.task.per_item > 1 else 1
    if len(said) < asked:
        return None
    spans = part.scheme.kind == Scheme.Kind.SPAN
    first, *others = [_content(given, spans) for given in said]
    if any(other != first for other in others):
        return None
    same = all(given.spans == said[0].spans for given in said)
    return said[0].labels, said[0].spans if same else []


def _content(given: Given, spans: bool) -> list:
    where = given.spans or [None] * len(given.labels)
    return sorted(map(str, zip(given.labels, where, strict=True) if spans else given.labels))


# Who labels what ------------------------------------------------------------------------------------------------------


def wanted(part: Round, raters: Sequence[User]) -> int:
    """How many raters each item of a round has."""
    return len(raters) if part.calibration else part.task.per_item


def settle(part: Round) -> int:
    """See to it that all items wait for raters who may label: takes what waits from those who may not any more, and
    gives it to others; new raters get their part. How many items change hands."""
    raters = raters_of(part.task)
    if part.closed or not _unsettled(part, raters):
        return 0
    with written():
        Round.objects.select_for_update().get(pk=part.pk)
        waiting = _waiting(part)
        waiting.exclude(rater__in=raters).delete()
        moved = _assign(part, raters)
        if not part.calibration:
            moved += _share(part, raters)
    return moved


def _unsettled(part: Round, raters: Sequence[User]) -> bool:
    if _waiting(part).exclude(rater__in=raters).exists():
        return True
    have = set(Assigned.objects.filter(item__round=part).values_list("rater", flat=True).distinct())
    short = part.items.annotate(many=Count("assigned")).filter(many__lt=min(wanted(part, raters), len(raters))).exists()
    return short or any(rater.pk not in have for rater in raters)


def _waiting(part: Round) -> QuerySet[Assigned]:
    said = Given.objects.filter(item=OuterRef("item"), rater=OuterRef("rater"))
    return Assigned.objects.filter(~Exists(said), item__round=part)


def _assign(part: Round, raters: Sequence[User]) -> int:
    """Give each item raters until it has as many as are wanted: those who have the least, and who least often had the
    same items; by the task's seed where that is equal."""
    have: dict[int, list[int]] = defaultdict(list)
    for item, rater in Assigned.objects.filter(item__round=part).values_list("item", "rater"):
        have[item].append(rater)
    for item, rater in Given.objects.filter(item__round=part, rater__isnull=False).values_list("item", "rater"):
        if rater not in have[item]:
            have[item].append(rater)
    load = Counter(rater for each in have.values() for rater in each)
    together: Counter[frozenset[int]] = Counter()
    made = []
    keys, many = [rater.pk for rater in raters], wanted(part, raters)
    for item, number in part.items.order_by("number").values_list("pk", "number"):
        lots = keys[:]
        random.Random(f"{part.task.seed} {part.number} {number}").shuffle(lots)
        place = {rater: n for n, rater in enumerate(lots)}
        mine = have[item]
        while len(mine) < many and (free := [rater for rater in keys if rater not in mine]):
            met = {rater: sum(together[frozenset((rater, other))] for other in mine) for rater in free}
            rater = min(free, key=lambda one: (load[one], met[one], place[one]))
            together.update(frozenset((rater, other)) for other in mine)
            mine.append(rater)
            load[rater] += 1
            made.append(Assigned(item_id=item, rater_id=rater))
    Assigned.objects.bulk_create(made, ignore_conflicts=True)
    return len(made)


def _share(part: Round, raters: Sequence[User]) -> int:
    """Let those who have the most that waits give of their last items to those who have the least."""
    keys = {rater.pk for rater in raters}
    waiting: dict[int, list[Assigned]] = {key: [] for key in sorted(keys)}
    for one in _waiting(part).select_related("item").order_by("item__number"):
        if one.rater_id in keys:
            waiting[one.rater_id].append(one)
    having: dict[int, set[int]] = defaultdict(set)
    for item, rater in Assigned.objects.filter(item__round=part).values_list("item", "rater"):
        having[item].add(rater)
    moved = 0
    while keys:
        most = max(waiting, key=lambda key: len(waiting[key]))
        least = min(waiting, key=lambda key: len(waiting[key]))
        free = [one for one in waiting[most] if least not in having[one.item_id]]
        if len(waiting[most]) - len(waiting[least]) < 2 or not free:
            break
        one = free[-1]
        waiting[most].remove(one)
        waiting[least].append(one)
        having[one.item_id] ^= {most, least}
        Assigned.objects.filter(pk=one.pk).update(rater=least)
        moved += 1
    return moved


# What a rater does ----------------------------------------------------------------------------------------------------


def waiting_for(part: Round, rater: User) -> QuerySet[Item]:
    """What waits for this rater, in order."""
    mine = _waiting(part).filter(rater=rater)
    return Item.objects.filter(pk__in=mine.values("item")).select_related("match", "round__scheme").order_by("number")


def give(
    item: int,
    rater: User,
    labels: Sequence[str],
    *,
    spans: Sequence[list[int] | None] = (),
    note: str = "",
    seconds: float = 0.0,
) -> Given:
    """Keep what a rater gives an item; sent again it counts once, and the last one holds. Raises `LabelError`."""
    with written():
        part = _held(item)
        if part.closed:
            raise LabelError(_("Round %d is closed. What you gave before is kept.") % part.number)
        if not part.task.raters.filter(pk=rater.pk).exists():
            raise NotTheirsError(_("You are no rater of this task any more. What you gave before is kept."))
        if not Assigned.objects.filter(item=item, rater=rater).exists():
            raise NotTheirsError(_("This item is for other raters."))
        content = checked(part.scheme, labels, spans)
        content |= {"note": note.strip()[:LONGEST_NOTE], "seconds": round(min(max(seconds, 0.0), LONGEST_PAUSE), 1)}
        given, _made = Given.objects.update_or_create(
            item_id=item, pseudonym=part.task.pseudonym(rater), defaults=content | {"rater": rater}
        )
    news.tell(part.task_id)
    return given


def take_back(item: int, rater: User) -> None:
    """Forget what a rater gave an item, as long as its round is open. Raises `LabelError`."""
    with written():
        part = _held(item)
        if part.closed:
            raise LabelError(_("The round is closed. What you gave is kept."))
        Given.objects.filter(item=item, rater=rater).delete()
    news.tell(part.task_id)


def _held(item: int) -> Round:
    """The round of an item, which cannot be closed before the transaction ends. Raises `LabelError`."""
    rows = Round.objects.select_for_update(of=("self",), no_key=True).select_related("scheme", "task")
    part = rows.filter(items=item).first()
    if part is None:
        raise NoItemError(_("There is no such item any more."))
    return part


def checked(scheme: Scheme, labels: Sequence[str], spans: Sequence[list[int] | None] = ()) -> dict[str, Any]:
    """Labels and spans as they are stored. Raises `LabelError` where the scheme has no place for them."""
    if not labels or len(labels) > 40:
        raise UnfitLabelError(_("Choose a label."))
    if unknown := [label for label in labels if label not in scheme.names]:
        raise UnfitLabelError(_("This scheme has no label %s.") % unknown[0])
    if scheme.one and len(labels) > 1:
        raise UnfitLabelError(_("Choose one label."))
    if scheme.kind != Scheme.Kind.SPAN and len(set(labels)) < len(labels):
        raise UnfitLabelError(_("Choose each label once."))
    if spans and len(spans) != len(labels):
        raise UnfitLabelError(_("Each label is on a part of the words, or on all of them."))
    if not all(span is None or (len(span) == 2 and 0 <= span[0] < span[1]) for span in spans):
        raise UnfitLabelError(_("A part of the words has a beginning and an end."))
    order = sorted(
        range(len(labels)), key=lambda n: (spans[n] or [-1] if spans else [-1], scheme.names.index(labels[n]))
    )
    return {"labels": [labels[n] for n in order], "spans": [spans[n] for n in order] if any(spans) else []}


# What an adjudicator does ---------------------------------------------------------------------------------------------


def differing(task: Task) -> QuerySet[Item]:
    """The items of closed rounds on which raters differ, and nobody has decided."""
    open_to_all = Item.objects.filter(round__task=task, round__status=Round.Status.CLOSED, final=None)
    said = Given.objects.filter(item=OuterRef("pk"), profile="")
    return open_to_all.filter(Exists(said)).select_related("match", "round__scheme").order_by("round__number", "number")


def adjudicate(item: Item, by: User, labels: Sequence[str], spans: Sequence[list[int] | None] = ()) -> Final:
    """Decide what holds of an item whose round is closed; decided again, the last word holds. Raises `LabelError`."""
    with written():
        part = _held(item.pk)
        if not part.closed:
            raise LabelError(_("Close the round first: its raters are still at it."))
        content = checked(part.scheme, labels, spans)
        final, _made = Final.objects.update_or_create(
            item=item, defaults=content | {"how": Final.How.ADJUDICATED, "by": by}
        )
    news.tell(item.round.task_id)
    return final


# What the owner sees --------------------------------------------------------------------------------------------------


class Progress(NamedTuple):
    """How far a rater is in a round. left: they may not label any more; what they gave is kept. pace: a minute."""

    rater: User
    given: int
    total: int
    left: bool
    pace: float | None


def progress(part: Round) -> list[Progress]:
    """How far each rater of a round is."""
    active = {rater.pk for rater in raters_of(part.task)}
    total = Counter(Assigned.objects.filter(item__round=part).values_list("rater", flat=True))
    given: Mapping[int, list[float]] = defaultdict(list)
    for rater, seconds in Given.objects.filter(item__round=part, rater__isnull=False).values_list("rater", "seconds"):
        given[rater].append(seconds)
    rows = User.objects.filter(pk__in={*total, *given, *active}).order_by("username")
    return [
        Progress(rater, len(given[rater.pk]), total[rater.pk], rater.pk not in active, _pace(given[rater.pk]))
        for rater in rows
    ]


def _pace(seconds: Iterable[float]) -> float | None:
    spent = [one for one in seconds if one > 0]
    return 60 * len(spent) / sum(spent) if spent else None
