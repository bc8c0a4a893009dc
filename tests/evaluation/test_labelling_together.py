"""Raters at the same moment: each label is kept once a rater, and none is lost when the round closes."""

from __future__ import annotations

import threading
from collections import Counter

import pytest
from django.contrib.auth.models import User
from django.db import connection

from evaluation.labelling import rounds
from evaluation.labelling.models import Assigned, Final, Given, Item
from tests.evaluation.labelled import items, played, raters, task, user

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = 200


def at_once(*each) -> list[Exception]:
    """Do all of these at the same moment, in threads with connections of their own; what went wrong."""
    start, wrong = threading.Barrier(len(each)), []

    def run(do) -> None:
        try:
            for step in do():
                start.wait(20)
                step()
        except Exception as error:
            wrong.append(error)
            start.abort()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(do,)) for do in each]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def test_two_raters_give_the_same_label_to_the_same_item_in_the_same_second():
    (match,) = played(1)
    part = task(people=raters("ann", "ben"), per_item=2, many=2).last
    first = items(part)[0]
    Item.objects.bulk_create(Item(round=part, number=n, match=match, anchor=first.anchor) for n in range(10, 8 + TIMES))
    keys = [item.pk for item in items(part)]
    assert len(keys) == TIMES
    both = User.objects.filter(username__in=("ann", "ben"))
    Assigned.objects.bulk_create(
        (Assigned(item_id=key, rater=one) for key in keys for one in both), ignore_conflicts=True
    )

    def giving(name: str):
        rater = User.objects.get(username=name)
        return lambda: (lambda key=key: rounds.give(key, rater, ["a"], seconds=1) for key in keys)

    # Ben's browser sends each label twice, as after a broken line.
    assert at_once(giving("ann"), giving("ben"), giving("ben")) == []
    each = Counter(Given.objects.values_list("item", "rater__username"))
    assert len(each) == 2 * TIMES and set(each.values()) == {1}
    rounds.close(part)
    assert Final.objects.filter(how="agreed", labels=["a"]).count() == TIMES


def test_what_was_taken_before_a_round_closes_counts_in_what_holds():
    played(2)
    part = task(people=raters("ann", "ben"), per_item=2, many=6).last
    keys = [item.pk for item in items(part)]
    refused = []

    def giving(rater: User, key: int) -> None:
        try:
            rounds.give(key, rater, ["a"])
        except rounds.LabelError as error:
            refused.append(error)

    def by(name: str):
        rater = User.objects.get(username=name)
        return lambda: (lambda key=key: giving(rater, key) for key in keys)

    def closing():
        yield from ((lambda: None) for _ in keys[:3])
        yield lambda: rounds.close(part)
        yield from ((lambda: None) for _ in keys[4:])

    assert at_once(by("ann"), by("ben"), closing) == []
    given = Counter(Given.objects.values_list("item", flat=True))
    agreed = set(Final.objects.values_list("item", flat=True))
    assert agreed == {item for item, many in given.items() if many == 2}
    assert sum(given.values()) + len(refused) == 12 and refused


def test_two_pages_that_see_a_right_withdrawn_give_its_items_to_others_once():
    played(4)
    part = task(people=raters("ann", "ben", "cleo", "dora"), per_item=2, many=12).last
    user("ben")
    assert at_once(*[lambda: iter([lambda: rounds.settle(part)])] * 3) == []
    names = [sorted(each.assigned.values_list("rater__username", flat=True)) for each in items(part)]
    assert all(len(set(each)) == 2 and "ben" not in each for each in names)
