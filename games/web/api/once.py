"""The header `Idempotency-Key`: a request that makes something makes it once, however often it is sent.

As draft-ietf-httpapi-idempotency-key-header has it: the same again is given the first answer, something else by the
same key is refused, and so is the same while the first one is under way. A refusal is not kept, since it made nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.room import first_answers
from games.web.api.callers import caller_of
from games.web.api.problems import Problem, malformed

HEADER = "Idempotency-Key"
LONGEST = 255
KEY = OpenApiParameter(
    HEADER,
    {"type": "string", "minLength": 1, "maxLength": LONGEST, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description="A word of your own for this one request: the same sent again with it within a day is given the first "
    "answer and makes nothing.",
)
Post = Callable[..., Response]


def once(post: Post) -> Post:
    """A method of a view that makes something and answers 201: by a request with a key, once."""

    @wraps(post)
    def answered(view: APIView, request: Request, *args: Any, **places: Any) -> Response:
        key = request.headers.get(HEADER)
        if key is None:
            return post(view, request, *args, **places)

        def make() -> Any:
            response = post(view, request, *args, **places)
            return json.loads(request.accepted_renderer.render(response.data))

        if not (0 < len(key) <= LONGEST and key.isascii() and key.isprintable() and " " not in key):
            raise malformed({HEADER: [_("Take 1 to %(most)d letters, digits and signs.") % {"most": LONGEST}]})
        try:
            told = first_answers.answered(caller_of(request).person, key, [request.path, request.data], make)
        except first_answers.Reused as error:
            raise Problem(
                422, "key_reused", _("Something else was sent with this Idempotency-Key. Take a new one.")
            ) from error
        except first_answers.UnderWay as error:
            raise Problem(409, "under_way", _("The same request is under way. Send it again in a moment.")) from error
        return Response(told, status.HTTP_201_CREATED)

    vars(answered)["once"] = True
    return answered
