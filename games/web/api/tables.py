"""Tables by the API: which there are, opening one, and all that is done at one before, between and after matches."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.match import contract
from games.match import store as matches
from games.match.access import RESEARCHER
from games.models import Room, Seat
from games.refused import Refused
from games.registry import RULES
from games.room import again, api_keys, chairs, presence, rooms
from games.rules.core import Rules
from games.translation import translated
from games.web.api import options, shapes
from games.web.api.callers import Caller, caller_of
from games.web.api.once import once
from games.web.api.problems import Problem, malformed, nothing, refused
from games.web.finding import find
from games.web.pages.lobby import open_table, open_tables
from games.web.visits import Place, Visit, visit_at, visit_now
from magic_site import addresses

SETTINGS = ("move_seconds", "absence", "pace", "agents_named", "pseudonyms", "listed", "watching", "afterwards")
READING = {"GET": (api_keys.READ,)}
PLAYING = {"POST": (api_keys.PLAY,)}
AFTER = OpenApiParameter("after", int, description="Only events with a higher seq.")
WAIT = OpenApiParameter("wait", int, description="Seconds, 25 at most, to wait for something new.")
MATCH = OpenApiParameter("match", str, description="The match of which `after` is; at another one all is new.")
KEY = OpenApiParameter("key", str, description="What the table's link has after ?key=.")


class Games(APIView):
    """All games, and what can be chosen of each."""

    scopes = READING

    @extend_schema(responses=shapes.GameShape(many=True))
    def get(self, request: Request) -> Response:
        return Response([_game(rules) for rules in RULES.values()])


class Tables(APIView):
    scopes = READING | PLAYING

    @extend_schema(responses=shapes.TableShape(many=True))
    def get(self, request: Request) -> Response:
        """The tables at which you sit, and those with a free seat that anybody may find."""
        caller, found = caller_of(request), []
        for room in (room for listed in open_tables(caller.person).values() for room in listed):
            if not caller.stays_out(room):
                found.append(table_told(room, caller))
        return Response(found)

    @extend_schema(request=shapes.OpenShape, responses={201: shapes.TableShape})
    @once
    def post(self, request: Request) -> Response:
        """Open a table and sit down at it; with agents on all other seats its match begins."""
        caller, sent = caller_of(request), shapes.read(shapes.OpenShape, request.data)
        refuse_chairs(caller)
        rules = RULES[sent["game"]]
        preset = options.preset_of(rules, sent["preset"] or rules.players[0])
        seats = sent.get("seats", rules.players[1])
        room = open_table(
            caller.person,
            game=rules.name,
            preset=preset,
            seats=seats,
            name=sent["name"],
            options=options.chosen(rules, preset, sent["options"], seats),
            agents=min(sent["agents"], seats - 1),
            agent=_agent(rules.name, sent["agent"], caller) if sent["agents"] else "",
            origin=addresses.mark(addresses.of_request(request)),
            **{name: sent[name] for name in SETTINGS if name in sent},
        )
        return Response(table_told(room, caller), status.HTTP_201_CREATED)


class Table(APIView):
    """One table."""

    scopes = READING
    takes = (KEY,)

    @extend_schema(responses=shapes.TableShape)
    def get(self, request: Request, code: str) -> Response:
        seen, _caller = at(request, code)
        return Response(_table(seen))


class Sit(APIView):
    """Sit down, on this seat or a free one."""

    scopes = PLAYING

    @extend_schema(request=shapes.SitShape, responses=shapes.TableShape)
    def post(self, request: Request, code: str) -> Response:
        sent = shapes.read(shapes.SitShape, request.data)
        seen, caller = at(request, code, sent["key"])
        again.seat_bystanders(seen.room)
        chair = chairs.sit(seen.room, caller.person, sent["name"], sent["seat"])
        presence.exchange([(seen.room.code, chair.number)], [])
        return Response(table_told(seen.room, caller))


class AtTable(APIView):
    """Something that is done at a table without saying more."""

    scopes = PLAYING

    @extend_schema(request=None, responses=shapes.TableShape)
    def post(self, request: Request, code: str) -> Response:
        shapes.read_nothing(request.data)
        seen, caller = at(request, code)
        self.do(seen, caller)
        return Response(table_told(seen.room, caller))

    def do(self, seen: Visit, caller: Caller) -> None:
        raise NotImplementedError


class Leave(AtTable):
    """Get up. During a match an agent plays on."""

    def do(self, seen: Visit, caller: Caller) -> None:
        chairs.leave(seen.room, caller.person)
        again.seat_bystanders(seen.room)
        again.begin_if_all_are_ready(seen.room)


class Start(AtTable):
    """Begin, as the host."""

    def do(self, seen: Visit, caller: Caller) -> None:
        again.seat_bystanders(seen.room)
        rooms.start(seen.room, caller.person, caller.sees.has_perm(RESEARCHER))


class End(AtTable):
    """End the match that is played, as the host; nobody wins it."""

    def do(self, seen: Visit, caller: Caller) -> None:
        rooms.end(seen.room, caller.person)


class Rematch(AtTable):
    """Say that you want to play again; when all do, the next match begins."""

    def do(self, seen: Visit, caller: Caller) -> None:
        if rooms.playing(seen.room):
            raise Refused(_("A match is being played here. You can play again when it is over."))
        if seen.chair is not None:
            presence.exchange([(seen.room.code, seen.chair)], [])
        again.ready(seen.room, caller.person)


class Fill(APIView):
    """Put agents on all free seats, as the host."""

    scopes = PLAYING

    @extend_schema(request=shapes.FillShape, responses=shapes.TableShape)
    def post(self, request: Request, code: str) -> Response:
        sent = shapes.read(shapes.FillShape, request.data)
        seen, caller = at(request, code)
        again.seat_bystanders(seen.room)
        chairs.fill(seen.room, caller.person, _agent(seen.room.game, sent["agent"], caller))
        return Response(table_told(seen.room, caller))


class Act(APIView):
    """Answer a request to your seat. The same answer again is success and adds nothing."""

    scopes = PLAYING

    @extend_schema(request=shapes.ActShape, responses=shapes.ActedShape)
    def post(self, request: Request, code: str) -> Response:
        sent = shapes.read(shapes.ActShape, request.data)
        seen, _caller = at(request, code)
        return Response(acted(seen, sent))


def at(request: Request, code: str, key: str = "", known: Place | None = None) -> tuple[Visit, Caller]:
    """The table with this code as the caller sees it, with its log as it was last read; raises a `Problem` where they
    see nothing of it. known: the table, where it need not be read."""
    caller = caller_of(request)
    key = key or request.query_params.get("key", "")[:80]
    return table_for(caller, addresses.of_request(request), code, key, known), caller


def table_for(caller: Caller, address: str, code: str, key: str = "", known: Place | None = None) -> Visit:
    """The same for a caller from this address."""
    found = find(code, person=caller.person, address=address, key=key, known=known)
    if found is None or caller.stays_out(found.room):
        raise nothing(_("There is no table with this code that your key leads to."))
    seen = visit_at(found, caller.sees, caller.person)
    if seen.shut:
        raise Problem(403, "not_allowed", _("This table is not open to you."))
    if seen.chair is not None:
        presence.seen_now(seen.room)
        presence.exchange([(seen.room.code, seen.chair)], [])
    return seen


def acted(seen: Visit, sent: dict[str, Any]) -> dict[str, Any]:
    """What came of an answer, as `shapes.ActShape` reads it; raises a `Problem` where it does not count."""
    if seen.match is None or seen.match.pk != sent["match"]:
        if seen.room.matches.filter(pk=sent["match"]).exists():
            raise Problem(409, "over", _("That match is over; your move came too late."))
        raise malformed({"match": [_("This is no match of this table.")]})
    about = {name: sent[name] for name in ("skip", "why", "beliefs")}
    moved = contract.act(seen.match, seen.seat, sent["request"], sent["action"], **about)
    if moved.refusal is not None:
        raise refused(moved.refusal)
    return {"events": len(moved.events)}


def counted_from(after: int, match: str, shown: str) -> int:
    """The event up to which a caller knows all of the match that is shown: of another one they know nothing."""
    return after if match in ("", shown) else 0


def has_news(seen: Visit, after: int, match: str) -> bool:
    """Whether a caller who knows so much would be told what they do not know."""
    if seen.shown is None or seen.match is None:
        return bool(match)
    return seen.shown.view(seen.viewer, seen.delayed).seq > counted_from(after, match, str(seen.match.pk))


def observed(seen: Visit, after: int = 0, match: str = "") -> dict[str, Any]:
    """What a caller sees at a table. after: as of this match, if one is named."""
    told = None
    if seen.shown is not None and seen.match is not None:
        known = counted_from(after, match, str(seen.match.pk))
        told = contract.observe(seen.shown, seen.viewer, delayed=seen.delayed, after=known)
    return {"code": seen.room.code, "chair": seen.chair, "match": told}


def come_back(seen: Visit, caller: Caller) -> Visit:
    """Who asks, and may play, is back: a seat that an agent kept warm is its player's again."""
    if not (caller.may(api_keys.PLAY) and seen.stand_in) or seen.match is None or seen.seat is None:
        return seen
    matches.give_back(seen.match.pk, seen.seat)
    return _visit(seen.room, caller)


