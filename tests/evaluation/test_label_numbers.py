"""Numbers from labels: shares with their items behind them, a paper's table, and metrics that hear people."""

from __future__ import annotations

import csv
import io

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from evaluation.counting import sums
from evaluation.counting.stored import records
from evaluation.counting.sums import Reading
from evaluation.labelling import counted, rounds
from evaluation.labelling.models import Final, Given, Item, Round, Scheme, Task
from evaluation.labelling.premarks import marks
from evaluation.models import MatchSums
from evaluation.records.exposure import role_exposures
from evaluation.tables.published_labels import CATEGORIES, TABLE_IV
from games.models import Match
from games.rules.play import Play
from tests.evaluation.labelled import give_all, raters, task
from tests.games.matches import DEALS, dealt, play_on, stored

pytestmark = pytest.mark.django_db

STEPS = ("exposure", "team", "goal", "memory_distortion", "dissociation", "none")
EXPOSURE = ("secret", "role", "knowledge", "none")


@pytest.fixture
def researcher() -> Client:
    user = User.objects.create_user("rita")
    user.groups.add(Group.objects.get(name="researcher"))
    client = Client()
    client.force_login(user)
    return client


def scheme(name: str, labels: tuple[str, ...], kind: str = "several", version: int = 1) -> Scheme:
    told = {"definition": "", "example": "", "counter": ""}
    rows = [told | {"name": one, "title": one.title(), "key": str(n)} for n, one in enumerate(labels)]
    return Scheme.objects.create(name=name, title=name.title(), version=version, kind=kind, labels=rows)


def round_of(by: Scheme) -> Round:
    return Round.objects.create(task=Task.objects.create(scheme=by), number=1, scheme=by, status="closed")


def held(part: Round, match: Match, anchor: dict, *labels: str, how: str = "agreed", raters: int = 0) -> Final:
    """What holds of a thing, with what so many raters gave it: all the same."""
    item = Item.objects.create(round=part, number=part.items.count() + 1, match=match, anchor=anchor)
    for rater in range(raters):
        Given.objects.create(item=item, pseudonym=f"r{rater}", labels=list(labels))
    return Final.objects.create(item=item, labels=list(labels), how=how)


def spy_match(seed: int) -> Match:
    """A match whose spy, at seat 3, is an agent, and moves at least twice."""
    setting = DEALS["spygame"] | {"spy": 3}
    plays = (play_on(dealt("spygame", "seed004", 5, seed=100 * seed + k, setting=setting)) for k in range(100))
    return stored(next(play for play in plays if _moves(play, 3) > 1 and _moves(play, 4) > 0))


def _moves(play: Play, seat: int) -> int:
    return sum(event.seat == seat and event.request is not None for event in play.log)


def thoughts(match: Match, seat: int) -> list[dict]:
    return [{"request": one.request, "thought": one.n} for one in match.thoughts.filter(seat=seat).order_by("pk")]


@pytest.fixture
def steps() -> list[Match]:
    """Three matches in which two steps of the spy and one of a citizen are labelled."""
    part, found = round_of(scheme("reasoning-steps", STEPS)), [spy_match(seed) for seed in (1, 2, 3)]
    for match, labels in zip(found, (["team", "goal"], ["dissociation"], ["none"]), strict=True):
        first, second, *_ = thoughts(match, 3)
        held(part, match, first, *labels, raters=3)
        held(part, match, second, "none", raters=3)
        held(part, match, thoughts(match, 4)[0], "memory_distortion", raters=3)
    return found


def shown(value) -> tuple[float, int, int]:
    return value.numerator, value.n, value.matches


