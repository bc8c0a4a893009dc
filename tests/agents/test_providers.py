"""Both providers against a server that speaks their protocols on loopback."""

import json
import logging
import subprocess
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
import pytest

from agents.providers import (
    Message,
    MisconfiguredError,
    NoAnswerError,
    NoKeyError,
    RefusedError,
    TimedOutError,
    TooBusyError,
    UnreachableError,
    Usage,
    connect,
)
from tests.model_server import (
    Behaviour,
    ModelServer,
    broken,
    busy,
    cut,
    good,
    malformed,
    schemaless,
    slow,
    unauthorised,
)

KEY = "sk-only-for-this-test-0123456789"
SCHEMA = {
    "type": "object",
    "properties": {"seat": {"type": "integer", "enum": [2, 3]}},
    "required": ["seat"],
    "additionalProperties": False,
}
ASK = [Message("system", "You play a game."), Message("user", "Whom do you vote for?")]
QUICK = {"backoff": 0.01}
PROTOCOLS = {"openai": ("openai", {}), "responses": ("openai", {"api": "responses"}), "anthropic": ("anthropic", {})}
"""The provider of each protocol, and the settings that ask for it."""
EACH_PROVIDER = pytest.mark.parametrize("kind", ["openai", "anthropic"])


@pytest.fixture(params=PROTOCOLS)
def kind(request):
    return request.param


@pytest.fixture
def ask(kind, monkeypatch):
    """Asks the model behind a server, by the provider of the protocol under test."""
    monkeypatch.setenv("TEST_API_KEY", KEY)
    return lambda server, schema=SCHEMA, on_piece=None, **settings: provider_for(kind, server).complete(
        ASK, model="small-1", settings=QUICK | PROTOCOLS[kind][1] | settings, schema=schema, on_piece=on_piece
    )


def provider_for(kind, server, key_env="TEST_API_KEY"):
    name = PROTOCOLS[kind][0]
    return connect(name, getattr(server, f"{name}_url"), key_env)


