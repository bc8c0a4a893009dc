"""Downloads that can be gone on with: a file, or a part of it that a browser asks for (RFC 9110, section 14)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

ONE_RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})")

Content = Callable[[int, int], Iterator[bytes]]
"""The bytes of a file from the one number up to before the other."""


def file(request: HttpRequest, content: Content, *, name: str, media: str, size: int, digest: str) -> HttpResponseBase:
    """A file, which no cache keeps, or the part that was asked for. digest: by which a browser knows that what it has
    begun with is still the same file."""
    tag = f'"{digest}"'
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "private, no-store",
        "Accept-Ranges": "bytes",
        "ETag": tag,
    }
    start, end = 0, size
    asked = request.headers.get("Range", "") if request.headers.get("If-Range", tag) == tag else ""
    status = 200
    if part := ONE_RANGE.fullmatch(asked):  # several at once may be answered with all
        span = _span(*part.groups(), size=size)
        if span is None:
            return HttpResponse(status=416, headers=headers | {"Content-Range": f"bytes */{size}"})
        start, end = span
        status = 206
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    headers["Content-Length"] = str(end - start)
    return StreamingHttpResponse(content(start, end), status=status, content_type=media, headers=headers)


def _span(first: str, last: str, *, size: int) -> tuple[int, int] | None:
    """From which byte up to before which; None where there is none of them."""
    if not first:  # the last ones
        return (max(size - int(last), 0), size) if last and int(last) and size else None
    start, end = int(first), min(int(last) + 1 if last else size, size)
    return (start, end) if start < end else None
