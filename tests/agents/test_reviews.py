"""The moments of a match: moves taken back and played on, and what pages are told of it."""

from __future__ import annotations

import json
import re

import pytest
from asgiref.sync import sync_to_async as on_thread
from django.test import Client

from agents import turns
from agents.models import Review
from agents.reviews import moments, reviews, rollouts
from games.jobs import jobs
from games.match import detection
from games.match.view import of_play
from games.models import Job, Match, Room
from games.registry import RULES
from games.rules.play import Play
from games.rules.values import Event
from tests.games.matches import dagger, dealt, play_on, stored, visitor
from tests.games.pages import Page
from tests.games.tables import browser, match_at, play_out, room_of
from tests.people import researcher

pytestmark = pytest.mark.django_db
HIDDEN = [rules.name for rules in RULES.values() if rules.sought]


@pytest.fixture(autouse=True)
def few_runs(monkeypatch, settings):
    """So few runs that a review takes a moment."""
    settings.REVIEW_MS = 4000
    monkeypatch.setattr(moments, "MOST_RUNS", 1)
    monkeypatch.setattr(moments, "MOST_TRIED", 3)


def played(game: str) -> Play:
    return play_on(dealt(game, *RULES[game].quick))


def last_move(play: Play, kind: str) -> Event:
    return next(event for event in reversed(play.log) if event.kind == kind and event.request)


# Effects ------------------------------------------------------------------------------------------------------------


def test_two_ways_that_never_differ_are_no_cost():
    found = rollouts.effect([(True, True), (False, False)] * 50)
    assert found.value == 0
    assert found.low < 0 < found.high
    assert not found.sure


