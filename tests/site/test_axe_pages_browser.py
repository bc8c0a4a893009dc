"""Every page of the site beside the tables, looked over by axe, with something real in it."""

from __future__ import annotations

import re
from functools import reduce
from itertools import product
from urllib.parse import urlencode, urlsplit

import pytest
from django.urls import Resolver404, get_resolver, resolve
from playwright.sync_api import Page

from evaluation.competitions.reproductions import REPRODUCTIONS
from evaluation.suites import SUITES
from evaluation.web.pages.boards import PAGES
from games.registry import RULES
from games.room.people import COOKIE
from tests.axe import Faults, by_night
from tests.browser import Visitors
from tests.evaluation.test_judge_browser import answer
from tests.games.tables import cookie
from tests.model_server import ModelServer
from tests.site.test_without_redis import routes
from tests.stack import PASSWORD, Stack, until

FILLED = """
import io
from agents.models import AgentProfile
from django.contrib.auth.models import Group, User
from django.contrib.auth.tokens import default_token_generator
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from evaluation import erasures
from evaluation.competitions import running
from evaluation.competitions.reproductions import REPRODUCTIONS
from evaluation.desk.selection import Selection
from evaluation.exports import exporting
from evaluation.imports import imports
from evaluation.judging import judge
from evaluation.lab import labs
from evaluation.labelling import rounds
from evaluation.studies import trials
from evaluation.suites import Entry
from games.jobs import jobs
from games.match import pending, people
from games.models import Job, Match, Room, RoomMessage, Seat
from games.registry import RULES
from games.room import reports
from games.web.api import looking
from tests.evaluation.labelled import give_all, raters, task
from tests.evaluation.test_lab import lab
from tests.games.matches import dagger, dealt, exported, last, play_on, stored
from tests.games.tables import match_at, play_out, quick_match, room_of
from tests.games.talking import talkative

pending.dispatch = lambda *call: None
ada, _new = User.objects.get_or_create(username="axel", is_superuser=True, is_staff=True)
ada.set_password({password!r})
ada.save()
ada.groups.set(Group.objects.all())
for name in ("axe-one", "axe-two", "axe-judge"):
    AgentProfile.objects.get_or_create(name=name, defaults=dict(
        title=name, provider="openai", base_url={address!r}, model=name, method="direct"))
avalon = match_at(room_of(6, "avalon", "recon", 6))
play_out(avalon)
thought = stored(play_on(dealt("undercover", "magic", 3, seed=71)))
told = stored(play_on(dealt("undercover", "magic", 3, seed=72)))
told.sitters.filter(seat=1).update(person="axe-gone")  # who plays nowhere else: nobody who plays is erased
logs = "\\n".join(exported(told)).encode() + b"\\n"
erased = erasures.ask(people.of_seat(told.pk, 1), ada)
competition = running.make("Axes", "own", Entry(("house",), matches=2, more=dict(
    game="prisoners_dilemma", preset="magic")), at_once=2)
printed = REPRODUCTIONS[{printed!r}]
again = running.make("Again", printed.suite, printed.entry({{printed.arms[0].row: "house"}}, {{}}, (), take=2))
for one in (competition, again):
    running.start(one, here=True)
    for key in running.take(one, 2):
        jobs.work(key, follow=False)
trial = trials.begin(AgentProfile.objects.get(name="axe-one"), trials.starting("undercover"))
play = dagger(right=False)
stabbed, move = stored(play, with_thoughts=False), last(play, "assassinate")
tried = labs.make(lab(stabbed, move, '{{"seat": 3}}', rollouts=2))
labs.begin(tried)
judging = judge.make("Axes", "axe-judge", ["axe-one", "axe-two"], Match.objects.filter(pk=avalon.pk), take=1)
judge.start(judging)
brought = imports.bring("axes.jsonl", len(logs), io.BytesIO(logs))
imports.begin(brought)
file = exporting.ask(exporting.Order(Selection(competition=str(competition.pk))), ada)
closed = task(people=[*raters("ann", "ben"), ada], per_item=3)
give_all(closed.last, lambda rater, item: ["a" if rater.username == "ann" else "b"], *raters("ann", "ben"), ada)
rounds.close(closed.last)
opened = task(people=[*raters("ann", "ben"), ada], per_item=3)
talking = talkative()
said = RoomMessage.objects.create(
    room=talking, number=1, channel="room", person="key-2", name="Ben", text="Rude words", mark="m")
reports.of_message(said, "key-1")
report = reports.Report.objects.latest("pk")
behind = [quick_match(game).room for game in RULES]
Room.objects.filter(pk__in=[room.pk for room in behind]).update(watching="delayed")
running_now = quick_match("avalon")
asked = {{
    "/desk/moment/<uuid:key>/": dict(request=stabbed.events.get(seq=move).request),
    "/lab/": dict(match=stabbed.pk, seq=move),
    "/numbers/<str:table>/compare/": dict(one='"house"', other='"house-weak"'),
}}
holes = {{
    "/sign-in/choose/": [urlsafe_base64_encode(force_bytes(ada.pk)), default_token_generator.make_token(ada)],
    "/agents/": ["axe-one"],
    "/api/ways/": [next(way.name for way in looking.ways().values() if way.shows)],
    "/competitions/": [competition.pk],
    "/competitions/<uuid:key>/beside/": [again.pk],
    "/competitions/reproduce/": [printed.name],
    "/desk/accounts/": [ada.pk],
    "/desk/beliefs/": [avalon.pk],
    "/desk/erase/": [erased.pk],
    "/desk/moment/": [stabbed.pk],
    "/desk/reports/": [report.pk],
    "/desk/tables/": [running_now.room.code],
    "/exports/": [file.pk],
    "/imports/": [brought.pk],
    "/judge/": [judging.pk],
    "/lab/": [tried.pk],
    "/labels/": [closed.pk],
    "/labels/<uuid:key>/rate/": [opened.pk],
    "/labels/<uuid:key>/models/": [closed.pk, closed.pk],
    "/labels/schemes/": [closed.scheme_id],
    "/m/": [thought.pk, thought.thoughts.first().pk],
    "/t/": [talking.code],
    "/try/": [trial.pk],
    "/withdrawals/": [closed.pk],
}}
result = [holes, asked]
"""
"""Fills the site; leaves what stands in holes of addresses, by how these begin, and what is asked there, by route."""

