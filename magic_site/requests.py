"""Requests as this site's middleware hands them to views."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class SiteRequest(HttpRequest):
    """htmx: true where a script of the page sent it."""

    htmx: HtmxDetails
