"""Rounds of labels: what is drawn, who labels what, what is kept, and what holds in the end."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from django.core.management import call_command

from evaluation.labelling import premarks, rounds, schemes
from evaluation.labelling.models import Assigned, Final, Given, Scheme, Task
from evaluation.labelling.rounds import LabelError
from games.match.rows import Event
from games.models import Match
from tests.evaluation.labelled import content, give_all, items, played, raters, task, user

pytestmark = pytest.mark.django_db


def dealt_out(part) -> dict[int, list[str]]:
    """By number of the item who labels it."""
    rows = Assigned.objects.filter(item__round=part).order_by("rater__username")
    found: dict[int, list[str]] = {}
    for number, name in rows.values_list("item__number", "rater__username"):
        found.setdefault(number, []).append(name)
    return found


def test_the_seed_alone_decides_what_is_drawn_and_who_labels_it():
    played(4)
    people = raters("ann", "ben", "cleo", "dora")
    one, same = (task(people=people, per_item=2, many=8) for _ in range(2))
    drawn = [[(item.match_id, item.anchor) for item in items(each.last)] for each in (one, same)]
    assert drawn[0] == drawn[1] and len(drawn[0]) == 8 and len({match for match, _anchor in drawn[0]}) > 1
    assert dealt_out(one.last) == dealt_out(same.last)
    Task.objects.filter(pk=same.pk).update(seed=6)
    same.refresh_from_db()
    rounds.close(same.last)
    rounds.open_round(same, same.scheme, 2)
    assert not {str(one) for one in drawn[0]} & {str((item.match_id, item.anchor)) for item in items(same.last)}


def test_items_are_dealt_out_fairly_and_in_all_pairs():
    played(4)
    people = raters("ann", "ben", "cleo", "dora")
    each = dealt_out(task(people=people, per_item=2, many=12).last)
    loads = Counter(name for names in each.values() for name in names)
    pairs = Counter(pair for names in each.values() for pair in combinations(names, 2))
    assert set(loads.values()) == {6} and len(pairs) == 6 and max(pairs.values()) - min(pairs.values()) <= 1


def test_a_shared_sample_is_for_every_rater():
    played(3)
    first = task(people=raters("ann", "ben", "cleo"), per_item=1, shared=4).last
    assert first.calibration and all(names == ["ann", "ben", "cleo"] for names in dealt_out(first).values())
    assert len(dealt_out(first)) == 4
    rounds.close(first)
    second = rounds.open_round(first.task, first.task.scheme, 3)
    assert all(len(names) == 1 for names in dealt_out(second).values()) and len(dealt_out(second)) == 3


def test_what_waits_for_a_rater_whose_right_is_withdrawn_goes_to_others():
    played(4)
    found = task(people=raters("ann", "ben", "cleo"), per_item=1, many=12)
    ben = user("ben", "rater")
    for item in list(rounds.waiting_for(found.last, ben))[:2]:
        rounds.give(item.pk, ben, ["a"])
    user("ben")  # out of the group
    assert rounds.settle(found.last) == 2
    each = dealt_out(found.last)
    assert Counter(name for names in each.values() for name in names) == {"ann": 5, "cleo": 5, "ben": 2}
    assert Given.objects.filter(rater=ben).count() == 2
    row = next(row for row in rounds.progress(found.last) if row.rater == ben)
    assert row.left and row.given == 2
    assert rounds.settle(found.last) == 0


def test_a_new_rater_gets_a_part_of_what_waits():
    played(4)
    found = task(people=raters("ann", "ben"), per_item=1, many=12)
    found.raters.add(*raters("cleo"))
    assert rounds.settle(found.last) == 4
    assert Counter(name for names in dealt_out(found.last).values() for name in names) == {
        "ann": 4,
        "ben": 4,
        "cleo": 4,
    }


def test_nobody_is_left_to_label():
    played(1)
    found = task(people=raters("ann"), per_item=1, many=2)
    user("ann")
    rounds.settle(found.last)
    assert dealt_out(found.last) == {}
    rounds.close(found.last)
    with pytest.raises(LabelError, match="1 raters an item are wanted, and 0 may label now"):
        rounds.open_round(found, found.scheme, 2)


def test_what_all_agree_on_holds_when_the_round_closes_and_nothing_else():
    played(2)
    found = task(people=raters("ann", "ben", "cleo"), many=4)
    same, differing, alone, untouched = items(found.last)
    ann, ben, cleo = raters("ann", "ben", "cleo")
    for rater, label in ((ann, "a"), (ben, "a"), (cleo, "a")):
        rounds.give(same.pk, rater, [label], spans=[[0, 2]] if rater == ann else ())
        rounds.give(differing.pk, rater, ["b"] if rater == ann else ["a"])
    rounds.give(alone.pk, ann, ["a"])
    Given.objects.create(item=untouched, profile="gpt", pseudonym="model:gpt", labels=["a"])
    rounds.close(found.last)
    assert [(one.item, one.labels, one.spans, one.how) for one in Final.objects.all()] == [(same, ["a"], [], "agreed")]
    assert list(rounds.differing(found)) == [differing, alone]
    rounds.adjudicate(differing, user("olga"), ["b"])
    rounds.adjudicate(differing, user("olga"), ["a"])
    assert [(one.labels, one.how) for one in Final.objects.filter(item=differing)] == [(["a"], "adjudicated")]
    assert list(rounds.differing(found)) == [alone]


def test_of_parts_of_the_words_the_parts_have_to_be_the_same():
    played(1)
    found = task(schemes.make("parts", content("span")), raters("ann", "ben"), per_item=2, many=2)
    same, other = items(found.last)
    for rater, end in zip(raters("ann", "ben"), (5, 6), strict=True):
        rounds.give(same.pk, rater, ["b", "a"], spans=[[3, 4], [0, 2]])
        rounds.give(other.pk, rater, ["a"], spans=[[0, end]])
    rounds.close(found.last)
    assert [(one.item, one.labels, one.spans) for one in Final.objects.all()] == [(same, ["a", "b"], [[0, 2], [3, 4]])]


def test_a_closed_round_takes_nothing_and_gives_nothing_back():
    played(1)
    found = task(people=raters("ann"), per_item=1, many=2)
    first, second = items(found.last)
    (ann,) = raters("ann")
    rounds.give(first.pk, ann, ["a"])
    rounds.close(found.last)
    with pytest.raises(LabelError, match="Round 1 is closed"):
        rounds.give(second.pk, ann, ["a"])
    with pytest.raises(LabelError, match="closed"):
        rounds.take_back(first.pk, ann)
    assert Given.objects.count() == 1


def test_one_who_was_taken_from_the_task_gives_nothing_more():
    played(1)
    found = task(people=raters("ann"), per_item=1, many=2)
    found.raters.clear()
    with pytest.raises(LabelError, match="no rater of this task any more"):
        rounds.give(items(found.last)[0].pk, *raters("ann"), ["a"])


def test_a_used_version_is_frozen():
    played(1)
    scheme = schemes.make("steps", content())
    schemes.edit(scheme, content(title="Other"))
    task(scheme, raters("ann"), per_item=1)
    with pytest.raises(schemes.SchemeError, match="stays as it is"):
        schemes.edit(scheme, content(title="A third"))
    with pytest.raises(schemes.SchemeError, match="what becomes of it"):
        schemes.succeed(scheme, content(), {"a": "a"})


def test_running_matches_are_not_labelled():
    played(2)
    running = Match.objects.order_by("pk").first()
    Match.objects.filter(pk=running.pk).update(status="running")
    found = task(many=50)
    over = set(Match.objects.exclude(pk=running.pk).values_list("pk", flat=True))
    assert {item.match_id for item in items(found.last)} == over


def test_the_filter_of_a_task_holds_for_each_item():
    call_command("load_fixtures", verbosity=0)
    played(3)
    scheme = Scheme.objects.get(name="free")
    found = task(scheme, raters("ann"), per_item=1, many=50, kinds=["clue"], sides=["undercover"])
    assert items(found.last)
    for item in items(found.last):
        event = Event.objects.get(match=item.match, seq=item.anchor["event"])
        assert event.kind == "clue" and item.match.sitters.get(seat=event.seat).side == "undercover"


def test_the_rule_of_metrics_marks_items_beforehand_and_holds_where_nobody_labels(monkeypatch):
    call_command("load_fixtures", verbosity=0)
    played(1, "spygame", "party", 5)
    event = Event.objects.filter(kind="answer").first()
    monkeypatch.setitem(premarks.RULES_THAT_MARK, "exposure", lambda record: {event.seq: ["secret"]})
    found = task(Scheme.objects.get(name="exposure"), raters("ann"), per_item=1, many=50)
    marked = {item.anchor["event"]: item.marked for item in items(found.last)}
    assert marked.pop(event.seq) == ["secret"] and all(labels == ["none"] for labels in marked.values())
    corrected = next(item for item in items(found.last) if item.anchor["event"] == event.seq)
    rounds.give(corrected.pk, *raters("ann"), ["none"])
    rounds.close(found.last)
    assert Final.objects.get(item=corrected).labels == ["none"] and Final.objects.get(item=corrected).how == "agreed"
    assert set(Final.objects.exclude(item=corrected).values_list("how", flat=True)) == {"rule"}


def test_all_that_is_agreed_needs_no_visit():
    played(2)
    found = task(people=raters("ann", "ben", "cleo"), many=5)
    give_all(found.last, ["none"], *raters("ann", "ben", "cleo"))
    rounds.end(found)
    assert Final.objects.filter(how="agreed").count() == 5 and found.status == "closed"