SEVERAL = {
    "<slug:game>": list(RULES),
    "<slug:suite>": list(SUITES),
    "<slug:name>": list(PAGES),
    "<str:table>": ["roles"],
    "<slug:form>": ["csv"],
}
"""What stands in a hole of which nothing is said above."""

JOBS = """
from games.models import Job
result = list(Job.objects.filter(state__in=Job.OPEN).values_list("kind", flat=True))
"""

POSTS = "it takes only what a form sends"
NO_PAGE = "it is no page: a file, or a part that a page asks for"
LEADS_ON = "it leads on to another page, which is looked over"


class Walk:
    """A visitor who looks at pages, and notes what is left out and why."""

    def __init__(self, page: Page, faults: Faults, who: str):
        self.page, self.faults, self.who = page, faults, who
        self.looked: set[str] = set()
        self.left_out: dict[str, str] = {}
        self.links: dict[str, str] = {}
        """By route the first link that leads there."""

    def look(self, route: str, address: str) -> None:
        """Look at a page, if that address is one's."""
        found = self.page.request.get(address)
        led_to = route_of(found.url)
        if found.status == 405:
            self.left_out[route] = POSTS
        elif not found.ok:
            self.left_out[route] = f"{address}: {found.status}"
        elif led_to != route:
            self.left_out[route] = LEADS_ON
        elif "content-disposition" in found.headers or "<html" not in found.text():
            self.left_out[route] = NO_PAGE
        else:
            self.page.goto(address)
            self.faults.look_unfolded(f"{self.who}: {address}", self.page)
            self.looked.add(route)
            self.left_out.pop(route, None)
            for link in self.page.locator("a[href]").evaluate_all("all => all.map((a) => a.getAttribute('href'))"):
                self.links.setdefault(route_of(link), link)


def addresses(route: str, things: tuple[dict[str, list], dict[str, dict]]) -> list[str]:
    """A route with something real in its holes, once for each where there are several."""
    holes_of, asked = things
    given = iter(holes_of[max((begin for begin in holes_of if route.startswith(begin)), key=len)])
    holes = re.findall("<[^>]+>", route)
    chosen = [[value] if (value := next(given, None)) is not None else SEVERAL.get(hole, [1]) for hole in holes]
    query = f"?{urlencode(asked[route])}" if route in asked else ""
    return [
        reduce(lambda left, pair: left.replace(pair[0], str(pair[1]), 1), zip(holes, one, strict=True), route) + query
        for one in product(*chosen)
    ]


def route_of(address: str) -> str:
    """Which route of ours an address is of, or nothing."""
    try:
        return "/" + resolve(urlsplit(address).path).route
    except Resolver404:
        return ""


EVERY = [
    route
    for route, _name in routes(get_resolver().url_patterns)
    if not route.startswith(("/t/", "/api/v1/", "/api/^v1/", "/mcp"))
]
"""Tables have a test of their own, and the API and MCP are for programs."""


@pytest.fixture(scope="module")
def things(stack: Stack) -> tuple[dict[str, list], dict[str, dict]]:
    """What stands in addresses, by how these begin, and what is asked by route; all that takes long is done."""
    with ModelServer(answer) as server:
        holes, asked = stack.shell(
            FILLED.format(address=server.openai_url, password=PASSWORD, printed=next(iter(REPRODUCTIONS)))
        )
        until(lambda: not stack.shell(JOBS), "what was begun is done", seconds=120)
    return holes | {"": []}, asked


@pytest.mark.parametrize("area", sorted({route.split("/")[1] for route in EVERY}))
def test_no_page_has_anything_that_axe_knows_to_keep_people_out(stack: Stack, visit: Visitors, things, area: str):
    mine = [route for route in EVERY if route.split("/")[1] == area]
    faults, page = Faults(), visit()
    player = Walk(visit(), faults, "a player")
    player.page.context.add_cookies([{"name": COOKIE, "value": cookie("key-1"), "url": stack.base_url}])
    page.goto("/sign-in/")
    visit.sign_in(page, "axel")
    by_night(page)
    ada = Walk(page, faults, "who may do everything")
    if area == "numbers":  # they are counted when they are first asked for
        for route in mine:
            for address in addresses(route, things):
                page.request.get(address)
        until(lambda: not stack.shell(JOBS), "all is counted", seconds=120)
    for route in mine:
        for address in addresses(route, things):
            ada.look(route, address)
        if "<" not in route and area != "desk":
            player.look(route, route)
    for route in set(mine) & ada.links.keys() - ada.looked:  # what means something by what a link adds to it
        ada.look(route, ada.links[route])
    page.emulate_media(color_scheme="null")  # it is given out again
    unseen = set(mine) - ada.looked - player.looked
    assert {ada.left_out[route] for route in unseen} <= {POSTS, NO_PAGE, LEADS_ON}, ada.left_out
    assert not faults, str(faults)
