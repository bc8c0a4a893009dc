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
formulated (appendix E.4 has a contemplation before each) and not refined. A poll is answered from the guess of that
moment, which the move after it starts from as well.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agents import scene
from agents.beliefs import Beliefs
from agents.recall import Held
from games.rules.fields import Choice, Field, Number, Text

from .base import Method, Part, Stage, Steps, Switch, Turn
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
        return _own_side(turn, _lines(turn, turn.last("first_order")))

    def believe(self, turn: Turn) -> Part:
        """By the guess of this moment."""
        if not turn.switches["formulation"]:
            return Held()
        guess = yield from self._first_order(turn)
        if not guess or not scene.hides_roles(turn.situation.rules):
            return Held(given={"guess": guess})
        return Held(beliefs(turn, guess), _own_side(turn, guess), {"guess": guess})

    def _first_order(self, turn: Turn) -> Part:
        """The role guess as lines for the stages after it, with what is known for sure; none where this part is off."""
        if not turn.switches["first_order"]:
            return []
        others, last, hides = scene.others(turn), turn.last("first_order"), scene.hides_roles(turn.situation.rules)
        fields: list[Field] = [PerSeat("thinks", others, Text("thinks", limit=300))]
        possible = scene.possible_roles(turn) if hides else {}
        asked = tuple(seat for seat, roles in possible.items() if len(roles) > 1)
        if asked:
            fields.append(PerSeat("role", asked, {seat: Choice("role", options=possible[seat]) for seat in asked}))
            fields.append(PerSeat("certainty", asked, Number("certainty", 0, 100)))
        given = {
            "last": _lines(turn, last),
            "others": others,
            "subjects": asked,
            "known": [(seat, possible[seat][0]) for seat in others if len(possible.get(seat, ())) == 1],
            "dealt": sorted(scene.roles(turn).items()) if hides else [],
        }

        def keep(guess: Mapping[str, Any]) -> dict[str, Any]:
            return {"beliefs": beliefs(turn, _lines(turn, guess)).to_json()} if hides else {}

        guess = yield Stage("first_order", Form(*fields), given=given, keep=keep, otherwise=last, upto=turn.now)
        return _lines(turn, guess)

    def _refinement(self, turn: Turn, thought: str, speech: str) -> Steps:
        heard = ""
        if turn.switches["second_order"]:
            heard = yield Stage("second_order", Words(), given={"speech": speech}, second=True, otherwise="")
        given = {"thought": thought, "speech": speech, "heard": heard}
        yield Stage("refine", Move(thought=True), given=given, second=True, final=True)


def _answer(given: Mapping[str, Any], template: str = "answer") -> Stage:
    return Stage("answer", Move(), given=given, template=template, final=True)


def beliefs(turn: Turn, guess: Sequence[Mapping[str, Any]]) -> Beliefs:
    """A role guess as a matrix: each player is the guessed role as surely as was said, at least as likely as any other
    that it may have; what is left goes to the others in equal parts, and what is known for sure is certain."""
    labels, me = tuple(scene.roles(turn)), turn.situation.seat
    possible, guessed = scene.possible_roles(turn), {line["seat"]: line for line in guess}
    row = {}
    for seat, open_roles in possible.items():
        if seat == me and len(open_roles) == 1:
            continue
        line = guessed.get(seat, {})
        role, sure = line.get("role"), 1 / len(open_roles)
        if role in open_roles:
            sure = max(line["certainty"] / 100, sure)
        rest = (1 - sure) / max(len(open_roles) - 1, 1) if role in open_roles else sure
        row[seat] = tuple(sure if label == role else rest if label in open_roles else 0.0 for label in labels)
    return Beliefs.normalised(me, labels, scene.suspect_roles(turn), {me: row})


def _own_side(turn: Turn, guess: list[dict[str, Any]]) -> str | None:
    """What it guesses of its own seat, where nobody is told their side; unsure below even odds."""
    own = next((line for line in guess if line["seat"] == turn.situation.seat), None)
    if own is None or not own.get("role") or turn.situation.rules.told:
        return None
    return "unsure" if own["certainty"] < 50 else "odd" if own["role"] in scene.suspect_roles(turn) else "good"


def _lines(turn: Turn, guess: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """A role guess by seat, with what is known for sure in place of a guess, and with roles that add up."""
    if not guess:
        return []
    seats = sorted({seat for entries in guess.values() for seat in entries})
    lines = [{"seat": seat} | {part: entries.get(seat) for part, entries in guess.items()} for seat in seats]
    if scene.hides_roles(turn.situation.rules):
        possible = scene.possible_roles(turn)
        for line in lines:
            if len(open_roles := possible.get(line["seat"], ())) == 1:
                line |= {"role": open_roles[0], "certainty": 100}
        own = possible.get(turn.situation.seat, ())
        _add_up(lines, {role: n - (own == (role,)) for role, n in scene.roles(turn).items()})
    return lines


def _add_up(lines: list[dict[str, Any]], dealt: Mapping[str, int]) -> None:
    """Where more players were guessed to have a role than there are, take it for those that were named most surely."""
    for role, count in dealt.items():
        named = sorted((line for line in lines if line.get("role") == role), key=lambda line: -line["certainty"])
        if len(named) > count:
            bound = named[count]["certainty"]
            for line in named:
                if line["certainty"] <= bound:
                    line["role"] = line["certainty"] = None


def _spoken(draft: Mapping[str, Any]) -> str:
    """A draft as the later stages are told it: its words, and what else belongs to the move."""
    said = {name: value for name, value in draft.items() if value is not None}
    if not said:
        return "(to say nothing)"
    alone = next(iter(said.values()))
    return alone if len(said) == 1 and isinstance(alone, str) else json.dumps(said, ensure_ascii=False)
