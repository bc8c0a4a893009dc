"""The table page and what is done at it: one address for the waiting room, the match and its end.

Everything is a plain form post. With htmx the answer is the page's parts, for the browser to put in place, or empty
where the socket brings them; without it the answer is a redirect to the page, or the page with the sentence that says
why not.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from games.match import contract, detection, lookup, notebooks
from games.match import store as matches
from games.match.access import RESEARCHER, access_of
from games.models import Match
from games.refused import Refused
from games.registry import RULES, page_part
from games.room import again, chairs, presence, rooms
from games.room.people import name_of, person_of, remember
from games.web import forms
from games.web.finding import TooManyMisses, find_for
from games.web.limits import ACTING, JOINING, MISSING, NOTING, Limit, limited, too_many
from games.web.panels import open_words, own_seq, parts
from games.web.visits import Place, Trouble, Visit, place, place_of, ready_visit, visit_at, visit_now
from magic_site.numbers import number_in
from magic_site.requests import SiteRequest

NOTHING_TO_ADD = 204


class Done(NamedTuple):
    """What came of something done at a table: the trouble, the answer's status (204 where the page's socket tells the
    rest), the match as it is now, where that was read, the name that was given, and a sentence for who did it."""

    trouble: Trouble | None = None
    status: int = 200
    match: Match | None = None
    name: str | None = None
    told: str = ""


def found(view: Callable[[SiteRequest, Place], HttpResponse]) -> Callable[..., HttpResponse]:
    """A view of the table with the code in its address."""

    @wraps(view)
    def find(request: SiteRequest, code: str) -> HttpResponse:
        try:
            at = find_for(request, code)
        except TooManyMisses:
            return too_many(request, MISSING)
        return _nothing_here(request, code) if at is None else view(request, at)

    return find


@require_GET
@never_cache
@found
def table(request: SiteRequest, at: Place) -> HttpResponse:
    """The page. Loading it is coming back: a seat that an agent kept warm is its player's again."""
    room = at.room
    if request.path != reverse("games:table", args=[room.code]):
        return redirect(f"{reverse('games:table', args=[room.code])}?{request.GET.urlencode()}".rstrip("?"))
    seen = ready_visit(at.caught_up(), request.user, person_of(request))
    if not seen.shut:
        presence.seen_now(room)
    if seen.chair is not None:
        presence.exchange([(room.code, seen.chair)], [])
    elif seen.queued and not seen.running:
        presence.exchange([(room.code, seen.person)], [])
        if again.seat_bystanders(room):
            seen = visit_now(room, request.user, seen.person)
    if seen.stand_in and seen.match is not None and seen.seat is not None:
        matches.give_back(seen.match.pk, seen.seat)
        seen = visit_now(room, request.user, seen.person)
    return _page(request, seen, Done())


def at_the_table(limit: Limit) -> Callable:
    """A view of something that a person does at a table."""

    def wrap(do: Callable[[SiteRequest, Visit], Done | None]) -> Callable[..., HttpResponse]:
        @require_POST
        @limited(limit)
        @wraps(do)
        @found
        def view(request: SiteRequest, at: Place) -> HttpResponse:
            before = visit_at(at, request.user, person_of(request))
            if before.kicked:
                return _closed(request, before)
            if not before.shut:
                presence.seen_now(at.room)
            try:
                done = do(request, before) or Done()
            except Refused as error:
                done = Done(Trouble(str(error)), 409)
            if done.status == NOTHING_TO_ADD:
                return remember(request, HttpResponse(status=done.status))
            if done.trouble is None and not request.htmx:
                if done.told:
                    messages.success(request, done.told)
                return remember(request, redirect("games:table", at.room.code), done.name)
            now = place_of(done.match.room, done.match) if done.match and done.match.room else place(pk=at.room.pk)
            # A move changes nothing in the notebook.
            seen = ready_visit(
                now.caught_up(), request.user, before.person, noted=done.match is None or not request.htmx
            )
            return _page(request, seen, done)

        return view

    return wrap


@at_the_table(ACTING)
def act(request: SiteRequest, seen: Visit) -> Done:
    """Answer a request. The same answer again is no error, so a double click is none. A page that says that its socket
    is open (`live`) is told by it of what was added to the log, and here nothing more."""
    request_id = request.POST.get("request", "")[:80]
    action = forms.read(request.POST)
    if seen.match is None or str(seen.match.pk) != request.POST.get("match"):
        return Done(Trouble(_("That match is over; your move came too late.")), 409)
    moved = contract.act(seen.match, seen.seat, request_id, action, skip="skip" in request.POST)
    if moved.refusal is None:
        told = moved.events and request.htmx and "live" in request.POST
        return Done(status=NOTHING_TO_ADD if told else 200, match=moved.match)
    trouble = Trouble(forms.sentence(moved.refusal), request_id, action)
    return Done(trouble, forms.status(moved.refusal), moved.match)


