"""The header `Idempotency-Key`: what is sent twice is made once, also where both come at the same time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection

from games.models import FirstAnswer, Room
from games.room import first_answers
from games.web.api import tables
from magic_site import clock
from tests.programs import Program, key_of, program

pytestmark = pytest.mark.django_db
TABLE = {"game": "undercover", "name": "Zoe"}


def post(one: Program, key: str | None, path: str = "tables/", **body):
    headers = {} if key is None else {"Idempotency-Key": key}
    return one.post(f"/api/v1/{path}", TABLE | body, content_type="application/json", headers=headers)


def test_the_same_again_is_given_the_first_answer_and_makes_nothing():
    one = program("zoe", "play")
    first, again = post(one, "a"), post(one, "a")
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert post(Program(key_of("zoe", "play")), "a").json() == first.json(), "another key of the same person"
    assert Room.objects.count() == 1
    others = [post(one, "b"), post(program("max", "play"), "a"), post(one, None), post(one, None)]
    assert len({answer.json()["code"] for answer in [first, *others]}) == 5 == Room.objects.count()


def test_something_else_by_the_same_key_is_refused():
    one = program("zoe", "play", "run")
    assert post(one, "a").status_code == 201
    for body in ({"name": "Max"}, {"seats": 4}):
        other = post(one, "a", **body)
        assert (other.status_code, other.json()["code"]) == (422, "key_reused")
    assert Room.objects.count() == 1


def test_what_was_refused_may_be_sent_again():
    one = program("zoe", "play")
    assert post(one, "a", preset="magic").status_code == 422
    assert post(one, "b", game="chess").status_code == 422
    assert not FirstAnswer.objects.exists()
    assert post(one, "a").status_code == post(one, "b").status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 256, "two words", "ß"])
def test_a_key_that_is_none_is_refused(key):
    answer = post(program("zoe", "play"), key)
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["Idempotency-Key"])
    assert not Room.objects.exists()


def test_a_key_is_good_for_its_person_only_while_they_may_do_this():
    one = program("zoe", "play")
    post(one, "a")
    assert post(program("zoe", "read"), "a").status_code == 403


def test_after_a_day_the_answer_is_gone(monkeypatch):
    one = program("zoe", "play")
    first = post(one, "a").json()["code"]
    FirstAnswer.objects.update(begun_at=clock.now() - timedelta(hours=23))
    monkeypatch.setattr(first_answers, "_swept", float("-inf"))
    first_answers.sweep()
    assert post(one, "a").json()["code"] == first
    FirstAnswer.objects.update(begun_at=clock.now() - timedelta(hours=25))
    monkeypatch.setattr(first_answers, "_swept", float("-inf"))
    first_answers.sweep()
    assert post(one, "a").json()["code"] != first


def test_what_a_dead_process_began_is_begun_anew():
    one = program("zoe", "play")
    post(one, "a")
    FirstAnswer.objects.update(answer=None)
    assert post(one, "a").json()["code"] == "under_way"
    FirstAnswer.objects.update(begun_at=clock.now() - first_answers.DEAD)
    assert post(one, "a").status_code == post(one, "a").status_code == 201
    assert Room.objects.count() == 2, "the first one's table had been stored, as only this test does"


def test_who_took_so_long_that_another_one_has_begun_makes_nothing():
    def make() -> str:
        FirstAnswer.objects.update(begun_at=clock.now() + timedelta(seconds=1))
        Room.objects.create(game="undercover", preset="magic")
        return "late"

    with pytest.raises(first_answers.UnderWay):
        first_answers.answered("zoe", "a", {}, make)
    assert not Room.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_while_the_first_is_under_way_the_same_is_told_so(monkeypatch):
    one, begun, go_on, open_table = program("zoe", "play"), threading.Event(), threading.Event(), tables.open_table

    def slowly(*args, **settings):
        begun.set()
        assert go_on.wait(60)
        return open_table(*args, **settings)

    monkeypatch.setattr(tables, "open_table", slowly)
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(_in_thread, one)
        assert begun.wait(60)
        meanwhile = post(one, "a")
        go_on.set()
        assert first.result().status_code == 201
    assert (meanwhile.status_code, meanwhile.json()["code"]) == (409, "under_way")
    assert post(one, "a").json() == first.result().json()
    assert Room.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_makes_something():
    one, together = program("zoe", "play"), threading.Barrier(6)

    def knock(_number: int):
        together.wait(60)
        return _in_thread(one)

    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(knock, range(6)))
    made = [answer.json() for answer in answers if answer.status_code == 201]
    assert made and all(answer == made[0] for answer in made)
    assert {answer.json()["code"] for answer in answers if answer.status_code != 201} <= {"under_way"}
    assert Room.objects.count() == 1 and post(one, "a").json() == made[0]


def _in_thread(one: Program):
    try:
        return post(one, "a")
    finally:
        connection.close()
