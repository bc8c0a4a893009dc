"""What an agent thought, laid beside the moments of a match: its stages, its beliefs as a heat map and as curves.

Belief matrices are read as the plain JSON that thoughts keep: {owner, labels, suspects, rows: {viewer: {subject:
[probability of each label]}}}. This module draws them and knows nothing of who made them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.defaultfilters import floatformat

from games.match.view import MatchView, Thought
from games.rules.schema import Cost
from games.translation import translated
from games.web.wording import Runs, in_words, plain, runs

Truth = Mapping[int, Mapping[str, str]]
"""What each seat really is: {seat: {"side": ..., "role": ...}}; a role is empty where the game has none."""

WIDTH, HEIGHT = 600, 120  # of the curves, in units of the picture
LEVELS = 20  # steps of the heat map's colour
SMALLEST_CHANGE = 0.005
SHOWN_APART = ("beliefs", "why", "summary", "thought", "problem", "finish", "value")


@dataclass(frozen=True)
class Cell:
    """How much a viewer suspects a subject, 0 to 1. change: since the last matrix of this kind; level: 0 to `LEVELS`;
    truth: the subject really is what it is suspected of."""

    subject: int
    suspicion: float
    change: float | None
    labels: Mapping[str, float]
    truth: bool

    @property
    def level(self) -> int:
        return round(self.suspicion * LEVELS)

    @property
    def by_label(self) -> str:
        """Every label with its chance, in one line."""
        return ", ".join(f"{label} {floatformat(chance, 2)}" for label, chance in self.labels.items())


@dataclass(frozen=True)
class HeatRow:
    """The mind of one viewer, as the owner of the matrix sees it; None where nothing is thought."""

    viewer: int
    own: bool
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class Heat:
    """A matrix ready to be drawn: first the owner's own row. truth: what each subject really is; empty if not told."""

    suspects: tuple[str, ...]
    labels: tuple[str, ...]
    subjects: tuple[int, ...]
    rows: tuple[HeatRow, ...]
    truth: tuple[str, ...]


@dataclass(frozen=True)
class Stage:
    """One thought: the row with its words, its heat map if it holds beliefs, the rest of what was read from it."""

    thought: Thought
    heat: Heat | None
    rest: Mapping[str, str]

    @property
    def title(self) -> str:
        return in_words(self.thought.stage)

    @property
    def why(self) -> str:
        return str(self.thought.data.get("why") or "")

    @property
    def problem(self) -> str:
        return str(self.thought.data.get("problem") or "")


@dataclass(frozen=True)
class Curve:
    """How one subject was suspected over time, as the points of a polyline."""

    subject: int
    points: str


@dataclass(frozen=True)
class Course:
    """The owner's own beliefs over a match: [(seq, {subject: suspicion})], and the picture of them. now: its line."""

    suspects: tuple[str, ...]
    subjects: tuple[int, ...]
    moments: tuple[tuple[int, Mapping[int, float]], ...]
    curves: tuple[Curve, ...]
    now: float

    width, height = WIDTH, HEIGHT


@dataclass(frozen=True)
class Drafts:
    """Two versions of the same words, each as runs of (words, whether only this version has them)."""

    first: Runs
    second: Runs


@dataclass(frozen=True)
class Summary:
    """A running summary as it stood after a move, as runs of (words, whether they are new)."""

    seq: int
    runs: Runs


@dataclass(frozen=True)
class Reasoning:
    """What a seat's agent thought for the last move that it had made by a moment. before and after: the seqs of its
    moves with thoughts around this one. request: what the move answered; drafts: where words were gone over before they
    were said; summaries: how a running one grew up to now."""

    seat: int
    seq: int
    move: str
    stages: tuple[Stage, ...]
    attempts: tuple[Any, ...]
    course: Course | None
    before: int | None
    after: int | None
    request: str
    drafts: Drafts | None
    summaries: tuple[Summary, ...]

    @property
    def cost(self) -> Cost:
        return Cost.of(*(stage.thought for stage in self.stages))


def reasonings(seen: MatchView, until: int, truth: Truth, seat: int | None = None) -> list[Reasoning]:
    """By seat: what belongs to its last move up to and with the moment `until`; of one seat, or of all that thought.

    Takes as many queries for all seats as for one.
    """
    histories = _histories(seen, seat)
    latest = [
        (owner, max(done, key=lambda kept: kept.seq).request)
        for owner, history in histories.items()
        if (done := [kept for kept in history if kept.seq <= until])
    ]
    return _of_moves(seen, latest, histories, truth)


