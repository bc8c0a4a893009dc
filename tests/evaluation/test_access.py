"""Every page of the evaluation is for researchers, runners or raters; a new one that asks for no right fails here."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from evaluation.web.urls import urlpatterns

pytestmark = pytest.mark.django_db
GIVEN = {"UUIDConverter": uuid4(), "IntConverter": 1, "SlugConverter": "wiu", "StringConverter": "wiu"}
OWN = {"evenings", "evenings_file"}
"""Of what whoever asks has played themselves: they need no right."""
PAGES = {
    pattern.name: {name: GIVEN[type(part).__name__] for name, part in pattern.pattern.converters.items()}
    for pattern in urlpatterns
    if pattern.name not in OWN
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_evaluation_asks_for_a_right(client, name):
    address = reverse(f"evaluation:{name}", kwargs=PAGES[name])

    def asked():
        answer = client.get(address)
        return client.post(address) if answer.status_code == 405 else answer

    answer = asked()
    assert (answer.status_code, answer.url.split("?")[0]) == (302, reverse("login"))
    client.force_login(User.objects.create_user("bob", password="b"))
    assert asked().status_code == 403
