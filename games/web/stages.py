"""What each stage of a way of thinking is, in a sentence: for who reads thoughts beside a match.

Stages are named by who thinks (`agents.methods`, house agents); this module knows their names alone.
"""

import re
from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

ABOUT: dict[str, Any] = {
    "answer": gettext_lazy("It makes its move."),
    "chat": gettext_lazy("It answers somebody who spoke to it."),
    "decide": gettext_lazy("It decides in free words, before it fills in the form."),
    "decision": gettext_lazy("It weighs what it believes and makes its move, or sums up what follows from it."),
    "first_find": gettext_lazy("It looks for teammates for the first time, from what was said."),
    "first_order": gettext_lazy("It guesses what each other player is, from its own point of view."),
    "forced": gettext_lazy("Only one answer was possible, so no model was asked."),
    "forecast": gettext_lazy("It predicts what each player will do."),
    "forecast_of": gettext_lazy("It puts itself into {seat}: what does {seat} expect that the others will do?"),
    "identity": gettext_lazy("It works out which side it is on itself."),
    "matrix": gettext_lazy("It says in numbers whom it suspects, and whom it thinks each other player suspects."),
    "own_summary": gettext_lazy("The model’s own summary of what it thought, as its API gives it."),
    "poll": gettext_lazy("It is asked in private what it believes."),
    "reason": gettext_lazy("It thinks step by step before it answers."),
    "recall": gettext_lazy("The answer follows from what it believed already; no model was asked."),
    "refine": gettext_lazy("With that in mind it goes over its draft, and says the final version."),
    "reflection": gettext_lazy("It looks back at its own thoughts: what may be wrong with them?"),
    "second_find": gettext_lazy("It looks for teammates again, and at its own side, with the first result at hand."),
    "second_order": gettext_lazy("It imagines how each other player will take what it is about to say."),
    "secret": gettext_lazy("It tries to work out the word or the place that it was not told."),
    "self": gettext_lazy("It asks itself whether it holds the odd word, and what the others’ word may be."),
    "self_perspective": gettext_lazy("It describes the situation from its own point of view."),
    "speak": gettext_lazy("It writes what it will say."),
    "summary": gettext_lazy("It brings its running summary up to date, for its next turns."),
    "think": gettext_lazy("It thinks privately before it speaks; nobody else hears this."),
    "verdict": gettext_lazy("The judge compares two replies."),
    "view": gettext_lazy("Its own view: whom does it suspect?"),
    "view_of": gettext_lazy("It puts itself into {seat}: whom does {seat} suspect, as it sees it?"),
    "vote": gettext_lazy("It casts its vote."),
    "write": gettext_lazy("It writes its decision into the form."),
}
"""By a stage's name, without the numbers in it."""

_NAME = re.compile(r"(?P<stage>[a-z_]+?)(?:_of_(?P<seat>\d+))?(?:_after_(?P<clue>\d+))?")


def about(stage: str, called: Callable[[int], str] = "seat {}".format) -> str:
    """A stage in a sentence, with the clue after which it was, or nothing where it is not known. called: how a seat is
    called."""
    found = _NAME.fullmatch(stage)
    name = "" if found is None else f"{found['stage']}_of" if found["seat"] else found["stage"]
    if found is None or name not in ABOUT:
        return ""
    words = str(ABOUT[name]).format(seat=called(int(found["seat"])) if found["seat"] else "")
    return f"{words} {_('After clue %(n)s.') % {'n': found['clue']}}" if found["clue"] else words