def test_a_reply_comes_with_its_words_data_tokens_and_model(ask):
    with ModelServer([good('{"seat": 3}')]) as server:
        reply = ask(server)
    assert (reply.text, reply.data, reply.structured) == ('{"seat": 3}', {"seat": 3}, True)
    assert (reply.usage.tokens_in, reply.usage.tokens_out) == (9, 2)
    assert (reply.model, reply.finish, reply.attempts) == ("small-1", "stop", 1)
    assert server.calls[0].messages == [("system", "You play a game."), ("user", "Whom do you vote for?")]


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    "usage",
    [
        None,
        "many",
        {},
        {"prompt_tokens": "few", "completion_tokens": -2, "input_tokens": "few", "output_tokens": -2},
        {"prompt_tokens": 2**70, "completion_tokens": None, "input_tokens": 2**70, "output_tokens": None},
        {"prompt_tokens_details": [], "cache_read_input_tokens": [], "cache_creation_input_tokens": 0.5},
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_count_of_tokens_counts_as_none(ask, usage, streamed):
    with ModelServer(then=Behaviour(text='{"seat": 3}', usage=usage)) as server:
        reply = ask(server, on_piece=(lambda: None) if streamed else None)
    assert (reply.data, reply.usage) == ({"seat": 3}, Usage())


def test_the_schema_reaches_the_model_and_its_bounds_too(ask):
    schema = {
        "type": "object",
        "properties": {
            "seats": {"type": "array", "items": {"type": "integer", "enum": [1, 2, 3, 4]}, "minItems": 3, "maxItems": 3}
        },
        "required": ["seats"],
        "additionalProperties": False,
    }
    with ModelServer() as server:
        reply = ask(server, schema=schema)
    assert server.calls[0].schema["properties"]["seats"]["items"]["enum"] == [1, 2, 3, 4]
    assert len(set(reply.data["seats"])) == 3


def test_without_a_schema_the_reply_is_text(ask):
    with ModelServer([good("I suspect seat 2.")]) as server:
        reply = ask(server, schema=None)
    assert (reply.text, reply.data, reply.structured) == ("I suspect seat 2.", None, False)
    assert server.calls[0].structure is None


def test_settings_reach_the_request(ask):
    with ModelServer() as server:
        ask(server, temperature=0.25, max_tokens=77, extra={"seed": 5})
    body = server.calls[0].body
    most = body.get("max_tokens", body.get("max_output_tokens"))
    assert (body["temperature"], most, body["seed"]) == (0.25, 77, 5)


def test_an_unknown_setting_is_named_and_no_call_is_made(ask):
    with ModelServer() as server, pytest.raises(MisconfiguredError, match="temprature"):
        ask(server, temprature=1)
    assert server.calls == []


@pytest.mark.parametrize("trouble", [busy(), broken(500), broken(503), cut()], ids=lambda b: f"{b.kind} {b.status}")
def test_trouble_that_passes_is_tried_again(ask, trouble):
    with ModelServer([trouble, trouble, good('{"seat": 2}')]) as server:
        reply = ask(server)
    assert (reply.data, reply.attempts, len(server.calls)) == ({"seat": 2}, 3, 3)


def test_a_reply_that_is_no_json_at_all_is_tried_again(ask):
    with ModelServer([Behaviour(garbled=True), good('{"seat": 2}')]) as server:
        assert ask(server).attempts == 2


@pytest.mark.parametrize(
    ("trouble", "error", "sentence"),
    [
        (busy(), TooBusyError, "gets too many requests just now"),
        (broken(500), TooBusyError, "is out of order .status 500."),
        (cut(), UnreachableError, "The connection to .* failed"),
    ],
    ids=["busy", "broken", "cut"],
)
def test_trouble_that_stays_ends_in_a_sentence(ask, trouble, error, sentence):
    with ModelServer(then=trouble) as server, pytest.raises(error, match=sentence) as raised:
        ask(server, retries=2)
    assert raised.value.attempts == len(server.calls) == 3


def test_the_pause_that_the_server_asks_for_is_kept(ask):
    with ModelServer([busy(retry_after=0.2), good()]) as server:
        ask(server)
    first, second = server.calls
    assert second.at - first.at >= 0.2


def test_a_pause_longer_than_a_turn_is_not_waited_for(ask):
    with ModelServer([busy(retry_after=3600)]) as server, pytest.raises(TooBusyError):
        ask(server)
    assert len(server.calls) == 1


def test_a_slow_model_is_given_up_at_the_timeout(ask):
    with ModelServer(then=slow(60_000)) as server, pytest.raises(TimedOutError, match=r"within 0\.2 seconds"):
        ask(server, timeout=0.2, retries=1)
    assert len(server.calls) == 2


def test_a_slow_answer_within_the_timeout_is_taken(ask):
    with ModelServer([slow(100)]) as server:
        reply = ask(server, timeout=5)
    assert reply.attempts == 1
    assert reply.ms >= 100


def test_a_refused_key_is_not_tried_again(ask):
    with ModelServer([unauthorised()]) as server, pytest.raises(RefusedError, match="did not accept the key"):
        ask(server)
    assert len(server.calls) == 1


def test_an_unknown_model_is_refused_by_its_status(ask):
    unknown = Behaviour(status=404, message="There is no model small-1.")
    with ModelServer([unknown]) as server, pytest.raises(RefusedError, match=r"refused the request \(status 404"):
        ask(server)


def test_nobody_at_the_address_is_unreachable(kind, monkeypatch):
    monkeypatch.setenv("TEST_API_KEY", KEY)
    with ModelServer() as server:
        provider = provider_for(kind, server)
    with pytest.raises(UnreachableError):
        provider.complete(ASK, model="small-1", settings=QUICK | {"retries": 1})


def test_an_empty_message_is_no_answer(ask):
    with ModelServer(then=good("")) as server, pytest.raises(NoAnswerError):
        ask(server, retries=1)
    assert len(server.calls) == 2


def test_a_cut_off_reply_says_so_and_has_no_data(ask):
    with ModelServer([malformed('{"seat": ', finish="length")]) as server:
        reply = ask(server)
    assert (reply.text, reply.data, reply.finish) == ('{"seat": ', None, "length")


def test_an_endpoint_without_schemas_is_asked_in_words_and_remembered(ask, kind):
    with ModelServer(then=schemaless()) as server:
        first, second = ask(server), ask(server)
    ways = {"openai": ["response_format", "tool"], "responses": ["text.format"], "anthropic": ["output_config", "tool"]}
    assert [call.structure for call in server.calls] == [*ways[kind], None, None]
    assert json.dumps(SCHEMA) in server.calls[-2].prompt
    assert (first.structured, first.data, first.attempts, second.attempts) == (False, None, len(ways[kind]) + 1, 1)
    assert json.loads(second.text)["seat"] in (2, 3)


@EACH_PROVIDER
def test_an_endpoint_without_schemas_but_with_tools_is_asked_by_a_tool(ask):
    with ModelServer(then=Behaviour(refuses=("response_format", "output_config"))) as server:
        first, second = ask(server), ask(server)
    assert [call.structure for call in server.calls[1:]] == ["tool", "tool"]
    assert [call.body["tool_choice"] for call in server.calls[1:]] == [server.calls[1].body["tool_choice"]] * 2
    for reply in (first, second):
        assert reply.structured and reply.data["seat"] in (2, 3) and reply.finish == "stop"


def test_an_endpoint_that_ignores_the_schema_is_read_as_words(ask):
    with ModelServer([good("I vote for seat 3.")]) as server:
        reply = ask(server)
    assert (reply.text, reply.data, reply.structured) == ("I vote for seat 3.", None, False)


def test_a_refusal_that_has_nothing_to_do_with_structure_forgets_nothing(ask, kind):
    ways = 2 if kind == "responses" else 3
    with ModelServer([Behaviour(status=400, message="Too long.")] * ways + [good('{"seat": 2}')]) as server:
        with pytest.raises(RefusedError, match="status 400"):
            ask(server)
        assert ask(server).structured


def test_effort_reaches_the_request(ask, kind):
    with ModelServer() as server:
        ask(server, effort="low")
        ask(server, schema=None, effort="high")
    names = {"openai": "reasoning_effort", "responses": "reasoning", "anthropic": "output_config"}
    said = [call.body[names[kind]] for call in server.calls]
    assert [found if kind == "openai" else found["effort"] for found in said] == ["low", "high"]
    assert server.calls[0].schema is not None, "and the schema with it"


def test_tokens_from_a_cache_are_told_apart(ask):
    with ModelServer([Behaviour(text="{}", cached=4, stored=3)] * 2) as server:
        whole, streamed = ask(server), ask(server, on_piece=lambda: None)
    assert whole.usage == streamed.usage == Usage(9, 1, 4, 3)


def test_characters_that_no_database_keeps_are_replaced(ask):
    with ModelServer([good("a\x00b \ud800 c")]) as server:
        assert ask(server, schema=None).text == "a\ufffdb \ufffd c"


@EACH_PROVIDER
@pytest.mark.parametrize("on_piece", [None, lambda: None])
def test_a_call_of_another_tool_is_no_answer(ask, on_piece):
    refuses = ("response_format", "output_config")
    with ModelServer(then=Behaviour(text='{"seat": 3}', tool="search", refuses=refuses)) as server:
        reply = ask(server, on_piece=on_piece)
    assert json.loads(reply.text) == {"tool": "search", "arguments": '{"seat": 3}'}


@pytest.mark.parametrize("on_piece", [None, lambda: None])
def test_reasoning_in_a_field_of_its_own_is_kept_apart_from_the_answer(ask, on_piece):
    with ModelServer(then=Behaviour(text='{"seat": 3}', thought="It is a secret.")) as server:
        reply = ask(server, on_piece=on_piece)
    assert (reply.text, reply.data, reply.structured) == ('{"seat": 3}', {"seat": 3}, True)
    assert reply.thought == "It is a secret."


def test_nothing_is_stored_at_openai_and_a_summary_is_asked_for(monkeypatch):
    monkeypatch.setenv("TEST_API_KEY", KEY)
    settings = QUICK | {"api": "responses", "effort": "low"}
    with ModelServer() as server:
        provider_for("openai", server).complete(ASK, model="small-1", settings=settings, schema=SCHEMA)
    body = server.calls[0].body
    assert (body["store"], body["reasoning"]) == (False, {"summary": "auto", "effort": "low"})
    assert body["text"]["format"] == {"type": "json_schema", "name": "answer", "strict": True, "schema": SCHEMA}


def test_a_model_that_gives_no_summary_is_asked_without_from_then_on(monkeypatch):
    monkeypatch.setenv("TEST_API_KEY", KEY)
    with ModelServer(then=Behaviour(thought="Why.", refuses=("reasoning.summary",))) as server:
        provider = provider_for("openai", server)
        replies = [provider.complete(ASK, model="s", settings={"api": "responses"}, schema=SCHEMA) for _ in range(2)]
    assert [call.body["reasoning"].get("summary") for call in server.calls] == ["auto", None, None]
    assert all(reply.structured and reply.thought == "" for reply in replies)


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
def test_the_reasoning_of_compatible_endpoints_is_read_by_either_name(monkeypatch, field):
    monkeypatch.setenv("TEST_API_KEY", KEY)
    with ModelServer(then=Behaviour(text="Aye.", thought="Why.")) as server:
        settings = QUICK | {"extra": {"thought_field": field}}
        reply = provider_for("openai", server).complete(ASK, model="small-1", settings=settings)
    assert (reply.text, reply.thought) == ("Aye.", "Why.")


def test_an_api_that_a_provider_does_not_speak_is_refused_in_a_sentence():
    provider = connect("anthropic", key_env="")
    with pytest.raises(MisconfiguredError, match="Anthropic has no API called responses"):
        provider.complete(ASK, model="small-1", settings={"api": "responses"})


def test_the_name_that_the_api_gives_its_model_is_kept(ask):
    with ModelServer(then=Behaviour(called="small-1-2026-11-28")) as server:
        assert {ask(server).model, ask(server, on_piece=lambda: None).model} == {"small-1-2026-11-28"}


# What stays the same from call to call

RECORD = [Message("system", "The rules."), Message("user", "What happened."), Message("user", "What now?")]


def test_anthropic_keeps_the_rules_and_the_record_in_its_cache():
    with ModelServer() as server:
        connect("anthropic", server.anthropic_url, "").complete(RECORD, model="small-1", settings=QUICK)
    body = server.calls[0].body
    assert [block.get("cache_control") for block in body["system"]] == [{"type": "ephemeral"}]
    (turn,) = body["messages"]
    assert [(block["text"], "cache_control" in block) for block in turn["content"]] == [
        ("What happened.", True),
        ("What now?", False),
    ]


def test_sides_take_turns_where_a_model_s_template_may_want_it():
    with ModelServer() as server:
        connect("openai", server.openai_url, "").complete(RECORD, model="small-1", settings=QUICK)
    assert server.calls[0].messages == [("system", "The rules."), ("user", "What happened.\n\nWhat now?")]


# OpenAI's strict mode

UNFIT = {
    "an optional property": {"required": []},
    "a length": {"properties": {"seat": {"type": "string", "maxLength": 5}}},
    "different values": {"properties": {"seat": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}}},
    "further properties": {"additionalProperties": True},
    "no type": {"properties": {"seat": {"enum": [1, 2]}}},
}


