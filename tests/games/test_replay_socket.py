"""The socket of a replay: it tells of what its viewer may see, and of nothing else."""

import json

import pytest
from asgiref.sync import sync_to_async as on_thread
from django.contrib.auth.models import Group, User
from django.core.cache import cache

from games.match import changes, erasing, store
from games.models import Room
from games.rules.values import ERASED, PUBLIC
from games.web import sockets, watch
from magic_site.rights import RESEARCHER
from tests.games.pages import Page, clue
from tests.games.tables import asked, browser, match_at, room_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


@pytest.fixture
def match():
    return match_at(room_of())


def replay_of(match, viewer: str = "public", person: str = "", user: User | None = None) -> Page:
    page = Page(match.room, person, path=f"/ws/m/{match.pk}/?as={viewer}")
    if user is not None:
        client = browser(person or "key-of-nobody")
        client.force_login(user)
        page.socket.scope["headers"].append((b"cookie", f"sessionid={client.cookies['sessionid'].value}".encode()))
    return page


@pytest.fixture
def researcher() -> User:
    user = User.objects.create_user("researcher")
    user.groups.add(Group.objects.get(name=RESEARCHER))
    return user


async def test_a_replay_hears_how_far_its_match_has_gone_and_nothing_else(match):
    page = await replay_of(match).open()
    seen = await on_thread(lambda: store.load(match).visible(PUBLIC)[-1].seq)()
    assert page.texts == [json.dumps({"kind": "moved", "n": seen})]
    await on_thread(clue)(match, "bitter")
    (fresh,) = await page.rest()
    told = json.loads(fresh)
    assert (told["kind"], told["n"], told["since"]) == ("moved", await match.events.acount(), seen)
    assert "bitter" in told["html"] and len(fresh) < 4000
    assert await page.rest() == []
    await page.close()


async def test_a_replay_of_a_seat_or_of_everything_is_refused_to_who_may_not_see_so_much(match, researcher):
    refused = [replay_of(match, "all"), replay_of(match, "1"), replay_of(match, "2", "key-1")]
    refused += [replay_of(match, "x"), await on_thread(replay_of)(match, "all", "key-1", researcher)]
    for page in refused:
        await page.socket.connect()
        assert await page.closed() == sockets.NOT_YOURS
        assert page.texts == ['{"kind": "leave"}']


async def test_an_unknown_match_closes_the_line(match):
    page = Page(match.room, path="/ws/m/00000000-0000-0000-0000-000000000000/?as=public")
    await page.socket.connect()
    assert await page.closed() == sockets.NOT_FOUND


async def test_a_replay_on_another_site_is_refused(match):
    page = Page(match.room, origin=b"http://elsewhere.example", path=f"/ws/m/{match.pk}/?as=public")
    connected, _ = await page.socket.connect()
    assert not connected


async def test_only_who_sees_everything_hears_of_thoughts_and_of_moves_that_nobody_else_sees(researcher):
    match = await on_thread(match_at)(await on_thread(room_of)(6, "avalon", "recon", 6))

    def to_the_quest():
        while (request := asked(match)).kind != "quest":
            action = {"team": {"seats": [1, 5]}, "speech": {"text": "fine"}, "team_vote": {"approve": True}}
            store.act(match.pk, request.seat, request.id, action[request.kind])

    await on_thread(to_the_quest)()
    public = await replay_of(match).open()
    everything = await (await on_thread(replay_of)(match, "all", user=researcher)).open()
    request = await on_thread(asked)(match, 1)
    thought = {"request": request.id, "seat": 1, "method": "house", "stage": "beliefs", "prompt": "", "reply": "why"}
    await on_thread(store.act)(match.pk, 1, request.id, {"success": True}, thoughts=[thought])
    assert await public.rest() == []
    assert [json.loads(await everything.frame())["kind"] for _ in range(2)] == ["moved", "thoughts"]
    for page in (public, everything):
        await page.close()


async def test_a_delayed_replay_hears_of_finished_rounds_only():
    room = await on_thread(room_of)(5, "undercover", "wiu", 5, watching=Room.Watching.DELAYED)
    match = await on_thread(match_at)(room, {"civilian_word": "coffee", "undercover_word": "tea"})
    page = await replay_of(match).open()
    for word in ("one", "two", "three", "four", "five"):
        await on_thread(clue)(match, word)
    assert await page.rest() == [] and page.texts == []

    def to_the_end_of_the_round() -> int:
        while not match.events.filter(kind="out").exists():
            store.expire(match.pk, asked(match).id)
        return match.events.get(kind="out").seq

    last = await on_thread(to_the_end_of_the_round)()
    assert json.loads((await page.rest())[-1])["n"] == last
    await page.close()


async def test_a_replay_that_may_not_be_watched_any_more_is_closed(match):
    page = await replay_of(match, person="key-9").open()
    await on_thread(lambda: Room.objects.filter(pk=match.room.pk).update(kicked=["key-9"]))()
    await on_thread(clue)(match, "bitter")
    assert await page.closed() == sockets.NOT_YOURS
    assert json.loads(page.texts[-1]) == {"kind": "leave"}


async def test_a_ping_tells_a_replay_what_all_hints_missed(match, monkeypatch):
    page = await replay_of(match).open()
    monkeypatch.setattr(changes, "tell", lambda *hint, **more: None)
    await on_thread(clue)(match, "unheard")
    assert [json.loads(text)["kind"] for text in await page.rest()] == ["moved"]
    await page.close()


@pytest.mark.parametrize("told", [True, False], ids=["by the hint", "by the watch"])
@pytest.mark.parametrize("path", ["", "/ws/m/{match.pk}/?as=public"], ids=["table", "replay"])
async def test_an_open_page_that_shows_what_is_erased_is_fetched_anew(match, path, told, monkeypatch):
    speaker = (await on_thread(asked)(match)).seat
    await on_thread(clue)(match, "bitter")
    await on_thread(store.end)(match.pk, "abandoned", "Enough.")
    page = await Page(match.room, path=path.format(match=match)).open()
    if not told:
        monkeypatch.setattr(changes, "tell", lambda *hint: None)
    await on_thread(erasing.erase)(f"key-{speaker}")
    if not told:
        await watch.watch().look()
    assert await page.closed() == sockets.NOT_YOURS and json.loads(page.texts[-1]) == {"kind": "leave"}
    again = await Page(match.room).open()
    assert ERASED in again.html() and "bitter" not in again.html()
    await again.close()
