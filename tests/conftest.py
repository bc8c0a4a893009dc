"""Fixtures of all tests. Those named here start the real parts; a test that needs none of them pays for none."""

import asyncio
import gc
import math
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from hypothesis import settings as hypothesis
from playwright.sync_api import Browser, Page, sync_playwright

from agents import call_settings
from games.web import limits
from magic_site import clock
from magic_site.parts import embedded_server, end
from tests.browser import Visitors, start_chromium
from tests.kept import kept
from tests.stack import Stack, until
from tests.workers import Workers

hypothesis.register_profile("untimed", deadline=None)
hypothesis.load_profile("untimed")


def pytest_collection_finish() -> None:
    """What is loaded by now stays: the collector of garbage need not look at it again and again."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


WAITING = pytest.StashKey[set[Path]]()
"""Files with tests that wait for processes."""
PARTS = pytest.StashKey[ExitStack]()
"""What ends the real parts."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Whatever starts the site's processes or a browser is slow, and comes first: while one waits, others compute."""
    waiting = [
        item
        for item in items
        if {"stack", "browser"} & set(item.fixturenames) or item.get_closest_marker("processes") is not None
    ]
    for item in waiting:
        item.add_marker(pytest.mark.slow)
    files = config.stash[WAITING] = {item.path for item in waiting}
    items.sort(key=lambda item: item.path not in files)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Real parts end with the last file that needs them: idle, they would take a fifteenth of a processor each."""
    yield
    if PARTS in item.config.stash and (nextitem is None or nextitem.path not in item.config.stash[WAITING]):
        item.config.stash[PARTS].close()


@pytest.fixture(scope="session", autouse=True)
def nothing_beyond_this_machine() -> Iterator[None]:
    """A test that would reach another machine fails there and then."""
    connect = socket.socket.connect

    def connect_to_loopback(self: socket.socket, address) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"A test tried to reach {address[0]}.")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect_to_loopback)
        yield


@pytest.fixture(scope="session", autouse=True)
def redis_server() -> Iterator[None]:
    """A real Redis-protocol server for the tests in this process: channel layer, tasks, cache."""
    path = settings.VAR_DIR / "redis.sock"
    server = embedded_server(path, settings.VAR_DIR / "log")
    server.start()
    until(path.exists, "the Redis-protocol server starts")
    yield
    end([server], within=2)
    shutil.rmtree(settings.VAR_DIR, ignore_errors=True)


@pytest.fixture(autouse=True)
def nothing_remembered_of_prices() -> None:
    """What a test sets for calls is gone with its transaction, of which the process that keeps it is not told."""
    call_settings.forget()


@pytest.fixture(autouse=True)
def clock_read_before(monkeypatch) -> None:
    """The database's time is read now and then, and for no test just while its queries are counted."""
    monkeypatch.setattr(clock, "_read", (datetime.now(UTC), time.monotonic()))
    monkeypatch.setattr(clock, "KEPT_SECONDS", math.inf)


@pytest.fixture(autouse=True)
def limits_of_its_own(monkeypatch, request) -> None:
    """All tests come from one address, and none is refused for what others tried."""
    key = limits._key
    monkeypatch.setattr(limits, "_key", lambda limit, who: f"{key(limit, who)}:{hash(request.node.nodeid)}")


@pytest.fixture(autouse=True)
def workers(monkeypatch) -> Workers:
    """What is sent to workers, of which none runs here."""
    return Workers(monkeypatch)


@pytest.fixture(scope="module")
def fixtures(django_db_setup, django_db_blocker) -> Iterator[None]:
    """The rows of fixtures/*.json, for all tests of a module; none of them may be transactional."""
    with kept(django_db_blocker):
        call_command("load_fixtures", verbosity=0)
        yield


@pytest.fixture
def researcher(client, db):
    """A client that is signed in as one."""
    user = User.objects.create_user("ada", password="a")
    user.groups.add(Group.objects.get(name="researcher"))
    client.force_login(user)
    return client


@pytest.fixture(scope="session")
def stack(pytestconfig: pytest.Config) -> Iterator[Stack]:
    """The whole site as real processes (see tests/stack.py). A test that kills a part starts it again."""
    with ExitStack() as parts:
        pytestconfig.stash[PARTS] = parts
        yield parts.enter_context(Stack())


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """Chromium, and Playwright's loop, which runs in this thread and is out of sight while no browser test does: by
    what `asyncio.events` exports to those who write loops, for there is no other way to set one aside."""
    with sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        chromium = start_chromium(playwright)
        asyncio._set_running_loop(None)
        yield chromium, loop
        asyncio._set_running_loop(loop)
        chromium.close()


@pytest.fixture
def browser(chromium: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """Chromium, for the tests of a process."""
    browser, loop = chromium
    asyncio._set_running_loop(loop)
    yield browser
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def wiped() -> list[Page]:
    """Pages that earlier tests opened, as new."""
    return []


@pytest.fixture
def visit(browser: Browser, stack: Stack, wiped: list[Page]) -> Iterator[Visitors]:
    """`visit()` opens a page of a new visitor; an error in a console, or a request to elsewhere, fails the test."""
    visitors = Visitors(browser, stack.base_url, wiped)
    yield visitors
    visitors.close()
    assert visitors.problems == []
