"""What a person said, and their name, is nowhere after it was erased: in no column, in no process, in no copy."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from itertools import chain
from uuid import uuid4

import pytest
from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection, models

from agents.models import Call
from evaluation.judging import judge
from evaluation.lab import labs
from evaluation.labelling import model_rater
from evaluation.models import (
    Answer,
    Export,
    Given,
    Import,
    Item,
    Judgement,
    Judging,
    Lab,
    ModelRater,
    Rated,
    Round,
    Scheme,
    Task,
    Trial,
)
from games import audit
from games.audit import Audited
from games.match import changes, importing, store, writer
from games.match.erasing import erase
from games.match.rows import Attempt, Event, MatchSeat, PromptText, Text, Thought
from games.models import ApiKey, FirstAnswer, Match, Notes, Room, RoomMessage, Seat
from games.rules.random_play import random_action
from magic_site import clock
from tests.games.matches import WORDS as SAYINGS
from tests.games.matches import dealt, exported, prompted, stored, visitor
from tests.stack import until

TEXT = 'xylophagous "quills" of Zoë, isn\'t it?'
NAME = "Quixotica"
WORDS = ("xylophagous", "quixotica")
PING = {"type": "changed", "match": str(uuid4()), "what": changes.SEATS}

PLANTED = {
    Event: ["data"],
    Thought: ["reply", "data"],
    PromptText: ["text"],
    Text: ["text"],
    Attempt: ["sentence", "action"],
    MatchSeat: ["name"],
    Room: ["bystanders", "own_words"],
    Seat: ["name"],
    ApiKey: ["title"],
    FirstAnswer: ["answer"],
    Notes: ["text"],
    RoomMessage: ["name", "text"],
    Call: ["reply", "thought", "error"],
    Trial: ["thoughts", "attempts", "action", "error"],
    Lab: ["arms"],
    Answer: ["words", "error"],
    Judgement: ["why", "error"],
    Given: ["note"],
    Rated: ["error"],
    Export: ["selection", "reason", "licence"],
    Task: ["name", "selection"],
    Import: ["faults"],
    Audited: ["details"],
}
"""The columns in which a person's words or name may come to stand. A new column has its place here, or below."""

WITHOUT_WORDS = {
    "games.Room": "code game preset options host origin absence watching afterwards deal kicked own_by",
    "games.Seat": "person agent",
    "games.RoomMessage": "channel person mark",
    "games.Mute": "person mark",  # of whom somebody mutes, a keyed hash
    "games.Report": "by",
    "games.ShutOut": "person",
    "games.AccountKey": "key",
    "games.ApiKey": "digest person scopes",
    "games.FirstAnswer": "person key digest",
    "games.Audited": "what by about",
    "games.Match": "game preset options setting forked_from origin played_as digest labels status result",
    "games.Archive": "name",
    "games.Away": "",
    "games.ErasedSeat": "begun dealt digest",
    "games.MatchSeat": "kind agent person former stand_in side role",
    "games.SeatMethod": "method model",
    "games.Text": "request",
    "games.Event": "kind audience by request",
    "games.Thought": "request method stage model pieces",
    "games.Attempt": "request by code instead",
    "games.Detection": "agents",
    "games.Notebook": "marks",  # of seats, in three words of our own
    "games.Notes": "person marks struck",  # struck: words of the setting
    "games.Pending": "request agent queue kept",  # rows of running matches alone
    "games.GameSetting": "game name data origin",
    "games.Heartbeat": "name",
    "games.Retention": "name",
    "games.Job": "kind key given state message result error",  # sentences of our own
    "agents.AgentProfile": "seated_by name title about provider base_url key_env model method settings switches",
    "agents.Call": "request stage key provider base_url model settings answered_by finish",
    "agents.ModelPrice": "model",
    "agents.Endpoint": "provider base_url",
    "agents.SpendingLimit": "",
    "agents.Spent": "what",
    "agents.Review": "version moments",  # numbers, and moves without what was said
    "evaluation.Competition": "name suite entry manifest status paused_because",
    "evaluation.Bout": "game preset options setting agents labels status error",
    "evaluation.MatchSums": "what version",  # and numbers
    "evaluation.StudyTable": "",
    "evaluation.Trial": "agent position",
    "evaluation.Lab": "basis",
    "evaluation.Rollout": "endings",  # sides, seats and numbers
    "evaluation.Judging": "name judge way arms prompts",
    "evaluation.Judgement": "preferred",
    "evaluation.Rating": "preferred",
    "evaluation.Scheme": "name title about kind labels applies rule renames",
    "evaluation.Task": "items sees status",
    "evaluation.Round": "status",
    "evaluation.ModelRater": "profile",
    "evaluation.Item": "anchor marked digest",
    "evaluation.Assigned": "",
    "evaluation.Given": "profile pseudonym labels spans",  # spans are numbers
    "evaluation.Export": "name content formats rows sha256 gone",
    "evaluation.Final": "labels spans how",
    "evaluation.Withdrawal": "seats exports",
    "evaluation.Import": "name sha256 aside remarks",
}
"""Columns that hold what the program, a researcher or an admin wrote."""


