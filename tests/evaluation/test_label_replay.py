"""Labels in a replay: who sees which, and where they stand."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

from evaluation.labelling.models import Final, Given, Item, Round, Scheme, Task
from games.models import Match, Room
from tests.evaluation.test_label_numbers import scheme
from tests.games.matches import dealt, play_on, stored

pytestmark = pytest.mark.django_db

LABELS = ("exposure", "team", "none")


@pytest.fixture
def match() -> Match:
    """Over, and open to everybody."""
    room = Room.objects.create(afterwards=Room.Afterwards.ANYONE, watching=Room.Watching.LIVE)
    return stored(play_on(dealt("undercover", "magic", 3)), room=room)


@pytest.fixture
def task() -> Task:
    return Task.objects.create(scheme=scheme("steps", LABELS))


def visitor(name: str, right: str = "", group: str = "") -> Client:
    user = User.objects.create_user(name)
    if right:
        user.user_permissions.add(Permission.objects.get(codename=right))
    if group:
        user.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(user)
    return client


def clue(match: Match) -> int:
    return match.events.filter(kind="clue").first().seq


def labelled(task: Task, match: Match, anchor: dict, *labels: str, status: str = "closed", final: bool = True) -> Item:
    part, _made = Round.objects.get_or_create(task=task, number=1, defaults={"scheme": task.scheme, "status": status})
    item = Item.objects.create(round=part, number=part.items.count() + 1, match=match, anchor=anchor)
    Given.objects.create(item=item, pseudonym="r1", labels=list(labels))
    Given.objects.create(item=item, pseudonym="r2", labels=["none"])
    Given.objects.create(item=item, pseudonym="model:gpt", profile="gpt", labels=["team"])
    if final:
        Final.objects.create(item=item, labels=list(labels), how="adjudicated")
    return item


def seen(client: Client, match: Match, viewer: str = "all") -> list[tuple]:
    answer = client.get(f"/m/{match.pk}/?as={viewer}")
    assert answer.status_code == 200
    return [(one.seq, one.name, one.what) for one in answer.context["labelled"]]


def test_a_researcher_sees_labels_at_their_moments_and_those_of_thoughts_only_where_thoughts_are_seen(match, task):
    thought = match.thoughts.filter(seat=3).first()
    answer = match.events.get(request=thought.request)
    labelled(task, match, {"event": clue(match)}, "exposure")
    labelled(task, match, {"request": thought.request, "thought": 1}, "team")
    labelled(task, match, {}, "team")
    rita = visitor("rita", group="researcher")
    public = (clue(match), "steps:exposure", "")
    assert sorted(seen(rita, match)[1:]) == sorted([public, (answer.seq, "steps:team", "thought 1")])
    assert seen(rita, match)[0] == (None, "steps:team", "")
    assert seen(rita, match, "public") == [public]


def test_nobody_else_sees_any_and_a_rater_only_those_of_their_own_tasks(match, task):
    labelled(task, match, {"event": clue(match)}, "exposure")
    rater, other = visitor("ann", right="label"), visitor("ben", right="label")
    task.raters.add(User.objects.get(username="ann"))
    assert seen(rater, match, "public") == [(clue(match), "steps:exposure", "")]
    assert (
        seen(other, match, "public") == seen(visitor("cleo"), match, "public") == seen(Client(), match, "public") == []
    )
    assert "labels.js" not in other.get(f"/m/{match.pk}/?as=public").content.decode()


def test_nobody_sees_what_an_open_round_was_given(match, task):
    labelled(task, match, {"event": clue(match)}, "exposure", status="open", final=False)
    rater = visitor("ann", right="label")
    task.raters.add(User.objects.get(username="ann"))
    assert seen(rater, match, "public") == seen(visitor("rita", group="researcher"), match) == []


def test_where_nothing_is_decided_it_says_how_many_raters_and_never_who_and_no_model(match, task):
    labelled(task, match, {"event": clue(match)}, "exposure", final=False)
    text = visitor("rita", group="researcher").get(f"/m/{match.pk}/?as=all").content.decode()
    assert "1 of 2 raters" in text
    assert "r1" not in text.split("data-labels")[1].split("</details>")[0] and "gpt" not in text


def test_of_two_rounds_the_later_one_is_told(match, task):
    labelled(task, match, {"event": clue(match)}, "exposure")
    part = Round.objects.create(task=task, number=2, scheme=task.scheme, status="closed")
    item = Item.objects.create(round=part, number=1, match=match, anchor={"event": clue(match)})
    Final.objects.create(item=item, labels=["none"], how="agreed")
    assert seen(visitor("rita", group="researcher"), match) == []


def test_a_match_that_is_still_played_tells_none(task):
    room = Room.objects.create(watching=Room.Watching.LIVE)
    running = stored(play_on(dealt("undercover", "magic", 3), 3), room=room)
    labelled(task, running, {"event": clue(running)}, "exposure")
    assert seen(visitor("rita", group="researcher"), running) == []
    assert Scheme.objects.count() == 1
