"""Fixtures of the tests of the evaluation."""

import pytest
from django.contrib.auth.models import Group, User


@pytest.fixture
def researcher(client):
    """A client that is signed in as one."""
    user = User.objects.create_user("ada", password="a")
    user.groups.add(Group.objects.get(name="researcher"))
    client.force_login(user)
    return client
