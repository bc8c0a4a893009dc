"""Programs for tests: what calls the API, in whose place, and with which key."""

from __future__ import annotations

import json

from django.contrib.auth.models import User
from django.test import Client

from games.models import Match
from games.room import accounts, api_keys

EVERY = tuple(api_keys.SCOPES)


def key_of(person: str, *scopes: str, user: User | None = None) -> str:
    return api_keys.make(person, user, "a test", scopes or EVERY, 1)[1]


class Program(Client):
    """What calls the API with a key, or without."""

    def __init__(self, secret: str = "") -> None:
        super().__init__(headers={"Authorization": f"Bearer {secret}"} if secret else {})

    def ask(self, path: str, **query):
        return self.get(f"/api/v1/{path}", query)

    def send(self, path: str, **body):
        return self.post(f"/api/v1/{path}", json.dumps(body), content_type="application/json")


def program(person: str, *scopes: str) -> Program:
    return Program(key_of(person, *scopes))


def run_by(user: User, *scopes: str) -> Program:
    """A program of an account, for running what it may run if nothing else is said."""
    return Program(api_keys.make(accounts.new_key(), user, "a test", scopes or ("run",), 1)[1])


def path_of(match: Match) -> str:
    return f"tables/{match.room.code}/"
