"""People check a judge: they rate a sample of what it compared, without knowing whose answers they read."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import UUID, uuid5

from evaluation.judging.judge import FIRST, SECOND, answers_of
from evaluation.metrics.recon import Agreement, agreement
from evaluation.models import Judgement, Judging, Rating
from games.models import Match

Item = tuple[int, int, int]
"""A prompt and two arms, the lower first."""

ITEM = ("prompt", "first", "second")
"""An item as the columns of a row."""


def sample(judging: Judging, size: int) -> list[Item]:
    """The items that people check, the same for all: drawn from those that the judge has seen in both orders and whose
    matches are still there."""
    return _samples([judging], size)[judging.pk]


def open_to(rater: Any, judgings: Sequence[Judging], size: int) -> list[Judging]:
    """Those of which this person has not rated all of the sample."""
    mine: dict[UUID, set[Item]] = defaultdict(set)
    for key, *item in Rating.objects.filter(judging__in=judgings, rater=rater).values_list("judging", *ITEM):
        mine[key].add(tuple(item))
    samples = _samples(judgings, size)
    return [judging for judging in judgings if set(samples[judging.pk]) - mine[judging.pk]]


def _samples(judgings: Sequence[Judging], size: int) -> dict[UUID, list[Item]]:
    seen: dict[UUID, Counter[Item]] = {judging.pk: Counter() for judging in judgings}
    for key, *item in Judgement.objects.filter(judging__in=judgings, error="").values_list("judging", *ITEM):
        seen[key][_item(*item)] += 1
    named = {prompt["match"] for judging in judgings for prompt in judging.prompts}
    there = set(map(str, Match.objects.filter(pk__in=named).values_list("pk", flat=True)))
    found = {}
    for judging in judgings:
        kept = [
            item
            for item, orders in seen[judging.pk].items()
            if orders == 2 and judging.prompts[item[0]]["match"] in there
        ]
        # By the hash of its own name, so that an item's place does not depend on what was judged before or after it.
        found[judging.pk] = sorted(kept, key=partial(_lot, judging))[:size]
    return found


def next_to_rate(judging: Judging, rater: Any, size: int) -> Item | None:
    """An item of the sample that this person has not rated, one that fewest others have; None when all are done."""
    rated = list(judging.ratings.values_list(*ITEM, "rater"))
    mine = {tuple(row[:3]) for row in rated if row[3] == rater.pk}
    todo = [item for item in sample(judging, size) if item not in mine]
    return min(todo, key=lambda item: sum(tuple(row[:3]) == item for row in rated), default=None)


def shown(judging: Judging, item: Item, rater: Any) -> tuple[tuple[int, str], tuple[int, str]]:
    """Both answers of an item, (arm, words) each, in an order that differs from person to person."""
    prompt, first, second = item
    answers = answers_of(judging, prompt)[prompt]
    turned = uuid5(judging.pk, f"{item} {rater.pk}").int % 2
    both = (first, answers[first]), (second, answers[second])
    return both[::-1] if turned else both


def rate(judging: Judging, item: Item, rater: Any, chosen: dict[str, int]) -> None:
    """Keep which answer a person prefers on each dimension; what was said first stays."""
    prompt, first, second = item
    Rating.objects.get_or_create(
        judging=judging, prompt=prompt, first=first, second=second, rater=rater, defaults={"preferred": chosen}
    )


def _lot(judging: Judging, item: Item) -> int:
    return uuid5(judging.pk, str(item)).int


def _item(prompt: int, one: int, other: int) -> Item:
    return prompt, min(one, other), max(one, other)


def preferred(judging: Judging) -> dict[tuple[Item, str], int]:
    """By item and dimension the arm that the judge prefers over both orders; where they speak against one another, or
    both are ties, there is none."""
    leaning: dict[tuple[Item, str], int] = defaultdict(int)
    orders: dict[Item, int] = defaultdict(int)
    for row in judging.judgements.filter(error=""):
        item = _item(row.prompt, row.first, row.second)
        orders[item] += 1
        for dimension, said in row.preferred.items():
            chosen = {FIRST: row.first, SECOND: row.second}.get(said)
            leaning[item, dimension] += 0 if chosen is None else 1 if chosen == item[1] else -1
    return {
        (item, dimension): item[1] if lean > 0 else item[2]
        for (item, dimension), lean in leaning.items()
        if lean and orders[item] == 2
    }


def checked(judging: Judging) -> Agreement:
    """How far people agree with the judge, an item and dimension at a time (ReCon, appendix D.1, our reading). Where
    the judge has no preference there is nothing to agree with."""
    judge = preferred(judging)
    votes: dict[tuple[Item, str], list[int]] = defaultdict(lambda: [0, 0])
    for row in judging.ratings.all():
        for dimension, arm in row.preferred.items():
            question = (row.prompt, row.first, row.second), dimension
            if question in judge:
                votes[question][arm != judge[question]] += 1
    return agreement((agree, disagree) for agree, disagree in votes.values())
