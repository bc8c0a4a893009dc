"""Talk at a table's page: who hears whom, reactions, muting, and what is refused."""

import pytest
from asgiref.sync import sync_to_async as on_thread
from django.core.cache import cache

from agents.models import AgentProfile
from games.match import changes, store
from games.models import Room, RoomMessage
from games.registry import RULES
from games.room import talk
from games.web.table_form import TableForm
from tests.games.pages import Page
from tests.games.tables import HTMX, browser, match_at, room_of
from tests.games.talking import WORDS, page, playing, put_out, say, talkative
from tests.games.test_lobby import CHOICES

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


def test_people_talk_while_they_wait_and_after_the_end():
    room = talkative()
    assert say("key-1", room, "Hello  all", "room").status_code == 302
    assert "Hello all" in page("key-2", room)
    match = match_at(room, WORDS)
    assert say("key-1", room, "to nobody", "room").status_code == 422
    store.end(match.pk, "abandoned", "enough")
    assert say("key-2", room, "Well played", "room").status_code == 302
    shown = page("key-1", room)
    assert "Hello all" in shown and "Well played" in shown and "to nobody" not in shown
    assert list(RoomMessage.objects.values_list("name", "after")) == [("Ann", 0), ("Ben", 1)]


def test_an_agent_that_is_spoken_to_answers_while_they_wait_and_after_the_end():
    AgentProfile.objects.get_or_create(name="house", defaults={"provider": "house", "method": "house"})
    room = talkative(people=2)
    room.seats.filter(number=3).update(name="Hugo", agent="house")
    assert say("key-1", room, "hugo, are you a bot?", "room").status_code == 302
    answer = room.messages.get(name="Hugo")
    assert any(word in answer.text for word in ("agent", "program", "bot")) and not answer.person
    say("key-1", room, "Ben, are you a bot?", "room")
    match = match_at(room, WORDS)
    store.end(match.pk, "abandoned", "enough")
    name = next(sitter.name for sitter in match.seated if sitter.agent)
    for _ in range(2):
        say("key-1", room, f"{name}, why did you vote for me?", "room")
    told = list(room.messages.filter(name=name, after=1).values_list("text", flat=True))
    assert len(told) == len(set(told)) == 2
    assert answer.text in page("key-2", room) and told[0] in page("key-2", room)


def test_no_agent_answers_while_people_are_asked_who_was_one():
    AgentProfile.objects.get_or_create(name="house", defaults={"provider": "house", "method": "house"})
    room = talkative(people=2)
    match = match_at(room, WORDS)
    Room.objects.filter(pk=room.pk).update(agents_named=False)
    store.end(match.pk, "abandoned", "enough")
    name = next(sitter.name for sitter in match.seated if sitter.agent)
    say("key-1", room, f"{name}, are you a bot?", "room")
    assert not room.messages.filter(person="").exists()


def test_who_has_no_seat_talks_under_a_name_that_is_nobody_elses():
    room = talkative()
    refused = say("new", room, "hi", "room", key=room.key)
    assert refused.status_code == 422 and "tell us a name" in refused.content.decode()
    refused = say("new", room, "hi <b>there</b>", "room", name="Ann", key=room.key)
    assert refused.status_code == 422 and "hi &lt;b&gt;there&lt;/b&gt;" in refused.content.decode()
    assert say("new", room, "hi <b>there</b>", "room", name="Zoe", key=room.key).status_code == 302
    assert "hi &lt;b&gt;there&lt;/b&gt;" in page("key-1", room)


def test_in_a_match_it_stands_in_the_log_and_those_apart_hear_only_one_another():
    match = playing()
    room = match.room
    put_out(match, 1)
    said = {"key-1": ("out", "giraffe"), "key-2": ("all", "walrus"), "onlooker": ("watchers", "ostrich")}
    for person, (to, text) in said.items():
        assert say(person, room, text, to, name="Zoe").status_code == 302
        for wrong in {"out", "all", "watchers", "room", ""} - {to}:
            assert say(person, room, "wrong", wrong, name="Zoe").status_code == 422
    heard = {"key-1": {"giraffe", "walrus"}, "key-2": {"walrus"}, "key-3": {"walrus"}}
    heard |= {"onlooker": {"ostrich", "walrus"}}
    for person, words in heard.items():
        shown = page(person, room)
        assert {word for word in ("giraffe", "walrus", "ostrich", "wrong") if word in shown} == words, person
    assert [e.data["text"] for e in store.load(match).log if e.kind == "chat"] == ["giraffe", "walrus"]
    for name in ("public", "2", ""):
        for file in ("", "export/", "saved/"):
            told = browser("key-2").get(f"/m/{match.pk}/{file}?as={name}").content.decode()
            assert "giraffe" not in told and "ostrich" not in told


