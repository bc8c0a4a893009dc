"""What the list of matches shows: which matches, and of each who played and what came of them, as one visitor may know
it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from django.http import HttpRequest

from games.match import access, lookup
from games.match.view import outcomes, outside
from games.models import Match
from games.registry import RULES, page_part
from games.rules.values import OMNISCIENT, PUBLIC


@dataclass(frozen=True)
class Found:
    """A choice of matches. template: what asks for a choice, with its context; params: those of an address that make
    the choice; hits: what of each match was looked for (`games.match.lookup.Hit`); costly: to find them takes a while;
    wrong: the choice makes no sense."""

    matches: QuerySet[Match]
    template: str
    context: dict[str, Any]
    params: dict[str, str] = field(default_factory=dict)
    hits: Callable[[list[Match]], dict[UUID, list[lookup.Hit]]] = lambda matches: {}
    costly: bool = False
    wrong: bool = False


def by_game(request: HttpRequest, seen: QuerySet[Match]) -> Found:
    """A choice by what everybody is told of a match: its game, and how that ended."""
    chosen = {name: request.GET.get(name, "") for name in ("game", "result")}
    game = RULES.get(chosen["game"])
    params = {}
    if game:
        params["game"] = game.name
        if chosen["result"] in game.results:
            params["result"] = chosen["result"]
    context = {
        "games": RULES.values(),
        "game": game,
        "result_page": game.page("result") if game else "",
        "chosen": chosen,
    }
    return Found(seen.filter(**params), "games/parts/choose_game.html", context, params)


# How researchers choose; the app that knows all that is chosen by puts that here when it starts.
finder: Callable[[HttpRequest, QuerySet[Match]], Found] = by_game


def found(request: HttpRequest, seen: QuerySet[Match]) -> Found:
    """What this visitor has chosen of the matches that they may see."""
    return (finder if request.user.has_perm(access.RESEARCHER) else by_game)(request, seen)


def rows(matches: Iterable[Match], user: User | AnonymousUser, person: str) -> list[dict[str, Any]]:
    """Each match with who played, by name and, where this person may see everything, as what and with what success."""
    return [_row(match, access.access_of(match, user, person)) for match in matches if match.game in RULES]


def _row(match: Match, allowed: access.Access | None) -> dict[str, Any]:
    viewer = OMNISCIENT if allowed is not None and allowed.everything else PUBLIC
    told, came = outside(match, viewer), outcomes(match, viewer)
    return {
        "match": match,
        "title": RULES[match.game].title,
        "way": RULES[match.game].called(match.preset),
        "roles": bool(RULES[match.game].sought),
        "result_page": page_part(match.game, "result"),
        "seats": [(seat, came.get(seat.seat)) for seat in told.header.seats],
        "agents": sum(kind == "agent" for kind in told.kinds.values()) if told.kinds else None,
    }
