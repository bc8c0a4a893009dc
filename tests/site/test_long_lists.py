"""The admin's lists of rows of which there may be a million cost the same whatever there is: each of them is walked."""

from __future__ import annotations

import re

import pytest
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agents.models import Call, Spent
from games.match.rows import Attempt, Event, Thought
from games.models import Match
from magic_site.long_lists import LongListAdmin
from tests.games.matches import dealt, play_on, stored
from tests.site.test_admin_secrets import OF_A_MATCH, OF_NO_MATCH

pytestmark = pytest.mark.django_db
LONG = {model: one for model, one in admin.site._registry.items() if isinstance(one, LongListAdmin)}


def address(model) -> str:
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/"


@pytest.fixture
def rows():
    """More than a page of each kind, of three matches."""
    matches = [stored(play_on(dealt("undercover", "wiu", 5, seed=seed))) for seed in (1, 2, 3)]
    first = matches[0]
    tried = {"seat": 1, "by": "person", "sentence": "No.", "at": first.created_at, "instead": "asked again"}
    Attempt.objects.bulk_create(Attempt(match=first, request=f"r{n}", code=f"c{n % 3}", **tried) for n in range(60))
    Call.objects.bulk_create(
        Call(
            match=first.pk, request=f"r{n}", seat=1, stage="s", nth=1, key=f"k{n}", provider="openai", model=f"m{n % 2}"
        )
        for n in range(60)
    )
    Spent.objects.bulk_create(Spent(what=f"match:{n}", dollars=1) for n in range(60))
    return matches


def test_each_list_that_grows_with_matches_is_a_long_one():
    assert set(LONG) >= OF_A_MATCH.keys() and not set(LONG) & OF_NO_MATCH


@pytest.mark.parametrize("model", LONG, ids=lambda model: model.__name__)
def test_what_is_filtered_by_has_an_index(model):
    begin = {index.fields[0] for index in model._meta.indexes} | {f.name for f in model._meta.fields if f.db_index}
    assert {name for name, _filter in LONG[model].list_filter} <= begin
    assert model._meta.pk.name == LONG[model].ordered_by or LONG[model].ordered_by in begin | {"pk"}


@pytest.mark.parametrize("model", LONG, ids=lambda model: model.__name__)
def test_no_query_goes_through_all_rows(model, rows, admin_client):
    with CaptureQueriesContext(connection) as asked:
        assert admin_client.get(address(model)).status_code == 200
    for query in asked.captured_queries:
        sql = query["sql"]
        assert not re.search("DISTINCT|OFFSET", sql), sql
        assert "COUNT(" not in sql or "LIMIT" in sql, sql


@pytest.mark.parametrize("model", LONG, ids=lambda model: model.__name__)
def test_pages_show_each_row_once_and_lead_back(model, rows, admin_client):
    page, seen, pages = admin_client.get(address(model)).context["cl"], [], 1
    assert not page.newer
    while True:
        seen += [row.pk for row in page.result_list]
        if not page.older:
            break
        page, pages = admin_client.get(address(model) + page.older).context["cl"], pages + 1
    assert len(seen) == len(set(seen)) == model.objects.count()
    if pages > 1:
        page = admin_client.get(address(model) + page.newer).context["cl"]
        assert {row.pk for row in page.result_list} <= set(seen)
    assert pages > 1 or model in (Match, Thought)


@pytest.mark.parametrize("model", LONG, ids=lambda model: model.__name__)
def test_each_filter_offers_the_values_that_there_are(model, rows, admin_client):
    filters = admin_client.get(address(model)).context["cl"].filter_specs
    for spec in filters:
        for choice in spec.choices(admin_client.get(address(model)).context["cl"]):
            answer = admin_client.get(address(model) + choice["query_string"])
            assert answer.status_code == 200 and answer.context["cl"].result_count > 0
    kinds = {str(value) for spec in filters if spec.title == "kind" for value in spec.lookup_choices}
    assert not kinds or kinds == set(Event.objects.values_list("kind", flat=True))


@pytest.mark.parametrize("model", LONG, ids=lambda model: model.__name__)
@pytest.mark.parametrize("odd", ["x", "older~1~1", "older~x~y", "2", "newer~~"])
def test_a_page_that_is_nowhere_is_the_first_one(model, odd, admin_client):
    assert admin_client.get(address(model), {"p": odd}).status_code == 200


@pytest.mark.parametrize("model", [Event, Attempt, Call], ids=lambda model: model.__name__)
def test_rows_are_searched_by_the_whole_id_of_their_match(model, rows, admin_client):
    found = admin_client.get(address(model), {"q": str(rows[0].pk)}).context["cl"]
    assert found.result_count == model.objects.filter(match=rows[0].pk).count() > 0
    assert admin_client.get(address(model), {"q": "nothing like it"}).context["cl"].result_count == 0


def test_a_match_is_searched_by_the_beginning_of_its_id(rows, admin_client):
    found = admin_client.get(address(Match), {"q": str(rows[1].pk)[:8]}).context["cl"]
    assert rows[1] in found.result_list
