"""Model calls: stored once, found again, counted; and matches played again from them alone."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from agents import call_settings, headless, player, reply_store, spending
from agents.calls import Ask, Model, Price, Purpose, ask_all
from agents.models import AgentProfile, Call, ModelPrice, SpendingLimit, Spent
from agents.providers import Completion, Message, Provider, ProviderError, SpendingError, Usage
from agents.reply_store import StoredReplies
from agents.rerun import RerunError, differences, rerun
from games.match import writer
from games.match.erasing import erase
from games.models import GameSetting
from magic_site import clock, outages
from tests.agents.model_matches import WORDS, dealt, played, profile, stored
from tests.model_server import ModelServer, broken, good, malformed

FREE = Price()
pytestmark = pytest.mark.django_db


@pytest.fixture
def house():
    return AgentProfile.objects.create(name="house", title="House", provider="house", method="house")


def ask(server, *, match=None, stage="answer", nth=1, words="Whom do you vote for?", price=FREE, **settings):
    provider = player.connect("openai", server.openai_url, "")
    purpose = Purpose(match or str(uuid4()), "5:1:vote", 1, stage, nth)
    return Ask(
        purpose, Model(provider, "small-1", {"backoff": 0.01, **settings}, price), (Message("user", words),), None
    )


def answer(*asks, store=None):
    return ask_all(asks, 30, store=store or StoredReplies())


# Stored once


def test_a_reply_is_stored_with_what_it_cost_and_found_again():
    with ModelServer([good("seat 2")]) as server:
        question = ask(server, price=Price(2.0, 10.0), temperature=0.5)
        (first,), (second,) = answer(question), answer(question)
    (row,) = Call.objects.all()
    assert first == second
    assert len(server.calls) == 1
    assert (row.request, row.seat, row.stage, row.nth, row.key) == ("5:1:vote", 1, "answer", 1, question.key)
    assert (row.reply, row.model, row.settings["temperature"], row.attempts) == ("seat 2", "small-1", 0.5, 1)
    assert row.cost == first.cost == pytest.approx((5 * 2.0 + 2 * 10.0) / 1e6)


@pytest.mark.parametrize(
    "other",
    [{"words": "And now?"}, {"stage": "reason"}, {"nth": 2}, {"temperature": 0.1}, {"match": str(uuid4())}],
    ids=lambda other: next(iter(other)),
)
def test_another_question_or_occasion_is_asked_anew(other):
    match = str(uuid4())
    with ModelServer() as server:
        answer(ask(server, match=match))
        answer(ask(server, **{"match": match} | other))
    assert len(server.calls) == Call.objects.count() == 2


def test_how_long_it_is_waited_does_not_make_it_another_question():
    match = str(uuid4())
    with ModelServer() as server:
        answer(ask(server, match=match, timeout=5))
        answer(ask(server, match=match, timeout=9, retries=2))
    assert len(server.calls) == 1


def test_what_was_answered_in_another_match_is_used_only_where_that_is_wanted():
    with ModelServer([good("one"), good("two")]) as server:
        answer(ask(server))
        (anew,) = answer(ask(server))
        (again,) = answer(ask(server), store=StoredReplies(anywhere=True))
    assert (anew.text, again.text) == ("two", "one")


def test_a_simulation_may_be_answered_from_an_earlier_one(capsys):
    with ModelServer() as server:
        profile(server)
        GameSetting.objects.create(game="undercover", name="wig", data=WORDS)
        run = ("simulate", "undercover", "magic", "--agents", "wire", "--matches", "1")
        call_command(*run)
        asked = len(server.calls)
        call_command(*run, "--reuse")
        assert len(server.calls) == asked
        call_command(*run)
        assert len(server.calls) == 2 * asked
    assert "1 matches" in capsys.readouterr().out


def test_calls_made_at_once_are_stored_in_one_write(django_assert_num_queries, monkeypatch):
    for kept, how_long in ((call_settings, "FRESH_SECONDS"), (clock, "KEPT_SECONDS")):
        monkeypatch.setattr(kept, how_long, 600)
    with ModelServer() as server:
        first = ask(server)
        questions = [replace(first, purpose=replace(first.purpose, stage=f"view of {n}")) for n in range(5)]
        call_settings.current(), clock.read()  # read now and then, and not for each call
        # what is there, what was spent today; then a savepoint around one insert
        with django_assert_num_queries(2 + 3):
            answer(*questions)
    assert Call.objects.count() == 5


def test_of_two_workers_that_asked_the_same_the_first_ones_reply_counts():
    with ModelServer([good("mine"), good("theirs")]) as server:
        question = ask(server, price=Price(0, 1e6))
        (late,) = ask_all([question], 30)
        (early,) = answer(question)
        (counts,) = StoredReplies().keep([(question, late)])
    assert counts == early
    assert Call.objects.count() == 1
    assert Spent.objects.get(what__startswith="match:").dollars == pytest.approx(2.0), "both were paid for"


@pytest.mark.django_db(transaction=True)
def test_what_many_threads_store_at_the_same_time_is_all_there_and_all_counted():
    match, texts = str(uuid4()), [f"reply {n}" for n in range(40)]
    with ModelServer() as server:
        asks = [ask(server, match=match, nth=n // 2, price=Price(0, 1e6)) for n in range(40)]  # each asked twice
    made = [(one, Completion(text, usage=Usage(0, 1), cost=1.0)) for one, text in zip(asks, texts, strict=True)]
    with ThreadPoolExecutor(20) as pool:
        kept = [reply.text for (reply,) in pool.map(lambda one: StoredReplies().keep([one]), made)]
    there = dict(Call.objects.values_list("nth", "reply"))
    assert kept == [there[n // 2] for n in range(40)], "of two workers that asked the same the first one's reply counts"
    assert set(there.values()) < set(texts) and len(there) == 20
    assert spending_of(match) == 40, "all were paid for"


def test_a_reply_that_was_paid_for_waits_for_a_database_that_is_away(monkeypatch):
    write, tries = reply_store._write, []

    def fail_twice(entries):
        tries.append(entries)
        if len(tries) < 3:
            raise OperationalError("the connection is closed")
        write(entries)

    monkeypatch.setattr(outages, "met", lambda error: isinstance(error, OperationalError))
    monkeypatch.setattr(outages, "LOOK_EVERY", 0.0)
    monkeypatch.setattr(outages, "connection", SimpleNamespace(close=lambda: None))
    monkeypatch.setattr(reply_store, "_write", fail_twice)
    with ModelServer([good("mine")]) as server:
        question = ask(server)
        (reply,) = answer(question)
        assert len(tries) == 3 and reply.text == "mine"
        assert answer(question)[0].text == "mine" and len(server.calls) == 1


@pytest.mark.django_db(transaction=True)
def test_what_a_database_refuses_is_said_to_whom_it_belongs_alone():
    with ModelServer() as server:
        made = [(ask(server), Completion(f"{n}", usage=Usage(2**70 if n % 2 else 1))) for n in range(20)]
    with ThreadPoolExecutor(20) as pool:
        waiting = [pool.submit(StoredReplies().keep, [one]) for one in made]
    assert [one.exception() is None for one in waiting] == [True, False] * 10
    assert sorted(int(call.reply) for call in Call.objects.all()) == list(range(0, 20, 2))


def test_a_failed_call_that_cost_tokens_is_counted_and_asked_again():
    class Mute(Provider):
        name, default_key_env = "Mute", ""

        def complete(self, messages, *, model, settings=None, schema=None, slot=None):
            raise ProviderError("Mute sent an empty message.", usage=Usage(1000, 50))

    purpose = Purpose(str(uuid4()), "5:1:vote", 1, "answer", 1)
    question = Ask(purpose, Model(Mute(), "m", price=Price(1.0, 1.0)), (Message("user", "Well?"),), None)
    for _ in range(2):
        (failed,) = answer(question)
        assert str(failed) == "Mute sent an empty message."
    assert [row.error for row in Call.objects.all()] == ["Mute sent an empty message."] * 2
    assert spending_of(purpose.match) == pytest.approx(2 * 1050 / 1e6)


def test_tokens_of_replies_that_were_empty_are_paid_too():
    with ModelServer([good(""), good("seat 2")]) as server:
        (reply,) = answer(ask(server))
    assert (reply.text, reply.attempts, reply.usage.tokens_in) == ("seat 2", 2, 10)


def test_deleting_a_match_drops_its_calls():
    with ModelServer() as server:
        profile(server)
        match = stored(played(dealt("wire", "wire", "wire")))
    assert Call.objects.filter(match=match.pk).exists()
    match.delete()
    assert not Call.objects.exists()


def test_erasing_a_person_takes_their_words_out_of_replies():
    with ModelServer(then=good('{"text": "as Player 2 said"}')) as server:
        profile(server)
        match = stored(played(dealt("wire", "wire", "wire")))
    writer.reseat(match, 2, person="key", kind="person", name="Bartholomew")
    said = {"reply": '{"text": "as Bartholomew said"}', "thought": "I trust Bartholomew."}
    Call.objects.filter(match=match.pk).update(**said)
    erase("key")
    kept = {(row.reply, row.thought) for row in Call.objects.filter(match=match.pk)}
    assert kept == {('{"text": "as Player 2 said"}', "I trust Player 2.")}


# Money


def spending_of(match):
    return Spent.objects.get(what=f"match:{match}").dollars


def test_the_longest_beginning_of_a_models_name_says_its_price():
    ModelPrice.objects.create(model="small", tokens_in=1, tokens_out=2)
    ModelPrice.objects.create(model="small-1", tokens_in=3, tokens_out=4, cached=0.5)
    assert spending.price_of("small-1-2026") == Price(3, 4, 0.5)
    assert spending.price_of("small-2") == Price(1, 2)
    assert spending.price_of("large") == Price()
    assert Price(3, 4, 0.5).of(Usage(1_000_000, 500_000, 400_000)) == pytest.approx(0.6 * 3 + 0.4 * 0.5 + 2)


@pytest.mark.parametrize("limit", ["per_match", "per_day"])
def test_at_the_spending_limit_no_model_is_asked_and_the_house_plays_on(house, limit):
    ModelPrice.objects.create(model="small-1", tokens_in=0, tokens_out=1e6)
    SpendingLimit.objects.create(**{limit: 2.5})
    with ModelServer() as server:
        profile(server)
        done = played(dealt("wire", "wire", "wire"))
        asked = len(server.calls)
        spent = spending_of(done.play.header.id)
    by = [event.by for event in done.play.log if event.request]
    assert done.play.over and not done.refusals
    assert spent == sum(thought.cost for thought in done.thoughts) >= 2.5
    assert by == ["agent:wire"] * asked + ["agent:house"] * (len(by) - asked)
    assert len(by) > asked
    assert {(a.code, a.instead, a.by) for a in done.attempts} == {("spending", "house", "agent:wire")}
    sentence = done.attempts[0].sentence
    assert "spending limit of $2.5" in sentence and sentence.endswith("is reached.")


def test_a_match_that_has_spent_its_share_leaves_the_others_theirs(house):
    ModelPrice.objects.create(model="small-1", tokens_in=0, tokens_out=1e6)
    SpendingLimit.objects.create(per_match=1, per_day=100)
    with ModelServer() as server:
        first, second = ask(server, price=Price(0, 1e6)), ask(server, price=Price(0, 1e6))
        answer(first)
        (refused,) = answer(ask(server, match=first.purpose.match, nth=2))
        (made,) = answer(second)
    assert isinstance(refused, SpendingError) and isinstance(made, Completion)


def test_a_reply_that_was_paid_for_is_given_out_whatever_the_limit():
    SpendingLimit.objects.create(per_match=0)
    with ModelServer() as server:
        question = ask(server)
        paid = ask_all([question], 30)
        StoredReplies().keep([(question, paid[0])])
        assert answer(question)[0].text == paid[0].text
        assert isinstance(answer(ask(server))[0], SpendingError)


# Played again


def test_a_match_comes_out_again_from_its_stored_calls_without_a_provider(house):
    odd = [malformed("{"), good(), broken(), broken(), good(), good('{"seat": 77}'), good('{"text": "wig"}')]
    with ModelServer(odd) as server:
        profile(server)
        profile(server, "thinker", method="cot")
        match = stored(played(dealt("wire", "thinker", "house")))
        asked = len(server.calls)
        again = rerun(match)
        assert len(server.calls) == asked
    assert differences(match, again) == []
    assert {"malformed", "provider"} <= {attempt.code for attempt in again.attempts}
    assert {thought.method for thought in again.thoughts} >= {"direct", "cot"}


@pytest.mark.slow
@pytest.mark.parametrize("method", ["cot", "pgm", "recon", "mptt"])
def test_a_match_of_each_method_comes_out_again_with_its_polls(method):
    replies = [good(), good(), malformed("{")] * 40
    with ModelServer(replies) as server:
        profile(server, method=method)
        match = stored(played(dealt(*["wire"] * 3, preset="magic", polls="magic")))
    again = rerun(match)
    assert differences(match, again) == []
    assert {thought.method for thought in again.thoughts} == {method}
    assert "poll" in {event.kind for event in again.play.log}


def test_a_match_that_ran_out_of_money_comes_out_again(house):
    ModelPrice.objects.create(model="small-1", tokens_in=0, tokens_out=1e6)
    SpendingLimit.objects.create(per_match=2.5)
    with ModelServer() as server:
        profile(server)
        match = stored(played(dealt("wire", "wire", "wire")))
    SpendingLimit.objects.all().delete()
    assert differences(match, rerun(match)) == []


def test_a_resumed_match_pays_for_nothing_twice(house):
    key = str(uuid4())
    with ModelServer() as server:
        profile(server)
        broken_off = dealt("wire", "wire", "wire", id=key)
        with pytest.raises(InterruptedError):
            played(broken_off, between=_interrupt(after=2))
        asked = len(server.calls)
        done = played(dealt("wire", "wire", "wire", id=key))
        whole = len(server.calls)
        assert differences(stored(done), rerun(match_of(key))) == []
    assert 0 < asked < whole == Call.objects.count() == len(done.thoughts)


def _interrupt(after):
    rounds = iter(range(after))

    def between():
        if next(rounds, None) is None:
            raise InterruptedError

    return between


def match_of(key):
    from games.models import Match

    return Match.objects.get(pk=UUID(key))


def test_what_is_missing_is_said_in_a_sentence(house):
    with ModelServer() as server:
        profile(server)
        match = stored(played(dealt("wire", "wire", "house")))
    call = Call.objects.filter(match=match.pk).order_by("pk").first()
    kept, call.key = call.key, "another"
    call.save()
    with pytest.raises(RerunError, match=rf"seat {call.seat} at request {call.request} answers another prompt"):
        rerun(match)
    call.delete()
    with pytest.raises(RerunError, match=rf"No reply is stored for call 1 of the stage 'answer' of seat {call.seat}"):
        rerun(match)
    AgentProfile.objects.filter(name="wire").delete()
    with pytest.raises(RerunError, match="There is no agent profile 'wire' any more"):
        rerun(match)
    assert kept


def test_a_reply_that_was_changed_comes_out_differently(house):
    with ModelServer() as server:
        profile(server)
        match = stored(played(dealt("wire", "wire", "house")))
    Call.objects.filter(match=match.pk, request__endswith="1:clue").update(reply=json.dumps({"text": "a new clue"}))
    with pytest.raises(RerunError, match=r"Event \d+, 'clue', comes out differently"):
        rerun(match)


def test_the_command_says_that_it_is_the_same(house, capsys):
    with ModelServer() as server:
        profile(server)
        match = stored(played(dealt("wire", "house", "house")))
    call_command("rerun", str(match.pk))
    assert capsys.readouterr().out.startswith(f"The same again: {match.events.count()} events")
    with pytest.raises(CommandError, match="There is no match"):
        call_command("rerun", "nonsense")


def test_a_match_with_talk_beside_it_comes_out_again(house):
    with ModelServer() as server:
        profile(server)
        play = dealt("wire", "house", "house", table_talk=True)
        match = stored(played(play, between=lambda: _talk(play)))
    assert differences(match, rerun(match)) == []
    assert any("says beside the game" in str(call.messages) for call in server.calls)


def _talk(play):
    for kind, data in (("chat", {"text": "Well.", "to": "all"}), ("reaction", {"to": 1, "reaction": "laugh"})):
        for seat in (2, 3):
            play.talk(seat, kind, data, "agent:house")


def test_a_match_of_house_agents_and_random_ones_needs_no_calls(house):
    play = dealt("house", "random", "house")
    minds = {1: headless.of_profile(house), 2: headless.legal_at_random(["hm", "well"]), 3: headless.of_profile(house)}
    by = {1: "agent:house", 2: "agent:random", 3: "agent:house"}
    match = stored(headless.play_out(play, minds, by))
    assert differences(match, rerun(match)) == []
