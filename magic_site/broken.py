"""The page for what broke: during an outage it says so, and that nothing is lost."""

import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from magic_site import outages


def page(request: HttpRequest) -> HttpResponse:
    """Called by Django while the error is being handled; uses neither the database nor the session."""
    if not outages.met(sys.exc_info()[1]):
        return HttpResponse(render_to_string("500.html"), status=500)
    return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": "5"})