@pytest.mark.parametrize("hidden", [{"agents_named": False}, {"pseudonyms": True}])
def test_there_is_none_where_it_is_hidden_who_is_who(hidden):
    room = room_of(preset="party", seats=5, **hidden)
    Room.objects.filter(pk=room.pk).update(options={"table_talk": True})
    room.refresh_from_db()
    shown = page("key-1", room)
    assert 'id="talk-text"' not in shown and "talk-feed" not in shown
    refused = say("key-1", room, "I am no agent", "room")
    assert refused.status_code == 422 and "Nobody can talk at this table." in refused.content.decode()
    assert not RoomMessage.objects.exists()


def test_a_reaction_is_given_and_taken_back_by_the_same_button():
    match = playing()
    room, here = match.room, f"/t/{match.room.code}/react/"
    say("key-1", room, "walrus", "all")
    seq = store.load(match).log[-1].seq
    for person, reaction in (("key-2", "laugh"), ("key-3", "laugh"), ("key-3", "doubt")):
        assert browser(person).post(here, {"line": f"e{seq}", "reaction": reaction}).status_code == 302
    shown = page("key-1", room)
    assert f'value="e{seq} laugh" data-seats="2"' in shown and f'value="e{seq} doubt" data-seats="3"' in shown
    assert browser("key-2").post(here, {"line": "m1", "on": f"e{seq} laugh"}).status_code == 302
    assert f"e{seq} laugh" not in page("key-1", room)
    for person, line in (("onlooker", f"e{seq}"), ("key-2", "m1"), ("key-2", "e999"), ("key-2", "")):
        assert browser(person).post(here, {"line": line, "reaction": "laugh"}).status_code == 422, (person, line)


def test_who_is_muted_is_not_heard_by_one_person_until_they_want_it_again():
    match = playing()
    room, here = match.room, f"/t/{match.room.code}"
    say("key-2", room, "walrus", "all")
    seq = store.load(match).log[-1].seq
    answer = browser("key-1").post(f"{here}/mute/", {"line": f"e{seq}"}, **HTMX)
    assert "You do not hear Ben any more" in answer.content.decode()
    say("key-2", room, "ostrich", "all")
    store.end(match.pk, "abandoned", "enough")
    say("key-2", room, "giraffe", "room")
    words = ("walrus", "ostrich", "giraffe")
    assert not any(word in page("key-1", room) for word in words)
    assert "Hear Ben again" in page("key-1", room)
    assert all(word in page("key-3", room) for word in words) and "Hear " not in page("key-2", room)
    mark = room.mutes.get().mark
    assert browser("key-1").post(f"{here}/unmute/", {"mark": mark}).status_code == 302
    assert all(word in page("key-1", room) for word in words)
    assert browser("key-2").post(f"{here}/mute/", {"line": f"e{seq}"}).status_code == 422


def test_what_was_begun_in_one_match_is_not_said_in_the_next():
    first = playing()
    room = first.room
    store.end(first.pk, "abandoned", "enough")
    second = match_at(room, WORDS)
    answer = browser("key-2").post(f"/t/{room.code}/talk/", {"text": "ostrich", "to": "all 1"})
    shown = answer.content.decode()
    assert answer.status_code == 422 and "Another match has begun since you began to write." in shown
    assert 'value="ostrich"' in shown and 'name="to" value="all 2"' in shown, "a second press says it"
    assert not any(event.kind == "chat" for event in store.load(second).log)
    for word in ("all", "all 3", "out 2", "all  2", "all 2 "):
        assert browser("key-2").post(f"/t/{room.code}/talk/", {"text": "ostrich", "to": word}).status_code == 422, word


def test_a_line_that_is_chosen_is_of_the_match_that_the_page_shows():
    first = playing()
    room, here = first.room, f"/t/{first.room.code}"
    say("key-2", room, "walrus", "all")
    seq = store.load(first).log[-1].seq
    store.end(first.pk, "abandoned", "enough")
    second = match_at(room, WORDS)
    while len(store.load(second).log) < seq:
        say("key-3", room, "ostrich", "all")
    chosen = {"line": f"e{seq}", "number": 1}
    assert browser("key-1").post(f"{here}/react/", chosen | {"reaction": "laugh"}).status_code == 422
    assert not any(event.kind == "reaction" for event in store.load(second).log)
    assert browser("key-1").post(f"{here}/mute/", chosen).status_code == 302
    assert browser("key-1").post(f"{here}/report/", chosen).status_code == 302
    assert (room.mutes.get().mark, room.reports.get().match) == (talk.marks_of(first)[2], first)


