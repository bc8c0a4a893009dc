"""Models at live tables: real workers, a real queue, and a model API that behaves, or does not."""

import re

from tests.model_server import ModelServer, broken, busy, cut, good, malformed, slow

WORDS = {"civilian_word": "wig", "undercover_word": "hat"}
PLAY = """
from collections import Counter
from datetime import timedelta
from django.utils import timezone
from agents.models import AgentProfile
from games.match import beginning, store
from games.models import Room
from tests.stack import until

AgentProfile.objects.update_or_create(name="wire", defaults=dict(
    title="Wire", provider={provider!r}, base_url={url!r}, model="m", method={method!r},
    settings={{"backoff": 0.01, "timeout": {timeout!r}, "retries": 1}},
))
soon = timezone.now() + timedelta(hours=1)  # somebody sits there with the page open
room = Room.objects.create(game="undercover", preset="wiu", host="host", pace=0, seen_at=soon)
seats = [dict(seat=n, name=f"Player {{n}}", kind="agent", agent="wire") for n in range(1, 6)]
match = beginning.begin(game=room.game, preset=room.preset, seats=seats, setting={setting!r}, room=room)

def over():
    match.refresh_from_db()
    return match.status == "finished"

until(over, "the match ends", seconds=90)
result = {{
    "match": match.pk,
    "seqs": [event.seq for event in match.events.all()],
    "by": [event.by for event in match.events.exclude(request=None)],
    "thoughts": match.thoughts.count(),
    "stages": dict(Counter(match.thoughts.values_list("stage", flat=True))),
    "codes": sorted(set(match.attempts.values_list("code", flat=True))),
    "instead": sorted(set(match.attempts.values_list("instead", flat=True))),
}}
"""


def play(stack, server, provider, method="direct", timeout=30):
    """A match of models only, played by the workers to its end: what is on record of it. timeout: of a call, in
    seconds."""
    return stack.shell(
        PLAY.format(
            provider=provider, url=getattr(server, f"{provider}_url"), method=method, timeout=timeout, setting=WORDS
        )
    )


def test_models_play_a_live_match_to_its_end(stack):
    with ModelServer() as server:
        record = play(stack, server, "openai", "cot")
    assert set(record["by"]) == {"agent:wire"}
    forced = record["stages"].pop("forced", 0)  # the vote of one of two who are tied
    assert record["stages"].keys() == {"answer", "reason"}
    assert set(record["stages"].values()) == {len(record["by"]) - forced}
    assert len(server.calls) == record["thoughts"] - forced
    again = stack.manage("rerun", record["match"])
    assert f"{len(record['seqs'])} events, {record['thoughts']} thoughts, 0 attempts" in again


def test_a_live_match_withstands_every_kind_of_trouble(stack):
    """Malformed, slow, 429, 500 and cut replies: no event is lost or doubled, and each default has its reason.

    What each provider makes of such replies is in test_providers.py."""
    troubles = [malformed(), slow(300), busy(), broken(), cut(), malformed("hm"), slow(1500), good('{"seat": 77}')]
    steps = [step for trouble in troubles * 20 for step in (good(), trouble, trouble, trouble, trouble)]
    with ModelServer(steps) as server:
        record = play(stack, server, "anthropic", timeout=1)
    assert record["seqs"] == list(range(1, len(record["seqs"]) + 1))
    assert set(record["by"]) <= {"agent:wire", "default"}
    assert "default" in record["by"]
    assert "default" in record["instead"]
    assert set(record["codes"]) >= {"malformed", "provider"}
    assert "The same again" in stack.manage("rerun", record["match"])


def test_odd_characters_do_not_stop_a_match_and_no_log_of_a_part_holds_a_word_a_thought_or_a_key(stack):
    """A NUL, half of a surrogate pair, and a reply of nothing else."""
    odd = ["\x00", '{"text": "a\\u0000b"}', '{"text": "\\ud800 round"}', '{"seat": "\\udfff"}', "\\ud800 \x00 \x07"]
    secret = '{"text": "quite unmistakable"}'
    log = stack.said_since()
    with ModelServer([good(secret), malformed("unreadable babble"), *map(good, odd * 4), *[broken()] * 8]) as server:
        record = play(stack, server, "openai")
    assert record["seqs"] == list(range(1, len(record["seqs"]) + 1))
    assert "malformed" in record["codes"] and "lost" not in record["codes"]
    secrets = [*WORDS.values(), "unmistakable", "babble", "civilian", "Bearer", "sk-", "magic_person="]
    for name in stack.parts:
        said = log(name).lower()
        assert [secret for secret in secrets if re.search(rf"\b{re.escape(secret.lower())}", said)] == [], name
        assert "traceback" not in said, name
