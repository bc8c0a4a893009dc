"""ETags: what a program has is not sent again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response


def tagged(request: Request, tag: str, make: Callable[[], Any]) -> HttpResponse:
    """What `make` tells, as an answer or as values of one, or 304 to a program that has it already. tag: changes
    whenever that is told otherwise; "" of what changes all the time."""
    header = f'"{tag}"'
    if tag and request.headers.get("If-None-Match", "") == header:
        return HttpResponse(status=304, headers={"ETag": header})
    made = make()
    answer = made if isinstance(made, HttpResponse) else Response(made)
    if tag:
        answer["ETag"], answer["Cache-Control"] = header, "private, no-cache"
    return answer
