"""Accounts for tests, and visitors who are signed in to them."""

from __future__ import annotations

from django.contrib.auth.models import Group, User
from django.test import Client

from tests.games.matches import visitor


def account(name: str, *groups: str, **more: bool) -> User:
    """A new account, in these groups."""
    user = User.objects.create_user(name, **more)
    user.groups.set([Group.objects.get(name=group) for group in groups])
    return user


def signed_in(user: User, person: str = "eve") -> Client:
    """The browser of a person, signed in."""
    client = visitor(person)
    client.force_login(user)
    return client


def researcher(person: str = "eve") -> Client:
    """The browser of a person who is one."""
    return signed_in(account(f"researcher {person}", "researcher"), person)