@at_the_table(JOINING)
def sit(request: HttpRequest, seen: Visit) -> Done:
    """Take a seat, under the name in the form or the one that this browser gave before."""
    name = request.POST.get("name", "") or name_of(request)
    name = rooms.clean_name(name) if name or not seen.room.anonymous else name
    again.seat_bystanders(seen.room)
    chair = chairs.sit(seen.room, seen.person, name, number_in(request.POST.get("seat", ""), 2))
    presence.exchange([(seen.room.code, chair.number)], [])
    return Done(name=name or None)


@at_the_table(ACTING)
def leave(request: HttpRequest, seen: Visit) -> None:
    chairs.leave(seen.room, seen.person)
    again.seat_bystanders(seen.room)
    again.begin_if_all_are_ready(seen.room)


@at_the_table(ACTING)
def kick(request: HttpRequest, seen: Visit) -> None:
    chairs.kick(seen.room, seen.person, number_in(request.POST.get("seat", ""), 2) or 0)
    again.seat_bystanders(seen.room)


@at_the_table(ACTING)
def fill(request: HttpRequest, seen: Visit) -> None:
    again.seat_bystanders(seen.room)
    chairs.fill(seen.room, seen.person, _agent(request, seen.room.game))


@at_the_table(ACTING)
def clear(request: HttpRequest, seen: Visit) -> None:
    """Take all agents off their seats; not while anybody may still guess who was one."""
    if seen.guessing:
        raise Refused(_("Wait until everybody has guessed who was an agent."))
    chairs.clear(seen.room, seen.person)
    again.seat_bystanders(seen.room)


@at_the_table(ACTING)
def start(request: HttpRequest, seen: Visit) -> None:
    """Begin, after filling the free seats if the host wants that."""
    again.seat_bystanders(seen.room)
    if "fill" in request.POST:
        chairs.fill(seen.room, seen.person, _agent(request, seen.room.game))
    rooms.start(seen.room, seen.person, request.user.has_perm(RESEARCHER))


@at_the_table(ACTING)
def rematch(request: HttpRequest, seen: Visit) -> None:
    """Say that one wants to play again, after filling the free seats if the host wants that."""
    if "fill" in request.POST:
        again.seat_bystanders(seen.room)
        chairs.fill(seen.room, seen.person, _agent(request, seen.room.game))
    if seen.chair is not None:
        presence.exchange([(seen.room.code, seen.chair)], [])
        again.ready(seen.room, seen.person)
    else:  # a host who looks on begins for the others
        rooms.start(seen.room, seen.person, request.user.has_perm(RESEARCHER))


@at_the_table(ACTING)
def wait(request: HttpRequest, seen: Visit) -> None:
    """Say after all that one would rather wait."""
    again.unready(seen.room, seen.person)


@at_the_table(JOINING)
def queue(request: HttpRequest, seen: Visit) -> Done:
    """Take the next chair that falls free, under the name in the form or the one that this browser gave before; or no
    more."""
    if "no" in request.POST:
        again.wait_no_more(seen.room, seen.person)
        return Done()
    name = request.POST.get("name", "") or name_of(request)
    again.wait_for_a_chair(seen.room, seen.person, name)
    return Done(name=None if seen.room.anonymous else rooms.clean_name(name))


@at_the_table(ACTING)
def pause(request: HttpRequest, seen: Visit) -> None:
    matches.pause(rooms.hosted(seen.room, seen.person).pk)


@at_the_table(ACTING)
def resume(request: HttpRequest, seen: Visit) -> None:
    moved = matches.resume(rooms.hosted(seen.room, seen.person).pk)
    if moved.refusal is not None:
        raise Refused(forms.sentence(moved.refusal))


@at_the_table(ACTING)
def end(request: HttpRequest, seen: Visit) -> None:
    rooms.end(seen.room, seen.person)


@at_the_table(ACTING)
def come_back(request: HttpRequest, seen: Visit) -> Done | None:
    """Take the own seat back from the agent that kept it warm."""
    if seen.match is None or seen.seat is None:
        return Done(Trouble(_("You do not sit at this match.")), 403)
    matches.give_back(seen.match.pk, seen.seat)
    return None


@at_the_table(ACTING)
def who(request: SiteRequest, seen: Visit) -> None:
    """Say who was an agent in the match that is over, or skip that."""
    seen = as_read(request, seen)
    if seen.match is None:
        raise Refused(_("There is nothing to guess about this match."))
    named = [seat for text in request.POST.getlist("agents") if (seat := number_in(text, 2)) is not None]
    detection.answer(seen.match, seen.seat, None if "skip" in request.POST else named)


