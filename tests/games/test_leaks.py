"""Exchange what a viewer may not know: every way out of the live table stays the same, byte for byte.

Two matches are dealt that differ only in what the viewer may not know, and the same moves are made in both. At several
moments the page, its parts, the socket's frames and the answers to refused moves are rendered for both and compared:
that covers ids of elements, order and length of lists, and every number on the page. At a table that names no agents
the kinds of the seats are exchanged as well, in every page that tells of the match. EXCHANGES=100 makes as many a game.
"""

import os
import random
import re
from datetime import UTC, datetime, timedelta
from itertools import islice, zip_longest
from uuid import UUID

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from games.match import cache as mirrors
from games.match.rows import Event, MatchSeat
from games.models import Match, Room, Seat
from games.registry import RULES
from games.rules import kit
from games.rules.sight import requests_for
from games.rules.values import PUBLIC
from games.web import forms, panels, replay, visits
from magic_site import clock
from tests.games.tables import HTMX, NAMES, browser

pytestmark = pytest.mark.slow

EXCHANGES = int(os.environ.get("EXCHANGES", "1"))
MATCH = UUID("00000000-0000-4000-8000-000000000001")
TRIALS = {name: list(kit.kit_cases(RULES[name])) for name in RULES}
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def no_clock(db, monkeypatch):
    monkeypatch.setattr(clock, "carried_on", lambda: MOMENT)


def stored(play, until: int, watching: str, agents: frozenset[int] | None = None) -> Match:
    """The log up to `until` as a match at a table where every seat is somebody's, alike for both plays; with `agents`
    at one that does not name them, played by these."""
    Room.objects.all().delete()
    Match.objects.all().delete()
    mirrors._mirrors.clear()
    replay._told.clear()
    cache.clear()
    who = [
        {"kind": "agent", "agent": "house"} if n in (agents or ()) else {"kind": "person", "person": f"key-{n}"}
        for n in range(1, _count(play) + 1)
    ]
    seats = [{"seat": n, "name": _name(n)} | sitter for n, sitter in enumerate(who, 1)]
    header = play.header
    room = Room.objects.create(
        pk=1,
        code="KITE-1",
        game=header.game,
        preset=header.preset,
        host="key-1",
        watching=watching,
        agents_named=agents is None,
    )
    Room.objects.update(created_at=timezone.now() - timedelta(minutes=1))
    room.seats.bulk_create(
        Seat(
            room=room,
            number=seat["seat"],
            name="" if agents else seat["name"],
            **{key: seat[key] for key in ("person", "agent") if key in seat},
        )
        for seat in seats
    )
    return written(MATCH, play, until, seats, room=room, kinds_named=agents is None)


def written(key: UUID, play, until: int, seats: list[dict], **known) -> Match:
    """The rows of a log up to `until`."""
    header = play.header
    match = Match.objects.create(
        pk=key,
        game=header.game,
        preset=header.preset,
        rules_version=header.rules_version,
        options=header.options,
        setting=header.setting,
        seed=header.seed,
        **known,
        **_ending(play, until),
    )
    MatchSeat.objects.bulk_create(MatchSeat(match=match, **seat) for seat in seats)
    Match.objects.filter(pk=key).update(created_at=MOMENT)
    agents = {seat["seat"] for seat in seats if seat["kind"] == "agent"}
    Event.objects.bulk_create(
        Event(
            match=match,
            at=MOMENT,
            **event._asdict()
            | {"audience": None if event.audience is None else [*event.audience]}
            | ({"by": "agent:house"} if event.request and event.seat in agents else {}),
        )
        for event in play.log[:until]
    )
    return match


def _ending(play, until: int) -> dict:
    if until < len(play.log) or not play.over:
        return {}
    outcome = play.state.outcome
    return {"status": outcome.status, "result": outcome.result, "ended_at": MOMENT}


def ways_out(
    play, until: int, viewer: int, watching: str, junk: str | None, agents: frozenset[int] | None = None
) -> list[str]:
    """Everything that the live table tells this viewer at this moment."""
    match = stored(play, until, watching, agents)
    person = f"key-{viewer}" if viewer != PUBLIC else "key-99"
    client = browser(person)
    told = [plain(client.get("/t/KITE-1/"))]
    seen = visits.visit_now(match.room, AnonymousUser(), person)
    since = until // 2
    own = panels.OwnParts(seen)
    told += [panels.public_frame(seen, since), panels.public_frame(seen, 0), own.news(since, {}), own.news(0, {})]
    told += [repr(panels.public_key(seen)), str(panels.own_seq(seen))]
    told.append(plain(client.get(f"/m/{MATCH}/saved/")))
    for data in () if junk is None else _refused(match, play, until, viewer, junk):
        told.append(plain(client.post("/t/KITE-1/act/", data, **HTMX)))
    return told


def _refused(match: Match, play, until: int, viewer: int, junk: str):
    """Posts that change nothing: forged ids, other seats' requests, values that do not fit."""
    yield {"match": match.pk, "request": "999:1:clue", "text.text": junk}
    view = play.view(viewer, until)
    for request in requests_for(view, viewer):
        yield {"match": match.pk, "request": request.id}
        wrong = {"flag": "maybe", "seat": "99", "seats": ["1", "1"], "text": "x" * 5000, "choice": "?", "number": "x"}
        yield {"match": match.pk, "request": request.id} | {
            item.html_name: wrong.get(item.kind, "") for item in forms.inputs(request)
        }


