"""A line-up by seat: any agent, the host, or free; agents alone, to be watched live; and thoughts that watchers see."""

from __future__ import annotations

import html

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from agents.models import AgentProfile, ModelPrice
from games.models import Match, Room
from tests.games.matches import dealt, play_on, stored, visitor
from tests.games.test_lobby import CHOICES, NEW_TABLE, site  # noqa: F401 (a fixture of those forms)

pytestmark = pytest.mark.django_db
SEATS = [":host", "house", "wire", "", "house", ":none"]


@pytest.fixture
def host():
    AgentProfile.objects.create(name="wire", title="Wire", provider="openai", model="m", base_url="http://127.0.0.1:1")
    ModelPrice.objects.create(model="m", tokens_in=0, tokens_out=0)
    client = visitor("ada")
    user = User.objects.create_user("ada")
    user.groups.add(Group.objects.get(name="researcher"))
    client.force_login(user)
    return client


def lineup(seats, **more) -> dict[str, str]:
    chosen = {f"seat-{n}": seat for n, seat in enumerate(seats, 1)}
    chosen |= {f"seat-{n}": ":none" for n in range(len(seats) + 1, 13)}
    return CHOICES | {"by_seat": "on", "watching": "live", "option-undercovers": "1"} | chosen | more


def text(answer) -> str:
    return html.unescape(answer.content.decode())


def test_everybody_sits_where_they_were_put(host):
    assert host.post(NEW_TABLE, lineup(SEATS)).status_code == 302
    seats = Room.objects.get().seats.all()
    assert [(seat.agent, bool(seat.person)) for seat in seats] == [
        ("", True), ("house", False), ("wire", False), ("", False), ("house", False),
    ]  # fmt: skip
    assert not Match.objects.exists(), "one seat is free"


def test_agents_alone_play_at_once_and_the_host_looks_on(host):
    answer = host.post(NEW_TABLE, lineup(["house", "wire", "house", "house"]))
    match = Match.objects.get()
    assert [sitter.agent for sitter in match.seated] == ["house", "wire", "house", "house"]
    assert (match.status, match.room.seats.exclude(person="").count()) == ("running", 0)
    page = text(host.get(answer.url))
    assert "You are watching" in page and "End the match" in page and "Leave the table" not in page
    assert host.post(f"/t/{match.room.code}/end/").status_code == 302
    assert host.post(f"/t/{match.room.code}/rematch/").status_code == 302
    assert Match.objects.filter(status="running").count() == 1, "the host has them play again"


@pytest.mark.parametrize(
    ("seats", "sentence"),
    [
        ([":host", "house", ":host", "house"], "You can sit at one seat only."),
        ([":none"] * 3, "Select a valid choice"),
        (["house", "house", "nobody", "house"], "Select a valid choice"),
    ],
)
def test_what_makes_no_line_up_is_refused_in_a_sentence(host, seats, sentence):
    answer = host.post(NEW_TABLE, lineup(seats + [":none"] * 3))
    assert answer.status_code == 422 and sentence in text(answer)
    assert not Room.objects.exists()


def test_nobody_else_chooses_seat_by_seat():
    page = Client().get(NEW_TABLE).content.decode()
    assert "by_seat" not in page and "thoughts_live" not in page
    AgentProfile.objects.create(name="wire", title="Wire", provider="openai", model="m")
    asked = lineup([":host", "wire", "wire", "wire"], friends="0", agents="3")
    assert Client().post(NEW_TABLE, asked).status_code == 302
    assert {seat.agent for seat in Room.objects.get().seats.all()} == {"", "house"}


# Thoughts while agents play among themselves -------------------------------------------------------------------------


def running(kinds: str = "agent", **settings) -> Match:
    usual = {"thoughts_live": True, "watching": Room.Watching.LIVE}
    room = Room.objects.create(game="avalon", preset="recon", host="ann", **usual | settings)
    match = stored(play_on(dealt("avalon", "recon", 6), 6), room=room)
    people = [] if kinds == "agent" else [1]
    match.sitters.exclude(seat__in=people).update(kind="agent", agent="house", person="")
    named = settings.get("agents_named", True)
    Match.objects.filter(pk=match.pk).update(seating=1, kinds_named=named)
    return Match.objects.get(pk=match.pk)


def seen(match: Match, client: Client | None = None) -> int:
    return (client or Client()).get(f"/m/{match.pk}/thoughts/?seat=every").status_code


def test_watchers_see_thoughts_live_where_the_table_says_so_and_agents_play_alone():
    match = running()
    assert seen(match) == 200
    assert Client().get(f"/m/{match.pk}/?as=all").status_code == 200
    assert "Watch with the agents" in text(Client().get(f"/t/{match.room.code}/?key={match.room.key}"))


@pytest.mark.parametrize(
    "change",
    [
        {"thoughts_live": False},
        {"kinds": "person"},
        {"watching": Room.Watching.DELAYED},
        {"watching": Room.Watching.NOBODY},
        {"agents_named": False},
        {"pseudonyms": True},
        {"kicked": ["eve"]},
    ],
    ids=str,
)
def test_nobody_sees_thoughts_live_anywhere_else(change):
    match = running(**change)
    client = visitor("eve")
    assert seen(match, client) == 403
    for path in ("?as=all", "?as=2", "export/?as=all", "saved/?as=all"):
        assert client.get(f"/m/{match.pk}/{path}").status_code == 403


def test_a_table_that_hides_something_cannot_show_thoughts_live(host):
    for hides in ({"watching": "delayed"}, {"agents_named": ""}, {"pseudonyms": "on"}):
        answer = host.post(NEW_TABLE, lineup(["house"] * 4, thoughts_live="on", **hides))
        assert answer.status_code == 422 and "Watchers can see thoughts only where" in text(answer)
    assert host.post(NEW_TABLE, lineup(["house"] * 4, thoughts_live="on")).status_code == 302
    assert Room.objects.get().thoughts_live
