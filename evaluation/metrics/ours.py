"""Metrics that are this project's own: persuasion, cost, compliance, detection."""

from collections.abc import Callable, Iterator

from evaluation.metrics.base import OURS, every_game, of_paper
from evaluation.metrics.values import Item, Mean
from evaluation.records.record import GIVEN, NOBODY, OTHER, OWN, UNUSABLE, Note, Record
from games.rules.core import Rules
from games.rules.polls import ODD_ONE

counted = of_paper(OURS, games=every_game)


def names_one(rules: Rules) -> bool:
    """Where polls ask who the one odd player is."""
    return rules.suspect_field == ODD_ONE


# Persuasion ---------------------------------------------------------------------------------------------------------


def persuasion(record: Record, speaker: int, target: int) -> Iterator[Item]:
    """By how much others who were polled before and after an utterance of the speaker moved to taking the target for
    the odd one: +1, 0 or -1 each. Only where both polls exist; between two polls all utterances share the change."""
    before: dict[int, int | None] = {}
    spoken: list[int] = []
    polls = {asked.event.seq: asked for asked in record.answers}
    now: dict[int, int | None] = {}
    for event in record.of("clue", "say", "polling", "poll", "polled"):
        if event.kind in ("clue", "say"):
            if event.seat == speaker and event.data.get("text") and record.own(event):
                spoken.append(event.seq)
        elif event.kind == "poll":
            asked = polls.get(event.seq)
            if asked is not None and asked.said.get(ODD_ONE) is not None:
                now[event.seat] = asked.said[ODD_ONE]
        elif event.kind == "polled":
            for seq in spoken:
                for other in now.keys() & before.keys() - {speaker, target}:
                    yield Item(seq, (now[other] == target) - (before[other] == target))
            before, now, spoken = now, {}, []


def _on_others(record: Record, seat: int) -> Iterator[Item]:
    """Persuasion about all who stand against the speaker."""
    for target in record.others(seat):
        if record.sides[target] != record.sides[seat]:
            yield from persuasion(record, seat, target)


@counted("ours.persuasion", "Persuasion", games=names_one, sums=Mean, unit="", reading=True)
def persuasion_about_opponents(record: Record, seat: int) -> Iterator[Item]:
    """Mean change, from the poll before an utterance to the poll after it, in whether another player takes an opponent
    of the speaker for the odd one."""
    return _on_others(record, seat)


@counted(
    "ours.suspicion_drawn",
    "Suspicion drawn",
    games=names_one,
    sums=Mean,
    unit="",
    lower=True,
    reading=True,
)
def suspicion_drawn(record: Record, seat: int) -> Iterator[Item]:
    """Mean change, from the poll before an utterance to the poll after it, in whether another player takes the speaker
    for the odd one."""
    return persuasion(record, seat, seat)


# Cost ---------------------------------------------------------------------------------------------------------------

_SPENT: dict[str, tuple[str, str, Callable[[Note], float]]] = {
    "tokens": ("Tokens", "tokens", lambda note: note.cost.tokens),
    "money": ("US dollars", "US dollars", lambda note: note.cost.dollars),
    "seconds": ("Seconds of model time", "seconds", lambda note: note.cost.ms / 1000),
    "calls": ("Model calls", "calls", lambda note: 1),
}


def _spending(amount: Callable[[Note], float], a_win: bool) -> Callable[[Record, int], Iterator[Item]]:
    def items(record: Record, seat: int) -> Iterator[Item]:
        notes = [note for note in record.notes_of(seat) if note.model]
        yield Item(record.end.seq, sum(map(amount, notes)), 0)
        if not a_win:
            yield Item(record.end.seq, 0, 1, "match")
        elif record.won(seat):
            yield Item(record.end.seq, 0, 1, "win")

    return items


for _name, (_title, _unit, _amount) in _SPENT.items():
    for _suffix, _a_win in (("", False), (".a_win", True)):
        counted(
            f"ours.{_name}{_suffix}",
            f"{_title} a {'win' if _a_win else 'match'}",
            about=f"{_title} / {'matches won' if _a_win else 'matches'}.",
            unit=_unit,
            lower=True,
            unfinished=not _a_win,
            whole=_a_win,
            beside=not _a_win,
            sums=Mean,
        )(_spending(_amount, _a_win))


