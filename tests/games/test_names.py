"""Names at a table are identity: who is called how can be seen, and nobody can be taken for somebody else."""

import dataclasses

import pytest
from django.urls import reverse

from games.match import importing
from games.room import dealing, names, rooms
from games.rules import logfile
from tests.games.matches import dealt, play_on
from tests.games.tables import WORDS, browser, room_of

UNSEEN = (
    "",
    " ",
    "\u200b",
    "\u3164",
    "\u2800",
    "\u115f\u1160",
    "\u0301\u0302",
    "\u00ad",
    "\ufe0f",
    "\u202e",
    "\U0001d159",
)
OF_THE_TABLE = (
    *("moderator", "Moderator", "M\u043ederator", "the moderator", "System", "You", "y o u", "Host", "Admin"),
    *(
        "Agent",
        "agent",
        "Agent 3",
        "AGENT-12",
        "\u0410gent",
        "Ag\u0435nt 1",
        "House agent",
        "Bot",
        "Player 3",
        "Seat 3",
        "Seat3",
        "Player",
        "Agents",
        "Player two",
        "Player no. 3",
        "Moderator 1",
        "Admin 2",
        "The hosts",
        "No one",
        "Someone",
        "None",
    ),
)
ALIKE = (
    *(
        ("Ina", "ina"),
        ("Ina", "INA"),
        ("Ina", "\u0406na"),
        ("Ina", "Ina\u200b"),
        ("Ina", "I na"),
        ("Ina", "1na"),
        ("Ina", "lna"),
    ),
    *(
        ("Bob", "B0b"),
        ("Bob", "\u0412ob"),
        ("Zo\u00e9", "Zoe"),
        ("Tom", "Torn"),
        ("Ann", "\uff21nn"),
        ("\u0418\u0440\u0430", "\u0418pa"),
        ("Ina", "\u026a\u0274\u1d00"),
        ("Ina", "\U0001f178na"),
        ("Sven", "\u0405ven"),
        ("\u041f\u0451\u0442\u0440", "\u03a0\u0451\u0442\u0440"),
        ("\u041b\u0435\u043d\u0430", "\u041b\u0415\u041d\u0410"),
        ("\u5de5\u85e4", "\u30a8\u85e4"),
        ("\u4e8c", "\u30cb"),
    ),
)
APART = (
    ("Ina", "Ida"),
    ("Ann", "Anna"),
    ("Ali", "All"),
    ("\u0418\u0440\u0430", "\u0418\u0433\u043e\u0440"),
    ("\U0001f427", "\U0001f431"),
)


@pytest.mark.parametrize("name", [*UNSEEN, *OF_THE_TABLE])
def test_a_name_that_nobody_sees_or_that_speaks_for_the_table_is_refused_with_a_sentence(name):
    assert names.objection(name).endswith(".")


@pytest.mark.parametrize(
    "name",
    [
        "Ina",
        "Mel",
        "Leo",
        "Io",
        "\u674e",
        "\u0418\u0440\u0430",
        "O'Neil",
        "\U0001f427",
        "Agentina",
        "Playa",
        "Mei",
        "Nonna",
        "Hosea",
    ],
)
def test_other_names_are_welcome(name):
    assert names.objection(name, ["Ben"]) == ""


@pytest.mark.parametrize(("one", "other"), [*ALIKE, *((other, one) for one, other in ALIKE)])
def test_who_looks_like_another_is_refused(one, other):
    assert "looks like it" in names.objection(one, ["Ben", other])


@pytest.mark.parametrize(("one", "other"), APART)
def test_who_looks_different_is_not(one, other):
    assert names.objection(one, [other]) == ""


def test_the_names_that_agents_get_can_be_told_apart():
    for name in dealing.AGENT_NAMES:
        assert names.objection(name, [other for other in dealing.AGENT_NAMES if other != name]) == ""


def test_a_name_of_several_lines_is_none():
    assert names.told_apart(["Ann", "Ben\nCleo"]) == ["Ann", "Seat 2"]


@pytest.mark.django_db
def test_nobody_sits_down_beside_somebody_of_that_name(client):
    room = room_of(1)
    for number, name in enumerate(("Ann", "\u0410nn", "\u3164", "moderator", "Agent 3"), 2):
        answer = browser(f"key-{number}").post(f"/t/{room.code}/sit/", {"name": name})
        assert answer.status_code == 409 and "sit-name" in answer.content.decode()
    assert browser("key-9").post(f"/t/{room.code}/sit/", {"name": "Nina"}).status_code == 302
    assert browser("key-9").post(f"/t/{room.code}/sit/", {"name": "Nina"}).status_code == 302  # again, from another tab


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["Agent", "\u2800", "moderator"])
def test_nor_opens_a_table(client, name):
    for path in ("play", "new_table"):
        answer = client.post(
            reverse(f"games:{path}", args=["undercover"]), {"name": name, "shown": "wiu", "preset": "wiu"}
        )
        assert answer.status_code == 422


@pytest.mark.django_db
def test_an_agent_is_never_called_like_somebody_at_the_table(monkeypatch):
    monkeypatch.setattr(dealing, "AGENT_NAMES", ["Alma", "Bruno", "Cleo", "Dario"])
    monkeypatch.setattr(rooms, "seatable", lambda *_: [("house", "House agent")])
    room = room_of(1, deal={"setting": WORDS, "seed": 1})
    room.seats.filter(number=1).update(name="\u0410lma")
    room.seats.exclude(number=1).update(agent="house")
    match = rooms.start(room, "key-1")
    assert all(names.looks(sitter.name) != names.looks("Alma") for sitter in match.seated[1:])


@pytest.mark.django_db
def test_an_import_tells_its_names_apart_and_leaves_its_events():
    play = play_on(dealt("undercover", "wiu", 5))
    told = ["Ina", "\u0406na", "moderator", "Player 4", "Player 2"]
    seats = tuple(dataclasses.replace(seat, name=name) for seat, name in zip(play.header.seats, told, strict=True))
    file = logfile.LogFile(
        header=dataclasses.replace(play.header, seats=seats), events=play.log, outcome=play.state.outcome
    )
    match = importing.take_in(file)
    assert list(match.names().values()) == ["Ina", "Seat 2", "Seat 3", "Player 4", "Seat 5"]
    assert match.events.count() == len(play.log)
    with pytest.raises(Exception, match="already"):
        importing.take_in(file)
