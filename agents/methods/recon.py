"""Recursive contemplation (ReCon, arXiv 2310.01320, section 3 and appendix E).

Formulation: a guess at the other players' minds and roles (equation 1), which starts from the last one; a thought
(equation 2); a first version of the words (equation 3). Refinement: how the others would take these words (equation 4,
which is not told the thought); a better thought and better words (equation 5). Only the refined words are said
(equation 6).

Without first or second order its stage is missing and nothing stands in for it. Without refinement, and so without
second order, the first words are said. Without formulation, and so without first order, thought and words come by chain
of thought, in its own templates. The arms of the paper's figures 4 and 6, with what is off for a speech:

| arm | off | stages |
| --- | --- | --- |
| ReCon | | first_order, think, speak, second_order, refine |
| w/o Refinement | refinement | first_order, think, speak |
| w/o Formulation | formulation | reason, speak, second_order, refine |
| w/o First-Order | first_order | think, speak, second_order, refine |
| w/o Second-Order | second_order | first_order, think, speak, refine |
| w/o Refinement & First-Order | refinement, first_order | think, speak |
| w/o Formulation & Second-Order | formulation, second_order | reason, speak, refine |
| CoT | formulation, refinement | reason, answer |

The paper refines by another model than it formulates with (appendix D.2): the stages second_order and refine are asked
of the profile's second one.

Refinement is about words that the table hears. A vote, a card, a team and whatever only the moderator reads is
formulated (appendix E.4 has a contemplation before each) and not refined. A poll is answered from the last guess.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agents.beliefs import Beliefs
from games.rules.fields import Choice, Number, Text

from . import scene
from .base import Method, Stage, Steps, Switch, Turn
from .readers import Draft, Form, Move, PerSeat, Words

PLAIN, HUMAN_SPEECH, HUMAN = "plain", "human_speech", "human_thought_and_speech"


class Recon(Method):
    name = "recon"
    title = "ReCon"
    about = (
        "Guesses what the others are and think, thinks, drafts its words; then asks how the others would take them, "
        "and says a better version."
    )
    switches = (
        Switch("formulation", "Guess, think and draft before the move; off: plain chain of thought.", True),
        Switch("refinement", "Think again about the drafted words before they are said.", True),
        Switch("first_order", "Part of the formulation: guess what the others are and think.", True),
        Switch("second_order", "Part of the refinement: ask how the others would take the draft.", True),
        Switch("style", "How it talks, and thinks.", PLAIN, (PLAIN, HUMAN_SPEECH, HUMAN)),
    )

    def think(self, turn: Turn) -> Steps:
        formulation = turn.switches["formulation"]
        refined = turn.switches["refinement"] and turn.speaks
        if formulation:
            guess = yield from self._first_order(turn)
            thought = yield Stage("think", Words(), given={"guess": guess})
            given = {"guess": guess, "thought": thought}
        else:
            thought = yield Stage("reason", Words())
            given = {"reason": thought}
        if refined:
            template = "speak" if formulation else "answer_after_reason"
            draft = yield Stage("speak", Draft(), given=given, template=template)
            yield from self._refinement(turn, thought, _spoken(draft))
        elif formulation and turn.speaks:
            yield Stage("speak", Move(), given=given, final=True)
        else:
            yield _answer(given, "answer" if formulation else "answer_after_reason")

    def side(self, turn: Turn) -> str | None:
        """What it last guessed of its own seat, where nobody is told their side; unsure below even odds."""
        own = next((line for line in _lines(turn.last("first_order")) if line["seat"] == turn.situation.seat), None)
        if own is None or not own.get("role"):
            return None
        return "unsure" if own["certainty"] < 50 else "odd" if own["role"] in scene.suspect_roles(turn) else "good"

    def poll(self, turn: Turn) -> Steps:
        """From the last guess."""
        yield _answer({"guess": _lines(turn.last("first_order")), "thought": ""})

    def _first_order(self, turn: Turn) -> Any:
        """The role guess as lines for the stages after it; none where this part is off."""
        if not turn.switches["first_order"]:
            return []
        last = turn.last("first_order")
        others, subjects, labels, suspects = _minds(turn)
        fields = [PerSeat("thinks", others, Text("thinks", limit=300))]
        if labels:
            fields.append(PerSeat("role", subjects, Choice("role", options=labels)))
            fields.append(PerSeat("certainty", subjects, Number("certainty", 0, 100)))

        def keep(guess: Mapping[str, Any]) -> dict[str, Any]:
            held = beliefs(turn.situation.seat, labels, suspects, guess)
            return {"beliefs": held.to_json()} if held else {}

        given = {"last": _lines(last), "others": others, "subjects": subjects, "labels": labels}
        guess = yield Stage("first_order", Form(*fields), given=given, keep=keep, otherwise=last)
        return _lines(guess)

    def _refinement(self, turn: Turn, thought: str, speech: str) -> Steps:
        heard = ""
        if turn.switches["second_order"]:
            heard = yield Stage("second_order", Words(), given={"speech": speech}, second=True, otherwise="")
        given = {"thought": thought, "speech": speech, "heard": heard}
        yield Stage("refine", Move(thought=True), given=given, second=True, final=True)


def _answer(given: Mapping[str, Any], template: str = "answer") -> Stage:
    return Stage("answer", Move(), given=given, template=template, final=True)


def beliefs(seat: int, labels: tuple[str, ...], suspects: tuple[str, ...], guess: Mapping[str, Any]) -> Beliefs | None:
    """A role guess as a matrix: each subject is the guessed label as surely as was said, at least as likely as any
    other; what is left goes to the other labels in equal parts. None in a game without roles."""
    if not labels:
        return None
    row = {}
    for subject, role in guess["role"].items():
        sure = max(guess["certainty"][subject] / 100, 1 / len(labels))
        rest = (1 - sure) / (len(labels) - 1)
        row[subject] = tuple(sure if label == role else rest for label in labels)
    return Beliefs.normalised(seat, labels, suspects, {seat: row})


def _minds(turn: Turn) -> tuple[tuple[int, ...], tuple[int, ...], tuple[str, ...], tuple[str, ...]]:
    """Whose minds and whose roles are guessed at, what the roles may be and which are suspicious. Where nobody was told
    the own side, the own seat is guessed at too."""
    others = scene.others(turn)
    if not scene.hides_roles(turn.situation.rules):
        return others, (), (), ()
    labels = scene.roles(turn) + (("blank",) if turn.public.get("blanks") else ())
    told = scene.is_odd(turn) is not None or turn.card.get("blank")
    return others, others if told else scene.alive(turn), labels, scene.suspect_roles(turn)


def _lines(guess: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """A role guess by seat, fresh or from a stored thought, whose keys are texts."""
    if not guess:
        return []
    read = {part: {int(seat): value for seat, value in entries.items()} for part, entries in guess.items()}
    seats = sorted({seat for entries in read.values() for seat in entries})
    return [{"seat": seat} | {part: entries.get(seat) for part, entries in read.items()} for seat in seats]


def _spoken(draft: Mapping[str, Any]) -> str:
    """A draft as the later stages are told it: its words, and what else belongs to the move."""
    said = {name: value for name, value in draft.items() if value is not None}
    if not said:
        return "(to say nothing)"
    alone = next(iter(said.values()))
    return alone if len(said) == 1 and isinstance(alone, str) else json.dumps(said, ensure_ascii=False)
