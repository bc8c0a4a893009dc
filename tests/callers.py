"""Who may call the API, each with a key that is good for all, and what stands there to be found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from agents.models import AgentProfile
from evaluation.competitions import running as running_of
from evaluation.desk.selection import Selection
from evaluation.exports import exporting
from evaluation.imports import imports
from evaluation.lab import arms, labs
from evaluation.suites import Entry
from games.jobs import jobs
from games.models import Match
from games.room import accounts, api_keys
from tests.evaluation import labelled
from tests.games.tables import match_at, play_out, room_of

ROLES = ("nobody", "guest", "chair", "account", "rater", "researcher", "admin")
OUTSIDE = "theirs"
GROUPS = {"rater": ("rater",), "researcher": ("researcher",), "admin": ("admin", "rater")}


@dataclass(frozen=True)
class World:
    """What there is. places: by the name that addresses have for it, what may stand there."""

    running: Match
    over: Match
    places: dict[str, list[Any]]


def world() -> World:
    """A match that is played at a table that anybody finds, and one that is over; of the researcher an agent from
    outside, an export that is made, a file that is being brought, a competition and a lab, and a task that the rater
    has."""
    over = match_at(room_of(listed=True))
    play_out(over)
    running = match_at(room_of(listed=True))
    researcher, rater = user_of("researcher"), user_of("rater")
    AgentProfile.objects.create(name=OUTSIDE, title="Theirs", provider="remote", method="remote", owner=researcher)
    labelled.played(1)
    task = labelled.task(people=[rater], many=2, per_item=1)
    export = exporting.ask(exporting.Order(Selection.of({"status": "over"}, researcher)), researcher)
    jobs.work(exporting.job_of(export).pk)
    plan = Entry(("house",), matches=1, more={"game": "prisoners_dilemma", "preset": "magic"})
    clue = Match.objects.get(pk=over.pk).events.filter(kind="clue").exclude(request=None).first().seq
    places = {
        "code": [running.room.code, over.room.code],
        "match_id": [str(running.pk), str(over.pk)],
        "name": [OUTSIDE],
        "task": [str(task.pk)],
        "item": [item.pk for item in labelled.items(task.last)],
        "number": [1, 0],
        "board": ["wins", "leaderboard.m1"],
        "export": [str(export.pk)],
        "competition": [str(running_of.make("One", "own", plan, user=researcher).pk)],
        "verb": ["start", "pause", "again", "stop"],
        "over": [str(over.pk)],
        "seq": [str(clue)],
        "lab": [str(labs.make(labs.Prepared(over, labs.Plan(arms.forked(over, clue), (), 2, True)), researcher).pk)],
        "brought": [str(imports.announce("logs.jsonl", 4, researcher).pk)],
    }
    return World(running, Match.objects.get(pk=over.pk), places)


def user_of(role: str) -> User:
    """The account of a role."""
    return labelled.user(role, *GROUPS.get(role, ()))


def key_for(role: str, there: World, *scopes: str) -> str:
    """The secret of a key of somebody in this role, good for these scopes, or all; "" of who has none. The guest sits
    at both tables, and the chair's key is good at one of them."""
    if role == "nobody":
        return ""
    if role == "chair":
        return api_keys.make_for_chair("key-2", there.running.room)
    wanted = scopes or tuple(api_keys.SCOPES)
    if role == "guest":
        return api_keys.make("key-1", None, "a test", wanted, 1)[1]
    user = user_of(role)
    return api_keys.make(accounts.person_of(user, None), user, "a test", wanted, 1)[1]
