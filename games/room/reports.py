"""Reports of what people said, and what admins decide about them. Nobody is told who reported; each decision has a
reason, which stands in the audit."""

from collections.abc import Callable
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models.functions import Now
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import audit
from games.match import access, erasing
from games.match.view import MatchView
from games.models import Match, Report, RoomMessage, ShutOut
from games.refused import Refused
from games.room import chairs, talk
from games.room.orders import reason_in
from games.rules.values import Event

AROUND = 4
"""So many lines before and after the reported one go with it."""


def of_event(match: Match, seq: int, viewer: int, by: str) -> Report:
    """Report an event of a match, once a person. viewer: as whom they see it; by: the key of who reports."""
    given = {"room": match.room, "viewer": viewer}
    return Report.objects.get_or_create(match=match, seq=seq, by=by, defaults=given)[0]


def of_message(message: RoomMessage, by: str) -> Report:
    """The same of a message of a room."""
    return Report.objects.get_or_create(message=message, by=by, defaults={"room": message.room})[0]


# What an admin reads ------------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """A line as it reads now."""

    name: str
    text: str
    reported: bool


def lines(report: Report) -> list[Line]:
    """The reported line and those around it, as whoever reported it heard them."""
    if report.message is not None:
        one = report.message
        near = range(one.number - 2 * AROUND, one.number + 2 * AROUND + 1)
        told = one.room.messages.filter(channel=one.channel, after=one.after, number__in=near)
        found = [Line(message.name, message.text, message.pk == one.pk) for message in told]
    else:
        assert report.match is not None  # noqa: S101
        view = MatchView(report.match, report.viewer)
        found = [
            Line(view.names[event.seat], words, event.seq == report.seq)
            for event in view.told
            if event.seat is not None and (words := _words(view, event))
        ]
    at = next((n for n, line in enumerate(found) if line.reported), 0)
    return found[max(0, at - AROUND) : at + AROUND + 1]


def _words(view: MatchView, event: Event) -> str:
    """What a player said with an event."""
    said = (event.data.get(name) for name in view.rules.words_of(event.kind, event.data))
    return " · ".join(str(text) for text in said if text)


def look(report: Report, by: User | AnonymousUser) -> list[Line]:
    """The same, shown to an admin: what others at a running match do not hear goes into the audit."""
    if report.match is not None and report.viewer:
        audit.looked(by, report.match, access.viewer_name(report.viewer), "report")
    return lines(report)


def speaker(report: Report) -> str:
    """The key of who said it; "" of an agent, or of nobody who is known any more."""
    if report.message is not None:
        return report.message.person
    assert report.match is not None and report.seq is not None  # noqa: S101
    event = next((one for one in MatchView(report.match, report.viewer).told if one.seq == report.seq), None)
    return next((one.person for one in report.match.seated if event and one.seat == event.seat), "")


def plays_there(report: Report, person: str) -> bool:
    """Whether this person plays at the table that a report is about."""
    match = report.room.match
    return match is not None and match.status == "running" and match.seat_of(person) is not None


# What an admin decides ------------------------------------------------------------------------------------------------


class Decision(NamedTuple):
    """What can be decided: what it is called, and what does it, with the reason."""

    title: str | Promise
    do: Callable[[Report, str], None]


def _take_words(report: Report, reason: str) -> None:
    if report.message is not None:
        talk.take_away(report.message)
    elif report.match is not None and report.seq is not None and not erasing.erase_event(report.match, report.seq):
        raise Refused(_("There are no words of a person to delete any more."))


def _person(report: Report) -> str:
    person = speaker(report)
    if not person:
        raise Refused(_("No person said that, or nobody knows who it was any more."))
    return person


def _send_away(report: Report, reason: str) -> None:
    chairs.send_away(report.room, _person(report), reason)


def _shut_out(report: Report, reason: str) -> None:
    person = _person(report)
    ShutOut.objects.get_or_create(person=person, defaults={"account": access.account_of(person)})


DECISIONS: dict[str, Decision] = {
    "words": Decision(gettext_lazy("Delete the words"), _take_words),
    "table": Decision(gettext_lazy("Send them away from this table"), _send_away),
    "talk": Decision(gettext_lazy("Shut them out of all talk here"), _shut_out),
    "nothing": Decision(gettext_lazy("Nothing is wrong"), lambda report, reason: None),
}


def decide(report: Report, what: list[str], reason: str, by: User | AnonymousUser, person: str) -> None:
    """Decide about a report, and about all others of the same line. what: names of `DECISIONS`, in any order; person:
    the key of who decides, who may not play there. Raises `Refused`."""
    wanted = [name for name in DECISIONS if name in what]
    if not wanted:
        raise Refused(_("Choose what is to be done."))
    reason = reason_in(reason, _("Say why: it stands in the audit."))
    if plays_there(report, person):
        raise Refused(_("You play in this match. Ask another admin."))
    with transaction.atomic():
        same = Report.objects.filter(
            room=report.room, match=report.match, seq=report.seq, message=report.message, settled_at=None
        )
        if not same.update(settled_at=Now()):
            raise Refused(_("Another admin has decided about this meanwhile."))
        for name in reversed(wanted):  # who said it is looked up before the words go
            DECISIONS[name].do(report, reason)
        audit.note("table", by=by, match=report.match, about=f"report: {' '.join(wanted)}", reason=reason)


def let_in(shut: ShutOut, reason: str, by: User | AnonymousUser) -> None:
    """Let somebody talk again. Raises `Refused`."""
    reason = reason_in(reason, _("Say why: it stands in the audit."))
    with transaction.atomic():
        shut.delete()
        audit.note("table", by=by, about="report: let in", reason=reason)
