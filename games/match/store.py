"""Matches in the database: the only writer of logs.

Every change loads the log, lets `Play` act on it and appends what came of it, in one transaction. After the commit
viewers are told that something moved on, and agents whose turn it is are dispatched.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Max

from games.match import archive, lookup, pending, sealing
from games.match.changes import ATTEMPTS, LOG, SEATS, THOUGHTS, WORDS, changed
from games.match.rows import (
    ATTEMPT_FIELDS,
    THOUGHT_FIELDS,
    Attempt,
    Event,
    MatchSeat,
    PromptText,
    Thought,
    fields,
    given,
    insert,
    moment,
    pool_of,
    stamp,
    thoughts_in,
)
from games.match.words import Change, change_words
from games.models import OUTSIDE, GameSetting, Match, Pending, Room, new_seed
from games.registry import RULES
from games.rules import answering, logfile, replay, values
from games.rules.erasing import called
from games.rules.play import Play, new_header
from games.rules.pool import Pool
from games.rules.schema import defaults, numbered
from games.rules.sentences import sentence
from magic_site import clock

RETRIES = 8

# What is done once a match is over; other apps put it here when they start.
at_the_end: list[Callable[[Match], None]] = []


# Who takes a seat whose player does not answer.
STAND_IN = "house"

BY_OUTSIDE = f"agent:{OUTSIDE}"
"""By whom the moves of agents from outside are."""

STALE = values.Refusal("stale", sentence("Something of this match was erased meanwhile."))
"""To what was decided on words that are no more."""


HELD = values.Refusal("held", sentence("An admin paused this table. It goes on when an admin lets it."))


@dataclass(frozen=True)
class Moved:
    """What a change of a match came to: the events that it added, or why it does not count; match: as it was read."""

    events: tuple[values.Event, ...] = ()
    refusal: values.Refusal | None = None
    match: Match | None = None

    def __bool__(self) -> bool:
        return self.refusal is None


# Reading ------------------------------------------------------------------------------------------------------------


def load(match: Match) -> Play:
    """The match in play, folded from its log; raises `LogError` where these rules do not come to it."""
    rules, header = RULES[match.game], match.header
    log = [event for event, _at in archive.timed(match)]
    replay.must_stand(rules, header, log)
    return Play(rules, header, log)


# Beginning a match --------------------------------------------------------------------------------------------------


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
    return store(Play(rules, header), seats=seats, room=room, origin=origin)


def store(
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
        match = _create(play.header, seats, room=room, number=_next_number(room) if room else 0, **known)
        _append(match, play, 0, thoughts, play.attempts if attempts is None else attempts, times or {})
    return match


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
        match = _create(header, seats, created_at=times[0], **known)
        thoughts = [given(row, THOUGHT_FIELDS) for row in log.thoughts]
        _write(match, log.events, thoughts, log.attempts, log.times, now, Pool())
    return match


def _create(header: values.Header, seats: list[dict[str, Any]] | None, **known: Any) -> Match:
    match = Match.objects.create(
        game=header.game,
        preset=header.preset,
        rules_version=header.rules_version,
        options=header.options,
        setting=header.setting,
        seed=header.seed,
        forked_from=header.forked_from,
        **known,
    )
    seats = seats or [asdict(seat) | {"agent": seat.agent or ""} for seat in header.seats]
    sitters = [MatchSeat(match=match, **seat) for seat in seats]
    insert(MatchSeat, _SEAT_COLUMNS, ([getattr(one, name) for name in _SEAT_COLUMNS] for one in sitters))
    return match


def refuse_telling_talk(options: Any, kinds_named: bool) -> None:
    """Raise `Impossible` for talk beside a game where it is not told who is an agent: it would tell."""
    if options.table_talk and not kinds_named:
        raise values.Impossible(sentence("Nobody can talk beside a game in which agents are not named."))


def _next_number(room: Room) -> int:
    """The number of the room's next match; of two who begin one at once, the database lets one."""
    return (room.matches.aggregate(last=Max("number"))["last"] or 0) + 1


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
    for the log is kept with it, as the same agents' memory."""
    held([match.pk])  # nothing is erased from it meanwhile
    if seats is None:
        agents = {one.seat: STAND_IN if one.agent in ("", OUTSIDE) else one.agent for one in match.seated}
        seats = [{"seat": s, "name": n, "kind": "agent", "agent": agents[s]} for s, n in match.names().items()]
    play = load(match).fork(until, seed=seed, seats=[MatchSeat(**seat).info for seat in seats])
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
    return store(play, seats=seats, room=room, **kept)


