"""A whole competition at the real site with an agent from outside, whose program is killed twice and whose opponents'
worker once: nothing is lost, and each request is answered once."""

from __future__ import annotations

import sys
from subprocess import DEVNULL, Popen

import pytest
from django.conf import settings

from tests.stack import until

pytestmark = pytest.mark.processes

PROGRAM = settings.BASE_DIR / "examples" / "remote.py"
MATCHES = 6

PLAN = """
from agents.models import AgentProfile
from django.contrib.auth.models import User
from evaluation.competitions import running
from evaluation.suites import Entry
from games.room import accounts, api_keys
user = User.objects.get(username={name!r})
AgentProfile.objects.create(name="theirs", title="Theirs", provider="remote", method="remote", owner=user)
entry = Entry(("theirs",), {{"defender": "house"}}, {matches}, more={{"game": "undercover", "preset": "magic"}})
competition = running.make("Guests", "own", entry, at_once=3, user=user)
running.start(competition)
result = api_keys.make(accounts.person_of(user, None), user, "their program", ["run"], 1)[1]
"""

MOVES = """
from games.models import Match
result = sum(match.events.filter(by="agent:theirs").count() for match in Match.objects.filter(origin="competition"))
"""

RECORD = """
from evaluation.models import Competition
from games.models import Job
competition = Competition.objects.latest("created_at")
seats = [
    (bout, sitter.seat)
    for bout in competition.bouts.select_related("match") if bout.match
    for sitter in bout.match.seated if sitter.agent == "theirs"
]
result = {
    "status": competition.status,
    "bouts": [bout.status for bout in competition.bouts.order_by("number")],
    "tries": [bout.job and bout.job.tries for bout in competition.bouts.select_related("job")],
    "moves": [
        list(bout.match.events.filter(seat=seat).exclude(request=None).values_list("by", "request"))
        for bout, seat in seats
    ],
    "lost": sum(bout.match.attempts.filter(code="lost").count() for bout, _seat in seats),
}
"""


def test_a_competition_is_played_to_its_end_though_all_are_killed_meanwhile(stack):
    secret = stack.shell(PLAN.format(name=stack.researcher(), matches=MATCHES))
    link = f"{stack.base_url}/api/v1/profiles/theirs/#{secret}"
    begun = []

    def begin() -> Popen:
        begun.append(Popen([sys.executable, PROGRAM, link], stdout=DEVNULL, stderr=DEVNULL))
        return begun[-1]

    try:
        for moves, worker in ((3, "house"), (9, None)):
            program = begin()
            until(lambda moves=moves: stack.shell(MOVES) >= moves, "it moves", seconds=60)
            assert stack.shell(RECORD)["status"] == "running"
            program.kill()
            if worker:
                stack.kill(worker)
                stack.start(worker)
        begin()
        until(lambda: stack.shell(RECORD)["status"] == "finished", "all of it is played", seconds=120)
    finally:
        for program in begun:
            program.kill()
            program.wait()
    kept = stack.shell(RECORD)
    assert kept["bouts"] == ["done"] * MATCHES and kept["tries"] == [1] * MATCHES and kept["lost"] == 0
    assert len(kept["moves"]) == MATCHES
    for moves in kept["moves"]:
        assert {by for by, _request in moves} == {"agent:theirs"}
        assert len({request for _by, request in moves}) == len(moves) > 0
