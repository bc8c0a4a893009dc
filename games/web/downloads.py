"""Log files to take away: of a match as one viewer may see it."""

from django.http import HttpResponse

from games.match.view import MatchView
from games.models import Match
from games.rules import logfile


def text(seen: MatchView) -> str:
    """The log file of a match as its viewer sees it. Only the omniscient's holds all that an import needs; a seat's
    holds its own attempts besides what it saw, the public's what everybody saw."""
    return "".join(f"{line}\n" for line in logfile.write(seen.file()))


def log_file(seen: MatchView) -> HttpResponse:
    """The log file as a download."""
    return download(text(seen).encode(), _name(seen.match), "application/jsonl; charset=utf-8")


def _name(match: Match) -> str:
    return f"{match.game}-{match.preset}-{match.pk}.jsonl"


def download(content: bytes, name: str, kind: str) -> HttpResponse:
    """A file of that name and media type, which no cache keeps."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private, no-store"}
    return HttpResponse(content, content_type=kind, headers=headers)