# Changing a match ---------------------------------------------------------------------------------------------------


def change(
    match_id: UUID,
    move: Callable[[Play], list[values.Event] | values.Refusal],
    *,
    thoughts: Iterable[Any] = (),
    attempts: Iterable[Any] = (),
    as_of: int | None = None,
) -> Moved:
    """Let `move` act on the match and append what comes of it; of two writers one tries again on the fresh log.

    Thoughts and attempts are kept if the move added something to the log. as_of: `Match.erasures` as it was when this
    was decided; `STALE` if it is another now.
    """
    thoughts, attempts = list(thoughts), list(attempts)
    for tries_left in reversed(range(RETRIES)):
        try:
            with transaction.atomic():
                # Where the database locks rows, writers queue here; SQLite lets one write at a time anyway.
                (match,) = held([match_id])
                if as_of not in (None, match.erasures):
                    return Moved((), STALE, match)
                play = load(match)
                known = len(play.log)
                result = move(play)
                moved = len(play.log) > known
                kept = play.attempts + (attempts if moved else [])
                if moved or kept:
                    _append(match, play, known, thoughts if moved else (), kept, {})
            if type(result) is values.Refusal:
                return Moved((), result, match)
            return Moved(tuple(result), match=match)
        except IntegrityError:
            if not tries_left:
                raise
    raise AssertionError("unreachable")


def act(match_id: UUID, seat: int, request: str, action: Any, by: str = "person", **beside: Any) -> Moved:
    """Answer a request; see `Play.act`. Whose seat it is has it back from a stand-in by acting. The answer to a sealed
    request is kept until its time is up. beside: as `change` takes it."""
    own = by in ("person", BY_OUTSIDE)

    def move(play: Play) -> list[values.Event] | values.Refusal:
        row = sealing.row_of(match_id, play.rules, request)
        if row is None:
            result = play.act(seat, request, action, by)
        else:
            read = play.check(seat, request, action, by)
            result = read if type(read) is values.Refusal else _keep(row, read, by, **beside)
        if own and type(result) is not values.Refusal and seat in play.state.stand_ins and not play.over:
            result = [*result, *play.note("returned", seat)]
        return result

    moved = change(match_id, move, **beside)
    if moved and moved.match is not None and own and seat in moved.match.unseen_stand_ins():
        return replace(moved, match=give_back(match_id, seat).match)
    return moved


def expire(match_id: UUID, request: str, **beside: Any) -> Moved:
    """Play the default on a request that was not answered, or that an agent found no legal action for; on a sealed one
    once its time is up. beside: as `change` takes it."""

    def move(play: Play) -> list[values.Event] | values.Refusal:
        if answering.is_call(request):
            _end_call(match_id, request)
            return []
        row = sealing.row_of(match_id, play.rules, request)
        return play.expire(request) if row is None else _keep(row, None, "default", **beside)

    return change(match_id, move, **beside)


def unseal(match_id: UUID, request: str) -> Moved:
    """Play what was kept as the answer to a sealed request, or its default: its time is up."""
    with transaction.atomic():
        held([match_id])  # whoever answers now comes before this, or too late
        row = Pending.objects.filter(match_id=match_id, request=request).first()
        if row is None:
            return Moved()
        kept = row.kept or {}

        def move(play: Play) -> list[values.Event] | values.Refusal:
            if kept.get("action") is None:
                return play.expire(request)
            return play.act(row.seat, request, kept["action"], kept["by"])

        return change(match_id, move, thoughts=kept.get("thoughts", ()), attempts=kept.get("attempts", ()))


def _keep(
    row: Pending, action: Any, by: str, thoughts: Iterable[Any] = (), attempts: Iterable[Any] = (), **_more: Any
) -> list[values.Event] | values.Refusal:
    """Keep the answer to a sealed request with what was thought for it, and move nothing; the first answer stands."""
    if row.kept is not None:
        same = row.kept["action"] == action
        return [] if same else values.Refusal("over", sentence("This move is already made."))
    row.kept = {
        "action": action,
        "by": by,
        "thoughts": [given(thought, THOUGHT_FIELDS) for thought in thoughts],
        "attempts": [given(attempt, ATTEMPT_FIELDS) for attempt in attempts],
    }
    row.save(update_fields=["kept"])
    return []