def plain(response) -> str:
    """The answer with its headers, without the token and the number of the seating, which are new each time."""
    content = b"".join(response) if response.streaming else response.content
    body = re.sub(r'(csrfmiddlewaretoken" value=|X-CSRFToken": )"[^"]+"', r"\1", content.decode())
    headers = {name: value for name, value in response.items() if name not in ("Expires", "Last-Modified")}
    if "ETag" in headers:
        headers["ETag"] = re.sub(rf"({MATCH.hex}-\d+)-\d+", r"\1", headers["ETag"])
    return f"{response.status_code} {headers} {body}"


def _difference(left: str, right: str) -> str:
    """Where two texts part, for the message of a failed test."""
    start = next(i for i, pair in enumerate(zip_longest(left, right)) if pair[0] != pair[1])
    return f"{left[max(0, start - 80) : start + 40]!r} is not {right[max(0, start - 80) : start + 40]!r}"


def _name(seat: int) -> str:
    return NAMES[seat - 1] if seat <= len(NAMES) else f"Guest {seat}"


def _count(play) -> int:
    return len(play.header.seats)


@pytest.mark.parametrize("name", RULES)
@given(data=st.data())
@settings(
    max_examples=EXCHANGES,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a smaller example costs minutes and tells no more
)
def test_no_way_out_of_the_table_tells_what_a_viewer_may_not_know(name, data):
    trial = data.draw(st.sampled_from(TRIALS[name]))
    viewer = data.draw(st.integers(PUBLIC, trial.seats))
    watching = data.draw(st.sampled_from((Room.Watching.LIVE, Room.Watching.DELAYED)))
    junk = data.draw(st.text(max_size=20))
    setting, alike_to = kit.indistinguishable(trial)
    others = alike_to[viewer]
    if not others:
        return
    plays = trial.begin(setting), trial.begin(data.draw(st.sampled_from(others)))
    alike = kit.play_alike(trial, viewer, *plays)
    logs = [play.log for play in plays]
    # Logs are committed up to the next move: what stands there in between, nobody ever sees.
    moments = [n for n in range(1, alike + 1) if all(n == len(log) or log[n].request for log in logs)]
    for until in {moments[-1], data.draw(st.sampled_from(moments))}:
        one, other = (ways_out(play, until, viewer, watching, junk) for play in plays)
        for left, right in zip(one, other, strict=True):
            assert left == right, _difference(left, right)


def test_the_comparison_sees_what_is_there_to_see():
    """What the viewer does know changes the page: own role or word. A deal that tells nothing changes none."""
    for name, trials in TRIALS.items():
        trial = trials[0]
        setting = trial.sample.setting(trial.options, random.Random(1))
        play = trial.begin(setting)
        neighbours = islice(trial.sample.neighbours(trial.options, setting), 6)
        others = [trial.begin(other) for other in (setting, *neighbours)]
        told = {str(event.data) for other in others for event in other.log if event.kind == "dealt" and event.seat == 1}
        pages = {ways_out(other, len(play.log), 1, Room.Watching.LIVE, None)[0] for other in others}
        assert (len(pages) > 1) == (len(told) > 1), name


@pytest.mark.parametrize("name", RULES)
@given(data=st.data())
@settings(
    max_examples=max(EXCHANGES // 2, 1),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
def test_no_way_out_tells_who_is_an_agent(name, data):
    trial = data.draw(st.sampled_from([trial for trial in TRIALS[name] if trial.seats > 2]))
    viewer = data.draw(st.integers(PUBLIC, trial.seats))
    others = [seat for seat in range(1, trial.seats + 1) if seat != viewer]
    person = others[-1] if viewer == PUBLIC else viewer
    some = st.frozensets(st.sampled_from([seat for seat in others if seat != person]))
    agents = data.draw(st.lists(some, min_size=2, max_size=2, unique=True))
    play = kit.play_through(trial)
    moments = [n for n, event in enumerate(play.log[1:], 1) if event.request] + [len(play.log)]
    until = data.draw(st.sampled_from(moments) | st.just(len(play.log)))
    one, other = (all_pages(play, until, viewer, who) for who in agents)
    for left, right in zip(one, other, strict=True):
        assert left == right, _difference(left, right)


def all_pages(play, until: int, viewer: int, agents: frozenset[int]) -> list[str]:
    """Everything that this viewer may fetch of the table, of the match, and of lists in which they stand."""
    told = ways_out(play, until, viewer, Room.Watching.LIVE, None, agents)
    client = browser(f"key-{viewer}" if viewer != PUBLIC else "key-99")
    paths = ("", f"export/?as={viewer}", "thoughts/", "export/?as=all", "saved/?as=all")
    told += [plain(client.get(f"/m/{MATCH}/{path}")) for path in paths]
    told += [plain(client.get(path)) for path in ("/", "/matches/")]
    told += [plain(client.post(f"/t/KITE-1/{what}/", {"seat": 2, "agents": "77"})) for what in ("sit", "kick", "who")]
    return told


def test_the_comparison_sees_who_is_an_agent_where_it_is_said():
    play = kit.play_through(TRIALS["undercover"][0])
    match = stored(play, 8, Room.Watching.LIVE, frozenset({2}))
    hidden = plain(browser("key-1").get("/t/KITE-1/"))
    match.room.agents_named = match.kinds_named = True
    match.room.save()
    match.save()
    mirrors._mirrors.clear()
    assert hidden != plain(browser("key-1").get("/t/KITE-1/"))