def every_reasoning(seen: MatchView, truth: Truth) -> list[Reasoning]:
    """What belongs to each move that a seat thought about, in the order of the moves."""
    histories = _histories(seen)
    moves = {(kept.seq, owner, kept.request) for owner, history in histories.items() for kept in history}
    return _of_moves(seen, [move[1:] for move in sorted(moves)], histories, truth)


def _of_moves(
    seen: MatchView, wanted: Sequence[tuple[int, str]], histories: Mapping[int, Sequence[_Kept]], truth: Truth
) -> list[Reasoning]:
    """Of these moves, each a seat and its request."""
    moves = _moves(seen)
    requests = [request for _, request in wanted]
    shown: dict[str, list[Thought]] = {}
    for row in seen.thought_rows.filter(request__in=requests):
        shown.setdefault(row.request, []).append(row)
    refused: dict[str, list[Any]] = {}
    for attempt in seen.attempt_rows.filter(request__in=requests):
        refused.setdefault(attempt.request, []).append(attempt)
    return [
        _reasoning(owner, moves[request], shown[request], tuple(refused.get(request, ())), histories[owner], truth)
        for owner, request in wanted
    ]


def _moves(seen: MatchView) -> dict[str, tuple[int, str]]:
    return {event.request: (event.seq, event.kind) for event in seen.events if event.request}


def _histories(seen: MatchView, seat: int | None = None) -> dict[int, list[_Kept]]:
    """What the thoughts of one seat, or of each, left for later."""
    moves = _moves(seen)
    thoughts = seen.thought_rows if seat is None else seen.thought_rows.filter(seat=seat)
    histories: dict[int, list[_Kept]] = {}
    for owner, request, *kept in thoughts.values_list("seat", "request", "pk", "data__beliefs", "data__summary"):
        if request in moves:
            histories.setdefault(owner, []).append(_Kept(moves[request][0], request, *kept))
    return dict(sorted(histories.items()))


@dataclass(frozen=True)
class _Kept:
    """What a thought left for later: the seq of its move, and its matrix and summary, if it has them."""

    seq: int
    request: str
    thought: int
    beliefs: dict | None
    summary: str | None


def _reasoning(
    seat: int,
    move: tuple[int, str],
    thoughts: Sequence[Thought],
    attempts: tuple[Any, ...],
    history: Sequence[_Kept],
    truth: Truth,
) -> Reasoning:
    seq, kind = move
    matrices = [(kept.seq, kept.thought, kept.beliefs) for kept in history if kept.beliefs]
    around = sorted({kept.seq for kept in history})
    place = around.index(seq)
    stages = tuple(_stage(row, matrices, truth) for row in thoughts)
    return Reasoning(
        seat=seat,
        seq=seq,
        move=in_words(kind),
        stages=stages,
        attempts=attempts,
        course=_course(matrices, seq),
        before=around[place - 1] if place else None,
        after=around[place + 1] if place + 1 < len(around) else None,
        request=thoughts[0].request,
        drafts=_drafts(stages),
        summaries=_summaries(kept for kept in history if kept.summary and kept.seq <= seq),
    )


def _drafts(stages: Sequence[Stage]) -> Drafts | None:
    """The first and the last version of what was to be said, where two stages wrote one; what was refused is none."""
    written = [stage.thought for stage in stages if stage.thought.data.get("action") and not stage.problem]
    if not written or written[0].stage == written[-1].stage:
        return None
    first, last = (_spoken(thought.data["action"]) for thought in (written[0], written[-1]))
    return Drafts(runs(last, first), runs(first, last)) if first and last else None


def _spoken(action: Mapping[str, Any]) -> str:
    return " ".join(value for value in action.values() if isinstance(value, str))


def _summaries(history: Iterable[_Kept]) -> tuple[Summary, ...]:
    """Every version once, oldest first."""
    before, found = "", []
    for kept in sorted(history, key=lambda kept: (kept.seq, kept.thought)):
        if kept.summary and kept.summary != before:
            found.append(Summary(kept.seq, runs(before, kept.summary)))
            before = kept.summary
    return tuple(found)


def _stage(thought: Thought, matrices: Sequence[tuple[int, int, dict]], truth: Truth) -> Stage:
    beliefs = thought.data.get("beliefs")
    heat = None
    if beliefs:
        earlier = [matrix for _, pk, matrix in matrices if pk < thought.pk and matrix["labels"] == beliefs["labels"]]
        heat = heat_map(beliefs, earlier[-1] if earlier else None, truth)
    value = thought.data.get("value")
    read = dict(value) if isinstance(value, dict) and "action" not in thought.data else {}
    read |= {name: item for name, item in thought.data.items() if name not in SHOWN_APART}
    told = (thought.reply, thought.data.get("why"))
    rest = {in_words(name): _further(item) for name, item in read.items() if item not in told}
    return Stage(thought, heat, rest)