def skip(match_id: UUID, seat: int, request: str) -> Moved:
    """Leave a poll unanswered."""
    return change(match_id, lambda play: play.skip(seat, request))


def talk(match_id: UUID, seat: int, kind: str, data: Any, by: str = "person") -> Moved:
    """Say something beside the game, or react to an event; see `Play.talk`."""
    return change(match_id, lambda play: play.talk(seat, kind, data, by))


def answer(match_id: UUID, request: str, answer: Any, by: str, **beside: Any) -> Moved:
    """Say what an agent answers to who spoke to it (`games.rules.answering`): in the free talk, where it was asked
    there and that is still open, else beside the game. It is said once, however often this is called, and not at all
    where it would come too late or there is nothing to say. beside: as `change` takes it."""

    def move(play: Play) -> list[values.Event] | values.Refusal:
        called = answering.call(play, request)
        if not _end_call(match_id, request) or called is None or answer["text"] is None:
            return []
        say = next((one for one in play.state.open.values() if (one.seat, one.kind) == (called.seat, "say")), None)
        if say is not None and play.log[called.opened_at - 1].kind == "say" and not play.state.paused:
            return play.act(called.seat, say.id, {"text": answer["text"]}, by)
        return play.talk(called.seat, "chat", answer, by)

    return change(match_id, move, **beside)


def _end_call(match_id: UUID, request: str) -> bool:
    """A call needs no answer any more; whether it did."""
    return bool(Pending.objects.filter(match_id=match_id, request=request).delete()[0])


def take_over(
    match_id: UUID, seat: int, agent: str | None = None, unanswered: str | None = None, reason: str = ""
) -> Moved:
    """Let an agent play a seat until its player is back; with `unanswered` only while that request is open. reason: of
    an admin who wants it so, also in another agent's place; it is in the log where that names agents."""
    if not _named(match_id):
        return _stand_in_unseen(match_id, seat, agent or STAND_IN, unanswered)

    def move(play: Play) -> list[values.Event]:
        if (seat in play.state.stand_ins and not reason) or (unanswered and unanswered not in play.state.open):
            return []
        return play.note("taken_over", seat, {"by": agent or STAND_IN} | _because(reason))

    return change(match_id, move)


def free(match_id: UUID, seat: int, reason: str) -> Moved:
    """Take a person's seat from them, so that another one may go on with it; an agent plays on until then. What they
    said stays theirs to have erased."""
    with transaction.atomic():
        (match,) = held([match_id])
        sitter = next(sitter for sitter in match.seated if sitter.seat == seat)
        moved = take_over(match_id, seat, reason=reason)
        if moved.events:
            reseat(match, seat, person="", former=f"{sitter.former} {sitter.person}".strip())
    return moved


def sit_in(match_id: UUID, seat: int, person: str) -> Moved:
    """Let a person go on with a seat that was freed."""

    def move(play: Play) -> list[values.Event]:
        return play.note("handed_over", seat) if seat in play.state.stand_ins else []

    with transaction.atomic():
        moved = change(match_id, move)
        if moved.events and moved.match is not None:
            reseat(moved.match, seat, person=person)
    return moved


def move_on(match_id: UUID, request: str, reason: str) -> Moved:
    """Play the default on a request before its time, as an admin wants it; only where everybody may know of it."""

    def move(play: Play) -> list[values.Event]:
        asked = next((one for one in play.requests(values.PUBLIC) if one.id == request and one.waits), None)
        if asked is None or sealing.applies(play.rules, asked.kind):
            return []
        return [*play.note("moved_on", asked.seat, {"reason": reason}), *play.expire(request)]

    return change(match_id, move)


def _because(reason: str) -> dict[str, str]:
    return {"reason": reason} if reason else {}


def give_back(match_id: UUID, seat: int) -> Moved:
    """Let a person play their own seat again."""
    if not _named(match_id):
        return _stand_in_unseen(match_id, seat, "")
    return change(match_id, lambda play: play.note("returned", seat) if seat in play.state.stand_ins else [])


def _named(match_id: UUID) -> bool:
    return Match.objects.values_list("kinds_named", flat=True).get(pk=match_id)


