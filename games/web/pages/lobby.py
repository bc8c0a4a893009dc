"""The lobby: what can be played, which tables are open, and the ways to one's own table."""

import random
import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.match.access import RESEARCHER
from games.models import Match, Room
from games.refused import Refused
from games.registry import RULES, page_part
from games.room import chairs, rooms
from games.room.people import name_of, person_of, remember
from games.rules.core import Rules
from games.web.finding import TooManyMisses, find_for
from games.web.limits import JOINING, MISSING, limited, too_many
from games.web.playing import playing as games_being_played
from games.web.table_form import TableForm
from magic_site import addresses, clock

TABLES_SHOWN = 40
PLAYING_SHOWN = 6
"""In the lobby; the rest has a page."""
PLAYING_ON_A_PAGE = 25
TABLE_LIFE = timedelta(hours=12)


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    return _lobby(request)


@require_POST
@limited(JOINING)
def play(request: HttpRequest, game: str) -> HttpResponse:
    """One tap: a table of the usual kind, agents on all other seats, and the deal. Guided: with the weakest agents, no
    clock, and the rules beside it."""
    rules = _rules(game)
    preset, seats = rules.players
    name, agent = request.POST.get("name") or name_of(request), request.POST.get("agent", "")
    guided, strengths = "guided" in request.POST, [name for name, _title, _usual in rooms.by_strength()]
    try:
        room = open_table(
            person_of(request),
            game=game,
            preset=preset,
            seats=seats,
            name=name,
            agents=seats - 1,
            agent=(strengths or [""])[0] if guided else agent if agent in strengths else "",
            move_seconds=0 if guided else Room.usual("move_seconds"),
            options={"table_talk": True},
            listed=False,
            origin=addresses.mark(addresses.of_request(request)),
        )
    except Refused as refused:
        return _lobby(request, refused=str(refused), typed=name, agent=agent, status=422)
    address = reverse("games:table", args=[room.code])
    return remember(request, redirect(f"{address}?guided=1" if guided else address), rooms.clean_name(name))


@limited(JOINING)
def new_table(request: HttpRequest, game: str) -> HttpResponse:
    """The options of a table. With another preset than the one that was shown, its options are shown first."""
    rules, researcher = _rules(game), request.user.has_perm(RESEARCHER)
    preset = request.POST.get("preset", "")
    if preset not in rules.presets:
        preset = rules.players[0]
    if request.POST.get("shown") == preset:
        form = TableForm(rules, preset, request.POST, researcher=researcher)
        if "check" not in request.POST and form.is_valid():
            chosen = form.cleaned_data
            try:
                room = open_table(
                    person_of(request),
                    game=game,
                    preset=preset,
                    seats=form.seats,
                    name=chosen["name"],
                    options=chosen["options"],
                    researcher=researcher,
                    origin=addresses.mark(addresses.of_request(request)),
                    **form.who_sits(),
                    **form.room_settings(),
                )
            except Refused as refused:
                form.add_error(None, str(refused))
            else:
                return remember(request, redirect("games:table", room.code), chosen["name"])
    else:
        form = TableForm(rules, preset, initial={"name": name_of(request)} | _typed(request), researcher=researcher)
    status = 422 if form.errors and "check" not in request.POST else 200
    return render(request, "games/new_table.html", {"rules": rules, "form": form}, status=status)


@limited(JOINING)
def join(request: HttpRequest) -> HttpResponse:
    """To the table with this code, however it is typed. A link may bring the code along; a post goes there."""
    typed = (request.POST or request.GET).get("code", "")[:60]
    if request.method != "POST":
        return render(request, "games/join.html", {"typed_code": typed})
    try:
        found = find_for(request, as_code(typed))
    except TooManyMisses:
        return too_many(request, MISSING)
    if found is None:
        return render(request, "games/join.html", {"typed_code": typed, "unknown": True}, status=404)
    return redirect(found.room.link)


@require_safe
@never_cache
def playing(request: HttpRequest) -> HttpResponse:
    """All matches that are being played and may be watched."""
    found, page = games_being_played(person_of(request), PLAYING_ON_A_PAGE, request.GET.get("at", ""))
    return render(request, "games/playing.html", {"playing": found, "page": page})


