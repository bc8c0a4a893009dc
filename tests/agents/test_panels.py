"""Panels of agents' minds: each method's stages in order, drafts beside one another, the summary as it grows, prompts
on demand; nobody sees them but those who may."""

from __future__ import annotations

import html
import json
import re

import pytest
from django.contrib.auth.models import Group, User
from django.core import signing
from django.core.management import call_command

from games.match import writer
from games.match.rows import Thought
from games.models import Match
from games.room import people
from tests.games.matches import prompted
from tests.kept import kept


@pytest.fixture
def client_of(client, db):
    def of(group: str | None):
        user = User.objects.create_user(group or "nobody", password="a")
        if group:
            user.groups.add(Group.objects.get(name=group))
        client.force_login(user)
        return client

    return of


@pytest.fixture(scope="module")
def key_of_a_match(django_db_setup, django_db_blocker):
    """A played match of house agents."""
    with kept(django_db_blocker):
        call_command("load_fixtures", verbosity=0)
        call_command("simulate", "undercover", "wiu", matches=1, store=True, verbosity=0)
        yield Match.objects.get().pk


@pytest.fixture
def match_of(key_of_a_match):
    """The match with these thoughts for one of its moves: gives it and the seq of the move."""

    def of(thoughts):
        match = Match.objects.get(pk=key_of_a_match)
        move = match.events.filter(kind="clue").last()
        match.thoughts.all().delete()
        Thought.objects.bulk_create(
            Thought(
                match=match, at=move.at, request=move.request, seat=move.seat, model="m", n=n, **pooled(match, fields)
            )
            for n, fields in enumerate(thoughts, 1)
        )
        return match, move

    return of


def pooled(match, fields):
    rest = {name: value for name, value in fields.items() if name != "prompt"}
    return rest | {"pieces": prompted(match, fields["prompt"]) if "prompt" in fields else []}


def panel(client, match, move, query=""):
    return html.unescape(client.get(f"/m/{match.pk}/thoughts/?seq={move.seq}&seat={move.seat}{query}").content.decode())


RECON = [
    {
        "method": "recon",
        "stage": "think",
        "prompt": "the prompt number 1",
        "reply": "I hide.",
        "data": {"value": "I hide."},
        "cost": 0.01,
    },
    {
        "method": "recon",
        "stage": "speak",
        "prompt": "the prompt number 2",
        "reply": "{}",
        "data": {"action": {"text": "worn on a head"}},
    },
    {
        "method": "recon",
        "stage": "refine",
        "prompt": "the prompt number 3",
        "reply": "{}",
        "data": {"action": {"text": "worn by some"}, "thought": "Vaguer."},
    },
]


def test_both_drafts_stand_side_by_side_with_the_difference_marked(client_of, match_of):
    client = client_of("researcher")
    shown = panel(client, *match_of(RECON))
    assert re.findall(r'data-stage="(\w+)"', shown) == ["think", "speak", "refine"]
    assert "<del>on a head</del>" in shown
    assert "<ins>by some</ins>" in shown
    assert "Vaguer." in shown
    assert "$0.0100" in shown


def test_the_summary_is_shown_as_it_grows(client_of, match_of):
    client = client_of("researcher")
    match, move = match_of([{"method": "mptt", "stage": "summary", "data": {"summary": "Ann is a friend."}}])
    earlier = match.events.filter(seat=move.seat, request__isnull=False, seq__lt=move.seq).first()
    Thought.objects.create(
        match=match, at=move.at, request=earlier.request, seat=move.seat, method="mptt", stage="summary", model="m",
        n=1, data={"summary": "Ann is a"},
    )  # fmt: skip
    shown = panel(client, match, move)
    assert shown.index("Ann is a") < shown.index("<ins>friend.</ins>")


def test_prompts_are_fetched_one_by_one_and_raw_thoughts_are_json(client_of, match_of):
    client = client_of("researcher")
    match, move = match_of(RECON)
    first = match.thoughts.first()
    assert "the prompt number 1" in client.get(f"/m/{match.pk}/thoughts/{first.pk}/").content.decode()
    raw = json.loads(client.get(f"/m/{match.pk}/thoughts/{first.pk}/?raw=1").content)
    assert (raw["stage"], raw["prompt"], raw["reply"]) == ("think", "the prompt number 1", "I hide.")
    assert "the prompt number 1" not in panel(client, match, move)


@pytest.mark.parametrize("group", [None, "researcher"])
def test_only_those_who_may_see_all_of_the_match_see_thoughts(client_of, match_of, group):
    client = client_of(group)
    match, move = match_of(RECON)
    addresses = [
        f"/m/{match.pk}/thoughts/?seq={move.seq}",
        f"/m/{match.pk}/thoughts/?seat=every",
        f"/m/{match.pk}/thoughts/{match.thoughts.first().pk}/",
        f"/m/{match.pk}/thoughts/{match.thoughts.first().pk}/?raw=1",
    ]
    assert {client.get(address).status_code for address in addresses} == {200 if group else 403}


def test_all_agents_have_a_panel_without_leaving_the_page(client_of, key_of_a_match):
    client = client_of("researcher")
    match = Match.objects.get(pk=key_of_a_match)
    shown = client.get(f"/m/{match.pk}/thoughts/?seat=every").content.decode()
    assert re.findall(r'data-panel="(\d)"', shown) == ["1", "2", "3", "4", "5"]