@pytest.mark.parametrize("kind", ["openai", "responses"])
@pytest.mark.parametrize("change", UNFIT.values(), ids=UNFIT)
def test_the_server_refuses_a_schema_as_openai_does(ask, change):
    """Then the model is asked in another way, and its format is no longer kept by the API."""
    with ModelServer() as server:
        assert not ask(server, schema=SCHEMA | change).structured or server.calls[1].structure == "tool"
    assert server.calls[0].status == 400


@pytest.mark.parametrize("kind", ["openai", "responses"])
def test_what_is_wrong_with_something_else_is_not_taken_for_a_refused_schema(ask, monkeypatch):
    for protocol in ("openai", "openai_responses"):
        monkeypatch.setattr(f"tests.model_server.{protocol}.error", lambda *_: WRONG)
    sentence = r"status 400, unsupported_value, invalid_request_error, temperature"
    with ModelServer([Behaviour(status=400, message="No.")]) as server, pytest.raises(RefusedError, match=sentence):
        ask(server)
    assert len(server.calls) == 1


WRONG = {
    "error": {"message": "No.", "type": "invalid_request_error", "param": "temperature", "code": "unsupported_value"}
}


# Streaming


@pytest.mark.parametrize("way", [None, "schema", "tool"])
def test_a_streamed_reply_is_the_same_and_its_pieces_are_told_of(ask, way):
    refused = ("response_format", "output_config") if way == "tool" else ()
    script = Behaviour(text='{"seat": 3}' if way else "I suspect seat two.", refuses=refused)
    pieces = []
    with ModelServer(then=script) as server:
        streamed = ask(server, schema=SCHEMA if way else None, on_piece=lambda: pieces.append(1))
        whole = ask(server, schema=SCHEMA if way else None)
    assert [call.stream for call in server.calls if call.status == 200] == [True, False]
    assert replace(streamed, ms=0, attempts=1) == replace(whole, ms=0, attempts=1)
    assert len(pieces) >= 3


