"""What an agent thought, laid beside the moments of a match: its stages, its beliefs as a heat map and as curves.

Belief matrices are read as the plain JSON that thoughts keep: {owner, labels, suspects, rows: {viewer: {subject:
[probability of each label]}}}. This module draws them and knows nothing of who made them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from operator import itemgetter
from typing import Any

from django.db.models.functions import Length

from games.models import Match, Thought

WIDTH, HEIGHT = 600, 120  # of the curves, in units of the picture
LEVELS = 20  # steps of the heat map's colour
SMALLEST_CHANGE = 0.005


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


@dataclass(frozen=True)
class HeatRow:
    """The mind of one viewer, as the owner of the matrix sees it; None where nothing is thought."""

    viewer: int
    own: bool
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class Heat:
    """A matrix ready to be drawn: first the owner's own row."""

    suspects: tuple[str, ...]
    labels: tuple[str, ...]
    subjects: tuple[int, ...]
    rows: tuple[HeatRow, ...]


@dataclass(frozen=True)
class Stage:
    """One thought: the row with its words, its heat map if it holds beliefs, the rest of what was read from it."""

    thought: Thought
    heat: Heat | None
    rest: Mapping[str, Any]

    @property
    def title(self) -> str:
        return in_words(self.thought.stage)

    @property
    def why(self) -> str:
        return str(self.thought.data.get("why") or "")


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

    first: tuple[tuple[str, bool], ...]
    second: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Summary:
    """A running summary as it stood after a move, as runs of (words, whether they are new)."""

    seq: int
    runs: tuple[tuple[str, bool], ...]


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
    request: str = ""
    drafts: Drafts | None = None
    summaries: tuple[Summary, ...] = ()

    @property
    def cost(self) -> float:
        return sum(stage.thought.cost for stage in self.stages)

    @property
    def ms(self) -> int:
        return sum(stage.thought.ms for stage in self.stages)

    @property
    def tokens(self) -> int:
        return sum(stage.thought.tokens_in + stage.thought.tokens_out for stage in self.stages)


def reasoning(match: Match, seat: int | None, until: int, truth: Mapping[int, set[str]]) -> Reasoning | None:
    """The thoughts that belong to the moment `until`, of one seat or of the last that thought; None for none yet.

    truth: what each seat really is, its role and its side. Reads everything; only for those who may.
    """
    thoughts = match.thoughts.filter(seat=seat) if seat else match.thoughts.all()
    answers = match.events.filter(request__in=thoughts.values("request"), seq__lte=until).order_by("-seq")
    answer = answers.first()
    if answer is None:
        return None
    seat = answer.seat
    own = match.thoughts.filter(seat=seat).order_by("pk").defer("prompt").annotate(told=Length("prompt"))
    seqs = dict(match.events.filter(request__in=own.values("request")).values_list("request", "seq"))
    matrices = [
        (seqs[request], pk, beliefs)
        for pk, request, beliefs in own.values_list("pk", "request", "data__beliefs")
        if beliefs and request in seqs
    ]
    around = sorted(set(seqs.values()))
    place = around.index(answer.seq)
    stages = tuple(_stage(row, matrices, truth) for row in own.filter(request=answer.request))
    return Reasoning(
        seat=seat,
        seq=answer.seq,
        move=in_words(answer.kind),
        stages=stages,
        attempts=tuple(match.attempts.filter(request=answer.request).order_by("pk")),
        course=_course(matrices, answer.seq),
        before=around[place - 1] if place else None,
        after=around[place + 1] if place + 1 < len(around) else None,
        request=answer.request,
        drafts=_drafts(stages),
        summaries=_summaries(own, seqs, answer.seq),
    )


def _drafts(stages: Sequence[Stage]) -> Drafts | None:
    """The first and the last version of what was to be said, where a move went through more than one."""
    said = [_spoken(stage.thought.data["action"]) for stage in stages if stage.thought.data.get("action")]
    by_stage = {stage.thought.stage for stage in stages if stage.thought.data.get("action")}
    if len(by_stage) < 2 or not (said[0] and said[-1]):
        return None
    return Drafts(_runs(said[-1], said[0]), _runs(said[0], said[-1]))


def _spoken(action: Mapping[str, Any]) -> str:
    return " ".join(value for value in action.values() if isinstance(value, str))


def _summaries(own: Any, seqs: Mapping[str, int], until: int) -> tuple[Summary, ...]:
    rows = own.filter(data__has_key="summary").values_list("request", "data__summary")
    told = [(seqs[request], words) for request, words in rows if words and seqs.get(request, until + 1) <= until]
    told.sort(key=itemgetter(0))
    return tuple(
        Summary(seq, _runs(told[number - 1][1] if number else "", words)) for number, (seq, words) in enumerate(told)
    )


def _runs(old: str, new: str) -> tuple[tuple[str, bool], ...]:
    """The new words in runs, each with whether the old ones lack it."""
    before, after = old.split(), new.split()
    matcher = SequenceMatcher(a=before, b=after, autojunk=False)
    return tuple(
        (" ".join(after[start:end]), kind != "equal") for kind, _, _, start, end in matcher.get_opcodes() if end > start
    )


def _stage(thought: Thought, matrices: Sequence[tuple[int, int, dict]], truth: Mapping[int, set[str]]) -> Stage:
    beliefs = thought.data.get("beliefs")
    heat = None
    if beliefs:
        earlier = [matrix for _, pk, matrix in matrices if pk < thought.pk and matrix["labels"] == beliefs["labels"]]
        heat = heat_map(beliefs, earlier[-1] if earlier else None, truth)
    rest = {key: value for key, value in thought.data.items() if key not in ("beliefs", "why", "summary")}
    return Stage(thought, heat, rest)


def heat_map(beliefs: dict, earlier: dict | None, truth: Mapping[int, set[str]]) -> Heat:
    """A matrix as it is drawn, with what changed since an earlier one."""
    suspects, labels = tuple(beliefs["suspects"]), tuple(beliefs["labels"])
    subjects = tuple(sorted({int(subject) for row in beliefs["rows"].values() for subject in row}))
    owner = str(beliefs["owner"])
    rows = []
    for viewer in sorted(beliefs["rows"], key=lambda viewer: (viewer != owner, int(viewer))):
        before = (earlier or {"rows": {}})["rows"].get(viewer, {})
        cells = []
        for subject in subjects:
            chances = beliefs["rows"][viewer].get(str(subject))
            if chances is None:
                cells.append(None)
                continue
            now = _suspicion(beliefs, chances)
            change = now - _suspicion(earlier, before[str(subject)]) if str(subject) in before else None
            cells.append(
                Cell(
                    subject=subject,
                    suspicion=now,
                    change=change if change is not None and abs(change) >= SMALLEST_CHANGE else None,
                    labels=dict(zip(labels, chances, strict=True)),
                    truth=bool(truth.get(subject, set()) & set(suspects)),
                )
            )
        rows.append(HeatRow(int(viewer), viewer == owner, tuple(cells)))
    return Heat(suspects, labels, subjects, tuple(rows))


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


def in_words(name: str) -> str:
    """A name from a log as a person reads it: 'team_vote' is a team vote."""
    return name.replace("_", " ")


def _suspicion(matrix: dict, chances: Sequence[float]) -> float:
    """The share of the labels that count as suspicion."""
    return sum(chances[matrix["labels"].index(label)] for label in matrix["suspects"])