def test_a_match_with_five_hundred_thoughts_asks_no_more_of_the_database(
    client_of, match_of, django_assert_max_num_queries
):
    client = client_of("researcher")
    match, move = match_of(RECON)
    long = prompted(match, "long " * 400)
    requests = list(match.events.exclude(request=None).values_list("request", "seat"))
    Thought.objects.bulk_create(
        Thought(
            match=match, at=move.at, request=request, seat=seat, method="cot", stage=f"s{n}", pieces=long, n=n + 200,
            reply="said " * 100, model="m",
        )
        for n in range(500 // len(requests) + 1)
        for request, seat in requests
    )  # fmt: skip
    client.get("/")  # the account's browser is known from its first page on
    with django_assert_max_num_queries(15):
        panel(client, match, move)
    with django_assert_max_num_queries(15):
        client.get(f"/m/{match.pk}/thoughts/?seat=every")


def test_who_sits_at_a_running_match_reads_no_thoughts_whatever_their_rights(client_of, match_of):
    client = client_of("researcher")
    match, move = match_of(RECON)
    client.cookies[people.COOKIE] = signing.dumps({"key": "ann", "name": "Ann"}, salt=people.SALT)
    writer.reseat(match, 1, kind="person", person="ann")
    match.status = "running"
    match.save()
    for path in (
        f"?seq={move.seq}",
        "?seat=every",
        f"{match.thoughts.first().pk}/",
        f"{match.thoughts.first().pk}/?raw=1",
    ):
        assert client.get(f"/m/{match.pk}/thoughts/{path}").status_code == 403


def test_a_refused_try_is_no_draft(client_of, match_of):
    client = client_of("researcher")
    tries = [
        {
            "method": "cot",
            "stage": "first",
            "data": {"action": {"text": "my own word"}, "problem": "It holds your word."},
        },
        {"method": "cot", "stage": "answer", "data": {"action": {"text": "worn by some"}}},
    ]
    shown = panel(client, *match_of(tries))
    assert "<del>" not in shown
    assert "It holds your word." in shown


def test_the_truth_stands_below_a_matrix_and_what_others_are_thought_to_think_has_a_switch(client_of, match_of):
    client = client_of("researcher")
    match, move = match_of(RECON)
    one, two = (seat for seat in (1, 2, 3) if seat != move.seat) if move.seat < 4 else (1, 2)
    cells = {str(one): [0.7, 0.3], str(two): [0.2, 0.8]}
    rows = {str(move.seat): cells, str(one): {str(two): [0.5, 0.5]}}
    beliefs = {"owner": move.seat, "labels": ["civilian", "undercover"], "suspects": ["undercover"], "rows": rows}
    Thought.objects.filter(match=match, stage="think").update(data={"beliefs": beliefs})
    shown = panel(client, match, move)
    roles = match.events.get(kind="finished").data["deal"]["roles"]
    foot = re.search("<tfoot>(.*?)</tfoot>", shown, re.S).group(1)
    assert re.findall("<td>(.*?)</td>", foot) == [roles[one - 1], roles[two - 1]]
    assert shown.count('<tr class="other">') == 1
    framed = 2 * (roles[two - 1] == "undercover") + (roles[one - 1] == "undercover")
    assert shown.count("(in truth too)") == framed
    assert "What it thinks the others believe" in shown


def test_a_matrix_beside_the_drawn_one_is_told_seat_by_seat(client_of, match_of):
    client = client_of("researcher")
    match, move = match_of(RECON)
    roles = {"owner": 1, "labels": ["civilian", "odd_one"], "suspects": ["odd_one"], "rows": {"1": {"2": [0.75, 0.25]}}}
    Thought.objects.filter(match=match, stage="think").update(data={"roles": roles})
    shown = panel(client, match, move)
    assert "<dt>roles</dt><dd>2: civilian 0.75, odd one 0.25</dd>" in shown


def test_of_teammates_and_opponents_who_is_on_the_other_side_is_framed(client_of, match_of):
    client = client_of("researcher")
    match, move = match_of(RECON)
    others = [seat for seat in range(1, 6) if seat != move.seat]
    rows = {str(move.seat): {str(seat): [0.5, 0.5] for seat in others}}
    beliefs = {"owner": move.seat, "labels": ["teammate", "opponent"], "suspects": ["opponent"], "rows": rows}
    Thought.objects.filter(match=match, stage="think").update(data={"beliefs": beliefs})
    roles = match.events.get(kind="finished").data["deal"]["roles"]
    against = sum(roles[seat - 1] != roles[move.seat - 1] for seat in others)
    assert panel(client, match, move).count("(in truth too)") == against > 0


def test_what_the_api_tells_of_the_reasoning_stands_before_its_stage(client_of, match_of):
    told = {"stage": "the model's own summary", "reply": "I looked for a word in common.", "attempts": 0}
    answer = {"stage": "answer", "reply": "{}", "tokens_in": 9, "tokens_out": 2, "cached": 7}
    match, move = match_of([{"method": "direct"} | fields for fields in (told, answer)])
    page = panel(client_of("researcher"), match, move)
    assert page.index("the model's own summary") < page.index("I looked for a word") < page.index("9 + 2 tokens")
    assert "(7 from a cache)" in page


@pytest.mark.django_db
def test_where_nobody_hides_what_they_are_nothing_is_said_of_the_truth(client_of):
    call_command("load_fixtures", verbosity=0)
    call_command(
        "simulate", "prisoners_dilemma", "magic", matches=1, store=True, verbosity=0, agents="house-fictitious-play"
    )
    match = Match.objects.get(game="prisoners_dilemma")
    move = match.events.filter(kind="choice").last()
    shown = panel(client_of("researcher"), match, move)
    assert '<table class="heat">' in shown
    assert "<tfoot>" not in shown and "A frame marks" not in shown