def test_an_endpoint_that_cannot_stream_is_asked_for_whole_replies_and_remembered(ask):
    with ModelServer(then=Behaviour(refuses=("stream",))) as server:
        first, second = ask(server, on_piece=lambda: None), ask(server, on_piece=lambda: None)
    assert [call.stream for call in server.calls] == [True, False, False]
    assert first.structured and second.structured


def test_an_endpoint_that_ignores_the_wish_for_a_stream_is_asked_again(ask):
    with ModelServer(then=Behaviour(text='{"seat": 2}', whole=True)) as server:
        assert ask(server, on_piece=lambda: None).data == {"seat": 2}
        assert ask(server, on_piece=lambda: None).attempts == 1


def test_a_stream_that_falls_silent_is_given_up(ask):
    with ModelServer(then=Behaviour(gap_ms=60_000)) as server, pytest.raises(TimedOutError, match=r"within 0\.2 s"):
        ask(server, on_piece=lambda: None, silence=0.2, retries=0)


def test_a_stream_that_trickles_is_given_up_at_the_timeout(ask):
    trickle = Behaviour(text="on and on " * 50, gap_ms=60)
    with ModelServer(then=trickle) as server, pytest.raises(TimedOutError, match=r"not finish .* within 0\.5 seconds"):
        ask(server, schema=None, on_piece=lambda: None, timeout=0.5, silence=0.4, retries=0)


