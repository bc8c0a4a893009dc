"""Whatever is sent to the API by whoever calls: no fault of ours, and no answer beside what its schema tells.

API_EXAMPLES says how many requests each role makes of each way to call; a few if it says nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import schemathesis
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st
from schemathesis.checks import CHECKS
from schemathesis.generation import GenerationMode

from games.match.changes import Kept
from games.web import limits
from tests import callers

SCHEMA = schemathesis.openapi.from_path(settings.BASE_DIR / "docs" / "openapi.yaml")
SCHEMA.app = WSGIHandler()
WAYS = [found.ok() for found in SCHEMA.get_all_operations()]
EXAMPLES = int(os.environ.get("API_EXAMPLES", "2"))
pytestmark = [pytest.mark.django_db, pytest.mark.timeout(0 if EXAMPLES > 10 else 300)]
HELD = CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
    ]
)


@pytest.fixture
def there(fixtures, monkeypatch) -> Iterator[callers.World]:
    """What is called, as often as one likes."""
    monkeypatch.setattr(limits, "_counted", lambda tries, more: [0 for _one in tries])
    ends = (request_started, request_finished)
    for end in ends:  # the connection is the test's
        end.disconnect(close_old_connections)
    yield callers.world()
    for end in ends:
        end.connect(close_old_connections)


@pytest.mark.parametrize("role", callers.ROLES)
def test_every_answer_is_one_that_the_schema_tells(role, there):
    secret = callers.key_for(role, there)
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    for way in WAYS:
        _try(way, there, headers)


def _try(way: schemathesis.APIOperation, there: callers.World, headers: dict[str, str]) -> None:
    """Call in this way as often as is wanted, each time as if nothing had been called before: by the schema and against
    it, mostly at something that is there."""
    names = [one.name for one in way.path_parameters]
    places = st.fixed_dictionaries({name: st.sampled_from(there.places[name]) for name in names})
    cases = [
        case
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
        for case in (places.flatmap(partial(_case, way, mode)), way.as_strategy(mode))
    ]

    @given(st.one_of(cases[0], *cases, cases[2]))
    @hypothesis(
        max_examples=EXAMPLES,
        derandomize=EXAMPLES < 10,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    def called(case: schemathesis.Case) -> None:
        with transaction.atomic():
            answer = case.call(headers=headers)
            transaction.set_rollback(True)
        for kept in Kept.every:
            kept.clear()
        case.validate_response(answer, checks=HELD)

    called()


def _case(way: schemathesis.APIOperation, mode: GenerationMode, places: dict[str, Any]) -> st.SearchStrategy:
    return way.as_strategy(mode, path_parameters=places or None)
