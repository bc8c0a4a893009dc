from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from games import audit


def content_security_policy(get_response: Callable[[HttpRequest], HttpResponse]):
    """Send the policy of settings.CONTENT_SECURITY_POLICY with every answer (Django has this only from 6.0)."""
    policy = "; ".join(f"{directive} {sources}" for directive, sources in settings.CONTENT_SECURITY_POLICY.items())

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", policy)
        return response

    return middleware


def doers_noted(get_response: Callable[[HttpRequest], HttpResponse]):
    """What a request changes of rights is the doing of who is signed in."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with audit.done_by(lambda: request.user):
            return get_response(request)

    return middleware
