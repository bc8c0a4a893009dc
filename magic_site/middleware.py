from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse


def content_security_policy(get_response: Callable[[HttpRequest], HttpResponse]):
    """Send the policy of settings.CONTENT_SECURITY_POLICY with every answer (Django has this only from 6.0)."""
    policy = "; ".join(f"{directive} {sources}" for directive, sources in settings.CONTENT_SECURITY_POLICY.items())

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", policy)
        return response

    return middleware