def columns() -> list[tuple[type[models.Model], str]]:
    """Every column of every model here in which words can stand."""
    kinds = (models.CharField, models.TextField, models.JSONField)
    ours = chain.from_iterable(apps.get_app_config(app).get_models() for app in ("games", "agents", "evaluation"))
    return [(model, field.name) for model in ours for field in model._meta.fields if isinstance(field, kinds)]


def spoken(name: str = NAME) -> str:
    return f"{name} said: {TEXT} And so: {TEXT.upper()} {json.dumps(TEXT)} <said>{TEXT}</said>"


def played(room: Room | None = None) -> Match:
    """A match in which Quixotica says one thing, and others quote it."""
    play = dealt("undercover", "party", 5, discussion="free")
    rng, said = random.Random(1), False
    while not play.over:
        request = rng.choice([one for one in play.state.open.values() if one.kind != "ready" or said])
        action = random_action(play, request, rng, SAYINGS)
        if request.kind == "say" and request.seat in (1, 3):
            action = {"text": TEXT if request.seat == 1 else f"I heard: {TEXT} from {NAME}"}
        by = "person" if request.seat < 3 else "agent:house"
        said = type(play.act(request.seat, request.id, action, by)) is list and (said or "I heard" in str(action))
    match = stored(play, room=room)
    writer.reseat(match, 1, name=NAME)
    match.refresh_from_db()
    assert sum(WORDS[0] in str(event.data) for event in match.events.all()) >= 2
    return match


def plant(match: Match) -> None:
    """A row of each kind that quotes her."""
    value = {"why": spoken(), "list": [spoken()]}
    asked, own = (match.events.exclude(request=None).filter(seat=seat).first().request for seat in (3, 1))
    match.thoughts.update(pieces=prompted(match, spoken()), reply=spoken(), data=value)
    match.texts.update(text=spoken())
    one = {"match": match, "code": "x", "instead": "asked again", "at": match.created_at}
    for seat, request, by in ((1, own, "person"), (3, asked, "agent:house")):
        Attempt.objects.create(seat=seat, request=request, by=by, sentence=spoken(), action=value, **one)
    trial = Trial.objects.create(
        agent="house",
        position={"match": str(match.pk)},
        thoughts=[value],
        attempts=[value],
        action=value,
        error=spoken(),
    )
    arms = [{}, {"action": {"text": spoken()}}]
    lab = Lab.objects.create(match=match, seq=1, arms=arms, rollouts=1)
    prompts = [{"match": str(match.pk), "request": asked}]
    judging = Judging.objects.create(name="j", judge="a", arms=["a", "b"], prompts=prompts)
    Answer.objects.create(judging=judging, prompt=0, arm=0, words=spoken(), error=spoken())
    Judgement.objects.create(judging=judging, prompt=0, first=0, second=1, why=spoken(), error=spoken())
    scheme = Scheme.objects.create(name="s")
    labelled = Round.objects.create(
        task=Task.objects.create(scheme=scheme, name=spoken(), selection={"words": spoken()}), number=1, scheme=scheme
    )
    item = Item.objects.create(round=labelled, number=1, match=match, anchor={"event": 1})
    Given.objects.create(item=item, pseudonym="r", labels=["none"], note=spoken())
    rater = ModelRater.objects.create(round=labelled, profile="m")
    Rated.objects.create(by=rater, item=item, error=spoken())
    asked_of = (
        match.pk,
        trial.pk,
        *labs.purposes([lab]),
        judging.pk,
        judge.purpose(judging, 0, 1),
        model_rater.books(rater.pk, item.pk, 1),
    )
    for purpose in asked_of:
        Call.objects.create(
            match=purpose, request=asked, seat=1, stage="s", nth=1, key="k", provider="openai", model="m",
            reply=spoken(), thought=spoken(), error=spoken(),
        )  # fmt: skip
    Export.objects.create(name="x", selection={"words": spoken()}, reason=spoken(), licence=spoken())
    Import.objects.create(name="a.jsonl", size=1, faults=[{"file": "a.jsonl", "line": 1, "sentence": spoken()}])
    audit.note("table", by="a test", match=match, about="end", reason=spoken())
    for person in ("ann", "ben"):
        Notes.objects.create(match=match, person=person, text=spoken())
    typed = [{"civilian_word": TEXT, "undercover_word": spoken()}]
    hers = {"host": "ann", "own_by": "ann", "own_words": typed, "bystanders": [["ann", NAME]]}
    room = Room.objects.create(game="undercover", preset="party", **hers)
    Seat.objects.create(room=room, number=1, person="ann", name=NAME)
    ApiKey.objects.create(person="ann", title=spoken()[:60], scopes=["play"])
    for person in ("ann", "ben"):
        FirstAnswer.objects.create(person=person, key="k", digest="d", answer=value, begun_at=match.created_at)
    match.room = Room.objects.create(game="undercover", preset="party", host="ben")
    match.save(update_fields=["room"])
    for number, (person, name, text) in enumerate((("ann", NAME, spoken()), ("ben", NAME, spoken())), 1):
        RoomMessage.objects.create(room=match.room, number=number, person=person, mark="m", name=name, text=text)


