"""Every page in a language in which each message stands in brackets: what people read outside of them cannot be said in
another language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import URLResolver, get_resolver

from agents.methods import METHODS
from agents.models import AgentProfile
from agents.providers import PROVIDERS
from agents.providers.settings import EFFORTS
from agents.turns import REMOTE
from evaluation.labelling.premarks import RULES_THAT_MARK
from evaluation.tables.published import TABLES
from games.models import Match, Room
from games.registry import RULES
from games.rules.kit import WORDS
from tests.games.tables import NAMES, browser, play_out, quick_match, room_of
from tests.games.test_sentences import all_in_pseudo
from tests.kept import kept

pytestmark = pytest.mark.django_db

READ = ("title", "alt", "aria-label", "placeholder", "aria-roledescription")
"""Attributes that people read or hear; those of which scripts make sentences begin with `data-say`."""

SILENT = ("script", "style", "code", "pre", "kbd", "samp", "textarea")
VOID = "area base br col hr img input link meta source track wbr path circle line rect use polyline polygon".split()

NAMES_OF_THINGS = {"Magic Table", "ada", "CSV", "JSON", "SVG", "Total", "person"}
"""What is called so in every language: the site, who is signed in, formats, keys of rows."""

NOTED = {"account", "admin", "rater", "researcher"}
"""What the audit has noted, word by word."""

KEY = "th[title]"
"""Where the key of a row stands, as files have it."""

ADDRESS = re.compile(r"https?://\S+|\b[A-Z]+-\d{4}\b|\b\w+: (?:True|False|[\w.]+)\b")
"""Addresses, codes of tables, and switches as a file of settings has them."""


class Texts(HTMLParser):
    """What people read of a page: where it stands, and the text."""

    def __init__(self, page: str):
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self._open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value for name, value in attrs if value}
        if tag not in VOID:
            self._open.append("silent" if tag in SILENT or told.get("translate") == "no" else tag)
        if "silent" in self._open:
            return
        for name, value in told.items():
            if name in READ or name.startswith("data-say"):
                self.found.append((f"{tag}[{name}]", value))
        if tag == "input" and told.get("type") in ("submit", "button"):
            self.found.append((tag, told.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        while tag not in VOID and self._open and self._open.pop() not in (tag, "silent"):
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and "silent" not in self._open:
            self.found.append((">".join(self._open[-3:]), " ".join(data.split())))


def untranslated(page: str, data: re.Pattern[str]) -> set[tuple[str, str]]:
    """What stands outside of all brackets, which may begin in one text and end in another; `data` is not meant."""
    texts = Texts(page).found
    joined, outside, depth, last = "\0".join(text for _, text in texts), [], 0, 0
    for sign in re.finditer("[⟦⟧]", joined):
        between = joined[last : sign.start()]
        outside.append("\0" * between.count("\0") if depth else between)
        depth += 1 if sign[0] == "⟦" else -1
        last = sign.end()
    outside.append(joined[last:])
    left = [data.sub(" ", ADDRESS.sub(" ", text)) for text in "".join(outside).split("\0")]
    return {
        found
        for found, text in zip(texts, left, strict=bool(texts))
        if found[0] != KEY and re.search("[A-Za-z]{2}", text)
    }


def of_data() -> re.Pattern[str]:
    """What comes from rows and settings, and from what papers print."""
    data = {*NAMES_OF_THINGS, *NOTED, *NAMES, *WORDS, *PROVIDERS, REMOTE, *EFFORTS, *RULES_THAT_MARK, *RULES}
    data |= {row for table in TABLES.values() for row in table.rows}
    data |= {
        str(value) for row in AgentProfile.objects.values_list("name", "model", "key_env") for value in row if value
    }
    data |= {preset for rules in RULES.values() for preset in rules.presets}
    data |= {choice for method in METHODS.values() for switch in method.switches for choice in switch.choices}
    for match in Match.objects.all():
        data |= {seat.name for seat in match.header.seats} | set(strings(match.setting))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(data, key=len, reverse=True)))})(?!\w)")


def strings(value: object) -> Iterator[str]:
    """All texts within plain values."""
    if isinstance(value, str):
        yield from filter(None, (value, value.strip()))
    elif isinstance(value, dict | list):
        for one in value.items() if isinstance(value, dict) else value:
            yield from strings(list(one) if isinstance(one, tuple) else one)


def addresses(resolver: URLResolver | None = None, before: str = "/") -> Iterator[str]:
    """Those that name nothing in particular."""
    for part in (resolver or get_resolver()).url_patterns:
        route = before + str(part.pattern)
        if isinstance(part, URLResolver):
            yield from () if route.startswith("/admin") else addresses(part, route)
        elif "<" not in route:
            yield route


@pytest.fixture(scope="module")
def site(fixtures, django_db_blocker):
    """A match of each game that is over, and one that has begun; an account that may do everything."""
    with kept(django_db_blocker):
        ada = User.objects.create_superuser("ada", password="a")
        ada.groups.set(Group.objects.all())
        for game in RULES:
            play_out(quick_match(game))
            play_out(quick_match(game), stop=4)
        yield ada


def told(client: Client, path: str) -> str:
    """A page, if that address is one of a page."""
    answer = client.get(path, follow=True)
    return "" if answer.streaming or "html" not in answer.get("Content-Type", "") else answer.content.decode()


def all_translated(client: Client, paths: list[str]) -> None:
    data = of_data()
    with all_in_pseudo():
        pages = {path: told(client, path) for path in paths}
    assert sum("⟦" in page for page in pages.values()) > len(paths) / 2
    found = {path: left for path, page in pages.items() if (left := untranslated(page, data))}
    assert not found, found


def test_what_has_no_brackets_is_found():
    page = "<p title='Rules'>⟦Vote⟧ now <b>⟦for <i>Ann⟧</i></b></p><code>clue</code><i translate=no>wiu</i>"
    assert untranslated(page, re.compile("Ann")) == {("p[title]", "Rules"), ("p", "⟦Vote⟧ now")}


@pytest.mark.parametrize("game", RULES)
def test_pages_of_a_game(site, game):
    over, begun = Match.objects.filter(game=game).order_by("created_at")
    player, watcher = browser("key-1", "Ann"), browser("key-9", "Ben")
    paths = [f"/rules/{game}/", f"/tables/new/{game}/"]
    for match in (over, begun):
        paths.append(f"/t/{match.room.code}/")
    all_translated(player, [*paths, f"/m/{over.pk}/", f"/m/{over.pk}/?as=1"])
    all_translated(watcher, [f"/t/{begun.room.code}/", f"/t/{over.room.code}/"])
    ada = Client()
    ada.force_login(site)
    all_translated(ada, [f"/m/{over.pk}/?as=all&seat=every", f"/m/{over.pk}/thoughts/", f"/desk/beliefs/{over.pk}/"])


def test_waiting_rooms(site):
    room = room_of(2, seats=3)
    for key in ("key-1", "key-2", "key-8"):
        all_translated(browser(key), [f"/t/{room.code}/", "/", "/join/", "/matches/"])
    assert Room.objects.count()


def test_pages_that_name_nothing_in_particular(site):
    ada = Client()
    ada.force_login(site)
    paths = list(addresses())
    all_translated(ada, paths)
    all_translated(browser("key-9"), [path for path in paths if path.count("/") < 3])
