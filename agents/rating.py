"""A model labels one item by a scheme: what it is asked, and what its reply says."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agents import prompts
from agents.calls import Ask, Model, Purpose, ReplyStore, ask_all
from agents.providers import Completion, Message, ProviderError
from agents.reading import CUT_OFF, REFUSED, Reading, read_action
from games.rules.fields import BRACKETS, Choice, Field, Flag, Text
from games.rules.sentences import sentence
from games.rules.values import Request

SINGLE, SEVERAL, ORDINAL, SPAN = "single", "several", "ordinal", "span"
"""The kinds of scheme: one label an item, several, a step of a scale, labels on parts of the words."""

STAGE = "label"
WHY = Text("thought", limit=4000, optional=True)
CHOSEN = "label"
"""The field of the one label."""

TRIES = 2
PATIENCE = 180.0
LONGEST = 4000
"""Characters of the words that a model may mark."""

NOTHING_GIVEN = sentence("Give the item at least one label.")


@dataclass(frozen=True)
class Question:
    """An item to be labelled, with no more than its raters may see. labels: {"name", "title", "definition", "example",
    "counter"} each; none: the label that says that no other one fits, which a scheme of several may lack. facts: what
    raters are told beside the item; context: what came before it, a line each; words: the item's own."""

    title: str
    about: str
    kind: str
    labels: Sequence[Mapping[str, str]]
    game: str
    words: str
    context: Sequence[str] = ()
    facts: Sequence[str] = ()
    after: Sequence[str] = ()
    none: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the labels, in order."""
        return tuple(label["name"] for label in self.labels)

    @property
    def fields(self) -> tuple[Field, ...]:
        """What the reply must give. That no label fits is said by giving none, where there are several."""
        given = [name for name in self.names if name != self.none]
        if self.kind == SEVERAL:
            return WHY, *(Flag(name) for name in given)
        if self.kind == SPAN:
            return WHY, *(Text(name, limit=LONGEST, optional=True) for name in given)
        return WHY, Choice(CHOSEN, options=self.names)

    @property
    def messages(self) -> tuple[Message, ...]:
        """What a model is told; the first message is the same for all items of a scheme in a game."""
        facts = vars(self) | {"labels": self.labels, "form": prompts.form(self.fields)}
        return prompts.rating(facts)

    def read(self, reply: Completion) -> Reading:
        """{"labels": [...], "spans": [[from, to] or None, ...]} out of a reply, or what is wrong with it. Words that
        stand in the item several times are meant where they stand first."""
        if reply.finish in ("refused", "length"):
            return Reading(problem=REFUSED if reply.finish == "refused" else CUT_OFF)
        reading = read_action(reply.text, self.request, structured=reply.structured, heard=())
        if reading.problem:
            return reading
        said = dict(reading.value)
        kept = {"thought": "\n\n".join(filter(None, [reading.kept.get("thought"), said.pop(WHY.name)]))}
        several = self.kind in (SEVERAL, SPAN)
        labels = [name for name, given in said.items() if given] if several else [said[CHOSEN]]
        spans = [self._span(said[label]) for label in labels] if self.kind == SPAN else []
        if None in spans:
            problem = sentence("The words for “{label}” do not stand in the item.", label=labels[spans.index(None)])
            return Reading(problem=problem, kept=kept)
        if not labels and not self.none:
            return Reading(problem=NOTHING_GIVEN, kept=kept)
        return Reading({"labels": labels or [self.none], "spans": spans}, kept=kept)

    @property
    def request(self) -> Request:
        """The same as a request with these fields."""
        return Request("", STAGE, 0, self.fields, 0)

    def _span(self, words: str) -> list[int] | None:
        """From and to which character of the item these words stand, however white space is written."""
        parts = [re.escape(part) for part in words.translate(BRACKETS).split()]
        found = re.search(r"\s+".join(parts), self.words.translate(BRACKETS))
        return [*found.span()] if found else None


@dataclass(frozen=True)
class Rated:
    """What a model gave: labels and spans as `Question.read` has them, None where it gave none that count (`problem`
    says why). why: its reason; cost: US dollars."""

    given: dict[str, Any] | None
    why: str = ""
    problem: str = ""
    cost: float = 0.0


def rate(question: Question, model: Model, match: str, store: ReplyStore) -> Rated:
    """Ask a model to label an item, once more where its reply does not count. match: under what the books keep it.
    Never raises for what a model or its API does wrong."""
    asked, rated = list(question.messages), Rated(None)
    schema = question.request.schema()
    for nth in range(1, TRIES + 1):
        ask = Ask(Purpose(match, STAGE, 0, STAGE, nth), model, tuple(asked), schema)
        (reply,) = ask_all([ask], PATIENCE, store=store)
        if isinstance(reply, ProviderError):
            return replace(rated, problem=str(reply))
        reading = question.read(reply)
        rated = Rated(reading.value, reading.kept.get("thought", ""), reading.problem, rated.cost + reply.cost)
        if not reading.problem:
            break
        asked += [Message("assistant", reply.text or "(nothing)"), Message("user", prompts.again(reading.problem))]
    return rated