def found() -> list[str]:
    """The columns in which her words or her name stand."""
    return [
        f"{model.__name__}.{column}: {text}"
        for model, column in columns()
        for text in map(str, model._default_manager.values_list(column, flat=True))
        if any(word in text.casefold() for word in WORDS)
    ]


def test_each_column_is_known_to_hold_words_of_people_or_not():
    known = {f"{model._meta.label}.{column}" for model, planted in PLANTED.items() for column in planted}
    known |= {f"{label}.{column}" for label, names in WITHOUT_WORDS.items() for column in names.split()}
    assert {f"{model._meta.label}.{column}" for model, column in columns()} - known == set()


@pytest.mark.django_db
def test_words_and_name_are_in_no_column_of_the_match_and_its_copies():
    match = played()
    plant(match)
    lines = exported(match, -1)
    Match.objects.filter(pk=match.pk).update(digest="")  # so that a copy comes beside it, as older releases let it
    Match.objects.filter(pk=match.pk).update(seed=match.seed + 1)
    copy = importing.import_log(lines)
    Match.objects.filter(pk=match.pk).update(seed=match.seed)
    where = {one.split(":")[0] for one in found()}
    assert where == {f"{model.__name__}.{column}" for model, planted in PLANTED.items() for column in planted}
    assert erase("ann").matches == 2
    assert found() == []
    for one in (match, copy):
        one.refresh_from_db()
        assert one.names()[1] == "Player 1"
        assert store.load(one).state.outcome.status == "finished"


@pytest.mark.django_db
def test_a_seat_of_an_imported_match_is_erased_too():
    match = played()
    plant(match)
    lines = exported(match, -1)
    for model in (Match, Trial, Judging, Room, Call, Export, ApiKey, FirstAnswer):
        model.objects.all().delete()
    audit.forget(clock.now() + timedelta(seconds=1))
    copy = importing.import_log(lines)
    assert found()
    call_command("erase_person", str(copy.pk), "1", stdout=open(os.devnull, "w"))  # noqa: PTH123, SIM115
    assert found() == []


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_running_server_forgets_what_another_process_erases(monkeypatch):
    room = Room.objects.create(game="undercover", preset="party", host="ben", afterwards="anyone")
    match = played(room)
    pages = (f"/t/{room.code}/", f"/m/{match.pk}/", f"/m/{match.pk}/export/")
    browser = visitor("ben")
    shown = [browser.get(page).content.decode().casefold() for page in pages]
    assert all(any(word in page for word in WORDS) for page in shown)
    assert all(map(kept_of(match), changes.Kept.every))
    heard, let_go = [], changes.let_go
    monkeypatch.setattr(changes, "let_go", lambda *news: (heard.append(news), let_go(*news)))
    changes.listen()
    name = connection.settings_dict["NAME"]
    env = os.environ | {"DATABASE_URL": f"sqlite:///{name}" if connection.vendor == "sqlite" else connection_url()}
    command = [sys.executable, "manage.py", "erase_person", str(match.pk), "1", "--settings=magic_site.settings"]
    until(lambda: heard or changes.send(changes.PROCESSES, PING), "this process hears what others change")
    subprocess.run(command, cwd=settings.BASE_DIR, env=env, check=True, capture_output=True, timeout=60)
    until(lambda: not any(map(kept_of(match), changes.Kept.every)), "it lets go of what another has changed")
    for page in pages:
        again = browser.get(page).content.decode().casefold()
        assert not any(word in again for word in WORDS), page
    redis = cache._cache.get_client()
    kept = [redis.get(key) for key in redis.scan_iter() if redis.type(key) == b"string"]
    assert not any(word in str(value).casefold() for value in kept for word in WORDS)


def kept_of(match: Match) -> Callable[[changes.Kept], bool]:
    return lambda kept: any(key[0] == match.pk for key in kept._things)


def connection_url() -> str:
    at = connection.settings_dict
    return f"postgres://{at['USER']}:{at['PASSWORD']}@{at['HOST']}:{at['PORT']}/{at['NAME']}"
