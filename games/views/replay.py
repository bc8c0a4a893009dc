"""Watching: the list of matches and the replay of one."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse


def matches(request: HttpRequest) -> HttpResponse:
    raise Http404


def replay(request: HttpRequest, match_id: UUID) -> HttpResponse:
    raise Http404


thoughts = export = replay
