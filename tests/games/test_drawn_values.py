"""Values that are drawn by lot and must be unique: a second draw follows where the first was taken."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import IntegrityError

from games.models import Room
from games.room import rooms
from magic_site import clock
from tests.games.tables import match_at, room_of

DRAWN = [
    field
    for model in apps.get_models()
    for field in model._meta.fields
    if field.unique and field.has_default() and callable(field.default) and field.default is not uuid4
]
"""Two of the 122 random bits of a UUID are never the same; of what is shorter some are, sooner or later."""

MADE = {Room: {"game": "undercover", "preset": "magic", "host": "ann"}}


@pytest.mark.django_db
@pytest.mark.parametrize("field", DRAWN, ids=str)
def test_what_was_drawn_before_is_drawn_again(field, monkeypatch):
    first = field.model.objects.create(**MADE[field.model])
    draws = iter([getattr(first, field.name)] * 3 + [f"{getattr(first, field.name)[:-1]}x"])
    monkeypatch.setattr(field, "_get_default", lambda: next(draws))
    second = field.model.objects.create(**MADE[field.model])
    assert getattr(second, field.name).endswith("x")


@pytest.mark.django_db
def test_what_is_wrong_with_a_room_but_its_code_is_told_at_once():
    with pytest.raises(IntegrityError):
        Room.objects.create(**MADE[Room], move_seconds=None)


@pytest.mark.django_db
def test_tables_at_which_nothing_was_played_go_after_a_while():
    played, fresh, _old, study = room_of(), room_of(), room_of(), room_of(study=True)
    match_at(played)
    aged = Room.objects.exclude(pk=fresh.pk)
    aged.update(created_at=clock.now() - rooms.UNUSED_LIFE - timedelta(minutes=1))
    assert rooms.remove_unused() == 1
    assert set(Room.objects.all()) == {played, fresh, study}
