"""What is told at the address of the MCP door where there is none, or by whoever it is not for."""

import pytest
from django.test import Client

from games.web import mcp

pytestmark = pytest.mark.django_db


def post(**headers):
    return Client().post("/mcp", "{}", content_type="application/json", headers=headers)


def test_without_the_extra_the_site_says_that_it_has_no_mcp(monkeypatch):
    monkeypatch.setattr(mcp, "find_spec", lambda name: None)
    answer, behind = post(), object()
    assert (answer.status_code, answer.json()["code"]) == (501, "no_mcp")
    assert "requirements-mcp.txt" in answer.json()["detail"]
    assert mcp.before(behind) is behind


def test_the_address_is_for_posts_alone():
    answer = Client().get("/mcp")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST, OPTIONS")
