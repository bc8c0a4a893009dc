"""Comparing: which moments of two stories stand together, what is believed beside the truth, and who may look."""

from __future__ import annotations

from itertools import islice

import pytest
from django.test import Client

from evaluation.counting import stored as records
from evaluation.desk import beside
from evaluation.desk.courses import courses
from evaluation.models import Bout, Competition, Trial
from games.match import examples
from games.match.view import of_play
from games.models import Match, Room
from games.registry import RULES
from games.rules import kit
from games.web.replay import Step
from tests.games.matches import dealt, play_on, stored, visitor
from tests.kept import kept
from tests.markup import tight

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def loaded(django_db_setup, django_db_blocker):
    with kept(django_db_blocker):
        examples.load()
        yield


def example(method: str) -> Match:
    return Match.objects.get(origin=Match.Origin.EXAMPLE, labels__method=method)


def steps(*kinds: tuple[int, str, int | None]) -> list[Step]:
    return [Step(seq, kind, seat, seq, False) for seq, kind, seat in kinds]


def seqs(left, right, *, same=False) -> list[tuple[int, int]]:
    return [at for at, _step in beside.together(left, right, same=same)]


def test_two_viewers_of_one_match_stand_at_the_same_event():
    left, right = steps((1, "opened", None), (2, "dealt", 1)), steps((1, "opened", None), (3, "clue", 1))
    assert seqs(left, right, same=True) == [(1, 1), (2, 1), (2, 3)]


def test_the_nth_of_a_kind_stands_beside_the_nth_and_nobody_goes_back():
    left = steps((1, "clue", 1), (2, "clue", 2), (3, "vote", 1), (4, "finished", None))
    right = steps((1, "clue", 1), (2, "poll", 1), (3, "clue", 2), (4, "finished", None))
    assert seqs(left, right) == [(1, 1), (1, 2), (2, 3), (3, 3), (4, 4)]
    assert seqs(left, []) == [(1, 0), (2, 0), (3, 0), (4, 0)]


def test_matches_of_one_deal_are_those_with_its_setting_and_its_seed():
    one, same, other = (stored(play_on(dealt("undercover", "magic", 3, seed=seed))) for seed in (7, 7, 8))
    assert list(beside.of_one_deal(one, Match.objects.all())) == [same]
    assert one not in beside.of_one_deal(other, Match.objects.all())


def test_a_researcher_sees_two_matches_of_a_deal_and_the_page_offers_them(researcher):
    one, same = (stored(play_on(dealt("avalon", "recon", 6), moves)) for moves in (None, 12))
    page = researcher.get("/desk/compare/", {"left": one.pk})
    assert [side["as"] for side in page.context["sides"]] == ["3", "4"], "two seats that thought"
    assert f'value="{same.pk}"' in page.content.decode()
    page = researcher.get("/desk/compare/", {"left": one.pk, "right": same.pk, "at": 10})
    assert [side["as"] for side in page.context["sides"]] == ["all", "all"]
    assert page.context["position"] == 10
    other = stored(play_on(dealt("undercover", "magic", 3)))
    assert researcher.get("/desk/compare/", {"left": one.pk, "right": other.pk}).status_code == 403


@pytest.mark.parametrize("path", ["compare/?left={0}", "compare/?left={1}&right={0}", "beliefs/{0}/", "moment/{0}/"])
def test_nobody_compares_what_they_play(researcher, path):
    room = Room.objects.create(game="undercover", preset="magic", host="ann")
    mine, other = (stored(play_on(dealt("undercover", "magic", 3), 2)) for _ in range(2))
    Match.objects.filter(pk=mine.pk).update(room=room)
    address = f"/desk/{path.format(mine.pk, other.pk)}"
    assert researcher.get(address).status_code != 403
    mine.sitters.filter(seat=1).update(person="eve")
    Match.objects.filter(pk=mine.pk).update(seating=1)
    playing = visitor("eve")
    playing.cookies.update(researcher.cookies)
    assert playing.get(address).status_code == 403


