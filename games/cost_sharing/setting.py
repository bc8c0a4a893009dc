"""What a match of Cost Sharing is about: airlines, how much each uses the airport, what is fair for them.

Shares are percentages of the fee. Costs are in the money of the fee. What an airline would pay alone is its
`standalone` cost, and a group of airlines would pay what its members would alone, at most the fee:

    c(S) = min(fee, sum of the standalone costs in S)

In this game the core is every split in which nobody pays more than alone, and the Shapley value is the random arrival
rule: the airlines arrive in random order, each pays its standalone cost until the fee is covered (O'Neill 1982, "A
problem of rights arbitration from the Talmud").
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from games.rules.fields import plain
from games.rules.options import option
from games.rules.scores import PointsOptions, check_known
from games.rules.sentences import sentence
from games.rules.values import Impossible

WHOLE = 100
FEE = 1_000_000
MOST_SEATS = 6
NUMBERS = {"flights": (1, 10_000), "passengers": (1, 10_000_000), "hours": (0.1, 24), "standalone": (1, 10**12)}
TEXTS = {"name": 40, "aircraft": 80}
SHOWN, CHECKED, NONE = "shown", "checked", "none"
"""What is done about fairness. `checked` is MAgIC's first edition (section 3.1: an initial scheme in proportion to use,
and a check of every change that no party would be better off alone); `none` its second, which has neither."""


@dataclass(frozen=True, kw_only=True)
class CostSharingOptions(PointsOptions):
    rounds: int = option(
        5,
        sentence("If you do not agree within this many rounds, everybody fails."),
        label=sentence("Rounds"),
        low=1,
        high=20,
    )
    step: int = option(
        1, sentence("Shares are multiples of this many percent."), label=sentence("Steps"), low=1, high=25
    )
    fairness: str = option(
        SHOWN,
        sentence("What the table is told about a fair split."),
        label=sentence("Fairness"),
        choices={
            SHOWN: sentence("The split by use, costs alone and Shapley shares are shown"),
            CHECKED: sentence("The split by use is shown; nobody may be asked to pay more than they would alone"),
            NONE: sentence("Nothing but how much each uses the airport"),
        },
    )

    def check(self) -> None:
        if WHOLE % self.step:
            raise Impossible(
                sentence(
                    "Steps of {step} do not add up to {whole}. Take 1, 2, 4, 5, 10, 20 or 25.",
                    step=self.step,
                    whole=WHOLE,
                )
            )


def check_deal(title: str, options: CostSharingOptions, setting: dict[str, Any]) -> None:
    """Raise `Impossible` if these airlines cannot be played with these options.

    An airline: name, flights and passengers a month; if known also hours (mean length of a flight), aircraft (in
    words), standalone (what it would pay alone; all give it, or none).
    """
    check_known(title, setting, ("airlines", "fee"), options.seats)
    airlines = setting.get("airlines")
    if not isinstance(airlines, list) or len(airlines) != options.seats:
        given = len(airlines) if isinstance(airlines, list) else 0
        raise Impossible(
            sentence(
                "Cost Sharing needs the use data of {seats} airlines; this setting has {given}.",
                seats=options.seats,
                given=given,
            )
        )
    for airline in airlines:
        _check_airline(airline)
    if len({plain(airline["name"]) for airline in airlines}) < len(airlines):
        raise Impossible(sentence("Two airlines have the same name."))
    fee = setting.get("fee", FEE)
    if type(fee) is not int or not 1 <= fee <= 10**12:
        raise Impossible(sentence("The fee is a whole number above 0."))
    alone = standalone(airlines)
    if alone is None and any("standalone" in airline for airline in airlines):
        raise Impossible(sentence("Either all airlines have a standalone cost, or none has."))
    if alone is not None and sum(alone) < fee:
        raise Impossible(
            sentence("What the airlines would pay alone sums to less than the fee, so no split could be fair.")
        )
    if options.fairness == CHECKED:
        if alone is None:
            raise Impossible(
                sentence("Fairness is checked by what each airline would pay alone; this setting does not say it.")
            )
        if sum(most_shares(fee, alone, options.step)) < WHOLE:
            raise Impossible(
                sentence(
                    "In steps of {step} percent no split asks everybody to pay at most what they would alone. "
                    "Take smaller steps.",
                    step=options.step,
                )
            )


def _check_airline(airline: Any) -> None:
    if not isinstance(airline, dict) or not isinstance(airline.get("name"), str) or not plain(airline["name"]):
        raise Impossible(sentence("Each airline is a set of named values, with a name."))
    if unknown := [key for key in airline if key not in NUMBERS and key not in TEXTS]:
        raise Impossible(sentence("An airline has no '{unknown}'.", unknown=unknown[0]))
    for name in ("flights", "passengers"):
        if name not in airline:
            raise Impossible(sentence("'{name}' is missing for {airline}.", name=name, airline=airline["name"]))
    for name, value in airline.items():
        if name in TEXTS and (not isinstance(value, str) or len(value) > TEXTS[name]):
            raise Impossible(
                sentence(
                    "'{name}' of an airline is a text of at most {texts} characters.", name=name, texts=TEXTS[name]
                )
            )
        if name in NUMBERS:
            low, high = NUMBERS[name]
            if type(value) not in (int, float) or not low <= value <= high:
                raise Impossible(
                    sentence(
                        "'{name}' of {airline} is a number from {low} to {high}.",
                        name=name,
                        airline=airline["name"],
                        low=low,
                        high=high,
                    )
                )


def standalone(airlines: Sequence[dict[str, Any]]) -> list[Fraction] | None:
    """What each airline would pay alone, or None where the setting does not say it for all."""
    if not all("standalone" in airline for airline in airlines):
        return None
    return costs_alone(airlines)


def costs_alone(airlines: Sequence[dict[str, Any]]) -> list[Fraction]:
    """What each airline would pay alone, where the setting says it for all."""
    return [Fraction(str(airline["standalone"])) for airline in airlines]


def proportional(airlines: Sequence[dict[str, Any]], step: int = 1) -> list[int]:
    """The initial scheme, in proportion to use: the mean of an airline's share of the flights and of the passengers.

    MAgIC gives no formula; this is ours, and gives the 40, 30, 30 that its published setting proposes first.
    """
    measures = [[Fraction(str(airline[name])) for airline in airlines] for name in ("flights", "passengers")]
    shares = [
        sum((measure[seat] / sum(measure) for measure in measures), Fraction(0)) / len(measures) * WHOLE
        for seat in range(len(airlines))
    ]
    return rounded(shares, step)


def shapley(fee: int, alone: Sequence[Fraction]) -> list[Fraction]:
    """The Shapley value of c(S) = min(fee, sum of standalone costs), in percent of the fee, exactly."""
    paid = [Fraction(0)] * len(alone)
    for order in itertools.permutations(range(len(alone))):
        left = Fraction(fee)
        for airline in order:
            pays = min(alone[airline], left)
            paid[airline] += pays
            left -= pays
    return [WHOLE * total / (math.factorial(len(alone)) * fee) for total in paid]


def in_core(split: Sequence[int], fee: int, alone: Sequence[Fraction]) -> bool:
    """Whether nobody pays more than alone; in this game no group does then either."""
    return all(Fraction(share * fee, WHOLE) <= cost for share, cost in zip(split, alone, strict=True))


def most_shares(fee: int, alone: Sequence[Fraction], step: int) -> list[int]:
    """The largest share of each airline, a multiple of `step`, that is not above its cost alone."""
    return [min(WHOLE, step * math.floor(WHOLE * cost / (fee * step))) for cost in alone]


def within(split: Sequence[int], most: Sequence[int], step: int) -> list[int]:
    """The split with nobody above `most`: what is too much goes to the others, in proportion to the room they have."""
    over = sum(max(share - top, 0) for share, top in zip(split, most, strict=True))
    room = [max(top - share, 0) for share, top in zip(split, most, strict=True)]
    if not over:
        return list(split)
    more = rounded([Fraction(part * over, sum(room)) for part in room], step, over)
    return [min(share, top) + extra for share, top, extra in zip(split, most, more, strict=True)]


def rounded(shares: Sequence[Fraction], step: int, whole: int = WHOLE) -> list[int]:
    """Shares as multiples of `step` that sum to `whole`, itself a multiple: the largest remainders are rounded up, of
    equal ones the lower seat's first."""
    units = [share / step for share in shares]
    counts = [math.floor(unit) for unit in units]
    missing = whole // step - sum(counts)
    for seat in sorted(range(len(units)), key=lambda seat: (counts[seat] - units[seat], seat))[:missing]:
        counts[seat] += 1
    return [step * count for count in counts]
