"""A notebook is its person's: kept on the server, shown on their own pages alone, erased with them. Its marks reach
research only by their own hand, after the match, and without any words."""

from __future__ import annotations

import pytest

from evaluation.counting.stored import records
from evaluation.records.record import Mark
from games.match import notebooks
from games.match.erasing import erase
from games.models import Match, Notebook, Notes
from games.refused import Refused
from games.rules.values import OMNISCIENT
from tests.games.matches import exported
from tests.games.pages import Page
from tests.games.tables import HTMX, browser, match_at, play_out, quick_match, room_of

pytestmark = pytest.mark.django_db
WORDS = {"civilian_word": "coffee", "undercover_word": "tea"}
SECRET = "Ben hesitates at round three"


@pytest.fixture
def match():
    return match_at(room_of(4, "undercover", "party", 4), WORDS)


def over(match: Match) -> Match:
    play_out(match)
    return Match.objects.get(pk=match.pk)


def write(match: Match, person: str = "key-1", text: str = SECRET, **posted):
    return browser(person).post(f"/t/{match.room.code}/notes/", {"text": text, **posted}, **HTMX)


def page(match: Match, person: str) -> str:
    return browser(person).get(f"/t/{match.room.code}/").content.decode()


def test_what_one_writes_and_marks_is_there_on_another_device_and_on_nobody_elses_page(match):
    before = [page(match, person) for person in ("key-2", "nobody")]
    assert write(match, **{"seat.2": "doubt", "seat.3": "unsure"}).status_code == 204
    assert SECRET in page(match, "key-1")
    assert 'value="doubt" checked' in " ".join(page(match, "key-1").split())
    for person, old in zip(("key-2", "nobody"), before, strict=True):
        assert SECRET not in page(match, person)
        assert page(match, person).count("checked") == old.count("checked")
    over(match)
    for person in ("key-2", "nobody"):
        assert SECRET not in page(match, person)
    assert SECRET not in str(exported(match, OMNISCIENT))


@pytest.mark.django_db(transaction=True)
async def test_no_socket_but_the_own_one_carries_it(match):
    from asgiref.sync import sync_to_async as on_thread

    await on_thread(write)(match)
    own, other, onlooker = [await Page(match.room, person).open() for person in ("key-1", "key-2", "")]
    assert SECRET in own.html()
    assert SECRET not in other.html() + onlooker.html()
    for one in (own, other, onlooker):
        await one.close()


def test_without_scripts_it_is_a_form_that_leads_back_to_the_page(match):
    answer = browser("key-1").post(f"/t/{match.room.code}/notes/", {"text": SECRET}, follow=True)
    assert answer.redirect_chain == [(f"/t/{match.room.code}/", 302)]
    assert SECRET in answer.content.decode()


def test_what_was_marked_is_kept_with_the_event_that_was_seen_then(match):
    write(match, **{"seat.2": "trust", "seq": "2"})
    write(match, **{"seat.2": "trust", "seat.3": "doubt", "seq": "4"})
    write(match, **{"seat.2": "unsure", "seat.3": "doubt", "seq": "999999"})
    last = match.events.exclude(audience__isnull=False).last().seq
    assert Notes.objects.get().marks == [[2, 2, "trust"], [4, 3, "doubt"], [last, 2, "unsure"]]


@pytest.mark.parametrize("posted", [{"seat.2": "words of mine"}, {"seat.1": "doubt"}, {"text": "x" * 4001}])
def test_what_cannot_be_kept_is_refused_in_a_sentence_and_what_was_kept_stays(match, posted):
    write(match)
    answer = write(match, **posted)
    assert answer.status_code == 409
    assert "othing was kept" in answer.content.decode()
    assert Notes.objects.get().text == SECRET


def test_only_words_that_lie_open_can_be_crossed_out():
    match = quick_match("spygame")
    place = match.setting["places"][0]
    write(match, struck=[place, "a word of my own"])
    assert Notes.objects.get().struck == [place]


def test_who_sits_nowhere_has_no_notebook(match):
    assert write(match, "nobody").status_code == 409
    assert not Notes.objects.exists()


def test_given_marks_are_read_as_trust_and_doubt_at_the_event_before_them(match):
    for seq, steps in ((9, {2: "trust"}), (12, {2: "doubt", 3: "trust"}), (13, {3: "unsure"})):
        notebooks.keep(match, "key-1", "", steps, [], seq)
    found = over(match)
    notebooks.give(found, "key-1")
    notebooks.keep(found, "key-1", "", {4: "doubt"}, [], 14)
    notebooks.give(found, "key-1")
    (record,) = records(Match.objects.all())
    given = [Mark(1, 2, False, 9), Mark(1, 2, True, 12), Mark(1, 3, False, 12)]
    assert record.marks == given, "what was given first stays"


def test_while_a_match_runs_for_onlookers_and_without_marks_there_is_nothing_to_give(match):
    notebooks.keep(match, "key-1", SECRET, {2: "doubt"}, [], 3)
    with pytest.raises(Refused):
        notebooks.give(match, "key-1")
    found = over(match)
    for person in ("nobody", "key-2"):
        with pytest.raises(Refused):
            notebooks.give(found, person)
    assert not Notebook.objects.exists()


def test_a_person_gives_marks_at_the_own_table_and_is_asked_no_more(match):
    write(match, **{"seat.2": "doubt"})
    assert "Give my marks" not in page(match, "key-1")
    over(match)
    assert "Give my marks" in page(match, "key-1")
    answer = browser("key-1").post(f"/t/{match.room.code}/notebook/", **HTMX)
    assert answer.status_code == 200
    assert "Give my marks" not in answer.content.decode()
    assert [(given.seat, given.marks[0][1:]) for given in Notebook.objects.all()] == [(1, [2, "doubt"])]


def test_erasing_a_person_erases_their_notebook_and_what_they_gave(match):
    for person, other in (("key-1", 2), ("key-2", 1)):
        notebooks.keep(match, person, SECRET, {other: "doubt"}, [], 3)
    found = over(match)
    for person in ("key-1", "key-2"):
        notebooks.give(found, person)
    erase("key-1")
    assert [given.seat for given in Notebook.objects.all()] == [2]
    assert [notes.person for notes in Notes.objects.all()] == ["key-2"]
