"""A printed table is played again: arms and cost are told before, its numbers stand beside the printed ones after."""

from __future__ import annotations

import html
import io

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.urls import reverse

from agents import call_settings
from agents.models import AgentProfile, Call, ModelPrice
from evaluation.competitions import rehearsal, running
from evaluation.competitions.reproductions import REPRODUCTIONS, results
from evaluation.counting import boards
from evaluation.management.commands import compete
from evaluation.models import Competition
from evaluation.suites import SUITES
from evaluation.tables.filling import tables
from evaluation.tables.papers import SPECS
from evaluation.tables.published import TABLES as PUBLISHED
from games.jobs import jobs

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(autouse=True)
def fixtures(workers):
    cache.clear()
    call_command("load_fixtures", verbosity=0)
    return workers


def text(response):
    return html.unescape(response.content.decode())


def told(*args, **options):
    out = io.StringIO()
    call_command("reproduce", *args, stdout=out, stderr=out, **options)
    return out.getvalue()


@pytest.mark.parametrize("found", REPRODUCTIONS.values(), ids=lambda found: found.name)
def test_each_arm_is_a_printed_row_and_a_profile_that_plays_the_suite(found):
    printed = {row.label for table in tables([], found.tables).values() for row in table.rows if row.printed}
    names = set(AgentProfile.objects.values_list("name", flat=True))
    suite = SUITES[found.suite]
    assert set(found.tables) <= SPECS.keys()
    assert set(found.defenders) <= set(suite.parts)
    for arm in found.arms:
        assert arm.row in printed
        assert not arm.profile or arm.profile in names
    usable = set(AgentProfile.objects.filter(active=True).values_list("name", flat=True))
    planned, _profiles = running.plan(found.suite, found.entry({}, {}, usable, take=4))
    assert len(planned) == 4


def test_every_printed_table_of_a_paper_that_has_a_suite_can_be_played_again():
    shown = {name for found in REPRODUCTIONS.values() for table in found.tables for name in SPECS[table].printed}
    beside = {
        name for name in PUBLISHED if name.startswith(("wiu.", "recon.", "spygame.")) and "method" not in name
    } - {"spygame.logs"}
    assert beside <= shown


def test_the_cost_is_told_before_anything_is_played_and_no_model_is_asked(workers):
    ModelPrice.objects.update_or_create(model="gpt-4o-mini", defaults={"tokens_in": 1.0, "tokens_out": 2.0})
    call_settings.forget()
    left_out = [f"{arm.row}=" for arm in REPRODUCTIONS["wiu"].arms[1:]]
    answer = told("wiu", matches=2, arm=[*left_out, "MPTT w/o Phase I=house"])
    assert "Who is Undercover?, tables 1 and 2: 4 matches" in answer
    assert "Baseline (CoT): openai-wiu-baseline, 2 matches, about " in answer
    assert "MPTT: left out" in answer
    assert "MPTT w/o Phase I: house, 2 matches, about 0 calls, 0 tokens in and 0 out, $0.00" in answer
    assert "No price is known" not in answer
    assert "Nothing was played." in answer
    assert not Competition.objects.exists() and not Call.objects.exists()


def test_an_arm_whose_agent_is_turned_off_is_left_out_and_said_so():
    AgentProfile.objects.filter(name="openai-mptt").update(active=False)
    rows = [arm.row for arm in REPRODUCTIONS["wiu"].arms if arm.profile != "openai-mptt"]
    answer = told("wiu", matches=1, arm=["Baseline (CoT)=house", *(f"{row}=" for row in rows[1:])])
    assert "MPTT: left out, since openai-mptt is turned off" in answer


def test_a_profile_that_plays_two_rows_is_told_at_both():
    rows = [arm.row for arm in REPRODUCTIONS["wiu"].arms]
    answer = told("wiu", matches=1, arm=[f"{row}=house" for row in rows[:2]] + [f"{row}=" for row in rows[2:]])
    assert f"{rows[0]}: house, 1 matches, about 0 calls" in answer
    assert f"{rows[1]}: house, the same matches as {rows[0]}" in answer


def test_a_defender_that_is_left_empty_is_the_suites_own():
    found = REPRODUCTIONS["recon"]
    assert found.entry({}, {"cot": ""}, ()).defenders == dict(SUITES["recon"].parts)


