"""Tables are not without end: one person has so many, one address so many, and so has the site."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from games.match import store
from games.models import GameSetting, Room
from games.refused import Refused
from games.room import chairs, rooms
from magic_site import clock
from tests.games.tables import WORDS

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def caps(settings):
    settings.MOST_TABLES_OF_A_PERSON, settings.MOST_TABLES_OF_AN_ADDRESS, settings.MOST_TABLES = 2, 4, 6


def open_table(person: str, origin: str = "") -> Room:
    return rooms.open_room(game="undercover", preset="magic", seats=3, person=person, name="Ann", origin=origin)


def refused(person: str, origin: str = "") -> str:
    """Why this person can open no more tables."""
    before = Room.objects.count()
    with pytest.raises(Refused) as refusal:
        open_table(person, origin)
    assert Room.objects.count() == before
    return str(refusal.value)


def test_a_person_has_so_many_tables_until_one_is_left_or_ended():
    GameSetting.objects.create(game="undercover", name="coffee and tea", data=WORDS)
    first, second = open_table("ann"), open_table("ann")
    assert refused("ann") == "You have 2 tables open, and no more are allowed. End or leave one first."
    open_table("ben")
    chairs.leave(first, "ann")
    third = open_table("ann")
    chairs.fill(second, "ann", "house")
    match = rooms.start(second, "ann")
    refused("ann")
    store.end(match.pk, "abandoned", "enough")
    fourth = open_table("ann")
    with pytest.raises(Refused, match="2 tables"):
        rooms.start(second, "ann")
    chairs.leave(fourth, "ann")
    assert rooms.start(second, "ann")
    assert third.closed_at is None


def test_an_address_has_so_many_tables_whoever_opens_them():
    for person in ("ann", "ben", "cleo", "dora"):
        open_table(person, "here")
    assert refused("emil", "here").startswith("4 tables are open from your network")
    open_table("emil", "elsewhere")


def test_the_site_has_so_many_tables():
    for number in range(6):
        open_table(f"person {number}", f"address {number}")
    assert refused("ann", "here") == "All 6 tables here are taken just now. Try again in a few minutes."


def test_a_table_at_which_nothing_happens_any_more_does_not_count():
    open_table("ann"), open_table("ann")
    long_ago = clock.now() - timedelta(hours=1)
    Room.objects.update(created_at=long_ago, seen_at=long_ago)
    kept = open_table("ann")
    Room.objects.exclude(pk=kept.pk).update(served_at=clock.now())
    refused("ann")


def test_a_visitor_who_forgets_the_cookie_each_time_is_told_so_on_the_page(monkeypatch):
    monkeypatch.setattr(rooms, "seatable", lambda game, researcher=False: [("house", "House agent")])
    pair = {"civilian_word": "coffee", "undercover_word": "tea"}
    GameSetting.objects.create(game="undercover", name="coffee and tea", data=pair)
    answers = [Client(REMOTE_ADDR="192.0.2.1").post("/play/undercover/", {"name": "Ann"}) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [302] * 4 + [422]
    assert "4 tables are open from your network" in answers[-1].content.decode()
    assert Client(REMOTE_ADDR="192.0.2.2").post("/play/undercover/", {"name": "Ann"}).status_code == 302
    assert "192.0.2" not in str(list(Room.objects.values_list("origin", flat=True)))