def test_shares_are_of_items_and_grouped_by_whose_they_are(steps):
    found = list(counted.things(Match.objects.all(), "reasoning-steps", 1))
    assert {thing.by["game"] for thing in found} == {"spygame"}
    by_side = counted.shares(found, "side", STEPS)
    assert {side: row["none"].n for side, row in by_side.items()} == {"citizens": 3, "spy": 6}
    assert shown(by_side["spy"]["dissociation"]) == (1, 6, 3)
    assert shown(by_side["citizens"]["memory_distortion"]) == (3, 3, 3)
    assert set(counted.shares(found, "method", STEPS)) == {"house"}
    assert set(counted.shares(found, "agent", STEPS)) == {"house"}
    won = {thing.held.match: thing.by["outcome"] for thing in found if thing.by["side"] == "spy"}
    assert won == {match.pk: "won" if match.sitters.get(seat=3).won else "lost" for match in steps}


def test_a_thing_is_seen_at_the_move_that_it_led_to(steps):
    (thing, *_) = counted.things(Match.objects.filter(pk=steps[0].pk), "reasoning-steps")
    event = steps[0].events.get(request=thing.held.anchor["request"])
    assert (thing.seat, thing.seq) == (3, event.seq)


def test_a_seat_and_a_whole_match_can_be_labelled(steps):
    part = round_of(scheme("free", ("good", "none"), "single"))
    held(part, steps[0], {"seat": 3}, "good")
    held(part, steps[0], {}, "good")
    seat, whole = counted.things(Match.objects.all(), "free")
    assert (seat.seat, seat.by["side"], seat.seq) == (3, "spy", None)
    assert (whole.seat, whole.by["side"], whole.by["game"]) == (None, "", "spygame")


def test_table_iv_counts_the_spys_steps_and_a_step_of_two_kinds_of_role_ambiguity_once(steps):
    found = counted.steps(Match.objects.all(), 1)
    ((row, cells),) = counted.table_iv(found).items()
    assert row == ("strong", "house")
    assert [shown(cells[one.name]) for one in CATEGORIES] == [(1, 6, 3), (0, 6, 3), (1, 6, 3)]
    told = {one.category.name: one for one in counted.categories(Match.objects.all(), found, 1)}
    assert (told["dissociation"].kappa.value, told["dissociation"].kappa.n) == (1, 6)
    assert told["exposure"].share.n == 0


def test_categories_are_set_beside_the_metrics_of_their_matches(steps):
    links = counted.links(counted.steps(Match.objects.all(), 1))
    assert len(links) == 3 + 4 + 4
    by = {(link.category.name, link.metric): link for link in links}
    caught = by["dissociation", "spygame.notice_rate"]
    assert (caught.having.matches, caught.lacking.matches) == (1, 2)
    assert caught.rows is None, "one row tells of no trend"
    assert by["role_ambiguity", "spygame.vote_rate"].printed.n == 6, "the GPTs were never voted on by weak citizens"


def test_what_is_printed_adds_up_to_what_the_paper_says():
    assert sum(row.steps for row in TABLE_IV.values()) == 506 == CATEGORIES[0].of


def test_the_page_shows_shares_and_leads_to_their_items(steps, researcher):
    page = researcher.get("/numbers/labels/?by=side")
    text = page.content.decode()
    assert "9 labelled items of 3 matches" in " ".join(text.split())
    assert "16.7%" in text and "14.95%" in text and "0.646" in text
    link = next(
        cell["link"]
        for row in page.context["rows"]
        if row["title"] == "spy"
        for cell in row["cells"]
        if "team" in cell["link"]
    )
    behind = researcher.get(link)
    assert behind.context["of"] == 6
    (row,) = behind.context["rows"]
    assert (row["match"], row["labels"], row["seat"]) == (steps[0].pk, ["Team", "Goal"], 3)
    assert f"{steps[0].pk}/?as=all&amp;seq={row['seq']}&amp;seat=3" in behind.content.decode()
    for odd in ("x:1", "reasoning-steps", "9" * 30):
        assert "No such scheme" in researcher.get("/numbers/labels/", {"scheme": odd}).content.decode()
    (cell, *_) = (row["cells"][0] for row in page.context["steps"] if "cells" in row)
    assert [row["match"] for row in researcher.get(cell["link"]).context["rows"]] == [steps[0].pk]