def test_a_report_arrives_once_and_says_so():
    match = playing()
    room, here = match.room, f"/t/{match.room.code}/report/"
    say("key-2", room, "walrus", "all")
    seq = store.load(match).log[-1].seq
    for _ in range(2):
        answer = browser("key-1").post(here, {"line": f"e{seq}"}, follow=True)
        assert "Your report has arrived" in answer.content.decode()
    assert room.reports.count() == 1
    assert browser("key-1").post(here, {"line": "e999"}).status_code == 422


def test_so_much_may_be_said_at_once():
    room = talkative()
    codes = [say("key-1", room, f"hello {n}", "room").status_code for n in range(17)]
    assert codes[0] == 302 and codes[-1] == 429
    assert say("key-2", room, "hello", "room").status_code == 302


def test_an_open_socket_tells_what_was_said():
    room = talkative()
    assert say("key-1", room, "walrus", "room", live=1, extra=HTMX).status_code == 204
    answer = say("key-1", room, "", "room", live=1, extra=HTMX)
    assert answer.status_code == 422 and "Please write something first." in answer.content.decode()


@pytest.mark.parametrize(
    ("chosen", "talks"),
    [
        ({"table_talk": "on"}, True),
        ({}, False),
        ({"table_talk": "on", "agents_named": ""}, False),
        ({"table_talk": "on", "pseudonyms": "on"}, False),
    ],
)
def test_a_players_table_talks_if_it_is_wanted_and_nothing_is_hidden(chosen, talks):
    AgentProfile.objects.create(name="house", title="House agent")
    data = {name: value for name, value in (CHOICES | {"agents": "0", "friends": "5"} | chosen).items() if value}
    assert browser("ann").post("/tables/new/undercover/", data).status_code == 302
    assert Room.objects.get().talks == talks


def test_it_is_offered_to_players_and_to_no_papers_preset():
    form = TableForm(RULES["undercover"], "party")
    assert form.fields["table_talk"].initial is True
    papers = [name for name, preset in RULES["undercover"].presets.items() if not preset.title]
    assert papers and all("table_talk" not in TableForm(RULES["undercover"], name).fields for name in papers)


# Frames ---------------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
async def test_each_page_is_sent_what_its_person_hears_and_nothing_else():
    match = await on_thread(playing)()
    room = match.room
    await on_thread(put_out)(match, 1)
    people = ("key-1", "key-2", "onlooker", "key-3")
    pages = {person: await Page(room, person).open() for person in people}
    await on_thread(mute_speaker)(room, "key-3", "key-2")
    said = {"key-1": ("out", "giraffe"), "key-2": ("all", "walrus"), "onlooker": ("watchers", "ostrich")}
    for person, (to, text) in said.items():
        assert (await on_thread(say)(person, room, text, to, name="Zoe")).status_code == 302
    seq = await on_thread(lambda: store.load(match).log[-1].seq)()
    await on_thread(store.talk)(match.pk, 1, "reaction", {"to": seq, "reaction": "laugh"})
    for one in pages.values():
        await one.rest()
    heard = {"key-1": {"giraffe", "walrus"}, "key-2": {"walrus"}, "key-3": set(), "onlooker": {"ostrich", "walrus"}}
    for person, words in heard.items():
        html = pages[person].html()
        assert {word for word in ("giraffe", "walrus", "ostrich") if word in html} == words, person
        assert (f"e{seq} laugh" in html) == (person == "key-1")
        await pages[person].close()


@pytest.mark.django_db(transaction=True)
async def test_what_hints_have_missed_of_the_talk_is_told_by_the_watch(monkeypatch):
    room = await on_thread(talkative)()
    page = await Page(room, "key-2").open()
    monkeypatch.setattr(changes, "send", lambda *_: None)
    await on_thread(say)("key-1", room, "walrus", "room")
    await page.rest()
    assert "walrus" in page.html() and await page.silent()
    await page.close()


def mute_speaker(room: Room, person: str, speaker: str) -> None:
    talk.mute(room, person, talk.mark_of(room, speaker))