def _further(item: Any) -> str:
    """What else was read; of a matrix beside the one that is drawn, what its owner believes of each seat."""
    if not isinstance(item, dict) or not {"owner", "labels", "rows"} <= item.keys():
        return plain(item)
    own = item["rows"].get(str(item["owner"]), {})
    return "\n".join(
        f"{seat}: "
        + ", ".join(f"{in_words(label)} {chance:.2f}" for label, chance in zip(item["labels"], row, strict=True))
        for seat, row in own.items()
    )


def heat_map(beliefs: dict, earlier: dict | None, truth: Truth) -> Heat:
    """A matrix as it is drawn, with what changed since an earlier one."""
    suspects, labels = tuple(beliefs["suspects"]), tuple(beliefs["labels"])
    subjects = tuple(sorted({int(subject) for row in beliefs["rows"].values() for subject in row}))
    owner = str(beliefs["owner"])
    rows = []
    for viewer in sorted(beliefs["rows"], key=lambda viewer: (viewer != owner, int(viewer))):
        before = (earlier or {"rows": {}})["rows"].get(viewer, {})
        cells: list[Cell | None] = []
        for subject in subjects:
            chances = beliefs["rows"][viewer].get(str(subject))
            if chances is None:
                cells.append(None)
                continue
            now = _suspicion(beliefs, chances)
            known = before.get(str(subject)) if earlier else None
            change = now - _suspicion(earlier, known) if earlier and known is not None else None
            cells.append(
                Cell(
                    subject=subject,
                    suspicion=now,
                    change=change if change is not None and abs(change) >= SMALLEST_CHANGE else None,
                    labels=dict(zip((_named(label, truth) for label in labels), chances, strict=True)),
                    truth=_suspected_rightly(truth, int(owner), subject, beliefs),
                )
            )
        rows.append(HeatRow(int(viewer), viewer == owner, tuple(cells)))
    real = tuple(_really(truth.get(subject, {}), labels) for subject in subjects) if truth else ()
    return Heat(tuple(_named(label, truth) for label in suspects), labels, subjects, tuple(rows), real)


def _suspected_rightly(truth: Truth, owner: int, subject: int, beliefs: dict) -> bool:
    """Whether a subject is one of the suspects; where the labels name no role and no side, such as teammate and
    opponent, whether it is not on the owner's side."""
    if subject not in truth:
        return False
    names = {name for seat in truth.values() for name in seat.values() if name}
    if names.isdisjoint(beliefs["labels"]):
        return truth[subject]["side"] != truth.get(owner, truth[subject])["side"]
    return not set(beliefs["suspects"]).isdisjoint(truth[subject].values())


def _really(truth: Mapping[str, str], labels: Sequence[str]) -> str:
    """A seat's side where that is one of the labels, else its role as people call it."""
    role, side = truth.get("role", ""), truth.get("side", "")
    return in_words(side if side in labels or not role else translated(truth.get("called") or role))


def _named(label: str, truth: Truth) -> str:
    """A label as people call it: where a role has another name at this table, by that."""
    others = (seat["called"] for seat in truth.values() if seat.get("role") == label and seat.get("called"))
    return in_words(translated(next((name for name in others if label not in name), label)))


def _course(matrices: Iterable[tuple[int, int, dict]], now: int) -> Course | None:
    """The first hop of the last matrix of each move, all of the kind that comes first."""
    matrices = list(matrices)
    if not matrices:
        return None
    labels = matrices[0][2]["labels"]
    by_move = {seq: matrix for seq, _, matrix in matrices if matrix["labels"] == labels}
    moments = [
        (seq, {int(s): _suspicion(matrix, chances) for s, chances in matrix["rows"][str(matrix["owner"])].items()})
        for seq, matrix in sorted(by_move.items())
    ]
    if len(moments) < 2:
        return None
    subjects = tuple(sorted({subject for _, row in moments for subject in row}))
    first, last = moments[0][0], moments[-1][0]

    def x(seq: int) -> float:
        return round((seq - first) / (last - first) * WIDTH, 1)

    curves = tuple(
        Curve(s, " ".join(f"{x(seq)},{round((1 - row[s]) * HEIGHT, 1)}" for seq, row in moments if s in row))
        for s in subjects
    )
    return Course(tuple(matrices[0][2]["suspects"]), subjects, tuple(moments), curves, x(min(max(now, first), last)))


def _suspicion(matrix: dict, chances: Sequence[float]) -> float:
    """The share of the labels that count as suspicion."""
    return sum(chances[matrix["labels"].index(label)] for label in matrix["suspects"])
