"""What a program is told of the table at which it sits or looks on."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.room import api_keys
from games.web.api import shapes, waiting
from games.web.api.query import query
from games.web.api.tables import AFTER, KEY, MATCH, WAIT, at, come_back, observed


class Observation(APIView):
    """What you see at a table: as your seat's player, or as one who looks on. With `wait` the answer comes when there
    is something new, or after so many seconds."""

    scopes = {"GET": (api_keys.PLAY, api_keys.READ)}
    takes = (AFTER, WAIT, MATCH, KEY)

    @extend_schema(responses=shapes.AtTableShape)
    def get(self, request: Request, code: str) -> Response:
        asked = query(request)
        seconds, after, match = waiting.seconds_of(request), asked["after"], asked["match"]
        known = waiting.known(code) if seconds else None
        seen, caller = at(request, code, known=known)
        seen = come_back(seen if known else seen.caught_up(), caller)
        answer = Response(observed(seen, after, match))
        return waiting.held_back(answer, waiting.waiter_at(seen, caller, after, match, seconds), request)
