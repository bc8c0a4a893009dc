"""Whatever is done at a stored match: moves, talk, and who plays a seat.

Every change loads the log, lets `Play` act on it and appends what came of it, in one transaction.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from games.match import archive, sealing, writer
from games.match.rows import ATTEMPT_FIELDS, THOUGHT_FIELDS, MatchSeat, given
from games.models import OUTSIDE, Match, Pending
from games.registry import RULES
from games.rules import answering, replay, values
from games.rules.play import Play
from games.rules.sentences import sentence

RETRIES = 8

STAND_IN = "house"
"""Who takes a seat whose player does not answer."""

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


def load(match: Match) -> Play:
    """The match in play, folded from its log; raises `LogError` where these rules do not come to it."""
    rules, header = RULES[match.game], match.header
    log = [event for event, _at in archive.timed(match)]
    replay.must_stand(rules, header, log)
    return Play(rules, header, log)


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
                (match,) = writer.held([match_id])
                if as_of not in (None, match.erasures):
                    return Moved((), STALE, match)
                play = load(match)
                known = len(play.log)
                result = move(play)
                moved = len(play.log) > known
                kept = play.attempts + (attempts if moved else [])
                if moved or kept:
                    writer.append(match, play, known, thoughts if moved else (), kept, {})
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
        writer.held([match_id])  # whoever answers now comes before this, or too late
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
        (match,) = writer.held([match_id])
        sitter = next(sitter for sitter in match.seated if sitter.seat == seat)
        moved = take_over(match_id, seat, reason=reason)
        if moved.events:
            writer.reseat(match, seat, person="", former=f"{sitter.former} {sitter.person}".strip())
    return moved


def sit_in(match_id: UUID, seat: int, person: str) -> Moved:
    """Let a person go on with a seat that was freed."""

    def move(play: Play) -> list[values.Event]:
        return play.note("handed_over", seat) if seat in play.state.stand_ins else []

    with transaction.atomic():
        moved = change(match_id, move)
        if moved.events and moved.match is not None:
            writer.reseat(moved.match, seat, person=person)
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
        (match,) = writer.held([match_id])
        play = load(match)
        answered = unanswered is not None and unanswered not in play.state.open
        if play.over or answered or match.unseen_stand_ins().get(seat, "") == agent:
            return Moved(match=match)
        writer.reseat(match, seat, stand_in=agent)
        if match.room is not None:
            writer.ask(match, play)
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
        writer.reseat(seat.match, seat.seat, person=new)
    for seat in MatchSeat.objects.filter(former__contains=old).select_related("match__room"):
        writer.reseat(seat.match, seat.seat, former=seat.former.replace(old, new))


@transaction.atomic
def forget_prompts(match_id: UUID) -> None:
    """Let go of what the models of a match were told."""
    (match,) = writer.held([match_id])
    match.prompt_texts.all().delete()
    match.thoughts.update(pieces=[])
