"""Log files to take away: of a match as one viewer may see it, and of several matches at once."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator

from django.http import HttpResponse

from games.match import store
from games.models import Match
from games.rules import logfile, values

ARCHIVE_LIMIT = 200


def lines(match: Match, viewer: values.Viewer, until: int | None = None) -> Iterator[str]:
    """The log file of a match as `viewer` sees it, up to and with seq `until`. Only the omniscient's holds all that an
    import needs; a seat's holds its own attempts besides what it saw, the public's what everybody saw."""
    whole = store.to_file(match)
    if viewer == values.OMNISCIENT:
        return logfile.write(whole)
    play = store.load(match)
    events = play.visible(viewer, until)
    own = [record | {"by": "seat"} for record in whole.attempts if record["seat"] == viewer]
    seen = logfile.LogFile(
        header=values.visible_header(whole.header, viewer, kinds_named=match.kinds_named),
        events=events,
        times={event.seq: whole.times[event.seq] for event in events},
        attempts=own,
        outcome=play.view(viewer, until).outcome,
    )
    return logfile.write(seen)


def text(match: Match, viewer: values.Viewer = values.OMNISCIENT, until: int | None = None) -> str:
    """The log file as one text."""
    return "".join(f"{line}\n" for line in lines(match, viewer, until))


def log_file(match: Match, viewer: values.Viewer = values.OMNISCIENT, until: int | None = None) -> HttpResponse:
    """The log file as a download."""
    return download(text(match, viewer, until).encode(), _name(match), "application/jsonl; charset=utf-8")


def archive(matches: Iterable[Match]) -> HttpResponse:
    """The whole logs of several matches as a zip file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for match in matches:
            file.writestr(_name(match), text(match))
    return download(packed.getvalue(), "matches.zip", "application/zip")


def _name(match: Match) -> str:
    return f"{match.game}-{match.preset}-{match.pk}.jsonl"


def download(content: bytes, name: str, kind: str) -> HttpResponse:
    """A file of that name and media type, which no cache keeps."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private, no-store"}
    return HttpResponse(content, content_type=kind, headers=headers)
