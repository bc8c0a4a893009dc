"""Pages of a long list show each row once, in one order, whichever way one goes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import chain

import pytest
from django.db import connection

from games.models import Match
from magic_site import keyset

pytestmark = pytest.mark.django_db
START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def rows():
    common = {"game": "avalon", "preset": "recon", "rules_version": 1, "options": {}, "setting": {}}
    made = Match.objects.bulk_create(Match(status="finished", **common) for _ in range(23))
    for n, match in enumerate(made):  # several at the same moment
        Match.objects.filter(pk=match.pk).update(created_at=START + timedelta(hours=n // 5))
    return Match.objects.all()


def walk(rows, by: str) -> tuple[list, list]:
    """The keys from the newest page to the oldest, and back."""
    page, there, back = keyset.page(rows, 5, by=by), [], []
    assert not page.newer
    while True:
        there.append([row.pk for row in page.rows])
        if not page.older:
            break
        page = keyset.page(rows, 5, page.older, by)
    while page.newer:
        page = keyset.page(rows, 5, page.newer, by)
        back.append([row.pk for row in page.rows])
    return there, back


@pytest.mark.parametrize("by", ["created_at", "pk"])
def test_each_row_is_shown_once_there_and_back(rows, by):
    there, back = walk(rows, by)
    order = ["-pk"] if by == "pk" else ["-created_at", "-pk"]
    expected = list(rows.order_by(*order).values_list("pk", flat=True))
    assert list(chain.from_iterable(there)) == expected
    assert len(back) == len(there) - 1 and back[-1] == there[0]
    assert all(len(set(page)) == 5 for page in back)


def test_a_row_that_comes_meanwhile_moves_no_page(rows):
    first = keyset.page(rows, 5, by="created_at")
    second = keyset.page(rows, 5, first.older, "created_at")
    Match.objects.create(game="avalon", preset="recon", rules_version=1, options={}, setting={})
    assert keyset.page(rows, 5, first.older, "created_at").rows == second.rows


@pytest.mark.parametrize(("most", "expected"), [(22, (22, True)), (23, (23, False)), (1, (1, True))])
def test_no_more_than_so_many_are_counted(rows, most, expected):
    assert keyset.count(rows, most) == expected


def test_a_page_is_found_by_its_index(rows):
    page = keyset.page(rows, 5, by="created_at")
    if connection.vendor == "postgresql":  # else it reads a few rows without any index
        connection.cursor().execute("SET LOCAL enable_seqscan = off")
    plan = keyset._beside(rows, "created_at", (START, page.rows[0].pk), "lt").order_by("-created_at", "-pk").explain()
    assert "match_newest" in plan


@pytest.mark.parametrize(
    "at",
    [
        "older~9999-12-31T23:59:59-23:00~00000000-0000-0000-0000-000000000000",
        "newer~0001-01-01T00:00:00+23:00~00000000-0000-0000-0000-000000000000",
        "older~x~y",
        "older",
    ],
)
def test_an_address_that_names_no_row_shows_the_first_page(client, at):
    assert client.get("/matches/", {"at": at}).status_code == 200