def test_a_rehearsal_asks_what_a_match_asks_and_costs_what_its_prices_say():
    found = REPRODUCTIONS["wiu"]
    ModelPrice.objects.all().delete()
    left_out = dict.fromkeys((arm.row for arm in found.arms[1:-1]), "")
    planned, profiles = running.plan(
        "wiu", found.entry(left_out, {}, {"openai-mptt", "openai-wiu-baseline"}, matches=1)
    )
    free = rehearsal.estimate(planned, profiles)
    assert free["openai-mptt"].calls > free["openai-wiu-baseline"].calls > 10
    assert free["openai-mptt"].unpriced == {"gpt-4o-mini"}
    ModelPrice.objects.create(model="gpt-4o-mini", tokens_in=1.0, tokens_out=2.0)
    call_settings.forget()
    priced = rehearsal.estimate(planned, profiles)["openai-mptt"]
    assert priced.cost == pytest.approx((priced.tokens_in + 2 * priced.tokens_out) / 1e6)


def play_here(command, competition, processes):
    """In this process, since a fork has no database in memory."""
    while keys := running.take(competition, 64):
        for key in keys:
            jobs.work(key)


def test_a_command_plays_it_and_shows_it_beside_the_paper(monkeypatch):
    monkeypatch.setattr(compete.Command, "play", play_here)
    arms = [f"{arm.row}=" for arm in REPRODUCTIONS["wiu"].arms[1:]]
    answer = told("wiu", matches=2, arm=["Baseline (CoT)=house", *arms], yes=True)
    assert "2 matches played, 0 failed" in answer
    assert "wiu.civilian, Baseline (CoT) (house)" in answer
    assert "wiu.victory: printed 0.750, here " in answer and "too few for an interval" in answer
    assert "The comparison does not hold: the paper's rows are against the same profile" in answer


@pytest.mark.parametrize(
    "wrong", [{"arm": ["nobody=house"]}, {"arm": ["MPTT"]}, {"defender": ["x=house"]}, {"arm": ["MPTT=nobody"]}]
)
def test_wrong_arguments_are_a_sentence(wrong):
    with pytest.raises(CommandError):
        told("wiu", **wrong)


def test_the_page_tells_the_cost_and_begins_only_then(client, fixtures):
    client.force_login(User.objects.create_superuser("ada", password="a"))
    address = reverse("evaluation:reproduce", args=["spygame"])
    page = client.get(address)
    assert "Play again: SpyGame, tables II and III" in text(page)
    given = {name: field.initial or "" for name, field in page.context["form"].fields.items()}
    given |= {
        "arm_0": "house",
        "arm_1": "",
        "arm_2": "",
        "part_strong": "house",
        "part_weak": "house-weak",
        "take": "4",
    }
    asked = client.get(address, given | {"cost": "1"})
    assert "is being rehearsed" in text(asked) and "What to expect" not in text(asked), "a worker does that"
    fixtures.work("count")
    asked = client.get(address, given | {"cost": "1"})
    assert "What to expect" in text(asked) and not Competition.objects.exists()
    assert client.get(address, given | {"cost": "1", "take": "x"}).status_code == 422
    made = client.post(address, given)
    competition = Competition.objects.get()
    assert made.url == reverse("evaluation:competition", args=[competition.pk])
    fixtures.play()
    assert reverse("evaluation:beside", args=[competition.pk]) in text(client.get(made.url))
    shown = text(client.get(reverse("evaluation:beside", args=[competition.pk])))
    assert "SpyGame, tables II and III, printed and here" in shown
    assert "80.9" in shown or "81.0" in shown, "the printed winning rate of GPT-4"
    assert "The comparison with the paper does not hold:" in shown
    assert "Play this table again" in text(client.get("/numbers/spygame/"))
    board = boards.board(boards.Choice(competition=str(competition.pk)))
    found = results(REPRODUCTIONS["spygame"], competition.entry, board.data["tables"])
    assert {(one.row, one.played) for one in found} == {("GPT-4", True)}


def test_only_who_may_run_competitions_plays_tables_again(client, researcher):
    page = researcher.get("/numbers/spygame/")
    may = page.context["runs"]
    assert ("Play this table again" in text(page)) == may
    client.logout()
    assert client.get(reverse("evaluation:reproduce", args=["wiu"])).status_code == 302
    client.force_login(User.objects.create_user("bob", password="b"))
    assert client.get(reverse("evaluation:reproduce", args=["wiu"])).status_code == 403
    assert client.get("/competitions/reproduce/nothing/").status_code == 403
