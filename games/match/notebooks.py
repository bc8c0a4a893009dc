"""A person's notebook of a match: their words, whom they trust or doubt, and what they crossed out.

It is kept under the person's key, so that it is there on each of their devices, and only their own page gets it. The
marks, and never the words, may be given to research: after the match and by the person's own hand alone. They are then
kept beside the log, under the seat and without a name.
"""

from collections.abc import Collection, Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Match, Notebook, Notes
from games.refused import Refused

STEPS = ("trust", "unsure", "doubt")
MOST_MARKS = 400
"""So many changes of marks are kept, the last ones."""
MOST_LETTERS = 4000


def of(match: Match, person: str) -> Notes:
    """What this person keeps; empty, and not stored, where that is nothing."""
    kept = Notes.objects.filter(match=match, person=person).first()
    return kept or Notes(match=match, person=person)


@transaction.atomic
def keep(match: Match, person: str, text: str, steps: Mapping[int, str], struck: Collection[str], seq: int) -> None:
    """Keep what the notebook holds now. steps: what each other seat is marked as; seq: the last event that the person
    saw. Raises `Refused`."""
    seat = match.seat_of(person)
    if seat is None:
        raise Refused(_("You do not sit at this match, so you have no notebook here."))
    if len(text) > MOST_LETTERS:
        raise Refused(_("Your notes are too long. Nothing was kept; make them shorter."))
    others = {sitter.seat for sitter in match.seated} - {seat}
    if not set(steps) <= others or not set(steps.values()) <= set(STEPS):
        raise Refused(_("These marks could not be read. Nothing was kept."))
    notes, _new = Notes.objects.select_for_update().get_or_create(match=match, person=person)
    before = notes.steps
    changed = [[seq, other, step] for other, step in steps.items() if step != before.get(other, "unsure")]
    notes.text, notes.struck = text, list(struck)
    notes.marks = [*notes.marks, *changed][-MOST_MARKS:]
    notes.save()


def may_give(match: Match, seat: int | None, notes: Notes) -> bool:
    """Whether there are marks that may be given to research, and are not."""
    if seat is None or match.status != "finished" or not notes.marks:
        return False
    return not Notebook.objects.filter(match=match, seat=seat).exists()


def give(match: Match, person: str) -> None:
    """Give the marks that a person kept to research; what was given first stays. Raises `Refused`."""
    seat = match.seat_of(person)
    if seat is None or match.status != "finished":
        raise Refused(_("You can give your marks after a match that you played."))
    marks = of(match, person).marks
    if not marks:
        raise Refused(_("There are no marks in your notebook to give."))
    Notebook.objects.get_or_create(match=match, seat=seat, defaults={"marks": marks})