def _stand_in_unseen(match_id: UUID, seat: int, agent: str, unanswered: str | None = None) -> Moved:
    """Let an agent play a seat, or '' its person, without a trace for others; see `Match.unseen_stand_ins`."""
    with transaction.atomic():
        (match,) = held([match_id])
        play = load(match)
        answered = unanswered is not None and unanswered not in play.state.open
        if play.over or answered or match.unseen_stand_ins().get(seat, "") == agent:
            return Moved(match=match)
        reseat(match, seat, stand_in=agent)
        if match.room is not None:
            _ask(match, play)
    return Moved(match=match)


def pause(match_id: UUID, reason: str = "") -> Moved:
    """Stop the clocks; nobody can act until `resume`, and where an admin gave a reason, until one lets it go on."""
    return change(match_id, lambda play: [] if play.state.paused else play.note("paused", data=_because(reason)))


def resume(match_id: UUID, reason: str = "") -> Moved:
    """Go on after `pause`, with fresh clocks. reason: an admin's."""

    def move(play: Play) -> list[values.Event] | values.Refusal:
        if play.state.held and not reason:
            return HELD
        return play.note("resumed", data=_because(reason)) if play.state.paused else []

    return change(match_id, move)


def end(match_id: UUID, status: str, reason: str) -> Moved:
    """End the match early: 'void' or 'abandoned'."""
    return change(match_id, lambda play: play.end(status, reason))


def hand_over(old: str, new: str) -> None:
    """Give all seats of one person to another; where both sit, each seat stays as it is."""
    both = MatchSeat.objects.filter(person=new).values("match")
    for seat in MatchSeat.objects.filter(person=old).exclude(match__in=both).select_related("match__room"):
        reseat(seat.match, seat.seat, person=new)
    for seat in MatchSeat.objects.filter(former__contains=old).select_related("match__room"):
        reseat(seat.match, seat.seat, former=seat.former.replace(old, new))


def held(keys: Iterable[UUID]) -> list[Match]:
    """These matches as they are now, with their rows; until the transaction ends nobody else changes them. Always in
    the same order, so that of two who want several neither waits for the other."""
    every = Match.staged_too.select_for_update(of=("self",)).select_related("room")
    return [archive.here(match) for match in every.filter(pk__in=keys).order_by("pk")]


def erase(
    match: Match, seat: int, changes: dict[int, dict[str, Any]], without: Change, *, others_now: bool = False
) -> None:
    """Write what is left of a person's seat (`games.match.erasing`) in a match that is `held`. changes: by seq the data
    that an event has afterwards; without: takes their words and name out of a text; others_now: somebody else has sat
    down at the seat since, and keeps it."""
    if not others_now:
        change_words(match.attempts.filter(seat=seat, by="person"), ["action"], lambda text: values.ERASED)
        match.notebooks.filter(seat=seat).delete()
        reseat(match, seat, name=called(seat), person="", former="")
    erase_words(match, changes, without)


def erase_words(match: Match, changes: dict[int, dict[str, Any]], without: Change) -> None:
    """Write what is left of words in a match that is `held`, wherever they stand; the same parameters."""
    events = list(match.events.filter(seq__in=changes))
    for event in events:
        event.data = changes[event.seq]
    Event.objects.bulk_update(events, ["data"])
    change_words(match.attempts.all(), ("sentence", "action"), without)
    change_words(match.thoughts.all(), ("reply", "data"), without)
    derive_lookup(match)
    change_words(match.prompt_texts.all(), ("text",), without)
    change_words(match.pending.all(), ("kept",), without)
    change_words(match.notes.all(), ("text",), without)
    archive.forget(match)
    match.erasures += 1
    match.save(update_fields=["erasures"])
    changed(match, WORDS)


@transaction.atomic
def forget_prompts(match_id: UUID) -> None:
    """Let go of what the models of a match were told."""
    (match,) = held([match_id])
    match.prompt_texts.all().delete()
    match.thoughts.update(pieces=[])


def derive_seats(match: Match, play: Play) -> None:
    """Write down what came of each seat of a match that is over."""
    cast, outcome = play.rules.cast(play.state), play.state.outcome
    seated = list(match.sitters.all())  # not those that the process keeps
    for sitter in seated:
        sitter.side, sitter.role = cast[sitter.seat].side, cast[sitter.seat].role
        sitter.won = sitter.seat in outcome.winners if outcome.status == "finished" else None
    MatchSeat.objects.bulk_update(seated, ["side", "role", "won"])


