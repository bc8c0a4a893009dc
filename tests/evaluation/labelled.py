"""Tasks for tests: matches with thoughts, raters, and what they give."""

from __future__ import annotations

from django.contrib.auth.models import Group, User
from django.test import Client

from evaluation.labelling import rounds, schemes
from evaluation.labelling.models import Item, Round, Scheme, Task
from tests.games.matches import dealt, play_on, stored

LABELS = (("a", "1"), ("b", "2"), ("none", "0"))


def content(kind: str = "single", what: str = "thoughts", labels=LABELS, **more) -> dict:
    """A good scheme."""
    each = [
        {"name": name, "title": name.upper(), "definition": f"When it is {name}.", "key": key} for name, key in labels
    ]
    return {"title": "Steps", "kind": kind, "labels": each, "applies": {"what": what}} | more


def user(name: str, *groups: str) -> User:
    found, _made = User.objects.get_or_create(username=name)
    found.groups.set(Group.objects.filter(name__in=groups))
    return found


def raters(*names: str) -> list[User]:
    return [user(name, "rater") for name in names]


def client(who: User) -> Client:
    found = Client()
    found.force_login(who)
    return found


def played(many: int = 1, game: str = "undercover", preset: str = "magic", seats: int = 3) -> list:
    return [stored(play_on(dealt(game, preset, seats, seed=seed))) for seed in range(1, many + 1)]


def task(
    scheme: Scheme | None = None,
    people: list[User] | None = None,
    *,
    many: int = 6,
    per_item: int = 3,
    shared: int = 0,
    **only,
) -> Task:
    """A task whose first round is open. only: of its items."""
    scheme = scheme or schemes.make(f"steps{Scheme.objects.count()}", content())
    chosen = {"many": many} | only
    made = Task.objects.create(name="Steps", scheme=scheme, per_item=per_item, items=chosen, seed=5, shared=shared)
    made.raters.set(people if people is not None else raters("ann", "ben", "cleo"))
    rounds.begin(made)
    return made


def give_all(part: Round, labels, *people: User) -> None:
    """Each of these gives all that waits for them; labels: what they give, or a function of rater and item."""
    for rater in people:
        for item in list(rounds.waiting_for(part, rater)):
            rounds.give(item.pk, rater, labels(rater, item) if callable(labels) else labels, seconds=2)


def items(part: Round) -> list[Item]:
    return list(part.items.order_by("number"))