def test_shares_can_be_taken_away_as_a_table(steps, researcher):
    rows = list(csv.DictReader(io.StringIO(researcher.get("/numbers/labels/shares.csv?by=side").content.decode())))
    assert {(row["side"], row["label"]): row["share"][:5] for row in rows}["spy", "dissociation"] == "0.166"


def test_without_labels_the_page_says_so_and_a_scheme_that_is_none_shows_nothing(researcher):
    assert "No labels hold yet" in researcher.get("/numbers/labels/").content.decode()
    assert researcher.get("/numbers/labels/?scheme=x:1&by=x").status_code == 200
    assert researcher.get("/numbers/labels/items/?scheme=x:1&group=y").status_code == 200
    assert researcher.get("/numbers/labels/shares.csv").status_code == 200


@pytest.mark.parametrize("address", ["/numbers/labels/", "/numbers/labels/items/", "/numbers/labels/shares.csv"])
def test_only_researchers_see_numbers_from_labels(address):
    client = Client()
    assert client.get(address).status_code == 302
    client.force_login(User.objects.create_user("ann"))
    assert client.get(address).status_code == 403


# Exposure, as people labelled it --------------------------------------------------------------------------------------


def exposed(match: Match) -> list[int]:
    (record,) = records(Match.objects.filter(pk=match.pk), thoughts=False)
    return [exposure.event.seq for exposure in role_exposures(record)]


def test_metrics_hear_what_people_labelled_and_no_rule_and_no_single_rater():
    match = stored(play_on(dealt("avalon", "recon", 6)))
    said = match.events.filter(kind="speech", data__text__gt="", seat__gt=2).first()
    part = round_of(scheme("exposure", EXPOSURE))
    assert exposed(match) == []
    final = held(part, match, {"event": said.seq}, "role", how="rule")
    assert exposed(match) == [], "the rule alone spoke"
    final.how = "agreed"
    final.save()
    assert exposed(match) == [said.seq]
    newer = round_of(scheme("exposure", EXPOSURE, version=2))
    held(newer, match, {"event": said.seq}, "none", how="adjudicated")
    assert exposed(match) == [], "the newest version counts"


def test_what_was_counted_of_a_match_is_dropped_when_people_label_its_exposure():
    match = stored(play_on(dealt("avalon", "recon", 6)))
    sums.fill(Match.objects.all(), Reading("board"))
    part = round_of(scheme("exposure", EXPOSURE))
    other = held(round_of(scheme("free", ("good",))), match, {}, "good")
    assert MatchSums.objects.exists(), "other labels change no metric"
    final = held(part, match, {"event": 9}, "role")
    assert not MatchSums.objects.exists()
    for change in (lambda: final.save(), lambda: part.task.delete()):
        sums.fill(Match.objects.all(), Reading("board"))
        change()
        assert not MatchSums.objects.exists()
    other.delete()


def test_closing_a_round_of_exposure_drops_what_was_counted_and_its_rule_marks_as_if_nobody_had_labelled():
    match = stored(play_on(dealt("avalon", "recon", 6)))
    by = scheme("exposure", EXPOSURE)
    Scheme.objects.filter(pk=by.pk).update(rule="exposure")
    by.refresh_from_db()
    labelled = task(by, raters("ann", "ben"), per_item=2, many=4)
    assert set(labelled.last.items.values_list("marked", flat=True)[0]) == {"none"}
    sums.fill(Match.objects.all(), Reading("board"))
    give_all(labelled.last, ["role"], *raters("ann", "ben"))
    assert MatchSums.objects.exists(), "nothing holds yet"
    rounds.close(labelled.last)
    assert not MatchSums.objects.exists()
    assert len(exposed(match)) == 4
    assert marks("exposure", [match.pk]) == {}