def derive_lookup(match: Match) -> None:
    """Write down anew by what a match is found: its words, and the methods and models of its seats."""
    match.texts.all().delete()
    match.methods.all().delete()
    lookup.write(match, match.events.plain(), match.thoughts.order_by("pk"))


# Writing ------------------------------------------------------------------------------------------------------------


def _append(
    match: Match,
    play: Play,
    known: int,
    thoughts: Iterable[Any],
    attempts: Iterable[Any],
    times: dict[int, str | None],
) -> None:
    now = clock.now()
    thoughts, attempts = [given(row, THOUGHT_FIELDS) for row in thoughts], list(attempts)
    _write(match, play.log[known:], thoughts, attempts, times, now)
    if play.over:
        outcome = play.state.outcome
        match.status, match.result, match.ended_at = outcome.status, outcome.result or "", now
        if known or not match.digest:
            stamps: dict[int, str | None] = {event.seq: stamp(at) for event, at in match.events.timed()}
            match.digest = logfile.digest(play.rules, logfile.LogFile(match.header, play.log, stamps))
        match.save(update_fields=["status", "result", "ended_at", "digest"])
        derive_seats(match, play)
        for do in at_the_end:
            transaction.on_commit(partial(do, match), robust=True)
    changed(match, LOG, len(play.log))
    if thoughts:
        changed(match, THOUGHTS, len(play.log))
    if attempts:  # the host's page may have to say why agents do not play as they were asked to
        changed(match, ATTEMPTS)
    alone = match.origin in (Match.Origin.FORK, Match.Origin.COMPETITION) and (known or not play.over)
    if match.room_id or alone:
        _ask(match, play, play.log[known:] if known else ())


def _ask(match: Match, play: Play, fresh: Sequence[values.Event] = ()) -> None:
    """Keep what is asked now, and once that is committed tell the workers."""
    asked = pending.project(match, play, fresh)
    transaction.on_commit(lambda: pending.nudge_for(match.pk, asked))


def _write(
    match: Match,
    log: list[values.Event],
    thoughts: list[dict[str, Any]],
    attempts: Iterable[Any],
    times: dict[int, str | None],
    now: datetime,
    pool: Pool | None = None,
) -> None:
    """Write what was added to a match. pool: the texts of its prompts, where they are known."""
    insert(
        Event,
        ("match", "at", *values.Event._fields),
        ((match.pk, moment(times.get(event.seq)) or now, *event) for event in log),
    )
    found = _think(match, thoughts, now, pool)
    tried = [_UNTRIED | given(row, ATTEMPT_FIELDS) for row in attempts]
    insert(Attempt, ("match", "at", *ATTEMPT_FIELDS), ((match.pk, now, *map(row.get, ATTEMPT_FIELDS)) for row in tried))
    lookup.write(match, log, found)


def _think(match: Match, thoughts: list[dict[str, Any]], now: datetime, pool: Pool | None) -> list[values.Thought]:
    """Store thoughts, and of their prompts what no earlier prompt of the match has."""
    if pool is None:
        pool = pool_of(match) if any(thought.get("prompt") for thought in thoughts) else Pool()
    known = len(pool.texts)
    found = [values.Thought(**thought) for thought in numbered(thoughts)]
    rows = [(match.pk, now, pool.put(one.prompt), *(getattr(one, name) for name in _THOUGHT_COLUMNS)) for one in found]
    fresh = enumerate(pool.texts[known:], known)
    insert(PromptText, ("match", "n", "text"), ((match.pk, n, "\n".join(lines)) for n, lines in fresh))
    insert(Thought, ("match", "at", "pieces", *_THOUGHT_COLUMNS), rows)
    return found


_THOUGHT_COLUMNS = tuple(name for name in THOUGHT_FIELDS if name != "prompt")
_SEAT_COLUMNS = tuple(field.attname for field in MatchSeat._meta.concrete_fields if not field.primary_key)
_UNTRIED = defaults(values.Attempt)


def reseat(match: Match, seat: int, **columns: str) -> None:
    """Write who has a seat, or plays it (`MatchSeat`)."""
    match.sitters.filter(seat=seat).update(**columns)
    match.seating = new_seed()
    match.save(update_fields=["seating"])
    changed(match, SEATS)
