"""A table sees that a model is at work, and nothing of what it writes; and its host, why a model does not play."""

import json

import pytest
from asgiref.sync import sync_to_async as on_thread

from agents import tasks
from agents.models import ModelPrice, SpendingLimit
from games.match import store, writer
from games.models import Match, Room
from games.rules import values
from tests.agents.model_matches import profile
from tests.games.pages import Page
from tests.games.tables import ROLES, WORDS, asked, browser, match_at, room_of
from tests.model_server import Behaviour, ModelServer

pytestmark = pytest.mark.django_db(transaction=True)

PLAN = "My private plan is to mention breakfast and to watch the others closely."
CLUE = "often near a saucer"


def seated(server, **fields):
    """A match of Undercover at a table of a person, a model whose turn it is, and another person."""
    agent = profile(server, method="cot", **fields)
    room = room_of(3)
    room.seats.filter(number=2).update(person="", name="", agent=agent.name)
    match = match_at(room, WORDS)
    writer.reseat(match, 2, agent=agent.name)
    store.act(match.pk, 1, asked(match).id, {"text": "warm"})
    return Match.objects.select_related("room").get(pk=match.pk)


def decide(match):
    tasks._answer(match.pk, asked(match, 2).id, "wire")


def thinker(call):
    return Behaviour(text=PLAN if call.schema is None else json.dumps({"text": CLUE}), gap_ms=15)


async def test_pages_hear_that_a_model_is_at_work_and_no_word_before_its_move(monkeypatch):
    monkeypatch.setattr(tasks, "SIGNS_EVERY", 0.1)
    with ModelServer(thinker) as server:
        match = await on_thread(seated)(server)
        pages = [await Page(match.room, person).open() for person in ("key-1", "")]
        await on_thread(decide)(match)
        assert [call.stream for call in server.calls] == [True, True]
    for page in pages:
        frames = await page.rest()
        kinds = [json.loads(frame)["kind"] for frame in frames]
        moved = next(n for n, frame in enumerate(frames) if CLUE in frame)
        signs = [json.loads(frame) for frame in frames[:moved] if json.loads(frame)["kind"] == "thinking"]
        assert signs and all(sign == {"kind": "thinking", "seat": 2} for sign in signs)
        assert set(kinds[:moved]) == {"thinking"} and "thinking" not in kinds[moved:]
        assert not any(word in frame for frame in frames for word in ("private plan", "breakfast"))
        await page.close()


def test_signs_come_about_once_a_second(monkeypatch):
    with ModelServer() as server:
        match = seated(server)
    told = []
    monkeypatch.setattr(tasks.changes, "tell", lambda *hint: told.append(hint))
    now = [100.0]
    monkeypatch.setattr(tasks.time, "monotonic", lambda: now[0])
    sign = tasks.sign_of_life(match, store.load(match), asked(match, 2))
    for _ in range(100):
        sign()
        now[0] += 0.05
    assert len(told) == 5
    assert set(told) == {(match.room.code, "thinking", match.pk, 2)}


def test_there_is_no_sign_where_not_everybody_may_know_who_is_asked():
    with ModelServer() as server:
        match = seated(server)
    play, request = store.load(match), asked(match, 2)
    assert tasks.sign_of_life(match, play, request) is not None
    for hidden in (request._replace(audience=(2,)), request._replace(kind="poll")):
        assert tasks.sign_of_life(match, play, hidden) is None
    match.kinds_named = False
    assert tasks.sign_of_life(match, play, request) is None


def test_a_quest_card_and_a_spys_guess_show_no_sign():
    match = match_at(room_of(6, "avalon", "recon", 6), ROLES)
    play = store.load(match)
    while (request := next(iter(play.state.open.values()))).kind != "quest":
        action = {"team": {"seats": [1, 2]}, "speech": {"text": "hm"}, "team_vote": {"approve": True}}[request.kind]
        assert not isinstance(play.act(request.seat, request.id, action), values.Refusal)
    assert tasks.sign_of_life(match, play, request) is None
    spygame = Match(game="spygame", room=match.room, kinds_named=True)
    assert tasks.sign_of_life(spygame, play, request._replace(kind="reveal", audience=None)) is None


# Money


def test_the_host_and_a_researcher_read_why_models_do_not_play_and_players_do_not(client, admin_client):
    ModelPrice.objects.create(model="small", tokens_in=1e6, tokens_out=1e6)
    SpendingLimit.objects.create(per_match=0)
    with ModelServer() as server:
        match = seated(server)
        decide(match)
        assert server.calls == []
    event = match.events.filter(seat=2).last()
    attempt = match.attempts.get()
    assert (event.by, event.kind, attempt.code, attempt.instead) == ("agent:house", "clue", "spending", "house")
    pages = {name: who.get(f"/t/{match.room.code}/").content.decode() for name, who in {
        "host": browser("key-1"), "player": browser("key-3"), "visitor": client, "researcher": admin_client,
    }.items()}  # fmt: skip
    assert {name: "spending limit of $0 " in page for name, page in pages.items()} == {
        "host": True, "player": False, "visitor": False, "researcher": True,
    }  # fmt: skip


async def test_the_hosts_open_page_hears_of_it(monkeypatch):
    await SpendingLimit.objects.acreate(per_day=0)
    with ModelServer() as server:
        match = await on_thread(seated)(server)
        host, other = [await Page(match.room, person).open() for person in ("key-1", "key-3")]
        await on_thread(decide)(match)
    while "Today&#x27;s spending limit" not in host.html():
        await host.frame()
    assert "spending" not in other.html() + "".join(await other.rest())
    await host.close()
    await other.close()
    assert await Room.objects.acount() == 1
