"""Forks around a match of a pair, of which its viewer may know nothing: the match that it begins with, which differs in
what is hidden and in how it ended, and one that begins with it, which agents have played on to another end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from uuid import UUID

from evaluation.exports.models import Export, Ids
from evaluation.lab.arms import UNCHANGED
from evaluation.lab.counted import ending
from evaluation.lab.models import Lab, Rollout
from games.match.store import STAND_IN
from games.models import AccountKey, Match, Room
from games.rules import kit
from games.rules.play import Play
from tests import callers
from tests.games.test_api import Program, key_of
from tests.games.test_leaks import MATCH, MOMENT, plain, written

PARENT, CHILD, LAB, OTHER_LAB, EXPORT = (UUID(f"00000000-0000-4000-8000-00000000000{n}") for n in range(2, 7))


def begun_with_another(play: Play, until: int, agents: frozenset[int] | None) -> None:
    """Let the stored match begin with another one up to its last move, of other people, of which only they know more
    than that."""
    old = Room.objects.create(
        code="LARK-1",
        game=play.header.game,
        preset=play.header.preset,
        watching=Room.Watching.NOBODY,
        afterwards=Room.Afterwards.RESEARCHERS,
        agents_named=agents is None,
    )
    seats = [
        {"seat": info.seat, "name": f"Elder {info.seat}"}
        | ({"kind": "agent", "agent": STAND_IN} if agents and info.seat in agents else _person(f"old-{info.seat}"))
        for info in play.header.seats
    ]
    whole = _played_on(play, len(play.log))
    parent = written(PARENT, whole, len(whole.log), seats, room=old, kinds_named=agents is None)
    Room.objects.filter(code="KITE-1").update(fork_of=parent, fork_at=until)
    Match.objects.filter(pk=MATCH).update(
        parent=parent, origin=Match.Origin.FORK, forked_from={"match": str(PARENT), "seq": until}
    )


def played_on_by_agents(play: Play, until: int, agents: frozenset[int] | None) -> None:
    """Let agents have played the stored match on from its last move, with a lab of either and an export of what they
    played."""
    match, fork = Match.objects.get(pk=MATCH), _played_on(play, until)
    seats = [{"seat": seat, "name": name, "kind": "agent", "agent": STAND_IN} for seat, name in match.names().items()]
    known = {"parent": match, "origin": Match.Origin.FORK, "kinds_named": agents is None}
    child = written(CHILD, fork, len(fork.log), seats, forked_from={"match": str(MATCH), "seq": until}, **known)
    ends = [ending(fork)]
    for key, of in ((LAB, match), (OTHER_LAB, child)):
        lab = Lab.objects.create(pk=key, match=of, seq=until, arms=[UNCHANGED.plain], rollouts=1, created_at=MOMENT)
        Rollout.objects.create(lab=lab, number=0, endings=ends)
    Export.objects.all().delete()
    Export.objects.create(
        pk=EXPORT,
        name="matches",
        holds=Ids.of([CHILD]),
        matches=1,
        rows={"events": len(fork.log)},
        size=len(repr(fork.log)),
        sha256=str(len(repr(fork.log))),
        created_at=MOMENT,
        made_at=MOMENT,
    )


def _played_on(play: Play, until: int) -> Play:
    """To its end, with moves of its own: two matches of a pair go on otherwise."""
    fork = play.fork(until)
    kit.finish(fork, random.Random(repr(play.header.setting)))
    return fork


def _person(key: str) -> dict[str, str]:
    return {"kind": "person", "person": key}


def researcher(viewer: int) -> Program:
    """The program of a researcher who sits at this seat."""
    person, user = f"key-{viewer}", callers.user_of("researcher")
    AccountKey.objects.all().delete()
    AccountKey.objects.create(user=user, key=person)
    return Program(key_of(person, user=user))


def told_to_guests(program: Program, until: int) -> Iterator[str]:
    """All that the API tells of the forks to who has no account."""
    for key in (PARENT, MATCH, CHILD):
        here = f"matches/{key}/"
        yield from (plain(program.ask(here + path)) for path in ("", "?as=all", "thoughts/", "log/", "forks/"))
        yield plain(program.send(here + "play-on/", seq=until, name="Zoe"))
    yield from (plain(program.ask(f"tables/LARK-1/{path}")) for path in ("", "observation/"))


def told_to_researchers(program: Program, until: int) -> Iterator[str]:
    """All that the API tells of the fork to a researcher who sits at the match with which it begins: of the tree, of
    labs and exports, and in lists."""
    for key in (MATCH, CHILD):
        here = f"matches/{key}/"
        paths = ("", "?as=all", "thoughts/", "log/", "log/?as=all", "forks/")
        yield from (plain(program.ask(here + path)) for path in paths)
        yield plain(program.send(here + "forks/", seq=until))
        yield plain(program.send(here + "play-on/", seq=until, name="Zoe"))
        for path in ("labs/expected/", "labs/"):
            yield plain(program.send(path, match=str(key), seq=until, arms=[]))
    for key in (LAB, OTHER_LAB):
        yield plain(program.ask(f"labs/{key}/"))
        yield plain(program.send(f"labs/{key}/go-on/"))
    for path in ("labs/", "exports/", f"exports/{EXPORT}/", f"exports/{EXPORT}/file/"):
        yield plain(program.ask(path))
