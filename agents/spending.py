"""What models cost and may cost. Sums are kept as they grow: to ask whether more may be spent is two rows read."""

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


def refusal(match: UUID | None) -> str:
    """Why no more calls may be made for this match now, in a sentence; empty if they may."""
    limit = call_settings.current().limit or SpendingLimit()
    a_day = settings.MOST_DOLLARS_A_DAY if limit.per_day is None else limit.per_day
    of_match, of_day = names(match)
    spent = dict(Spent.objects.filter(what__in=[of_match, of_day]).values_list("what", "dollars"))
    for most, what, sentence in ((limit.per_match, of_match, MATCH), (a_day, of_day, DAY)):
        if most is not None and what and spent.get(what, 0.0) >= most:
            return sentence.format(limit=most)
    return ""


def add(match: UUID | None, dollars: float) -> None:
    """Count what was spent."""
    for what in names(match):
        if not dollars or not what or Spent.objects.filter(what=what).update(dollars=F("dollars") + dollars):
            continue
        try:
            with transaction.atomic():
                Spent.objects.create(what=what, dollars=dollars)
        except IntegrityError:  # another worker began the sum
            Spent.objects.filter(what=what).update(dollars=F("dollars") + dollars)


def of_match(match: UUID) -> float:
    """What was spent on a match, in dollars: on what was asked in vain too, and by whoever began to play it before."""
    return Spent.objects.filter(what=names(match)[0]).values_list("dollars", flat=True).first() or 0.0


def names(match: UUID | None) -> tuple[str, str]:
    """The sums that a call for this match adds to: of the match, or "", and of the day."""
    return (f"match:{match}" if match else "", f"day:{clock.now():%Y-%m-%d}")