# How the play went --------------------------------------------------------------------------------------------------


@counted(
    "ours.compliance",
    "Format compliance",
    source="ReCon, section 5.5; MPTT / WIU, section 5.4",
    unfinished=True,
    beside=True,
)
def compliance(record: Record, seat: int) -> Iterator[Item]:
    """Questions to the model whose first reply could be used as it was / questions."""
    first: dict[tuple[str, str], Note] = {}
    for note in record.notes_of(seat):
        if note.model:
            first.setdefault((note.request, note.stage), note)
    for note in first.values():
        answer = record.answered.get(note.request)
        yield Item(answer.seq if answer else note.at, float(not note.problem))


@counted(
    "ours.refusals", "Refusals", source="ReCon, section 5.2", unfinished=True, beside=True, lower=True, reading=True
)
def refusals(record: Record, seat: int) -> Iterator[Item]:
    """Replies of the model that decline what was asked, as its API or their first words say / replies."""
    for note in record.notes_of(seat):
        if note.model:
            answer = record.answered.get(note.request)
            yield Item(answer.seq if answer else note.at, float(note.declined))


def _made_by(*makers: str) -> Callable[[Record, int], Iterator[Item]]:
    def items(record: Record, seat: int) -> Iterator[Item]:
        for move in record.moves:
            if move.seat == seat and (maker := record.maker(move)) != GIVEN:
                yield Item(move.seq, float(maker in makers))

    return items


for _name, _title, _about, _makers in (
    (
        "own_moves",
        "Own moves",
        "Moves that the seat’s own player made, or that stand for its reply that could not be used / moves. Seats "
        "with fewer than all are left out of what became of seats: wins, points, ratings.",
        (OWN, UNUSABLE),
    ),
    (
        "unusable",
        "Unusable replies",
        "Moves by default in place of the own player’s reply, which stayed unreadable or illegal / moves. What became "
        "of such a seat counts; the single move does not, since it was not chosen.",
        (UNUSABLE,),
    ),
    ("defaults", "Moves by default", "Moves by default, whatever the reason / moves.", (UNUSABLE, NOBODY)),
    ("stand_ins", "Moves by a stand-in", "Moves that another agent made for the seat / moves.", (OTHER,)),
):
    counted(f"ours.{_name}", _title, about=_about, lower=_name != "own_moves", unfinished=True, beside=True)(
        _made_by(*_makers)
    )


@counted("ours.polls_answered", "Polls answered", games=names_one, unfinished=True, beside=True)
def polls_answered(record: Record, seat: int) -> Iterator[Item]:
    """Polls that the seat's own player answered / polls."""
    for poll in record.of("poll"):
        if poll.seat == seat:
            yield Item(poll.seq, float(not poll.data.get("skipped") and record.own(poll)))


@counted("ours.finished", "Played to the end", unfinished=True, beside=True)
def finished(record: Record, seat: int) -> Iterator[Item]:
    """Matches that were played to their end / matches."""
    yield Item(record.end.seq, float(record.finished), 1, "match")


@counted("ours.wins", "Matches won", whole=True)
def wins(record: Record, seat: int) -> Iterator[Item]:
    """Matches that the side won / matches; in games without sides, that the seat won."""
    yield Item(record.end.seq, float(record.won(seat)), 1, seat if record.rules.solo else record.sides.get(seat))


@counted("ours.detection", "Detection of agents", beside=True)
def detection(record: Record, seat: int) -> Iterator[Item]:
    """Other players whom a person, asked after the match, rightly takes for an agent or a person / other players."""
    taken = record.detections.get(seat)
    if taken is not None:
        for other in record.others(seat):
            yield Item(record.end.seq, float((other in taken) == (record.player(other).kind == "agent")))


@counted("ours.passed_for_person", "Taken for a person", whole=True)
def passed_for_person(record: Record, seat: int) -> Iterator[Item]:
    """People asked after the match who take this seat for a person / people asked."""
    for asked, taken in record.detections.items():
        if taken is not None and asked != seat:
            yield Item(record.end.seq, float(seat not in taken))
