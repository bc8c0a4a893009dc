"""Agents answer who speaks to them, at live tables."""

import pytest

from agents import tasks
from agents.models import AgentProfile, Call
from agents.rerun import differences, rerun
from games.match import importing, store, writer
from games.models import Match, Pending, Room
from tests.agents.model_matches import profile
from tests.games.matches import exported
from tests.games.tables import match_at, room_of
from tests.model_server import ModelServer, broken, good

pytestmark = pytest.mark.django_db(transaction=True)
WORDS = {"civilian_word": "coffee", "undercover_word": "tea", "undercovers": [5]}


@pytest.fixture(autouse=True)
def house(workers) -> None:
    AgentProfile.objects.create(name="house", title="House agent")


def table(agent: str = "house") -> Match:
    """Ann and Ben with three agents; Ann has the first word, so that no agent is asked for a move."""
    room = room_of(2, preset="party", seats=5, options={"table_talk": True, "order": "seats"})
    Room.objects.filter(pk=room.pk).update(seen_at="2100-01-01T00:00Z")
    match = match_at(room, WORDS)
    for seat in (3, 4, 5):
        writer.reseat(match, seat, agent=agent)
    return Match.objects.get(pk=match.pk)


def ask(match: Match, text: str) -> None:
    assert store.talk(match.pk, 1, "chat", {"text": text, "to": "all"})


def work(queue: str) -> None:
    while Pending.objects.filter(queue=queue, request__endswith=":chat").exists():
        tasks.answer_next(queue)


def chats(match: Match) -> list[tuple[str, str]]:
    return [(event.by, event.data["text"]) for event in store.load(match).log if event.kind == "chat"]


def test_a_house_agent_answers_once_and_the_same_for_the_same_match():
    said = []
    for _ in range(2):
        match = table()
        ask(match, "Agent 3, are you a bot?")
        work("house")
        tasks.answer_next("house")
        said.append(chats(match))
        match.delete()
        Room.objects.all().delete()
    assert said[0] == said[1] and [by for by, _text in said[0]] == ["person", "agent:house"]


def test_a_model_answers_by_one_call_that_counts_and_is_kept_with_the_match():
    with ModelServer([good('{"text": "Not me, Ann!", "to": "all"}')]) as server:
        profile(server)
        match = table("wire")
        ask(match, "Agent 4, was it you?")
        work("models")
        prompt = str(server.calls[0])
    assert len(server.calls) == Call.objects.filter(match=match.pk).count() == 1
    assert "Agent 4, was it you?" in prompt and "A player spoke to you" in prompt
    assert chats(match)[-1] == ("agent:wire", "Not me, Ann!")
    (thought,) = match.thoughts.all()
    assert thought.stage == "chat" and thought.seat == 4
    store.end(match.pk, "abandoned", "enough")
    assert differences(Match.objects.get(pk=match.pk), rerun(Match.objects.get(pk=match.pk))) == []
    lines = exported(Match.objects.get(pk=match.pk), -1)
    match.delete()
    assert exported(importing.import_log(lines), -1)[1:] == lines[1:]


SILENT, TELLING = good('{"text": null, "to": "all"}'), good('{"text": "My word is tea", "to": "all"}')


@pytest.mark.parametrize("replies", [[SILENT], [broken()] * 9, [TELLING] * 2])
def test_silence_trouble_and_words_of_the_game_are_not_said(replies):
    with ModelServer(replies) as server:
        profile(server)
        match = table("wire")
        ask(match, "Agent 5, was it you?")
        work("models")
    assert len(chats(match)) == 1 and not Pending.objects.filter(request__endswith=":chat").exists()
