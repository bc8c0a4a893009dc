"""What models cost and may cost. Sums are kept as they grow: to ask whether more may be spent is two rows read."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F

from agents import call_settings
from agents.calls import Price
from agents.models import ModelPrice, SpendingLimit, Spent
from magic_site import clock

MATCH = "The spending limit of ${limit:g} for a match is reached."
DAY = "Today's spending limit of ${limit:g} is reached."
OWNER_DAY = "Today's budget of ${limit:g} for the agents of the researcher who made this one is used up."
OWNER = "The budget of ${limit:g} for the agents of the researcher who made this one is used up."


def price_of(model: str) -> Price:
    """What this model costs by the table; nothing where it has no price."""
    row = _row(model)
    return Price(row.tokens_in, row.tokens_out, row.cached, row.stored) if row else Price()


def price_is_known(model: str) -> bool:
    """Whether an admin has said what this model costs, be it nothing."""
    return _row(model) is not None


def _row(model: str) -> ModelPrice | None:
    rows = [row for row in call_settings.current().prices if model.startswith(row.model)]
    return max(rows, key=lambda row: len(row.model), default=None)


def refusal(match: UUID | None, owners: Iterable[int] = ()) -> str:
    """Why no more calls may be made for this match now, by agents of these accounts, in a sentence; empty if they
    may."""
    limit = call_settings.current().limit or SpendingLimit()
    a_day = settings.MOST_DOLLARS_A_DAY if limit.per_day is None else limit.per_day
    of_match, of_day = names(match)
    capped = [(limit.per_match, of_match, MATCH), (a_day, of_day, DAY)]
    for owner in owners:
        of_owner, of_owner_day = names_of_owner(owner)
        capped += [(limit.per_owner_day, of_owner_day, OWNER_DAY), (limit.per_owner, of_owner, OWNER)]
    spent = dict(Spent.objects.filter(what__in=[what for _, what, _ in capped]).values_list("what", "dollars"))
    for most, what, sentence in capped:
        if most is not None and what and spent.get(what, 0.0) >= most:
            return sentence.format(limit=most)
    return ""


def add(match: UUID | None, dollars: float, owner: int | None = None) -> None:
    """Count what was spent; owner: the account whose agent spent it."""
    for what in (*names(match), *(names_of_owner(owner) if owner else ())):
        if not dollars or not what or Spent.objects.filter(what=what).update(dollars=F("dollars") + dollars):
            continue
        try:
            with transaction.atomic():
                Spent.objects.create(what=what, dollars=dollars)
        except IntegrityError:  # another worker began the sum
            Spent.objects.filter(what=what).update(dollars=F("dollars") + dollars)


@dataclass(frozen=True)
class Budget:
    """What the agents of one account have spent, and may; in dollars, None for no limit."""

    today: float
    in_all: float
    most_today: float | None
    most: float | None


def budget(owner: int) -> Budget:
    """The budget of an account."""
    limit = call_settings.current().limit or SpendingLimit()
    in_all, today = names_of_owner(owner)
    spent = dict(Spent.objects.filter(what__in=[in_all, today]).values_list("what", "dollars"))
    return Budget(spent.get(today, 0.0), spent.get(in_all, 0.0), limit.per_owner_day, limit.per_owner)


def of_match(match: UUID) -> float:
    """What was spent on a match, in dollars: on what was asked in vain too, and by whoever began to play it before."""
    return Spent.objects.filter(what=names(match)[0]).values_list("dollars", flat=True).first() or 0.0


def names(match: UUID | None) -> tuple[str, str]:
    """The sums that a call for this match adds to: of the match, or "", and of the day."""
    return (f"match:{match}" if match else "", f"day:{clock.now():%Y-%m-%d}")


def names_of_owner(owner: int) -> tuple[str, str]:
    """The sums of an account's agents: in all, and of the day."""
    return f"owner:{owner}", f"owner:{owner}:{clock.now():%Y-%m-%d}"