def _visit(room: Room, caller: Caller) -> Visit:
    return visit_now(room, caller.sees, caller.person)


def refuse_chairs(caller: Caller) -> None:
    """A key that came with a chair opens no other table."""
    if caller.key is not None and caller.key.room_id is not None:
        raise Problem(403, "not_allowed", _("This key is good at one table only."))


def _agent(game: str, wanted: str, caller: Caller) -> str:
    return chairs.agent_to_ask(game, wanted, caller.sees.has_perm(RESEARCHER))


def _game(rules: Rules) -> dict[str, Any]:
    return {
        "name": rules.name,
        "title": translated(rules.title),
        "about": translated(rules.about),
        "usual": rules.players[0],
        "presets": [
            {
                "name": name,
                "title": translated(preset.title),
                "about": translated(preset.about),
                "low": preset.low,
                "high": preset.high,
                "options": options.schema(rules, name),
            }
            for name, preset in rules.presets.items()
        ],
        "agents": [{"name": name, "title": str(title)} for name, title in rooms.seatable(rules.name, False)],
    }


def table_told(room: Room, caller: Caller) -> dict[str, Any]:
    """A table as the caller sees it now."""
    return _table(_visit(room, caller))


def _table(seen: Visit) -> dict[str, Any]:
    room = seen.room
    return {
        "code": room.code,
        "game": room.game,
        "preset": room.preset,
        "options": room.options,
        "seats": len(seen.chairs),
        "free": sum(chair.free for chair in seen.chairs),
        "chairs": [] if room.anonymous else [_chair(chair) for chair in seen.chairs],
        "chair": seen.chair,
        "hosts": seen.hosts,
        "match": None if seen.shown is None or seen.match is None else str(seen.match.pk),
        "status": "waiting" if seen.match is None else seen.match.status,
        "link": room.link,
    }


def _chair(chair: Seat) -> dict[str, Any]:
    kind = "free" if chair.free else "outside" if chair.outside else "agent" if chair.agent else "person"
    return {"number": chair.number, "kind": kind, "name": chair.name}
