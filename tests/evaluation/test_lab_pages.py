"""The page of the lab: chosen in a replay, told before it costs, played by a worker, seen by those who may see all."""

from __future__ import annotations

import html
import json
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from agents.models import AgentProfile
from evaluation.lab import arms, labs
from evaluation.models import Lab
from games.jobs import jobs
from games.models import Job, Match
from games.registry import RULES
from tests.games.matches import dagger, dealt, last, play_on, stored
from tests.games.tables import browser, form_data, match_at, room_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixtures")]

NEW = "/lab/"


@pytest.fixture
def stabbed() -> tuple[Match, int]:
    play = dagger(right=False)
    return stored(play, with_thoughts=False), last(play, "assassinate")


def text(response) -> str:
    return html.unescape(response.content.decode())


def page(client, match, seq, **fields):
    return client.post(NEW, {"match": match.pk, "seq": seq, "rollouts": 3} | fields)


def test_a_move_is_changed_and_what_follows_is_told(researcher, workers, stabbed):
    match, seq = stabbed
    workers.at_once("lab")
    shown = text(researcher.get(f"/m/{match.pk}/", {"as": "all", "seq": seq}))
    assert f'href="{NEW}?match={match.pk}&seq={seq}"' in shown
    first = text(researcher.get(NEW, {"match": match.pk, "seq": seq}))
    assert "No change is chosen yet." in first and "This takes about" not in first and "Begin" not in first
    arm = json.dumps({"action": {"seat": 3}})
    added = page(researcher, match, seq, do="move", **{"seat.seat": 3})
    assert added.status_code == 200 and html.escape(arm) in added.content.decode()
    assert "It costs nothing." in text(added) and "This takes about" in text(added)
    begun = page(researcher, match, seq, arm=[arm], do="begin")
    lab = Lab.objects.get()
    assert begun.url == reverse("evaluation:lab", args=[lab.pk])
    told = text(researcher.get(begun.url))
    assert "3 of 3 rollouts" in told and "100.0%" in told and "House agents do not talk." in told
    assert "Go on with what is left" not in told
    assert "n = 3" in told and "43.9% … 100.0%" in told, "Wilson's interval of 3 in 3"
    rows = [" ".join(re.sub("<[^>]*>", " ", row).split()) for row in told.split("<tr")]
    really = next(place for place, row in enumerate(rows) if "How the match itself ended" in row)
    assert {row.strip("> ") for row in rows[really + 1 : really + 3]} == {"evil lost", "good won"}
    part = text(researcher.get(begun.url, {"part": "table"}))
    assert part.lstrip().startswith("<section") and "<html" not in part


def test_changes_are_added_and_left_out_and_a_wrong_one_loses_nothing(researcher, stabbed):
    match, seq = stabbed
    one = json.dumps({"action": {"seat": 3}})
    answer = page(researcher, match, seq, arm=[one], do="move", **{"seat.seat": 99})
    assert answer.status_code == 422
    assert "That move cannot be made there" in text(answer) and html.escape(one) in answer.content.decode()
    answer = page(researcher, match, seq, arm=[one], do="agent", at=2, agent="house")
    assert html.escape(json.dumps({"agents": {"2": "house"}})) in answer.content.decode()
    answer = page(researcher, match, seq, arm=[one], do="drop=0")
    assert html.escape(one) not in answer.content.decode() and "No change is chosen yet." in text(answer)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"arm": ["x"], "do": "begin"}, "That change cannot be read."),
        ({"arm": ['["x"]'], "do": "begin"}, "That change cannot be read."),
        ({"rollouts": 1, "do": "begin"}, "Choose from 2 to 1000 rollouts."),
        ({"at": 99, "agent": "house", "do": "agent"}, "There is no seat 99."),
        ({"at": 1, "agent": "nobody", "do": "agent"}, "There is no agent called nobody."),
        ({"at": 1, "agent": "off", "do": "agent"}, "Off is switched off."),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(researcher, stabbed, fields, sentence):
    AgentProfile.objects.create(name="off", title="Off", provider="house", active=False)
    answer = page(researcher, *stabbed, **fields)
    assert answer.status_code == 422 and sentence in text(answer)
    assert not Lab.objects.exists()


