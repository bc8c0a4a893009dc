"""How a match comes into the database: dealt, played in memory, taken from a log file, or forked from another one."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from games.match import store, writer
from games.match.rows import ATTEMPT_FIELDS, THOUGHT_FIELDS, MatchSeat, fields, given, moment, stamp, thoughts_in
from games.models import OUTSIDE, GameSetting, Match, Room, new_seed
from games.refused import Unfit
from games.registry import RULES
from games.rules import logfile, replay, values
from games.rules.play import Play, new_header
from games.rules.pool import Pool
from games.rules.sentences import sentence
from magic_site import clock


def draw_setting(game: str, options: Any, seed: int) -> dict[str, Any]:
    """One of the game's settings that these options allow, drawn by the seed; {} for a game that needs none."""
    rules = RULES[game]
    settings = list(GameSetting.objects.filter(game=game, active=True).order_by("pk").values_list("data", flat=True))
    random.Random(f"{seed}:setting").shuffle(settings)
    for setting in settings:
        try:
            rules.check_setting(options, setting)
        except values.Impossible:
            continue
        return rules.drawn(setting, settings)
    return {}


def begin(
    *,
    game: str,
    preset: str,
    seats: Iterable[dict[str, Any]],
    options: dict[str, Any] | None = None,
    setting: dict[str, Any] | None = None,
    seed: int | None = None,
    room: Room | None = None,
) -> Match:
    """Deal a match and store it. seats: {seat, name, kind, agent, person} each. Raises `values.Impossible`."""
    rules = RULES[game]
    seats = list(seats)
    seed = new_seed() if seed is None else seed
    infos = tuple(MatchSeat(**seat).info for seat in seats)
    if setting is None:
        setting = draw_setting(game, rules.options(preset, options or {}, len(seats)), seed)
    header = new_header(rules, preset, seats=infos, seed=seed, options=options, setting=setting)
    origin = Match.Origin.STUDY if room and room.study else Match.Origin.PLAYED
    return keep(Play(rules, header), seats=seats, room=room, origin=origin)


def keep(
    play: Play,
    *,
    seats: list[dict[str, Any]] | None = None,
    room: Room | None = None,
    times: dict[int, str | None] | None = None,
    thoughts: Iterable[Any] = (),
    attempts: Iterable[Any] | None = None,
    **known: Any,
) -> Match:
    """Write a match that was played in memory, in bulk. `play.header.id` is not kept; the match gets one of its own, if
    none is `known`. known: further fields of the match, such as where it comes from."""
    known.setdefault("kinds_named", room.agents_named if room else True)
    refuse_telling_talk(play.options, known["kinds_named"])
    with transaction.atomic():
        match = writer.create(play.header, seats, room=room, number=_next_number(room) if room else 0, **known)
        writer.append(match, play, 0, thoughts, play.attempts if attempts is None else attempts, times or {})
    return match


def refuse_telling_talk(options: Any, kinds_named: bool) -> None:
    """Raise `Impossible` for talk beside a game where it is not told who is an agent: it would tell."""
    if options.table_talk and not kinds_named:
        raise values.Impossible(sentence("Nobody can talk beside a game in which agents are not named."))


def _next_number(room: Room) -> int:
    """The number of the room's next match; of two who begin one at once, the database lets one."""
    return (room.matches.aggregate(last=Max("number"))["last"] or 0) + 1


class Came(NamedTuple):
    """What a log came to, played again. parts: by seat its role and side, where it is over and these rules come to
    it."""

    end: values.Outcome
    parts: dict[int, tuple[str, str]]


def came(log: logfile.LogFile[values.Event], play: Play | None) -> Came:
    """What a log came to. play: its match in play; where these rules come to none, no more is read off than what the
    log's end says."""
    if play is None:
        return Came(replay.ending(log.events), {})
    end = play.state.outcome
    cast = play.rules.cast(play.state) if end.status != "running" else {}
    return Came(end, {seat: (member.role, member.side) for seat, member in cast.items()})


def put(log: logfile.LogFile[values.Event], came: Came, **known: Any) -> Match:
    """Write a match that was not played here as its log stands, as of the times in it. known: further fields of it."""
    header, now, end = log.header, clock.now(), came.end
    over = end.status != "running"
    times = [moment(log.times.get(event.seq)) or now for event in (log.events[0], log.events[-1])]
    known |= {"status": end.status, "result": end.result or "", "ended_at": times[-1] if over else None}
    seats = [asdict(seat) | {"agent": seat.agent or ""} for seat in header.seats]
    for seat in seats:
        if part := came.parts.get(seat["seat"]):
            won = seat["seat"] in end.winners if end.status == "finished" else None
            seat |= {"role": part[0], "side": part[1], "won": won}
    with transaction.atomic():
        match = writer.create(header, seats, created_at=times[0], **known)
        thoughts = [given(row, THOUGHT_FIELDS) for row in log.thoughts]
        writer.write(match, log.events, thoughts, log.attempts, log.times, now, Pool())
    return match


def open_fork(match: Match, until: int, **changed: Any) -> Play:
    """What `Play.fork` makes of a stored match; raises `Unfit` where nothing is left to play."""
    play = store.load(match).fork(until, **changed)
    if play.over:
        raise Unfit(_("At that moment the match is over. Choose an earlier one."))
    return play


@transaction.atomic
def fork(
    match: Match,
    until: int,
    seats: list[dict[str, Any]] | None = None,
    seed: int | None = None,
    room: Room | None = None,
) -> Match:
    """A match of its own that begins with this one's log up to and with seq `until`. It goes on at once, also where
    this one was paused. seats: who plays on; without them the same agents, and the usual one for each person: nobody's
    key is in a match that they did not sit down at. room: where others play on; elsewhere what was thought and tried
    for the log is kept with it, as the same agents' memory. Raises `Unfit` where nothing is left to play."""
    writer.held([match.pk])  # nothing is erased from it meanwhile
    if seats is None:
        agents = {one.seat: store.STAND_IN if one.agent in ("", OUTSIDE) else one.agent for one in match.seated}
        seats = [{"seat": s, "name": n, "kind": "agent", "agent": agents[s]} for s, n in match.names().items()]
    play = open_fork(match, until, seed=seed, seats=[MatchSeat(**seat).info for seat in seats])
    kept: dict[str, Any] = {
        "times": {event.seq: stamp(at) for event, at in match.events.filter(seq__lte=len(play.log)).timed()}
    }
    if room is None:
        answered = {event.request for event in play.log if event.request}
        thoughts, attempts = match.thoughts.filter(request__in=answered), match.attempts.filter(request__in=answered)
        kept["thoughts"] = thoughts_in(match, thoughts.order_by("pk"))
        kept["attempts"] = [fields(row, ATTEMPT_FIELDS) for row in attempts.order_by("pk")]
    else:
        for seat in list(play.state.stand_ins):
            play.note("returned", seat)
    if play.state.paused:
        play.note("resumed")
    kept |= {"origin": Match.Origin.FORK, "parent": match, "kinds_named": match.kinds_named}
    return keep(play, seats=seats, room=room, **kept)