@pytest.mark.parametrize("trouble", [busy(), broken(500), cut()], ids=lambda b: b.kind)
def test_trouble_with_a_stream_is_tried_again(ask, trouble):
    with ModelServer([trouble, good('{"seat": 2}')]) as server:
        reply = ask(server, on_piece=lambda: None)
    assert (reply.data, reply.attempts) == ({"seat": 2}, 2)


def test_a_stream_without_words_is_no_answer(ask):
    with ModelServer(then=good("")) as server, pytest.raises(NoAnswerError) as raised:
        ask(server, schema=None, on_piece=lambda: None, retries=0)
    assert raised.value.usage.tokens_in == 9


def test_no_key_is_said_before_any_call(kind):
    with ModelServer() as server, pytest.raises(NoKeyError, match="set NOBODYS_API_KEY in the environment"):
        provider_for(kind, server, "NOBODYS_API_KEY").complete(ASK, model="small-1")
    assert server.calls == []


@EACH_PROVIDER
def test_no_other_secret_of_the_environment_can_be_sent_as_a_key(kind):
    with pytest.raises(MisconfiguredError, match="must end in _API_KEY"):
        connect(kind, "http://127.0.0.1:9", "DATABASE_URL")


@pytest.mark.parametrize("key", ["sk-né", "sk-a\nb"])
def test_a_key_that_is_none_is_not_repeated(kind, monkeypatch, key):
    monkeypatch.setenv("BROKEN_API_KEY", key)
    with ModelServer() as server, pytest.raises(MisconfiguredError, match="BROKEN_API_KEY holds") as raised:
        provider_for(kind, server, "BROKEN_API_KEY").complete(ASK, model="small-1")
    assert key not in str(raised.value)


