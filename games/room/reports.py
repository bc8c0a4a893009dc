"""Reports of what people said, for admins to decide about."""

from games.models import Match, Report, RoomMessage


def of_event(match: Match, seq: int, viewer: int, by: str) -> Report:
    """Report an event of a match, once a person. viewer: as whom they see it; by: the key of who reports."""
    given = {"room": match.room, "viewer": viewer}
    return Report.objects.get_or_create(match=match, seq=seq, by=by, defaults=given)[0]


def of_message(message: RoomMessage, by: str) -> Report:
    """The same of a message of a room."""
    return Report.objects.get_or_create(message=message, by=by, defaults={"room": message.room})[0]