@pytest.mark.parametrize("path", ["compare/?left={}", "beliefs/{}/", "moment/{}/"])
def test_it_is_for_researchers_even_of_what_is_open(path):
    match = example("recon")
    assert Client().get(f"/desk/{path.format(match.pk)}").status_code == 302


@pytest.mark.parametrize("left", ["", "x", "00000000-0000-4000-8000-000000000000"])
def test_what_is_no_match_is_said(researcher, left):
    assert researcher.get("/desk/compare/", {"left": left}).status_code == 404


def test_beliefs_stand_beside_the_truth_and_in_avalon_beside_exact_reasoning(researcher):
    match = example("recon")
    [record] = records.records(Match.objects.filter(pk=match.pk))
    found = courses(record)
    assert [one.seat for one in found] == [1, 2, 3, 4, 5, 6]
    servant = next(one for one in found if record.roles[one.seat] == "servant")
    assert servant.sought == record.odd
    first, last = servant.moments[0], servant.moments[-1]
    assert sum(first.exact.values()) == pytest.approx(2), "two are evil among the others"
    assert last.exact_loss < first.exact_loss < 1 and first.even_loss == last.even_loss
    page = tight(researcher.get(f"/desk/beliefs/{match.pk}/"))
    assert "exact reasoning" in page and "in truth evil" in page and page.count("<svg") >= 12


@pytest.mark.parametrize("name", [name for name, rules in RULES.items() if rules.exact])
def test_exact_reasoning_says_of_every_other_seat_how_probable_it_is(name):
    rules = RULES[name]
    for case in islice(kit.kit_cases(rules), 4):
        play = kit.play_through(case)
        sought = list(rules.sides(play.state).values()).count(rules.sought)
        for seat in range(1, case.seats + 1):
            seen = of_play(play, seat)
            held = rules.part(rules.exact).suspicions(seat, seen.events)
            assert sorted(held) == [other for other in range(1, case.seats + 1) if other != seat]
            own = rules.own_side(rules.card(seen.state, seat)) == rules.sought
            assert sum(held.values()) == pytest.approx(sought - own)


def test_a_game_without_exact_reasoning_has_its_beliefs_alone(researcher):
    page = tight(researcher.get(f"/desk/beliefs/{example('pgm').pk}/"))
    assert "an even guess" in page and "exact reasoning" not in page and "in truth undercover" in page


def test_what_was_played_stands_beside_what_others_answered_there(researcher):
    match = example("recon")
    thought = match.thoughts.order_by("pk").first()
    position = {"match": str(match.pk), "game": match.game, "preset": match.preset, "request": thought.request}
    Trial.objects.create(agent="other", position=position, action={"seats": [1]}, done=True)
    Trial.objects.create(agent="elsewhere", position=position | {"request": "1:1:x"}, done=True)
    page = researcher.get(f"/desk/moment/{match.pk}/", {"request": thought.request})
    assert [answer["title"] for answer in page.context["answers"]] == ["example-recon", "other"]
    assert researcher.get(f"/desk/moment/{match.pk}/", {"request": "9:9:none"}).status_code == 404


def test_a_replay_leads_to_the_next_match_of_its_competition_and_back(researcher):
    competition = Competition.objects.create(name="Two", suite="magic", entry={})
    matches = [stored(play_on(dealt("undercover", "magic", 3, seed=seed))) for seed in (7, 8, 9)]
    for number, match in enumerate([matches[0], None, matches[1], matches[2]], 1):
        Bout.objects.create(
            competition=competition, number=number, game="undercover", preset="magic", agents=[], seed=1, match=match
        )
    page = tight(researcher.get(f"/m/{matches[1].pk}/?as=all"))
    assert f'href="/m/{matches[0].pk}/?as=all" rel="prev"' in page
    assert f'href="/m/{matches[2].pk}/?as=all" rel="next"' in page
    assert 'rel="prev">match before' not in tight(researcher.get(f"/m/{matches[0].pk}/?as=all"))