@EACH_PROVIDER
@pytest.mark.parametrize("url", ["models.example/v1", "file:///etc/passwd", "http://[", "https://"])
def test_an_address_must_be_whole(kind, url):
    with pytest.raises(MisconfiguredError, match="full address"):
        connect(kind, url)


def test_an_endpoint_may_need_no_key():
    with ModelServer([good("hello")]) as server:
        assert connect("openai", server.openai_url, "").complete(ASK, model="small-1").text == "hello"


def test_an_unknown_provider_is_named():
    with pytest.raises(MisconfiguredError, match="no provider called oracle"):
        connect("oracle")


@EACH_PROVIDER
def test_the_key_is_sent_and_stands_in_no_error_and_no_log(ask, caplog, kind):
    caplog.set_level(logging.DEBUG)
    told = Behaviour(status=400, message=f"Bad request by {KEY}.")
    with ModelServer([busy(), unauthorised(), told, cut()]) as server:
        for _ in range(3):
            with pytest.raises((RefusedError, TooBusyError, UnreachableError)) as raised:
                ask(server, schema=None, retries=1)
            error = raised.value
            assert error.__context__ is None
            assert KEY not in "".join(traceback.format_exception(error)) + repr(error.__dict__)
            if server.calls[-1].status == 400:
                assert "Bad request" not in str(error)
                break
    assert KEY in str(server.calls[0].headers)
    assert KEY not in caplog.text
    assert KEY not in repr(vars(connect(kind, getattr(server, f"{kind}_url"), "TEST_API_KEY")))


def test_prompts_do_not_reach_the_log(ask, caplog):
    caplog.set_level(logging.DEBUG)
    with ModelServer() as server:
        ask(server)
    assert "Whom do you vote for" not in caplog.text


def test_a_redirect_does_not_carry_the_key_elsewhere(ask):
    with ModelServer() as elsewhere:
        moved = Behaviour(status=307, location=f"{elsewhere.url}/v1/messages")
        with ModelServer([moved]) as server, pytest.raises(RefusedError):
            ask(server)
    assert elsewhere.calls == []


def test_one_provider_serves_many_threads_at_once(ask):
    with ModelServer(then=slow(100)) as server, ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(lambda _: ask(server), range(32)))
    assert all(reply.data["seat"] in (2, 3) for reply in replies)
    arrivals = sorted(call.at for call in server.calls)
    assert arrivals[-1] - arrivals[0] < 3.1, "one after another they would take 3.1 s"


def test_one_address_has_one_client():
    assert connect("openai", "http://127.0.0.1:9/v1", "") is connect("openai", "http://127.0.0.1:9/v1", "")


# The server itself, by the SDKs as they are


def test_the_server_streams_chat_completions():
    import openai

    with ModelServer([good("one two three")]) as server:
        client = openai.OpenAI(api_key=KEY, base_url=server.openai_url)
        chunks = client.chat.completions.create(
            model="m",
            messages=[{"role": "user", "content": "count"}],
            stream=True,
            stream_options={"include_usage": True},
        )
        chunks = list(chunks)
    assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices) == "one two three"
    assert chunks[-1].usage.completion_tokens == 3