@pytest.mark.parametrize("game", list(RULES))
def test_the_form_of_each_game_s_moves_comes_with_what_was_done(researcher, game):
    play = play_on(dealt(game, *RULES[game].quick))
    match, kinds = stored(play, with_thoughts=False), {}
    for event in play.log:
        if arms.can_change(event):
            kinds.setdefault(event.kind, event.seq)
    for seq in kinds.values():
        at = arms.forked(match, seq)
        assert researcher.get(NEW, {"match": match.pk, "seq": seq}).status_code == 200
        made = dict.fromkeys(field.name for field in at.request.fields) | at.own
        same = page(researcher, match, seq, do="move", **form_data(made, at.request))
        assert "That is the move that was made." in text(same)


def test_what_a_model_costs_is_told_before_one_begins(researcher):
    play = play_on(dealt("undercover", "magic", 3))
    clue = next(event for event in play.log if event.kind == "clue")
    AgentProfile.objects.create(
        name="wire", title="Wire", provider="openai", base_url="http://127.0.0.1:9/v1", model="m", method="direct"
    )
    match = stored(play, with_thoughts=False)
    told = text(page(researcher, match, clue.seq, do="agent", at=clue.seat, agent="wire"))
    assert "Models are asked about" in told and "No price is known for m" in told
    assert not Lab.objects.exists() and not Job.objects.exists()


def test_it_is_stopped_and_gone_on_with(researcher, workers, stabbed):
    match, seq = stabbed
    lab = labs.make(labs.Prepared(match, labs.Plan(arms.forked(match, seq), (), 2)))
    address = reverse("evaluation:lab", args=[lab.pk])
    assert "Go on with what is left" in text(researcher.get(address))
    researcher.post(f"{address}go-on/")
    assert "Stop" in text(researcher.post(f"{address}go-on/?part=table"))
    researcher.post(f"{address}stop/")
    assert Job.objects.get().state == "stopped"
    researcher.post(f"{address}go-on/")
    jobs.work(Job.objects.get(state="waiting").pk)
    assert lab.played.count() == 2


# Who may see it -----------------------------------------------------------------------------------------------------


def test_only_those_who_run_competitions_and_may_see_all_have_it(researcher, stabbed):
    match, seq = stabbed
    client = Client()
    lab = labs.make(labs.Prepared(match, labs.Plan(arms.forked(match, seq), (), 2)))
    pages = (f"{NEW}?match={match.pk}&seq={seq}", f"/lab/{lab.pk}/")
    assert [client.get(one).status_code for one in pages] == [302, 302]
    client.force_login(User.objects.create_user("bob", password="b"))
    assert [client.get(one).status_code for one in pages] == [403, 403]
    assert client.post(f"/lab/{lab.pk}/go-on/").status_code == client.post(f"/lab/{lab.pk}/stop/").status_code == 403
    assert "What if?" not in text(client.get(f"/m/{match.pk}/"))
    assert [researcher.get(one).status_code for one in pages] == [200, 200]
    assert researcher.get(f"{NEW}?match=x").status_code == researcher.get(NEW).status_code == 404


def test_who_sits_at_a_running_match_has_no_lab_of_it(researcher):
    match = match_at(room_of(3))
    seq = 1
    seated = browser("key-1")
    seated.force_login(User.objects.get(username="ada"))
    lab = Lab.objects.create(match=match, seq=seq, arms=[{}], rollouts=2)
    for one in (f"{NEW}?match={match.pk}&seq={seq}", f"/lab/{lab.pk}/"):
        assert seated.get(one).status_code == 403
        assert researcher.get(one).status_code == 403, "the account sits there, whatever browser it comes by"
    assert seated.post(f"/lab/{lab.pk}/go-on/").status_code == 403
    assert not Job.objects.exists()
