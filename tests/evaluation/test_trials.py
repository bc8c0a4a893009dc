"""What would it do here? An agent is asked at a position; its stages are kept, and no match changes."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from agents.models import AgentProfile
from evaluation.models import Trial
from evaluation.studies import trials
from games.jobs import jobs
from games.match import store
from games.match.rows import Thought
from games.models import Match
from tests.games.tables import match_at, play_out, room_of
from tests.model_server import ModelServer, good

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixtures")]


@pytest.fixture
def at_once(workers):
    """Trials are thought through there and then, in place of a worker."""
    workers.at_once("trial")


@pytest.fixture
def match():
    match = match_at(room_of(3))
    play_out(match)
    match.refresh_from_db()
    return match


def text(response):
    return html.unescape(response.content.decode())


def ask(client, **fields):
    return client.post(reverse("evaluation:try"), {"agent": "house"} | fields)


def test_only_those_who_run_competitions_try_agents(client, match):
    assert client.get(reverse("evaluation:try")).status_code == 302
    client.force_login(User.objects.create_user("bob", password="b"))
    assert client.get(reverse("evaluation:try")).status_code == 403
    trial = Trial.objects.create(agent="house", position=trials.starting("avalon"))
    assert client.get(reverse("evaluation:trial", args=[trial.pk])).status_code == 403


@pytest.mark.parametrize("game", ["undercover", "avalon", "chameleon", "spygame", "cost_sharing", "public_good"])
def test_an_agent_is_tried_at_the_start_of_a_game(researcher, at_once, game):
    answer = ask(researcher, game=game)
    trial = Trial.objects.get()
    assert answer.url == reverse("evaluation:trial", args=[trial.pk])
    assert trial.done
    assert trial.error == ""
    assert trial.action is not None
    assert "Decided." in text(researcher.get(answer.url))


def test_a_model_is_shown_what_the_seat_knew_at_that_move_and_the_match_stays_as_it_was(researcher, at_once, match):
    before = match.events.plain()
    move = next(m for m in trials.moves(match) if m["kind"] == "vote")
    with ModelServer(lambda call: good('{"seat": 2}')) as server:
        AgentProfile.objects.create(
            name="wire", title="Wire", provider="openai", base_url=server.openai_url, model="m", method="cot"
        )
        ask(researcher, agent="wire", match=match.pk, request=move["request"])
    trial = Trial.objects.get()
    assert [thought["stage"] for thought in trial.thoughts] == ["reason", "answer"]
    later = [e.data["text"] for e in match.events.all() if e.seq > move["seq"] and (e.data or {}).get("text")]
    assert not any(words in server.calls[0].prompt for words in later)
    assert match.events.plain() == before
    assert not Thought.objects.filter(match=match).exists()
    assert Match.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"game": "chess"}, "Choose a game, or a move of a match."),
        ({"game": "avalon", "agent": "nobody"}, "Choose an agent."),
        ({"request": "999:1:vote"}, "That match does not ask for such a move."),
        ({"request": "x"}, "That match does not ask for such a move."),
    ],
)
def test_what_cannot_be_tried_is_said_in_a_sentence(researcher, match, fields, sentence):
    fields = fields if "game" in fields else fields | {"match": match.pk}
    answer = ask(researcher, **fields)
    assert answer.status_code == 422
    assert sentence in text(answer)


def test_who_sits_at_a_running_match_tries_nobody_on_it(researcher):
    from tests.games.tables import browser

    match = match_at(room_of(3))
    seated = browser("key-1")
    seated.force_login(User.objects.get(username="ada"))
    address = reverse("evaluation:try") + f"?match={match.pk}"
    assert seated.get(address).status_code == 403
    assert researcher.get(address).status_code == 403, "the account sits there, whatever browser it comes by"
    other = User.objects.create_user("bea", password="b")
    other.groups.add(*User.objects.get(username="ada").groups.all())
    researcher.force_login(other)
    assert researcher.get(address).status_code == 200
    assert store.load(match).over is False


def test_an_agent_that_breaks_off_leaves_a_sentence_and_no_endless_thinking(researcher, workers, monkeypatch):
    def broken(*told, **more):
        raise RuntimeError("sk-secret")

    monkeypatch.setattr("agents.turns.decide", broken)
    address = ask(researcher, game="avalon").url
    for _ in range(3):
        jobs.work(workers.jobs["trial"][0])
    page = text(researcher.get(address))
    assert "Tried 3 times; the last time it stopped with an error (RuntimeError)." in page
    assert "Thinking" not in page
    assert "Decided." not in page
    assert "sk-secret" not in page


def test_a_strategy_that_a_game_does_not_have_is_named(researcher, at_once):
    AgentProfile.objects.create(name="odd", title="Odd", switches={"strategy": "undercutter"})
    answer = ask(researcher, agent="odd", game="cost_sharing")
    assert "The house agent of Cost Sharing has no strategy 'undercutter'." in text(researcher.get(answer.url))


def test_an_agent_is_asked_in_its_own_games_only(researcher, at_once):
    answer = ask(researcher, agent="house-undercutter", game="cost_sharing")
    assert answer.status_code == 422
    assert "House agent: undercutter does not play Cost Sharing. Choose another agent." in text(answer)
    assert not Trial.objects.exists()


def test_an_agent_without_its_key_is_named_and_nobody_is_chosen_in_its_place(researcher, at_once, monkeypatch):
    AgentProfile.objects.create(
        name="wire", title="Wire", provider="openai", model="m", method="cot", key_env="OPENAI_API_KEY"
    )
    sentence = "Wire needs a key, and OPENAI_API_KEY is not set here."
    page = text(researcher.get(reverse("evaluation:try"), {"agent": "wire"}))
    assert sentence in page
    assert re.search(r'<select name="agent"[^>]*>\s*<option value="">', page)
    assert " selected>" not in page
    assert sentence in text(ask(researcher, agent="wire", game="avalon"))
    assert not Trial.objects.exists()
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    page = text(researcher.get(reverse("evaluation:try"), {"agent": "wire"}))
    assert '<option value="wire" selected>' in page
    assert "missing" not in page
    assert "sk-secret" not in page


@pytest.mark.parametrize("key", ["zz", "00000000-0000-0000-0000-000000000000"])
def test_a_match_that_is_not_there_is_not_found(researcher, key):
    assert researcher.get(reverse("evaluation:try"), {"match": key}).status_code == 404


def test_what_the_seat_knows_begins_with_its_own_card_and_no_other(researcher, at_once, match):
    play = store.load(match)
    words = {seat: play.rules.card(play.state, seat)["word"] for seat in match.names()}
    for seat, word in words.items():
        move = next(m for m in trials.moves(match) if m["kind"] == "clue" and m["seat"] == seat)
        page = text(researcher.get(ask(researcher, match=match.pk, request=move["request"]).url))
        card = re.search(r'class="seatcard.*?</div>', page, re.DOTALL).group()
        assert f'<span class="word">{word}</span>' in card
        assert not any(other in card for other in set(words.values()) - {word})


def test_what_the_seat_knows_has_the_figures_on_the_table(researcher, at_once):
    page = text(researcher.get(ask(researcher, game="cost_sharing").url))
    assert "You speak for" in page
    assert "Use of the airport in a month" in page


def test_an_agent_that_is_gone_leaves_a_sentence(researcher, at_once):
    trial = Trial.objects.create(agent="gone", position=trials.starting("avalon"))
    jobs.ask("trial", str(trial.pk), trial=str(trial.pk))
    assert "That agent does not exist any more." in text(researcher.get(reverse("evaluation:trial", args=[trial.pk])))


def test_what_was_tried_at_a_match_that_was_deleted_is_still_shown(researcher, at_once, match):
    move = next(m for m in trials.moves(match) if m["kind"] == "clue")
    address = ask(researcher, match=match.pk, request=move["request"]).url
    match.delete()
    assert "Decided." in text(researcher.get(address))
