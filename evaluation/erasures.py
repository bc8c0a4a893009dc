"""Erasing a person as a job: from all matches, their copies and all that was made of them; with the account, if wanted;
and which exports, that others may have, held them."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from evaluation.models import Withdrawal
from games import audit
from games.audit import Audited
from games.jobs import jobs
from games.jobs.jobs import Failed, Run
from games.match import erasing, people
from games.models import Job, Match
from games.refused import Refused
from games.room import membership
from magic_site.writing import written

KIND = "erase"
"""The kind of job that erases a person."""


def key_of(person: people.Person) -> str:
    """The key of the job that erases them."""
    return f"{person.match}:{person.seat}"


def ask(person: people.Person, by: Any, account: bool = False) -> Job:
    """Have a person erased, and their account with them if that is wanted."""
    key = key_of(person)
    asked = jobs.ask(KIND, key, about=person.match, by=by, match=str(person.match), seat=person.seat, account=account)
    return asked or Job.objects.get(kind=KIND, key=key, state__in=Job.OPEN)


def work(run: Run, match: str, seat: int, account: bool) -> dict[str, Any]:
    """Erase them; gives {"matches", "words", "account", "exports", "withdrawal"}, the last two by their
    ids."""
    job = str(run.job.pk)
    if (before := Audited.objects.filter(what=Audited.What.ERASED, details__job=job).first()) is not None:
        return before.details  # its worker died after it was done
    person = people.of_seat(UUID(match), seat)
    if person is None:
        raise Failed(_("No person played that seat, or they are erased already."))
    user, by = person.account, run.job.asked_by
    try:
        with written(), transaction.atomic(), audit.done_by(lambda: by):
            run.confirm()
            one = Match.objects.get(pk=person.match)
            erased = erasing.erase(person.key) if person.key else erasing.erase_seat(one, person.seat)
            if account and user is not None and by is not None:
                membership.erase(user, by)
            withdrawal = Withdrawal.objects.latest("created_at")  # this erasure's: others wait for the transaction
            done: dict[str, Any] = {"matches": erased.matches, "words": erased.words, "account": bool(account and user)}
            done |= {"exports": withdrawal.exports, "withdrawal": str(withdrawal.pk)}
            whom = user if account else None
            audit.note("erased", by=by, match=one, about=f"seat {seat}", whom=whom, job=job, **done)
    except (ValueError, Refused) as error:
        raise Failed(str(error)) from error
    return done