def test_the_server_streams_messages():
    import anthropic

    with ModelServer([good("one two three")]) as server:
        client = anthropic.Anthropic(api_key=KEY, base_url=server.anthropic_url)
        with client.messages.stream(
            model="m", max_tokens=10, messages=[{"role": "user", "content": "count"}]
        ) as stream:
            message = stream.get_final_message()
    assert message.content[0].text == "one two three"
    assert (message.stop_reason, message.usage.output_tokens) == ("end_turn", 3)


def test_the_server_uses_tools_in_both_protocols():
    import anthropic
    import openai

    with ModelServer() as server:
        function = {"name": "vote", "parameters": SCHEMA}
        reply = openai.OpenAI(api_key=KEY, base_url=server.openai_url).chat.completions.create(
            model="m",
            messages=[{"role": "user", "content": "vote"}],
            tools=[{"type": "function", "function": function}],
        )
        call = reply.choices[0].message.tool_calls[0]
        message = anthropic.Anthropic(api_key=KEY, base_url=server.anthropic_url).messages.create(
            model="m",
            max_tokens=10,
            messages=[{"role": "user", "content": "vote"}],
            tools=[{"name": "vote", "input_schema": SCHEMA}],
        )
    assert json.loads(call.function.arguments)["seat"] in (2, 3)
    assert (message.stop_reason, message.content[0].input["seat"] in (2, 3)) == ("tool_use", True)


def test_the_server_cuts_a_stream():
    import openai

    with ModelServer([cut("a b c d e f")]) as server, pytest.raises(openai.APIError):
        client = openai.OpenAI(api_key=KEY, base_url=server.openai_url, max_retries=0)
        list(client.chat.completions.create(model="m", messages=[{"role": "user", "content": "count"}], stream=True))


def test_a_callable_answers_by_the_prompt():
    import openai

    with ModelServer(lambda call: call.prompt.upper()) as server:
        client = openai.OpenAI(api_key=KEY, base_url=server.openai_url)
        reply = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hello"}])
    assert reply.choices[0].message.content == "HELLO"


def test_as_a_process_it_takes_a_script_and_shows_its_record(tmp_path, monkeypatch):
    monkeypatch.setenv("TEST_API_KEY", KEY)
    script = tmp_path / "script.json"
    script.write_text('["busy", {"text": "first"}]')
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.model_server", "--script", str(script)], stdout=subprocess.PIPE, text=True
    )
    try:
        url = process.stdout.readline().strip()
        provider = connect("openai", f"{url}/v1", "TEST_API_KEY")
        assert provider.complete(ASK, model="m", settings=QUICK).text == "first"
        httpx2.put(f"{url}/script", json={"steps": [{"text": "second"}]}).raise_for_status()
        assert provider.complete(ASK, model="m", settings=QUICK).text == "second"
        calls = httpx2.get(f"{url}/record").json()
        assert [call["status"] for call in calls] == [429, 200, 200]
        assert calls[0]["headers"]["authorization"] == f"Bearer {KEY}"
    finally:
        process.terminate()
    assert process.wait(timeout=10) == 0


@pytest.mark.parametrize(
    ("protocol", "body"),
    [
        ("openai", {"choices": [None]}),
        ("openai", {"choices": [{"message": "hello"}]}),
        ("responses", {"output": [None]}),
        ("responses", {"output": "hello"}),
        ("responses", {"output": [{"type": "message", "content": None}]}),
        ("responses", {"output": [{"type": "message", "content": [{"type": "output_text"}]}]}),
        ("anthropic", {"content": [None]}),
        ("anthropic", {"content": "hello"}),
        ("anthropic", {"content": [{"type": "text"}]}),
    ],
)
def test_an_answer_of_another_shape_is_none(protocol, body):
    class Odd(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Odd) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        name, settings = PROTOCOLS[protocol]
        provider = connect(name, f"http://127.0.0.1:{server.server_port}/v1", "")
        with pytest.raises(NoAnswerError, match="cannot be read"):
            provider.complete([Message("user", "hi")], model="m", settings={"retries": 0, **settings})
        server.shutdown()