def test_a_cost_is_sure_only_when_its_interval_leaves_zero():
    few, many = ([(False, True)] * n + [(True, True)] * 6 * n + [(True, False)] * (n // 2) for n in (2, 60))
    assert not rollouts.effect(few).sure
    assert rollouts.effect(many).sure
    assert -1 < rollouts.effect(many).low < rollouts.effect(many).value < rollouts.effect(many).high < 0


def test_what_is_won_each_time_is_still_not_quite_a_hundred():
    found = rollouts.effect([(True, False)] * 40)
    assert 0.9 < found.value < 1
    assert found.high == 1


# Runs ---------------------------------------------------------------------------------------------------------------


def test_a_move_that_decides_wins_or_loses_in_each_run():
    forked = rollouts.Forked(dagger(right=False), last_move(dagger(right=False), "assassinate"))
    assert [forked.wins({"seat": 3}, number) for number in range(3)] == [True] * 3
    assert [forked.wins({"seat": 6}, number) for number in range(3)] == [False] * 3
    assert {"seat": 3} in forked.others()
    assert forked.own not in forked.others()


def test_the_same_number_gives_the_same_run():
    play = played("avalon")
    move = last_move(play, "team_vote")
    runs = [[rollouts.Forked(play, move).wins({"approve": True}, number) for number in range(6)] for _ in range(2)]
    assert runs[0] == runs[1]


def test_what_others_answered_at_the_same_moment_stands():
    """A vote that was in the minority by far changes nothing of its tally."""
    play = dealt("avalon", "official", 5, discussion="none")
    while play.state.phase != "vote":
        request = next(one for one in play.state.open.values() if one.waits)
        play.act(request.seat, request.id, {"seats": list(range(1, play.state.team_size + 1))}, "person")
    for seat in (1, 2, 3, 4, 5):
        request = next(one for one in play.state.open.values() if one.seat == seat and one.kind == "team_vote")
        play.act(seat, request.id, {"approve": True}, "person")
    forked = rollouts.Forked(play, next(event for event in play.log if event.kind == "team_vote" and event.seat == 1))
    assert [event.seat for event in forked.meanwhile] == [2, 3, 4, 5]


# Moments ------------------------------------------------------------------------------------------------------------


def test_the_wrong_name_under_the_dagger_is_the_moment_that_cost_most(monkeypatch, settings):
    monkeypatch.setattr(moments, "MOST_RUNS", 15)
    settings.REVIEW_MS = 6000
    play = dagger(right=False)
    found = moments.review(play, 1)
    worst = min(found, key=lambda moment: moment.effect.value)
    assert play.log[worst.seq - 1].kind == "assassinate"
    assert worst.instead == {"seat": 3}
    assert worst.effect.sure
    assert worst.effect.value < -0.8


def test_even_a_small_budget_measures_a_late_move_well(monkeypatch, settings):
    """Early moves, from which a whole match has to be played on, leave enough of it."""
    monkeypatch.setattr(moments, "MOST_RUNS", 300)
    monkeypatch.setattr(moments, "MOST_TRIED", 7)
    settings.REVIEW_MS = 600
    found = moments.review(dagger(right=False), 1)
    late = next(moment for moment in found if moment.instead == {"seat": 3})
    assert late.effect.sure
    assert late.effect.n >= 20
    assert len(found) > 1


@pytest.mark.parametrize("game", HIDDEN)
def test_a_review_is_of_the_seats_own_moves_and_comes_out_the_same(game):
    play = played(game)
    found = moments.review(play, 1)
    assert found == moments.review(play, 1)
    assert len(found) <= 3
    assert [moment.seq for moment in found] == sorted({moment.seq for moment in found})
    for moment in found:
        move = play.log[moment.seq - 1]
        assert (move.seat, move.by) == (1, "person")
        json.dumps(moment._asdict())


@pytest.mark.parametrize("game", HIDDEN)
def test_what_a_seat_could_have_known_follows_from_what_it_saw(game):
    """The same for a match that goes on otherwise, and in which others hold what the seat could not see."""
    play = played(game)
    seat, found = next((seat, found) for seat in play.header.names if (found := moments.review(play, seat)))
    for moment in found:
        cut = Play(play.rules, play.header, play.log[: moment.seq])
        review = play.rules.part("house.review")
        at = rollouts.Forked(play, play.log[moment.seq - 1])
        seen = of_play(cut, seat, moment.seq - 1)
        told = review.known(turns.situation(cut, at.request, cut.header.names, seen=seen), play.log[moment.seq - 1])
        assert told == moment.known


def test_what_was_said_is_explained_by_the_team_that_was_on_the_table():
    play = dagger(right=True)
    review = play.rules.part("house.review")
    names = dict(enumerate(("Ann", "Ben", "Cara", "Dan", "Eva", "Finn"), 1))
    spoken = [event for event in play.log if event.kind == "speech"]
    assert spoken
    for speech in spoken:
        at = rollouts.Forked(play, speech)
        seen = of_play(play, speech.seat, speech.seq - 1)
        known = review.known(turns.situation(play, at.request, play.header.names, seen=seen), speech)
        team = next(event for event in reversed(play.log[: speech.seq]) if event.kind == "team").data["seats"]
        called = ", ".join(names[seat] for seat in sorted(team))
        told = review.told_known("speech", speech.data, known, names)
        assert told.startswith(f"When this was said, the team on the table was {called}.")


# Pages --------------------------------------------------------------------------------------------------------------


def over(game: str = "avalon", **settings) -> Match:
    return stored(play_on(dealt(game, *RULES[game].quick)), room=room_of(0, game, *RULES[game].quick, **settings))


def worked(match: Match, seat: int) -> Match:
    reviews.ask(match, seat)
    jobs.work(Job.objects.get(kind="review", key=f"{match.pk}:{seat}", state="waiting").pk)
    return match


def replay(client: Client, match: Match, seat: int | str) -> str:
    return client.get(f"/m/{match.pk}/", {"as": seat}).content.decode()


def heading(page: str) -> str | None:
    """How the moments of a seat are headed on a page."""
    found = re.search(r"<h3>\s*([^<]*moment[^<]*?)\s*</h3>", page, re.IGNORECASE)
    return found and found[1]


@pytest.mark.parametrize("game", HIDDEN)
def test_who_played_is_shown_the_moments_of_their_seat_at_the_table(game):
    preset, seats = RULES[game].quick
    match = match_at(room_of(1, game, preset, seats), dealt(game, preset, seats).header.setting)
    play_out(match)
    page = browser("key-1").get(f"/t/{match.room.code}/").content.decode()
    assert "How the match went" in page
    assert "are being worked out" in page
    job = Job.objects.get(kind="review")
    assert job.given == {"match": str(match.pk), "seat": 1}
    jobs.work(job.pk)
    page = browser("key-1").get(f"/t/{match.room.code}/").content.decode()
    assert "are being worked out" not in page
    review = Review.objects.get()
    assert heading(page) == {3: "Your three moments", 2: "Your moments", 1: "Your moment"}[len(review.moments)]
    assert all(f"?as=1&amp;seq={moment['seq']}#" in page for moment in review.moments)


@pytest.mark.django_db(transaction=True)
async def test_the_moments_come_without_a_reload_to_the_page_of_their_seat_alone():
    match = await on_thread(lambda: match_at(room_of(2, "avalon", "recon", 6)))()
    ann, ben = [await Page(match.room, person).open() for person in ("key-1", "key-2")]
    await on_thread(play_out)(match)
    for page in (ann, ben):
        await page.rest()
        assert "How the match went" in page.html()
        assert "are being worked out" in page.html()
        page.texts.clear()
    job = await on_thread(Job.objects.get)(kind="review", key=f"{match.pk}:1")
    await on_thread(jobs.work)(job.pk)
    await ann.rest()
    assert (heading(ann.html()) or "").startswith("Your ")
    assert "are being worked out" not in ann.html()
    assert await ben.silent()
    for page in (ann, ben):
        await page.close()


def test_nothing_is_worked_out_while_the_match_runs():
    match = match_at(room_of(6, "avalon", "recon", 6))
    page = browser("key-1").get(f"/t/{match.room.code}/").content.decode()
    assert "How the match went" not in page
    assert not Job.objects.filter(kind="review").exists()
    reviews.ask(match, 1)
    job = Job.objects.get(kind="review")
    jobs.work(job.pk)
    job.refresh_from_db()
    assert (job.state, Review.objects.count()) == ("failed", 0)


def test_others_at_the_table_are_shown_the_curve_alone():
    match = worked(over(), 1)
    match.room.watching = Room.Watching.LIVE
    match.room.save()
    page = visitor("eve").get(f"/t/{match.room.code}/").content.decode()
    assert "How the match went" in page
    assert "moments" not in page[page.index("How the match went") :].split("</section>")[0].lower()


def test_a_replay_shows_the_moments_of_a_seat_to_whom_that_seat_is_open():
    closed = worked(over(afterwards=Room.Afterwards.RESEARCHERS), 1)
    assert visitor("eve").get(f"/m/{closed.pk}/", {"as": 1}).status_code == 403
    assert (heading(replay(visitor("ann"), closed, 1)) or "").startswith("Your ")
    assert (heading(replay(researcher(), closed, 1)) or "").endswith(" of this seat")
    assert "moments" not in replay(researcher("joe"), closed, "public")


def test_a_replay_has_no_review_as_long_as_anybody_is_asked_who_was_an_agent():
    match = match_at(room_of(2, "avalon", "recon", 6, agents_named=False))
    play_out(match)
    match.refresh_from_db()
    for seat in (1, 2):
        page = replay(browser("key-1"), match, 1)
        assert "data-oddsline" not in page
        assert 'id="review"' not in page
        detection.answer(match, seat, None)
    page = replay(browser("key-1"), match, 1)
    assert "data-oddsline" in page
    assert (heading(page) or "").startswith("Your ")


def test_the_moments_of_another_seat_are_worked_out_on_request():
    match, client = over(), researcher()
    assert "Work out up to three moments" in replay(client, match, 3)
    assert not Job.objects.filter(kind="review").exists()
    assert client.post(f"/m/{match.pk}/review/", {"seat": "3"}).status_code == 302
    assert "are being worked out" in replay(client, match, 3)
    assert Job.objects.filter(kind="review", key=f"{match.pk}:3").count() == 1


@pytest.mark.parametrize("seat", ["", "public", "all", "9", "x"])
def test_only_a_seat_that_one_may_see_is_worked_out(seat):
    match = over(afterwards=Room.Afterwards.RESEARCHERS)
    assert visitor("ann").post(f"/m/{match.pk}/review/", {"seat": seat or "2"}).status_code == 403
    assert not Job.objects.filter(kind="review").exists()


def test_a_review_holds_no_words_and_counts_no_more_once_some_were_erased():
    match = worked(over(), 1)
    said = {event.data["text"] for event in match.events.plain() if event.data.get("text")}
    kept = json.dumps(Review.objects.get().moments)
    assert not [text for text in said if text in kept]
    Match.objects.filter(pk=match.pk).update(erasures=1)
    match.refresh_from_db()
    assert reviews.kept(match, 1) is None


def test_a_review_of_other_code_counts_no_more():
    match = worked(over(), 1)
    assert reviews.kept(match, 1) is not None
    Review.objects.update(version="of before")
    assert reviews.kept(match, 1) is None
    worked(match, 1)
    assert Review.objects.get().version == reviews.version("avalon")


def test_it_goes_with_its_match():
    match = worked(over(), 1)
    match.delete()
    assert not Review.objects.exists()


def test_only_sure_costs_are_said():
    match = worked(over(), 1)
    row = Review.objects.get()
    seq = row.moments[0]["seq"]
    for effect, said in (([-0.12, -0.16, -0.08, 90], True), ([-0.12, -0.3, 0.06, 90], False)):
        row.moments = [row.moments[0] | {"effect": effect}]
        row.save()
        page = replay(visitor("ann"), match, 1)
        assert f"seq={seq}" in page
        assert ("What it cost" in page, "12" in page and "(8 to 16)" in page) == (said, said)
        assert "What it won" not in page
