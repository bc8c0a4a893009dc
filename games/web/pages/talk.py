"""What people do in the talk at a table: say something, react to a line, mute whoever said it, report it.

A line is named as on the page: `e12` is an event of the match, `m5` a message of the room.
"""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.match import store
from games.models import RoomMessage
from games.refused import Refused
from games.room import replies, reports, rooms, talk
from games.room.people import name_of
from games.rules import table_talk, values
from games.web import forms
from games.web.limits import ACTING, REPORTING, TALKING
from games.web.pages.table import NOTHING_TO_ADD, Done, as_read, at_the_table
from games.web.talk import REACTIONS, reaction_of
from games.web.visits import Trouble, Visit
from magic_site.numbers import number_in
from magic_site.requests import SiteRequest


def talking(do: Callable[[SiteRequest, Visit], Done]) -> Callable[[SiteRequest, Visit], Done]:
    """Something done in the talk of a table; what is refused is said there, beside what was typed."""

    @wraps(do)
    def view(request: SiteRequest, seen: Visit) -> Done:
        typed = {"text": request.POST.get("text", ""), "name": request.POST.get("name", "")}
        if seen.source is not None:
            seen.source.catch_up()
        try:
            if not seen.hears:
                raise Refused(_("Nobody can talk at this table."))
            return do(request, seen)
        except Refused as error:
            return Done(Trouble(str(error), typed=typed, talk=True), 422)

    return view


@at_the_table(TALKING)
@talking
def say(request: SiteRequest, seen: Visit) -> Done:
    """Say something to those who hear one now, and whom the form named."""
    named, to = request.POST.get("to", ""), seen.speaks_to
    if named != seen.spoken_to and named.partition(" ")[0] == to:
        raise Refused(
            _("Another match has begun since you began to write. Nothing was said yet: look, and say it again.")
        )
    if not to or named != seen.spoken_to:
        raise Refused(
            _("Others hear you now than when you began to write. Nothing was said yet: look, and say it again.")
        )
    talk.refuse_shut_out(seen.person, request.user)
    text = request.POST.get("text", "")
    if to in (table_talk.ALL, table_talk.OUT):
        return _talk(request, seen, "chat", {"text": text, "to": to})
    name = seen.called or _name(request, seen)
    message = talk.say(seen.room, to, text, name=name, person=seen.person)
    if to == talk.ROOM and not seen.guessing:
        replies.reply(seen.room, message, seen.match, seen.chairs)
    return _told_live(request, Done(name=None if seen.called else name))


@at_the_table(ACTING)
@talking
def react(request: SiteRequest, seen: Visit) -> Done:
    """Take a line in one of six ways, or not any more. `on`: "e12 agree", of a tally; else `line` and `reaction`."""
    seen = _pointing(request, seen)
    line, _space, word = request.POST.get("on", "").partition(" ")
    kind, seq = _line(line or request.POST.get("line", ""))
    word = word or request.POST.get("reaction", "")
    if seen.seat is None or seen.source is None or not seen.running or kind != "e" or word not in REACTIONS:
        raise Refused(_("You can react to what is said or done in a running match that you play."))
    talk.refuse_shut_out(seen.person, request.user)
    again = reaction_of(seen.source.view(seen.seat), seen.seat, seq) == word
    return _talk(request, seen, "reaction", {"to": seq, "reaction": None if again else word})


@at_the_table(ACTING)
@talking
def mute(request: SiteRequest, seen: Visit) -> Done:
    """Hear nothing more of whoever said a line."""
    mark, name = _speaker(request, _pointing(request, seen))
    talk.mute(seen.room, seen.person, mark)
    return Done(told=_("You do not hear %(name)s any more. Nobody is told.") % {"name": name})


@at_the_table(ACTING)
@talking
def unmute(request: SiteRequest, seen: Visit) -> Done:
    talk.unmute(seen.room, seen.person, request.POST.get("mark", "")[:12])
    return Done()


@at_the_table(REPORTING)
@talking
def report(request: SiteRequest, seen: Visit) -> Done:
    """Bring a line before the admins."""
    seen = _pointing(request, seen)
    kind, number = _line(request.POST.get("line", ""))
    if kind == "m":
        reports.of_message(_message(seen, number), seen.person)
    elif seen.match is not None and _event(seen, number) is not None:
        reports.of_event(seen.match, number, seen.viewer, seen.person)
    else:
        raise Refused(_("Choose the line first."))
    return Done(told=_("Thank you. Your report has arrived, with the lines around it. Nobody is told who sent it."))


def _talk(request: SiteRequest, seen: Visit, kind: str, data: dict) -> Done:
    assert seen.match is not None and seen.seat is not None  # noqa: S101
    moved = store.talk(seen.match.pk, seen.seat, kind, data)
    if moved.refusal is not None:
        raise Refused(forms.sentence(moved.refusal))
    return _told_live(request, Done(match=moved.match))


def _told_live(request: SiteRequest, done: Done) -> Done:
    """A page whose socket is open is told by it."""
    return done._replace(status=NOTHING_TO_ADD) if request.htmx and "live" in request.POST else done


def _name(request: HttpRequest, seen: Visit) -> str:
    """What somebody is called who has no seat; nobody who has one."""
    others = [chair.name for chair in seen.chairs if chair.name]
    if seen.match is not None:
        others += seen.match.names().values()
    return rooms.clean_name(request.POST.get("name", "") or name_of(request), others)


def _pointing(request: SiteRequest, seen: Visit) -> Visit:
    """The table with the match that the form's page shows, of whose lines one is named."""
    found = as_read(request, seen)
    if found.source is not None:
        found.source.catch_up()
    return found


def _line(line: str) -> tuple[str, int]:
    """The line that a form names: "e" and the seq of an event, "m" and the number of a message."""
    number = number_in(line[1:])
    return ("", 0) if number is None else (line[:1], number)


def _event(seen: Visit, seq: int) -> values.Event | None:
    """An event that this person sees."""
    view = None if seen.shown is None else seen.shown.view(seen.viewer, seen.delayed)
    found = (event for event in view.events if event.seq == seq) if view else iter(())
    return next((event for event in found if isinstance(event, values.Event)), None)


def _message(seen: Visit, number: int) -> RoomMessage:
    """A message that this person hears."""
    for message in talk.messages(seen.room, seen.hears, seen.generation, number - 1):
        if message.number == number:
            return message
    raise Refused(_("That is not there any more."))


def _speaker(request: HttpRequest, seen: Visit) -> tuple[str, str]:
    """The mark and the name of whoever said a line."""
    kind, number = _line(request.POST.get("line", ""))
    if kind == "m":
        message = _message(seen, number)
        return message.mark, message.name
    event = _event(seen, number)
    if event is None or event.seat is None or seen.match is None:
        raise Refused(_("Choose a line that somebody said first."))
    return talk.marks_of(seen.match)[event.seat], seen.match.names()[event.seat]
