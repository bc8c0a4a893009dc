"""What a launcher, a proxy or an orchestrator asks of a web process: does it live, and may it be given visitors."""

from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from redis.exceptions import RedisError

ALIVE, READY = "/healthz", "/readyz"


def answered_first(get_response: Callable[[HttpRequest], HttpResponse]):
    """Answer both before anything else looks at the request: whoever asks names no host and speaks no HTTPS."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path == ALIVE:
            return alive()
        if request.path == READY:
            return readiness()
        return get_response(request)

    return middleware


def alive() -> HttpResponse:
    """The process answers."""
    return HttpResponse("alive\n", content_type="text/plain")


def readiness() -> JsonResponse:
    """200 when pages can be served, 503 when database or migrations forbid it. What else is wrong is told, but turns
    nobody away: tables go on without Redis, only more slowly."""
    database = database_state()
    migrations = migration_state() if database == "ok" else "unknown"
    ready = database == migrations == "ok"
    told = {"ready": ready, "database": database, "migrations": migrations, "redis": redis_state()}
    return JsonResponse(told, status=200 if ready else 503, headers={"Cache-Control": "no-store"})


def database_state() -> str:
    """`ok`, `away`, or `gone`: an SQLite file that was removed still answers those who hold it open."""
    if settings.SQLITE and not Path(connection.settings_dict["NAME"]).exists():
        return "gone"
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError):
        return "away"
    return "ok"


def migration_state() -> str:
    """`ok`, `missing`, or `unknown`."""
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except (DatabaseError, InterfaceError):
        return "unknown"
    return "missing" if missing else "ok"


def redis_state() -> str:
    try:
        cache.get("ready")
    except RedisError:
        return "away"
    return "ok"
