"""ETags: what a program has is not sent again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response


def tagged(request: Request, tag: str, make: Callable[[], Any]) -> HttpResponse:
    """What `make` tells, or 304 to a program that has it already. tag: changes whenever that is told otherwise; "" of
    what changes all the time."""
    if not tag:
        return Response(make())
    header = f'"{tag}"'
    if request.headers.get("If-None-Match", "") == header:
        return HttpResponse(status=304, headers={"ETag": header})
    return Response(make(), headers={"ETag": header, "Cache-Control": "private, no-cache"})
