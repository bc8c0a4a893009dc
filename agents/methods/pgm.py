"""Probabilistic graphical modelling (MAgIC, ACL edition, section 4, A.5, A.7 and tables 5 and 6).

Before each move the seat takes a view of the table through its own eyes and through those of each other player: B_1 to
B_n, each from the record alone and so all at once (equation 9). The move is decided with all of them before it
(equation 11). In games with an odd one the views are verdicts that accumulate in a matrix, or the matrix itself; it is
carried on from one decision to the next, and gives the decision a target player. In games without one the views are
words: what each player will do, and what each expects of the others. A poll is answered from what is held already, and
changes nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.beliefs import SUBJECTS, Beliefs
from games.rules.fields import Choice, Number, OneSeat, Text

from . import pgm_matrix as matrix
from .base import Method, Stage, Steps, Switch, Turn
from .readers import Form, Move, PerSeat
from .scene import hidden, hides_roles

TEXT, MATRIX = "text", "matrix"
SUSPECTED, SUSPECTING = "most_suspected", "suspects_me"
GOOD, ODD, UNSURE = "good", "odd", "unsure"

SIGNS = {"more suspicious": 1, "no change": 0, "less suspicious": -1}
STANDINGS = {"yes": ODD, "no": GOOD, "unsure": UNSURE}
"""By the answer to "am I the undercover?"."""

KNOWING = ("poll", "guess", "reveal", "assassinate")
"""Requests about what a seat knows and not about how it looks: no target player is had in mind for them."""

NO_IDEA = {"because": "", "undercover": "unsure", "word": None}
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
            yield from self._without_an_odd_one(turn)
        elif turn.situation.request.kind == "poll":
            yield from self._from_memory(turn)
        else:
            yield from self._with_an_odd_one(turn)

    def poll(self, turn: Turn) -> Steps:
        """With the matrix as it is held."""
        return self.think(turn)

    def side(self, turn: Turn) -> str | None:
        last = turn.last("self")
        return STANDINGS[last["undercover"]] if last else None

    def _with_an_odd_one(self, turn: Turn) -> Steps:
        told: dict[str, Any] = {"label": _label(turn)}
        if _may_be_either(turn):
            told["self"] = yield Stage("self", Form(REASON, *_SELF), otherwise=NO_IDEA)
        standing = _standing(turn, told.get("self"))
        secret, looks = _secret(turn, told), _views(turn, standing, told)
        values = yield (*secret, *looks)
        views = _taken(turn, standing, values[len(secret) :])
        held = _moved(_held(turn, standing), views, turn.switches)
        yield _decision(turn, standing, held, {**told, "secret": values[0] if secret else None}, views)

    def _from_memory(self, turn: Turn) -> Steps:
        told = {"label": _label(turn), "self": turn.last("self"), "secret": turn.last("secret")}
        standing = _standing(turn, told["self"])
        yield _decision(turn, standing, _held(turn, standing), told, {})

    def _without_an_odd_one(self, turn: Turn) -> Steps:
        seats = _present(turn)
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


_SELF = (Choice("undercover", options=tuple(STANDINGS)), Text("word", limit=60, optional=True))
_GUESS = Text("guess", limit=60, optional=True)


# Who knows what -----------------------------------------------------------------------------------------------------


def _label(turn: Turn) -> str:
    return hidden(turn).odd


def _may_be_either(turn: Turn) -> bool:
    """Whether the seat was not told on which side it is."""
    return turn.situation.rules.name == "undercover" and bool(turn.card.get("word"))


def _standing(turn: Turn, verdict: Mapping[str, Any] | None) -> str:
    """The side that the seat was told, or takes itself to be on by its own `verdict`; a blank hides like an odd one."""
    if _may_be_either(turn):
        return STANDINGS[(verdict or NO_IDEA)["undercover"]]
    card = turn.card
    odd = card.get("chameleon") or card.get("spy") or card.get("blank") or card.get("side") == "evil"
    return ODD if odd else GOOD


def _lacks_the_secret(turn: Turn) -> bool:
    """Whether there is a word or a place that all others know and this seat does not."""
    return any(turn.card.get(part) for part in ("chameleon", "spy", "blank"))


def _fellows(turn: Turn) -> tuple[int, ...]:
    """Those whom an odd one knows to be odd as well."""
    return tuple(turn.card.get("sees") or ()) if turn.card.get("side") == "evil" else ()


def _present(turn: Turn) -> tuple[int, ...]:
    """The seats that are still in the game."""
    return tuple(turn.public.get("alive") or sorted(turn.situation.names))


def _but(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in seats if other != seat)


# Views --------------------------------------------------------------------------------------------------------------


def _viewers(turn: Turn, standing: str) -> tuple[int, ...]:
    """Through whose eyes the seat looks: its own first, unless it was told that it is the odd one itself."""
    me = turn.situation.seat
    knows = standing == ODD and not _may_be_either(turn)
    return (() if knows else (me,)) + _but(_present(turn), me)


def _secret(turn: Turn, told: Mapping[str, Any]) -> tuple[Stage, ...]:
    """The stage that works out what all others know, for who was not told."""
    if not _lacks_the_secret(turn):
        return ()
    return (Stage("secret", Form(REASON, _GUESS), given=dict(told), otherwise=None),)


def _views(turn: Turn, standing: str, told: Mapping[str, Any]) -> tuple[Stage, ...]:
    """One stage a viewer for the text; one for all of the matrix; none before a last guess, when it no longer matters
    who suspects whom."""
    if turn.situation.request.kind == "guess":
        return ()
    viewers = _viewers(turn, standing)
    if turn.switches["form"] == MATRIX:
        rows = {viewer: _subjects(turn, viewer) for viewer in viewers}
        reader = Form(*(PerSeat(f"seat_{viewer}", rows[viewer], Number("chance", 0, 100)) for viewer in viewers))
        return (Stage("matrix", reader, given={**told, "rows": list(rows.items())}, otherwise=None),)
    return tuple(_view(turn, viewer, told) for viewer in viewers)


def _view(turn: Turn, viewer: int, told: Mapping[str, Any]) -> Stage:
    own = viewer == turn.situation.seat
    subjects = _subjects(turn, viewer)
    if turn.situation.rules.name == "undercover":
        reader = Form(REASON, OneSeat("suspect", seats=subjects, optional=True))
    else:
        subjects = _but(subjects, viewer)
        verdicts = PerSeat("verdicts", subjects, Choice("verdict", options=tuple(SIGNS)))
        reader = Form(PerSeat("because", subjects, Text("because", limit=300)), verdicts)
    return Stage(
        "view" if own else f"view_of_{viewer}",
        reader,
        given={**told, "viewer": viewer, "subjects": subjects},
        template="view" if own else "view_of",
        otherwise=None,
    )


def _taken(turn: Turn, standing: str, values: list[Any]) -> Views:
    """By viewer what was read of each view, without those that could not be."""
    viewers = _viewers(turn, standing)
    if turn.switches["form"] == MATRIX:
        numbers = next(iter(values), None) or {}
        values = [numbers.get(f"seat_{viewer}") for viewer in viewers]
    return {viewer: value for viewer, value in zip(viewers, values, strict=False) if value}


def _subjects(turn: Turn, viewer: int) -> tuple[int, ...]:
    """Whom a viewer may suspect: anybody where nobody knows the own side, else anybody else."""
    undercover = turn.situation.rules.name == "undercover"
    return _present(turn) if undercover else _but(_present(turn), viewer)


# The matrix ---------------------------------------------------------------------------------------------------------


def _held(turn: Turn, standing: str) -> Beliefs | None:
    """The matrix that the seat holds since its last decision, about those still in the game; None for who is out."""
    me, seats, label = turn.situation.seat, _present(turn), _label(turn)
    if me not in seats:
        return None
    last = turn.beliefs()
    if last and (last.owner, last.labels, last.shared) == (me, (label,), SUBJECTS) and set(seats) <= set(last.rows):
        return matrix.among(last, seats)
    if _may_be_either(turn):
        return matrix.start(me, seats, label, own=seats)
    knows_to_be = (me, *_fellows(turn)) if standing == ODD and not turn.card.get("blank") else _but(seats, me)
    return matrix.start(me, seats, label, own=knows_to_be)


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


def _target(turn: Turn, standing: str, held: Beliefs | None) -> int | None:
    """The player whom the decision has in mind: for the good side who is most suspected, or who suspects it most; for
    the odd one who trusts it most; nobody where the seat is not sure what it is, or is asked only what it knows."""
    if held is None or standing == UNSURE or turn.situation.request.kind in KNOWING:
        return None
    others = _but(_present(turn), turn.situation.seat)
    if standing == ODD:
        return matrix.trusts_most(held, [seat for seat in others if seat not in _fellows(turn)])
    if turn.switches["target"] == SUSPECTING:
        return matrix.suspects_most(held, others)
    return held.most_suspected(among=others)


# The move -----------------------------------------------------------------------------------------------------------


def _decision(turn: Turn, standing: str, held: Beliefs | None, told: Mapping[str, Any], views: Views) -> Stage:
    """The move, given the matrix, the views that made it, the target, and what was told of the seat itself."""
    text = turn.switches["form"] == TEXT
    given = {
        **told,
        "views": [_told(viewer, view) for viewer, view in views.items()] if text else [],
        "rows": _rows(turn, standing, held),
        "target": _target(turn, standing, held),
    }
    moves = turn.situation.request.kind != "poll"
    keep = (lambda _: {"beliefs": held.to_json()}) if held and moves else None
    return Stage("decision", Move(), given=given, template=f"decision_{standing}", final=True, keep=keep)


def _told(viewer: int, view: Mapping[str, Any]) -> dict[str, Any]:
    """A view as the decision's template tells it."""
    if "verdicts" not in view:
        return {"viewer": viewer, "suspect": view["suspect"], "because": view["because"]}
    lines = [(subject, verdict, view["because"][subject]) for subject, verdict in view["verdicts"].items()]
    return {"viewer": viewer, "lines": lines}


def _rows(turn: Turn, standing: str, held: Beliefs | None) -> list[dict[str, Any]]:
    """The rows of the matrix that the decision is shown, in percent."""
    if held is None:
        return []
    return [
        {
            "viewer": viewer,
            "shares": [(subject, f"{100 * cell[0]:.1f}") for subject, cell in held.rows[viewer].items()],
        }
        for viewer in _viewers(turn, standing)
    ]
