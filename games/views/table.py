"""The table page and what is done at it."""

from django.http import Http404, HttpRequest, HttpResponse


def table(request: HttpRequest, code: str) -> HttpResponse:
    raise Http404


act = sit = leave = kick = fill = start = rematch = pause = resume = end = come_back = table
