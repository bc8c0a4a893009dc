"""/healthz and /readyz: what whoever keeps the site running is told, and when."""

import pytest
from django.db import DatabaseError, InterfaceError
from django.db.migrations.recorder import MigrationRecorder
from redis.exceptions import ConnectionError as NoConnection

from magic_site import health
from magic_site.health import ALIVE, READY


def test_a_web_process_says_that_it_lives_without_asking_anybody_else(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    answer = client.get(ALIVE, HTTP_HOST="10.1.2.3:8000")  # no database fixture: a query would fail the test
    assert (answer.status_code, answer.content) == (200, b"alive\n")


@pytest.mark.django_db
def test_it_is_ready_for_whoever_asks_by_whatever_name(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    answer = client.get(READY, HTTP_HOST="web-1")
    assert answer.status_code == 200
    assert answer.json() == {"ready": True, "database": "ok", "migrations": "ok", "redis": "ok"}


@pytest.mark.django_db
def test_it_is_not_ready_while_a_migration_is_missing(client):
    MigrationRecorder.Migration.objects.filter(app="games").order_by("-id").first().delete()
    answer = client.get(READY)
    assert answer.status_code == 503
    assert answer.json() | {"ready": False, "database": "ok", "migrations": "missing"} == answer.json()


@pytest.mark.parametrize("error", [DatabaseError, InterfaceError])
def test_it_is_not_ready_without_its_database(client, monkeypatch, error):
    def away():
        raise error

    monkeypatch.setattr(health.connection, "cursor", away)
    answer = client.get(READY)
    assert answer.status_code == 503
    assert answer.json() | {"database": "away", "migrations": "unknown"} == answer.json()


def test_a_database_file_that_was_removed_is_noticed_though_it_still_answers(client, settings, monkeypatch, tmp_path):
    settings.SQLITE = True
    monkeypatch.setitem(health.connection.settings_dict, "NAME", tmp_path / "removed.sqlite3")
    answer = client.get(READY)
    assert answer.status_code == 503
    assert answer.json()["database"] == "gone"


@pytest.mark.django_db
def test_without_redis_it_is_ready_and_says_so(client, monkeypatch):
    def away(key):
        raise NoConnection

    monkeypatch.setattr(health.cache, "get", away)
    answer = client.get(READY)
    assert answer.status_code == 200
    assert answer.json()["redis"] == "away"