@require_safe
def howto(request: HttpRequest, game: str) -> HttpResponse:
    rules = _rules(game)
    context = {"rules": rules, "mark": _mark(rules), "cards": page_part(game, "howto")}
    return render(request, "games/howto.html", context)


def as_code(typed: str) -> str:
    """A table's code as it is stored, from what a person types: 'kite 4271' is KITE-4271."""
    letters, digits = ("".join(re.findall(kind, typed.upper())) for kind in ("[A-Z]", "[0-9]"))
    return f"{letters}-{digits}"


def open_table(
    person: str,
    *,
    agents: int = 0,
    agent: str = "",
    lineup: Mapping[int, str] | None = None,
    researcher: bool = False,
    **settings: Any,
) -> Room:
    """Open a table, with profiles on the seats of a line-up, put agents on as many others drawn by lot, and start if
    none is left free. All of it or nothing."""
    with transaction.atomic():
        room = rooms.open_room(person=person, agents=lineup, **settings)
        free = [seat.number for seat in room.seats.all() if seat.free]
        if agents:
            taken = random.SystemRandom().sample(free, agents)
            chairs.fill(room, person, agent or _usual_agent(room.game), taken)
        if agents == len(free):
            rooms.start(room, person, researcher)
    return room


def _usual_agent(game: str) -> str:
    profiles = rooms.seatable(game, False)
    if not profiles:
        raise Refused(_("No agents are set up here. Open a table and play with friends."))
    return profiles[0][0]


def _rules(game: str) -> Rules:
    if game not in RULES:
        raise Http404
    return RULES[game]


def _mark(rules: Rules) -> list[str]:
    """The templates of a game's sign; the first that exists is taken."""
    return [rules.page("mark"), "games/mark.html"]


def _typed(request: HttpRequest) -> dict:
    """What a host had typed before the preset was changed, but for what belongs to the preset; and the name that was
    typed in the lobby, where nothing could be ticked."""
    kept = {name: value for name, value in request.POST.items() if name != "agents" and not name.startswith("option-")}
    boxes = (
        ("agents_named", "pseudonyms", "table_talk", "listed", "by_seat", "thoughts_live") if "shown" in kept else ()
    )
    return kept | {name: name in kept for name in boxes}


def _lobby(
    request: HttpRequest, refused: str = "", typed: str | None = None, agent: str = "", status: int = 200
) -> HttpResponse:
    found, page = games_being_played(person_of(request), PLAYING_SHOWN)
    context = {
        "games": [(rules, range(1, rules.players[1] + 1), _mark(rules)) for rules in RULES.values()],
        "name": name_of(request),
        "typed": typed,
        "typed_code": "",
        "refused": refused,
        "strengths": _strengths(agent),
        "playing": found,
        "more_playing": page.older,
        **open_tables(person_of(request)),
    }
    return render(request, "games/lobby.html", context, status=status)


def _strengths(agent: str) -> list[tuple[str, str, bool]]:
    """The agents to choose from by how well they play: name, strength, whether it is chosen."""
    offered = rooms.by_strength()
    known = agent in {name for name, _title, _usual in offered}
    return [(name, title, name == agent if known else usual) for name, title, usual in offered]


def open_tables(person: str) -> dict[str, Sequence[Room]]:
    """The tables of the last hours: those that the person sits at, and those with a free seat."""
    matches = Match.objects.filter(room=OuterRef("pk"))
    recent = Room.objects.filter(game__in=RULES, closed_at=None, created_at__gt=clock.after(-TABLE_LIFE))
    recent = recent.order_by("-pk").prefetch_related("seats")
    recent = recent.annotate(played=Exists(matches), playing=Exists(matches.filter(status="running")))
    mine = list(recent.filter(seats__person=person)[:5])
    others = [room for room in recent.filter(listed=True)[:TABLES_SHOWN] if room not in mine]
    return {
        "mine": mine,
        "open_tables": [room for room in others if room.free_seats and not room.playing and person not in room.kicked],
    }
