"""One match with a small real model on this machine, where it is installed."""

import pytest

from agents import local_model
from agents.models import AgentProfile, Call, Endpoint
from agents.rerun import differences, rerun
from magic_site.parts import end
from tests.agents.model_matches import dealt, played, stored
from tests.stack import free_port, until


@pytest.mark.django_db
def test_a_real_model_plays_a_match_that_comes_out_again_from_its_calls(tmp_path):
    port = free_port()
    try:
        server = local_model.server(port, tmp_path / "log")
    except local_model.NotInstalledError as error:
        pytest.skip(str(error))
    url = local_model.address(port)
    AgentProfile.objects.create(
        name="local", title="Local model", provider="openai", base_url=url, model=local_model.NAME, method="direct",
        settings={"max_tokens": 60, "timeout": 120, "seed": 1},
    )  # fmt: skip
    Endpoint.objects.create(provider="openai", base_url=url, at_once=local_model.AT_ONCE)
    server.start()
    try:
        until(lambda: local_model.ready(port) or not server.alive, "the model is loaded", seconds=60)
        assert server.alive, server.last_words()
        done = played(dealt("local", "local", "local"))
    finally:
        end([server], within=3)
    calls = list(Call.objects.filter(error=""))
    assert done.play.over and not done.refusals
    assert calls and all(call.reply and call.tokens_in > 100 and call.answered_by == local_model.NAME for call in calls)
    assert all(call.structured for call in calls), "the server holds the model to the schema"
    assert "provider" not in {attempt.code for attempt in done.attempts}
    match = stored(done)
    assert differences(match, rerun(match)) == []


def test_where_it_is_not_installed_a_sentence_says_how_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(local_model, "find_spec", lambda name: None)
    with pytest.raises(local_model.NotInstalledError, match="make local-model"):
        local_model.server(1, tmp_path / "log")
