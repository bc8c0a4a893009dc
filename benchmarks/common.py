"""What benchmarks share: a site of their own, tables and deals, the page of a person, and what numbers look like."""

import json
import os
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from games.registry import RULES
from games.rules.kit import KitCase
from games.rules.play import Play
from games.rules.sample import sample_of
from games.rules.values import Request

GAMES = Path(__file__).resolve().parent.parent / "games"
TOKEN = "c" * 32
"""The token that a page's forms carry, in its cookie as well."""


# Sites --------------------------------------------------------------------------------------------------------------


def prepared(folder: str, **env: str) -> None:
    """Set Django up on an empty database in this folder, with what a new site has."""
    os.environ |= {"DJANGO_SETTINGS_MODULE": "magic_site.settings", "VAR_DIR": folder, **env}
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    call_command("load_fixtures", verbosity=0)


@contextmanager
def site(env: dict[str, str] | None = None) -> Iterator[Any]:
    """The real parts as processes (`tests.stack.Stack`), with Django set up here on their database."""
    from tests.stack import Stack

    with Stack(env) as stack:
        os.environ |= stack.env
        import django

        django.setup()
        yield stack


def add_model(url: str, method: str = "direct", name: str = "wire", **more: Any) -> None:
    """The profile of a scripted model at this address."""
    from agents.models import AgentProfile

    AgentProfile.objects.create(
        name=name, title=name, provider="openai", base_url=url, model="m", method=method, **more
    )


# Matches ------------------------------------------------------------------------------------------------------------


def dealt(game: str, preset: str = "", seats: int = 0, seed: int = 1, **options: Any) -> Play:
    """A match in memory on a deal of the test kit: of the quick preset with its fewest seats, if none is said."""
    rules = RULES[game]
    preset = preset or rules.quick[0]
    return KitCase(rules, sample_of(RULES[game]), preset, seats or rules.presets[preset].low, seed, options).begin()


@cache
def house_agent() -> Any:
    """The mind of a house agent that keeps no more than its move takes."""
    from agents import headless
    from agents.models import AgentProfile

    return headless.of_profile(AgentProfile(name="house", provider="house", method="house", switches={"hops": 1}))


def begin(
    game: str, preset: str, people: Sequence[str], agents: Sequence[str] = (), *, seed: int | None = None,
    setting: dict[str, Any] | None = None, options: dict[str, Any] | None = None, **room: Any,
):  # fmt: skip
    """A match at a table of its own: these people, by their keys, and then these agents. room: the table's settings."""
    from games.match import beginning
    from games.models import Room, Seat

    seats: list[dict[str, Any]] = [{"kind": "person", "person": key} for key in people]
    seats += [{"kind": "agent", "agent": name} for name in agents]
    seats = [{"seat": n, "name": f"Player {n}"} | seat for n, seat in enumerate(seats, 1)]
    table = Room.objects.create(game=game, preset=preset, **room)
    table.seats.bulk_create(
        Seat(room=table, number=s["seat"], name=s["name"], person=s.get("person", ""), agent=s.get("agent", ""))
        for s in seats
    )
    return beginning.begin(
        game=game, preset=preset, seats=seats, room=table, seed=seed, setting=setting, options=options
    )


def rows_of(game: str) -> list[dict[str, Any]]:
    """What the settings that come with a game hold."""
    return [row["data"] for row in json.loads((GAMES / game / "settings.json").read_text(encoding="utf-8"))["rows"]]


# People -------------------------------------------------------------------------------------------------------------


def cookie(person: str) -> str:
    """The cookie by which a browser is this person."""
    from django.core import signing

    from games.room.people import SALT

    return signing.dumps({"key": person, "name": "P"}, salt=SALT)


def filled_in(play: Play, request: Request, rng: random.Random) -> dict[str, Any]:
    """The page's form with a random legal answer to a request."""
    from games.rules.random_play import random_action
    from games.web import forms

    action = random_action(play, request, rng, ["well"])
    data = {}
    for item in forms.inputs(request):
        value = action[item.name]
        value = (forms.YES if value else forms.NO) if isinstance(value, bool) else value
        data[item.html_name] = "" if value is None else value
    return data


# Numbers ------------------------------------------------------------------------------------------------------------


def below(share: float, numbers: Sequence[float]) -> float:
    """The number below which this share of sorted ones lies."""
    return numbers[min(len(numbers) - 1, int(len(numbers) * share))]
