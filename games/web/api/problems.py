"""What a program is told that went wrong: problem+json (RFC 9457), whose sentences are those of the pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import set_rollback

from games.match.contract import NoBeliefs
from games.refused import NotThere, NotYours, Refused, Unfit
from games.rules.values import LogError, Refusal
from games.translation import translated
from games.web import forms
from games.web.finding import TooManyMisses
from games.web.limits import MISSING

PROBLEM = "application/problem+json"

BODY = "body"
"""In place of a field: all that was sent."""

IN_PLAIN_WORDS = {
    "not_a_dict": gettext_lazy('Send an object of JSON here, such as {"text": "warm"}.'),
    "not_a_list": gettext_lazy("Send a list here, such as [1, 2]."),
}
"""What is said in place of the framework's words, by its codes."""

WHOLE = {BODY, "__all__", "non_field_errors"}
"""What forms and serializers call that."""


class Problem(exceptions.APIException):
    """Something that cannot be done. code: a word for programs, which does not change."""

    def __init__(self, status_code: int, code: str, sentence: str, **more: Any):
        super().__init__(sentence)
        self.status_code, self.code, self.sentence, self.more = status_code, code, sentence, more


def refused(refusal: Refusal) -> Problem:
    """Of a move that does not count."""
    return Problem(forms.status(refusal), refusal.code, translated(refusal.sentence))


def malformed(fields: Mapping[str, Iterable[Any]]) -> Problem:
    """Of what was sent and makes no sense: sentences by field. The first one is told with the name of its field."""
    told = {BODY if name in WHOLE else name: [str(one) for one in said] for name, said in fields.items()}
    named = [one if name == BODY else f"{name}: {one}" for name, said in told.items() for one in said]
    return Problem(422, "malformed", next(iter(named), ""), fields=told)


def nothing(sentence: str = "") -> Problem:
    return Problem(404, "not_found", sentence or _("There is nothing here, or nothing that you may see."))


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to an error; None for one that is ours."""
    if isinstance(error, exceptions.UnsupportedMediaType):
        error = _other_kind([parser.media_type for parser in context["view"].parser_classes])
    body = told(error)
    if body is None:
        return None
    set_rollback()
    request = context["request"]  # what is wrong is told in JSON, even of the OpenAPI document, which may be YAML
    request.accepted_renderer, request.accepted_media_type = JSONRenderer(), PROBLEM
    headers = {}
    if (wait := wait_after(error, body["status"])) is not None:
        headers["Retry-After"] = str(wait)
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    return Response(body, body["status"], headers=headers, content_type=PROBLEM)


def _other_kind(taken: list[str]) -> Problem:
    sentence = _("This is no kind of content that is read here. Send it with the header Content-Type: %(kinds)s")
    return Problem(415, "unsupported_media_type", sentence % {"kinds": ", ".join(taken)})


def told(error: Exception) -> dict[str, Any] | None:
    """The body of the answer."""
    problem = _problem(error)
    if problem is None:
        return None
    return {
        "type": "about:blank",
        "title": TITLES.get(problem.status_code, "Not done"),
        "status": problem.status_code,
        "code": problem.code,
        "detail": problem.sentence,
        **problem.more,
    }


def wait_after(error: Exception, status_code: int) -> int | None:
    """After how many seconds to come back, where it was too often."""
    return int(getattr(error, "wait", None) or MISSING.seconds) if status_code == 429 else None


REFUSED: dict[type[Refused], tuple[int, str]] = {
    Unfit: (422, "malformed"),
    NotYours: (403, "not_allowed"),
    NotThere: (404, "not_found"),
    Refused: (409, "refused"),
}
"""The status and the code of what is refused, by why; the first that fits."""

TITLES = {
    400: "Bad request",
    401: "No good key",
    403: "Not allowed",
    404: "Not found",
    405: "No such way",
    409: "Not now",
    413: "Too large",
    415: "Another kind of content",
    422: "Not like this",
    429: "Too often",
}


def _problem(error: Exception) -> Problem | None:
    match error:
        case Problem():
            return error
        case Refused():
            return Problem(*next(told for kind, told in REFUSED.items() if isinstance(error, kind)), str(error))
        case Http404():
            return nothing()
        case NoBeliefs():
            sentence = _("These beliefs are no matrix of your own seat about seats of this match.")
            return Problem(400, "no_beliefs", sentence, pointer=f"/beliefs{error.pointer}")
        case LogError():
            return Problem(409, "not_rederived", _("This match was played by other rules, and cannot be shown here."))
        case PermissionDenied() | exceptions.PermissionDenied():
            return Problem(403, "not_allowed", str(error) or _("You may not do this."))
        case TooManyMisses() | exceptions.Throttled():
            return Problem(429, "too_often", _("That was too often. Wait a little, then try again."))
        case exceptions.ValidationError():
            return malformed(dict(_by_field(error.detail)))
        case exceptions.ParseError():
            return Problem(400, "not_json", _("This is no JSON that can be read."))
        case exceptions.APIException():
            return Problem(error.status_code, str(error.get_codes()), str(error.detail))
    return None


def _by_field(detail: Any, within: str = "") -> Iterator[tuple[str, list[Any]]]:
    """The sentences of a serializer by field; one inside of another is named as in `selection.game`."""
    if isinstance(detail, dict):
        for name, said in detail.items():
            yield from _by_field(said, f"{within}.{name}" if within else str(name))
    elif isinstance(detail, list) and any(isinstance(one, dict) for one in detail):
        for place, said in enumerate(detail):
            yield from _by_field(said, f"{within}.{place}")
    else:
        told = detail if isinstance(detail, list) else [detail]
        yield within or BODY, [IN_PLAIN_WORDS.get(getattr(one, "code", ""), one) for one in told]
