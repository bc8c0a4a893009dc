"""Labels beside logs: who is told of them, what a log file holds of them, and that they come back whole."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from evaluation.labelling import items, labels
from evaluation.labelling.models import Final, Given, Item, Round, Scheme, Task, digest_of
from games.match import importing
from games.match.view import MatchView, whole
from games.models import Match
from games.rules.schema import GIVEN
from games.rules.values import PUBLIC
from tests.games.matches import dealt, exported, play_on, stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return stored(play_on(dealt("undercover", "magic", 3)))


def scheme(name: str = "s", version: int = 1) -> Scheme:
    label = {"title": "", "definition": "", "example": "", "counter": ""}
    names = [label | {"name": one, "key": str(n)} for n, one in enumerate(("a", "b", "none"))]
    return Scheme.objects.create(name=name, version=version, kind="span", labels=names)


def labelled(match: Match, number: int = 1, task: Task | None = None, status: str = "closed", **given) -> Item:
    """An item of a round of its own: of a thought, which Ann labelled."""
    task = task or Task.objects.create(scheme=scheme())
    part = Round.objects.create(task=task, number=number, scheme=task.scheme, status=status)
    thought = match.thoughts.first()
    item = Item.objects.create(round=part, number=1, match=match, anchor={"request": thought.request, "thought": 1})
    ann, _made = User.objects.get_or_create(username="ann")
    Given.objects.create(item=item, rater=ann, pseudonym=task.pseudonym(ann), **{"labels": ["a"]} | given)
    return item


def test_labels_come_back_whole_and_no_name_is_in_them(match):
    item = labelled(match, labels=["b", "a", "a"], spans=[None, [0, 3], [4, 6]], note="so", seconds=2.5)
    Given.objects.create(item=item, profile="gpt", pseudonym="model:gpt", labels=["b"])
    Final.objects.create(item=item, labels=["a"], spans=[[0, 3]], how="adjudicated")
    lines = exported(match)
    assert sum('"type":"label"' in line for line in lines) == 5 and "ann" not in "".join(lines[-8:]).lower()
    before = whole(match).file().annotations
    match.delete()
    Task.objects.all().delete()
    Scheme.objects.all().delete()
    back = importing.import_log(lines)
    assert whole(back).file().annotations == before
    assert exported(back)[1:] == lines[1:]
    assert sorted(Given.objects.values_list("profile", "labels", "note", "seconds")) == [
        ("", ["b", "a", "a"], "so", 2.5),
        ("gpt", ["b"], "", 0),
    ]
    assert [(one.labels, one.spans, one.how) for one in labels.finals([back.pk])] == [(["a"], [[0, 3]], "adjudicated")]


def test_what_an_open_round_was_given_is_in_no_file(match):
    item = labelled(match, status="open")
    assert whole(match).file().annotations == [] == list(labels.given([match.pk]))
    assert [one.item for one in labels.given([match.pk], unclosed=True)] == [item.pk]


def test_only_the_omniscient_file_has_labels(match):
    labelled(match)
    assert len(whole(match).file().annotations) == 1
    assert not any(MatchView(match, viewer).file().annotations for viewer in (PUBLIC, 1, 2))


def test_an_erasure_leaves_labels_and_takes_the_parts_of_words_that_changed(match):
    event = match.events.filter(kind="clue", seat=1).first()
    item = labelled(match, labels=["a"], spans=[[0, 3]])
    words = items.words_at(items.Place(match.pk, item.anchor))
    Item.objects.filter(pk=item.pk).update(digest=digest_of(words))
    items.forget_parts(match)
    assert Given.objects.get().spans == [[0, 3]]
    match.thoughts.update(reply=f"[erased] {event.seq}")
    items.forget_parts(match)
    assert (Given.objects.get().labels, Given.objects.get().spans) == (["a"], [])


def test_of_two_rounds_by_one_version_the_later_one_holds(match):
    first = labelled(match, labels=["a"])
    second = labelled(match, 2, first.round.task, labels=["b"])
    for item, names in ((first, ["a"]), (second, ["b"])):
        Final.objects.create(item=item, labels=names, how="agreed")
    assert [one.labels for one in labels.finals(Match.objects.all(), "s", 1)] == [["b"]]
    assert [one["labels"] for one in labels.of_matches([match.pk])[match.pk]] == [["b"], ["b"]]
    assert list(labels.finals([match.pk], "s", 2)) == []


def test_a_rater_has_another_pseudonym_in_each_task(match):
    ann = User.objects.create(username="ann")
    one, other = (Task.objects.create(scheme=scheme(name)) for name in "st")
    assert one.pseudonym(ann) == one.pseudonym(ann) != other.pseudonym(ann)


def test_shipped_schemes_can_be_labelled_by():
    call_command("load_fixtures", verbosity=0)
    shipped = {one.name: one for one in Scheme.objects.all()}
    assert set(shipped) == {"reasoning-steps", "avalon-deception", "persuasion", "exposure", "free"}
    for one in shipped.values():
        assert GIVEN.fits(one.names) and len({label["key"] for label in one.labels}) == len(one.labels)
        assert all(all(label[part] for part in ("title", "definition", "example", "counter")) for label in one.labels)
