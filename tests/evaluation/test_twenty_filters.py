"""The list of matches, the page that announces an export, and the file that comes of it count the same matches."""

from __future__ import annotations

import csv
import io
import re
import zipfile

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.urls import reverse

from evaluation.desk.selection import Selection
from evaluation.exports import exporting
from evaluation.exports.content import Content
from evaluation.labelling.models import Final, Item, Round, Scheme, Task
from evaluation.models import Bout, Competition
from games.match import beginning, importing, store
from games.models import AccountKey, Match
from tests.games.matches import dealt, exported, play_on, stored, thoughts_of
from tests.kept import kept

pytestmark = pytest.mark.django_db

FILTERS = [
    "", "game=undercover", "game=avalon&won={good}&role=merlin", "agent=house", "agent=house&side=evil&won={evil}",
    "role=morgana", "method=house", "method=recon&model=model-1", "model=model-1", "result={result}", "status=running",
    "status=over", "status=abandoned&game=undercover", "origin=import", "competition={competition}", "suite=wiu",
    "label=deception:omission", "words=REPLY", 'words="{words}"', "since={day}", "until=2000-01-01", "preset=wiu",
    "sample=3&seed=4", "match={one}&match={two}", "status=over&words={words}&game=undercover&agent=house",
]  # fmt: skip
NOBODY = {"until=2000-01-01"}


@pytest.fixture(scope="module", autouse=True)
def facts(django_db_setup, django_db_blocker):
    """Matches of several kinds, and what of them is filled into the filters."""
    with kept(django_db_blocker):
        yield made()


def made() -> dict[str, object]:
    first = stored(play_on(dealt("undercover", "wiu", 5)))
    play = play_on(dealt("avalon", "recon", 6))
    thoughts = [thought | {"method": "recon", "model": "model-1"} for thought in thoughts_of(play)]
    second = beginning.keep(play, thoughts=thoughts)
    for seed in (3, 4):
        stored(play_on(dealt("undercover", "wiu", 5, seed=seed), 4))
    store.end(Match.objects.filter(status="running").first().pk, "abandoned", "Enough.")
    third = stored(play_on(dealt("avalon", "recon", 6, seed=8)))
    lines = exported(third)
    third.delete()
    importing.import_log(lines)
    competition = Competition.objects.create(name="c", suite="wiu", entry={})
    Bout.objects.create(
        competition=competition, number=1, match=first, game="undercover", preset="wiu", agents=[], seed=1
    )
    scheme = Scheme.objects.create(name="deception", title="d", labels=[])
    task = Task.objects.create(name="t", scheme=scheme)
    closed = Round.objects.create(task=task, number=1, scheme=scheme, status=Round.Status.CLOSED)
    Final.objects.create(
        item=Item.objects.create(round=closed, number=1, match=first, anchor={"event": 3}),
        labels=["omission"],
        how="agreed",
    )
    evil = second.result != "good"
    return {
        "good": "no" if evil else "yes",
        "evil": "yes" if evil else "no",
        "result": second.result,
        "competition": competition.pk,
        "words": first.events.filter(kind="clue").first().data["text"],
        "day": first.created_at.date(),
        "one": first.pk,
        "two": second.pk,
    }


def counted(html: str) -> int:
    """The number of matches that a page tells."""
    return int(re.search(r'id="count">\D*?(\d+) match', html, re.DOTALL)[1])


def in_the_file(selection: Selection, user: User) -> tuple[int, int]:
    """How many matches a file has by its own count, and how many it holds."""
    order = exporting.Order(selection, Content.of(["roles"]), formats=("csv",))
    export, file = order.export(user), io.BytesIO()
    told = exporting.write(export, order, file, lambda *progress: None).rows["matches"]
    rows = csv.DictReader(io.StringIO(zipfile.ZipFile(file).read("csv/matches.csv").decode()))
    return told, len(list(rows))


def test_there_are_more_than_twenty():
    assert len(FILTERS) > 20


@pytest.mark.parametrize("query", FILTERS)
def test_list_announcement_and_file_count_the_same(query, researcher, facts):
    query = query.format(**facts)
    listed = counted(researcher.get(f"/matches/?{query or 'all=1'}").content.decode())
    announced = counted(researcher.get(f"{reverse('evaluation:new_export')}?{query}").content.decode())
    user = User.objects.get(username="ada")
    selection = Selection.of(QueryDict(query), user)
    assert listed == announced == selection.count()
    assert bool(listed) == (query not in NOBODY)
    if listed:
        assert in_the_file(selection, user) == (listed, listed)


def test_who_plays_a_running_match_is_told_of_one_less_on_each(researcher):
    user = User.objects.get(username="ada")
    before = counted(researcher.get("/matches/?all=1").content.decode())
    AccountKey.objects.create(user=user, key="ann")
    for page in ("/matches/?all=1", reverse("evaluation:new_export")):
        assert counted(researcher.get(page).content.decode()) == before - 1
    assert in_the_file(Selection.of({}, user), user) == (before - 1, before - 1)