@at_the_table(NOTING)
def notes(request: SiteRequest, seen: Visit) -> Done | None:
    """Keep the own notebook; a page with scripts posts it while one writes, and wants no answer."""
    seen = as_read(request, seen)
    source = seen.shown
    if seen.match is None or source is None or not seen.person:
        raise Refused(_("You do not sit at this match, so you have no notebook here."))
    source.catch_up()
    typed, last = number_in(request.POST.get("seq", "")), own_seq(seen)
    seq = last if typed is None else min(typed, last)
    steps = {
        int(seat): request.POST[f"seat.{seat}"] for seat in map(str, source.names) if f"seat.{seat}" in request.POST
    }
    struck = [word for word in request.POST.getlist("struck") if word in open_words(source)]
    notebooks.keep(seen.match, seen.person, request.POST.get("text", ""), steps, struck, seq)
    return Done(status=NOTHING_TO_ADD) if request.htmx else None


@at_the_table(ACTING)
def notebook(request: SiteRequest, seen: Visit) -> None:
    """Give the marks of one's notebook to research, after the match."""
    seen = as_read(request, seen)
    if seen.match is None:
        raise Refused(_("You can give your marks after a match that you played."))
    notebooks.give(seen.match, seen.person)


def _agent(request: HttpRequest, game: str) -> str:
    """The agent profile that the host chose, or the usual one."""
    return chairs.agent_to_ask(game, request.POST.get("agent", ""), request.user.has_perm(RESEARCHER))


def as_read(request: SiteRequest, seen: Visit) -> Visit:
    """The table with the match that the form's page shows: who reads on has an older one open than is played."""
    number = number_in(request.POST.get("number", ""))
    if seen.match is None or number in (None, seen.match.number):
        return seen
    match = Match.objects.select_related("room").filter(room=seen.room, number=number).first()
    return seen if match is None else visit_at(place_of(seen.room, match), request.user, seen.person)


def _page(request: SiteRequest, seen: Visit, done: Done) -> HttpResponse:
    """The table as this person sees it: whole, or as the parts that htmx asked for."""
    since = number_in(request.POST.get("since", "")) or 0
    shown = None
    while not seen.shut and (shown := parts(seen, request, done.trouble, since, done.told)) is None:
        seen = visit_now(seen.room, request.user, seen.person)
    if shown is None:
        return _closed(request, seen)
    if request.htmx:
        response = HttpResponse("".join(shown.values()), status=done.status)
    else:
        context = {"visit": seen, "room": seen.room, "rules": RULES[seen.room.game], "parts": shown}
        context |= _lesson(request, seen) | {"renamed": _renamed(seen)}
        response = render(request, "games/table.html", context, status=done.status)
    return remember(request, response, done.name)


def _lesson(request: HttpRequest, seen: Visit) -> dict[str, Any]:
    """The rules on cards, for who asked for them and for who plays this game for the first time."""
    asked, over = "guided" in request.GET, seen.match is not None and not seen.running
    lesson = seen.chair is not None and not over and (asked or not lookup.has_played(seen.person, seen.room.game))
    return {"lesson": lesson, "asked_for_lesson": asked, "game_howto": page_part(seen.room.game, "howto")}


def _renamed(seen: Visit) -> list[tuple[str, str]]:
    """What seats were called in the story that is played on here, and are called now, where it is another name; for who
    may see that story where it stands."""
    match = seen.match
    if match is None or match.number > 1 or seen.access is None or match.parent is None:
        return []
    if access_of(match.parent, seen.user, seen.person) is None:
        return []
    before, now = match.parent.names(), match.names()
    return [(before[seat], now[seat]) for seat in now if before[seat] != now[seat]]


def _nothing_here(request: HttpRequest, code: str) -> HttpResponse:
    context = {
        "title": _("No such table"),
        "sentence": _("There is no table with the code {code}. Check the code, or ask the person who sent it.").format(
            code=code.upper()[:20]
        ),
    }
    return render(request, "games/table_closed.html", context, status=404)


def _closed(request: SiteRequest, seen: Visit) -> HttpResponse:
    if seen.kicked:
        title, sentence = _("You are not at this table any more"), _("The host has asked you to leave this table.")
    else:
        title, sentence = _("This match is not open to watch"), _("Only those who sit at this table may see it.")
    response = render(request, "games/table_closed.html", {"title": title, "sentence": sentence}, status=403)
    if request.htmx:
        response["HX-Redirect"] = reverse("games:table", args=[seen.room.code])
    return response
