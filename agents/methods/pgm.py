"""Probabilistic graphical modelling (MAgIC, ACL edition, section 4, A.5, A.7 and tables 5 and 6).

The seat takes a view of the table through its own eyes and through those of each other player: B_1 to B_n, each from
the record alone and so all at once (equation 9). The move is decided with all of them before it (equation 11). In games
with an odd one the views are verdicts that accumulate in a matrix, or the matrix itself; it is carried on from one
decision to the next, and gives the decision a target player. In games without one the views are words: what each player
will do, and what each expects of the others.

In games of clues views are taken after every clue (figure 5), each from the record up to that clue: those that are
missing when the seat is asked something, all at once. So each clue moves the matrix once, with polls and without, and a
poll is read off the matrix after the last one. In other games the table is looked at before a move or a poll.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from agents.beliefs import Beliefs
from agents.recall import Held
from agents.scene import alive, hides_roles, own_side
from games.rules.fields import Choice, Number, OneSeat, Text

from . import pgm_matrix as matrix
from .base import Method, Part, Stage, Steps, Switch, Turn, forced
from .readers import Form, Move, PerSeat

TEXT, MATRIX = "text", "matrix"
SUSPECTED, SUSPECTING = "most_suspected", "suspects_me"
GOOD, ODD, UNSURE = "good", "odd", "unsure"

SIGNS = {"more suspicious": 1, "no change": 0, "less suspicious": -1}
STANDINGS = {"yes": ODD, "no": GOOD, "unsure": UNSURE}
"""By the answer to "am I the odd one?"."""

NO_CLUE = {"because": "Nothing was said yet.", "guess": None}
REASON = Text("because", limit=600)
Views = dict[int, Any]


class Pgm(Method):
    name = "pgm"
    title = "Graphical model"
    about = (
        "Takes a view of the table through its own eyes and through those of each other player, all at once, "
        "keeps them as a matrix, and moves with a target player in mind."
    )
    switches = (
        Switch("form", "Views as text that accumulates in a matrix, or the matrix asked for.", TEXT, (TEXT, MATRIX)),
        Switch(
            "update",
            "How text moves the matrix: in proportion, or by the softmax of the authors' figures.",
            matrix.NORMALISED,
            (matrix.NORMALISED, matrix.MAGIC),
        ),
        Switch("eta", "How far one verdict moves the matrix, where the update is normalised.", 0.5),
        Switch(
            "target",
            "Whom the good side has in mind: who is suspected most, or who suspects it most.",
            SUSPECTED,
            (SUSPECTED, SUSPECTING),
        ),
    )

    def think(self, turn: Turn) -> Steps:
        if not hides_roles(turn.situation.rules):
            return self._without_an_odd_one(turn)
        return self._with_an_odd_one(turn)

    def side(self, turn: Turn) -> str | None:
        verdict = turn.last("self")
        return _verdict(turn, verdict) if verdict else None

    def believe(self, turn: Turn) -> Part:
        if not hides_roles(turn.situation.rules):
            return Held()
        mind = yield from _mind(turn)
        side = mind.standing if _may_be_either(turn) else None
        return Held(mind.matrix, side, {**mind.told, "rows": _rows(turn, mind)})

    def _with_an_odd_one(self, turn: Turn) -> Steps:
        mind = yield from _mind(turn, moves=True)
        yield _decision(turn, mind)

    def _without_an_odd_one(self, turn: Turn) -> Steps:
        seats = alive(turn)
        viewers = _viewers(turn, UNSURE)
        values = yield tuple(
            Stage(
                "forecast" if viewer == turn.situation.seat else f"forecast_of_{viewer}",
                Form(PerSeat("forecast", _but(seats, viewer), Text("will", limit=300))),
                given={"viewer": viewer, "subjects": _but(seats, viewer)},
                template="forecast" if viewer == turn.situation.seat else "forecast_of",
                otherwise=None,
            )
            for viewer in viewers
        )
        views = [
            {"viewer": viewer, "lines": list(value["forecast"].items())}
            for viewer, value in zip(viewers, values, strict=True)
            if value
        ]
        yield Stage("decision", Move(), given={"views": views}, template="decision_open", final=True)


_WORD = Text("word", limit=60, optional=True)
_GUESS = Text("guess", limit=60, optional=True)


# Who knows what -----------------------------------------------------------------------------------------------------


def _label(turn: Turn) -> str:
    return turn.situation.rules.sought


def _may_be_either(turn: Turn) -> bool:
    """Whether the seat was not told on which side it is."""
    return not turn.situation.rules.told and own_side(turn) is None


def _no_idea(turn: Turn) -> dict[str, Any]:
    """Of the own side, before anything speaks for one."""
    return {"because": "", _label(turn): "unsure", "word": None}


def _verdict(turn: Turn, verdict: Mapping[str, Any]) -> str:
    return STANDINGS[verdict[_label(turn)]]


def _standing(turn: Turn, verdict: Mapping[str, Any] | None) -> str:
    """The side that the seat was told, or takes itself to be on by its own `verdict`; who is on no team hides like an
    odd one."""
    if _may_be_either(turn):
        return _verdict(turn, verdict or _no_idea(turn))
    return GOOD if own_side(turn) == turn.situation.rules.seeking else ODD


def _fellows(turn: Turn) -> tuple[int, ...]:
    """Those whom an odd one knows to be odd as well."""
    return turn.situation.rules.fellows(turn.card)


def _but(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in seats if other != seat)


# Views --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mind:
    """What the seat makes of the table at one moment. told: what it makes of itself and of the secret; views: the last
    ones that were taken."""

    told: Mapping[str, Any]
    standing: str
    matrix: Beliefs | None
    views: Views


class Look(NamedTuple):
    """A moment at which views are taken: the seq up to which the table is seen, how the stages are told apart from
    those of other moments, and whose clue it follows."""

    seq: int
    suffix: str
    seat: int | None


def _mind(turn: Turn, moves: bool = False) -> Part:
    """The mind as it is now, by all views that are missing since the last move; what nobody else may see of the secret
    is worked out for a move alone."""
    held, since = _carried(turn)
    looks = _looks(turn, since)
    verdicts = {}
    if _may_be_either(turn) and looks:
        verdicts = dict(zip(looks, (yield tuple(_self(turn, look) for look in looks)), strict=True))
    secret = _secret(turn) if moves else ()
    asked = [(look, *_taking(turn, look, verdicts.get(look))) for look in looks]
    stages = [stage for _, _, stages in asked for stage in stages] or [forced("view", {})]
    values = iter((yield (*secret, *stages)))
    told = {"label": _label(turn), "secret": next(values) if secret else None}
    views: Views = {}
    for look, viewers, some in asked:
        then = turn.upto(look.seq)
        views = _taken(turn, viewers, [next(values) for _ in some])
        held = _moved(_among(held, then, verdicts.get(look)), views, turn.switches)
    verdict = verdicts[looks[-1]] if verdicts else turn.last("self")
    told["self"] = verdict
    return Mind(told, _standing(turn, verdict), _among(held, turn, verdict), views)


def _carried(turn: Turn) -> tuple[Beliefs | None, int]:
    """The matrix of the last move, and up to which event it knows the match."""
    for thought in reversed(turn.moves):
        if thought.stage == "decision" and thought.data.get("beliefs"):
            opened_at = int(thought.request.partition(":")[0])
            return Beliefs.from_json(thought.data["beliefs"]), thought.data.get("upto", opened_at)
    return None, 0


def _looks(turn: Turn, since: int) -> list[Look]:
    """When the table is looked at, after that moment: after every clue in games of clues, and now where there is news;
    never before there is any, nor for a last guess, when it no longer matters who suspects whom."""
    if turn.nothing_told or turn.situation.request.kind == "guess":
        return []
    clues = [event for event in turn.situation.log if event.kind in turn.situation.rules.looks]
    looks = [Look(clue.seq, f"_after_{n}", clue.seat) for n, clue in enumerate(clues, 1)]
    if not looks or looks[-1].seq < turn.now:
        looks.append(Look(turn.now, "", None))
    return [look for look in looks if look.seq > since]


def _self(turn: Turn, look: Look) -> Stage:
    """Where nobody was told a side: which one it is, by the clues and the own word."""
    form = Form(REASON, Choice(_label(turn), options=tuple(STANDINGS)), _WORD)
    return Stage(f"self{look.suffix}", form, template="self", otherwise=_no_idea(turn), upto=look.seq)


def _secret(turn: Turn) -> tuple[Stage, ...]:
    """The stage that works out what all others know, for who was not told: from the clues, where there are any."""
    if not turn.situation.rules.unaware(turn.card):
        return ()
    if turn.nothing_told:
        return (forced("secret", NO_CLUE),)
    clues = [event.seq for event in turn.situation.log if event.kind in turn.situation.rules.looks]
    upto = clues[-1] if clues else turn.now
    given = {"label": _label(turn)}
    return (Stage("secret", Form(REASON, _GUESS), given=given, otherwise=None, upto=upto),)


def _taking(turn: Turn, look: Look, verdict: Mapping[str, Any] | None) -> tuple[tuple[int, ...], tuple[Stage, ...]]:
    """Through whose eyes the seat looks at a moment, and the stages: one a viewer for the text, one for all of the
    matrix."""
    then = turn.upto(look.seq)
    viewers = _viewers(then, _standing(then, verdict))
    told = {"label": _label(turn), "self": verdict, "clue_of": look.seat}
    if turn.switches["form"] == TEXT:
        return viewers, tuple(_view(then, viewer, told, look) for viewer in viewers)
    rows = {viewer: _subjects(then, viewer) for viewer in viewers}
    reader = Form(*(PerSeat(f"seat_{viewer}", rows[viewer], Number("chance", 0, 100)) for viewer in viewers))
    given = {**told, "rows": list(rows.items())}
    stage = Stage(f"matrix{look.suffix}", reader, given=given, template="matrix", otherwise=None, upto=look.seq)
    return viewers, (stage,)


def _viewers(turn: Turn, standing: str) -> tuple[int, ...]:
    """Through whose eyes the seat looks: its own first, unless it was told that it is the odd one itself."""
    me = turn.situation.seat
    knows = standing == ODD and not _may_be_either(turn)
    return (() if knows else (me,)) + _but(alive(turn), me)


def _view(turn: Turn, viewer: int, told: Mapping[str, Any], look: Look) -> Stage:
    own = viewer == turn.situation.seat
    subjects = _subjects(turn, viewer)
    if not turn.situation.rules.told:
        reader = Form(REASON, OneSeat("suspect", seats=subjects, optional=True))
    else:
        verdicts = PerSeat("verdicts", subjects, Choice("verdict", options=tuple(SIGNS)))
        reader = Form(PerSeat("because", subjects, Text("because", limit=300)), verdicts)
    return Stage(
        f"{'view' if own else f'view_of_{viewer}'}{look.suffix}",
        reader,
        given={**told, "viewer": viewer, "subjects": subjects},
        template="view" if own else "view_of",
        otherwise=None,
        upto=look.seq,
    )


def _taken(turn: Turn, viewers: tuple[int, ...], values: list[Any]) -> Views:
    """By viewer what was read of each view, without those that could not be."""
    if turn.switches["form"] == MATRIX:
        numbers = values[0] or {}
        values = [numbers.get(f"seat_{viewer}") for viewer in viewers]
    return {viewer: value for viewer, value in zip(viewers, values, strict=True) if value}


def _subjects(turn: Turn, viewer: int) -> tuple[int, ...]:
    """Whom a viewer may suspect: anybody where nobody knows the own side, else anybody else."""
    return _but(alive(turn), viewer) if turn.situation.rules.told else alive(turn)


# The matrix ---------------------------------------------------------------------------------------------------------


def _among(held: Beliefs | None, turn: Turn, verdict: Mapping[str, Any] | None) -> Beliefs | None:
    """A matrix about those who are still in the game, or the one before anything was said; None for who is out."""
    me, seats, label = turn.situation.seat, alive(turn), _label(turn)
    if me not in seats:
        return None
    if held is not None and set(seats) <= set(held.rows):
        return matrix.among(held, seats)
    if _may_be_either(turn):
        return matrix.start(me, seats, label, own=seats)
    odd = _standing(turn, verdict) == ODD and own_side(turn) in turn.situation.rules.teams
    return matrix.start(me, seats, label, own=(me, *_fellows(turn)) if odd else _but(seats, me))


def _moved(held: Beliefs | None, views: Views, switches: Mapping[str, Any]) -> Beliefs | None:
    """The matrix after these views."""
    if held is None:
        return None
    if switches["form"] == MATRIX:
        return matrix.replaced(held, views)
    signs = {viewer: _signs(view) for viewer, view in views.items()}
    return matrix.updated(held, signs, switches["update"], switches["eta"])


def _signs(view: Mapping[str, Any]) -> dict[int, int]:
    if "verdicts" in view:
        return {subject: SIGNS[verdict] for subject, verdict in view["verdicts"].items()}
    return {} if view["suspect"] is None else {view["suspect"]: 1}


def _targets(turn: Turn, mind: Mind) -> list[int]:
    """The players whom the decision may have in mind, several where they are level: for the good side who is most
    suspected, or who suspects it most; for the odd one who trusts it most; nobody where the seat is not sure what it
    is, or is asked only what it knows."""
    if mind.matrix is None or mind.standing == UNSURE or turn.situation.request.kind in turn.situation.rules.knowing:
        return []
    others = _but(alive(turn), turn.situation.seat)
    if mind.standing == ODD:
        return matrix.trust_most(mind.matrix, [seat for seat in others if seat not in _fellows(turn)])
    if turn.switches["target"] == SUSPECTING:
        return matrix.suspect_most(mind.matrix, others)
    return mind.matrix.top(among=others)


# The move -----------------------------------------------------------------------------------------------------------


def _decision(turn: Turn, mind: Mind) -> Stage:
    """The move, given the matrix, the views that moved it last, the target, and what was told of the seat itself. Of
    several targets that are level the lot takes one."""
    targets = _targets(turn, mind)
    given = {
        **mind.told,
        "views": [_told(*view) for view in mind.views.items()] if turn.switches["form"] == TEXT else [],
        "rows": _rows(turn, mind),
        "target": turn.draw(targets) if targets else None,
        "ahead": len(targets) == 1,
    }
    kept = {"beliefs": mind.matrix.to_json(), "upto": turn.now} if mind.matrix else {}
    return Stage("decision", Move(), given, f"decision_{mind.standing}", final=True, keep=lambda _: kept)


def _told(viewer: int, view: Mapping[str, Any]) -> dict[str, Any]:
    """A view as the decision's template tells it."""
    if "verdicts" not in view:
        return {"viewer": viewer, "suspect": view["suspect"], "because": view["because"]}
    lines = [(subject, verdict, view["because"][subject]) for subject, verdict in view["verdicts"].items()]
    return {"viewer": viewer, "lines": lines}


def _rows(turn: Turn, mind: Mind) -> list[dict[str, Any]]:
    """The rows of the matrix that the decision is shown, in percent: of those whom each viewer may suspect."""
    if mind.matrix is None:
        return []
    rows = []
    for viewer in _viewers(turn, mind.standing):
        shares = {subject: mind.matrix.suspicion(subject, viewer) for subject in _subjects(turn, viewer)}
        whole = sum(shares.values()) or 1
        rows.append(
            {"viewer": viewer, "shares": [(seat, f"{100 * share / whole:.1f}") for seat, share in shares.items()]}
        )
    return rows
