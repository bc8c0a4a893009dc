"""Watching: the replay of a match, what its agents thought, and its log to take away."""

from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games import audit
from games.match import access, detection
from games.match.access import viewer_name
from games.match.cache import cached_match
from games.match.view import MatchView, thinkers
from games.models import Match
from games.registry import RULES, page_part
from games.room.people import person_of
from games.rules.values import OMNISCIENT, PUBLIC, Viewer
from games.web import downloads, review
from games.web import replay as story
from games.web import saved as pages
from games.web.limits import ACTING, limited
from games.web.reasoning import reasonings
from magic_site import clock
from magic_site.numbers import number_in
from magic_site.requests import SiteRequest

EVERY = "every"
"""In an address in place of a seat: all of them."""


@require_safe
@never_cache
def replay(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """A match step by step as one viewer sees it, from the moment ?seq= on.

    With ?since= a page that missed a frame of its socket asks for what came later; nothing new is 204.
    """
    match, allowed = match_and_access(request, match_id)
    viewer = _viewer(request, match, allowed)
    source = cached_match(match).catch_up()
    if source.over != (match.status != "running"):  # it has ended just now, and there is more to see
        match, allowed = match_and_access(request, match_id)
        viewer = _viewer(request, match, allowed)
    seen = source.view(viewer, allowed.delayed)
    since, running = _number(request, "since"), match.status == "running"
    if since is not None and seen.seq <= since:
        return HttpResponse(status=204)
    if since is not None and running:
        return HttpResponse(story.news(source, seen, since))
    told = story.story(source, seen)
    steps, own = told.steps, match.seat_of(person_of(request))
    seat = None if viewer in (PUBLIC, OMNISCIENT) else viewer
    reviewed = None if detection.is_open(match) else review.review(source, seat, own=own == viewer)
    position = story.position_of(_number(request, "seq"), steps, default=max(len(steps) - 1, 0) if running else 0)
    here = steps[position].seq if steps else 0
    context: dict[str, Any] = {
        "match": match,
        "rules": seen.rules,
        "way": seen.rules.called(match.preset),
        "names": seen.names,
        "viewer": viewer,
        "as": viewer_name(viewer),
        "choices": [(choice, viewer_name(choice)) for choice in allowed.choices],
        "omniscient": viewer == OMNISCIENT,
        "could_see_all": allowed.everything,
        "thinkers": thinkers(match, viewer),
        "seat": _whose(request),
        "running": running,
        "delayed": allowed.delayed,
        "steps": steps,
        "story": told if since is None else told.between(since, seen.seq),
        "shown_track": story.shown_at(here, told.tracks),
        "shown_row": story.shown_at(here, told.rows),
        "position": position,
        "here": here,
        "go": {
            "start": _moment(told, viewer, 0),
            "back": _moment(told, viewer, position - 1),
            "forward": _moment(told, viewer, position + 1),
            "end": _moment(told, viewer, len(steps) - 1),
        },
        "result_page": page_part(match.game, "result"),
        "review": reviewed,
        "curve": reviewed and reviewed.curve,
        "moments": reviewed is not None and viewer not in (PUBLIC, OMNISCIENT),
        "own": own == viewer,
        "labelled": story.labelled(match, request.user, seen),
        "data": {"steps": steps, "running": running, "position": position},
    }
    if since is not None:  # the end opens more to see
        context |= {"where": True, "data": {"steps": context["story"].steps, "running": False}}
    return render(request, "games/replay.html" if since is None else "games/replay/news.html", context)


@require_POST
@limited(ACTING)
def work_out(request: SiteRequest, match_id: UUID) -> HttpResponse:
    """Have the moments of a seat worked out, for who may see the match as that seat."""
    match, allowed = match_and_access(request, match_id)
    seat = allowed.chosen(request.POST.get("seat", ""))
    if seat is None or seat in (PUBLIC, OMNISCIENT) or match.status != "finished":
        raise PermissionDenied(_("You cannot see this match that way."))
    review.ask(match, seat)
    return redirect(f"{reverse('games:replay', args=[match.pk])}?as={viewer_name(seat)}")


@require_safe
@never_cache
def thoughts(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """What an agent thought for its last move up to ?seq=; of ?seat=, or of whoever moved. For the omniscient only."""
    seen = _opened(request, match_id)
    match, state, seq, seat = seen.match, seen.state, _number(request, "seq"), _whose(request)
    panels = reasonings(
        seen, state.seq if seq is None else seq, story.truth(seen), seat if isinstance(seat, int) else None
    )
    if seat is None and panels:
        panels = [max(panels, key=lambda panel: panel.seq)]
    context = {
        "match": match,
        "names": seen.names,
        "seat": seat,
        "seq": seq,
        "here": state.seq if seq is None else seq,
        "thinkers": thinkers(match, OMNISCIENT),
        "panels": panels,
        "folded": seat == EVERY,
    }
    page = "games/replay/thoughts_news.html" if request.headers.get("HX-Request") else "games/replay/thoughts_page.html"
    return render(request, page, context)


@require_safe
@never_cache
def thought(request: HttpRequest, match_id: UUID, key: int) -> HttpResponse:
    """One thought: its prompt, which is long and seldom read, or with ?raw=1 all of it as JSON. For the omniscient."""
    found = _opened(request, match_id).thought(key)
    if found is None:
        raise Http404
    if "raw" in request.GET:
        return JsonResponse(found, json_dumps_params={"indent": 2, "ensure_ascii": False})
    return render(request, "games/replay/prompt.html", {"key": key, "prompt": found["prompt"]})


@require_safe
@never_cache
def saved(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The replay as one viewer sees it now, as a file that opens without a server."""
    match, allowed = match_and_access(request, match_id)
    viewer = _viewer(request, match, allowed)
    _taken_away(request, match, viewer, "page")
    told = story.story(cached_match(match).catch_up(), cached_match(match).view(viewer, allowed.delayed))
    seen = access.view(match, allowed, viewer)
    address = request.build_absolute_uri(reverse("games:replay", args=[match.pk]))
    text = pages.page(told, seen, story.truth(seen), address, clock.now())
    name = f"{match.game}-{match.preset}-{match.pk}-{viewer_name(viewer)}.html"
    return downloads.download(text.encode(), name, "text/html; charset=utf-8")


@require_safe
@never_cache
def export(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The log as one viewer sees it, as a file."""
    match, allowed = match_and_access(request, match_id)
    viewer = _viewer(request, match, allowed)
    _taken_away(request, match, viewer, "log")
    return downloads.log_file(access.view(match, allowed, viewer))


def _taken_away(request: HttpRequest, match: Match, viewer: Viewer, what: str) -> None:
    if request.user.is_authenticated:
        audit.note("exported", by=request.user, match=match, about=what, seen_as=viewer_name(viewer))


def match_and_access(request: HttpRequest, match_id: UUID) -> tuple[Match, access.Access]:
    """A match, and what this person may see of it; who may see nothing is told so."""
    match = get_object_or_404(Match.objects.select_related("room"), pk=match_id)
    if match.game not in RULES:
        raise Http404
    allowed = access.access_of(match, request.user, person_of(request))
    if allowed is None:
        raise PermissionDenied(_("This match is not open to watch."))
    return match, allowed


def _opened(request: HttpRequest, match_id: UUID) -> MatchView:
    """Everything of a match whose thoughts this person may read."""
    match, allowed = match_and_access(request, match_id)
    if not allowed.everything:
        raise PermissionDenied(_("You may not read the thoughts of this match."))
    access.looked(match, allowed, OMNISCIENT, request.user, _page(request))
    return access.view(match, allowed, OMNISCIENT)


def _viewer(request: HttpRequest, match: Match, allowed: access.Access) -> Viewer:
    """As whom the page is asked for; who asks for more than they may is told so."""
    viewer = allowed.chosen(request.GET.get("as", ""))
    if viewer is None:
        raise PermissionDenied(_("You cannot see this match that way."))
    access.looked(match, allowed, viewer, request.user, _page(request))
    return viewer


def _page(request: HttpRequest) -> str:
    return request.resolver_match.url_name or "" if request.resolver_match else ""


def _moment(told: story.Story, viewer: Viewer, position: int) -> str:
    """A link to a step, and there to the line of the feed that is the last by then; empty where there is none."""
    if not 0 <= position < len(told.steps):
        return ""
    seq = told.steps[position].seq
    line = max((line.seq for line in told.lines if line.seq <= seq), default=0)
    return f"?as={viewer_name(viewer)}&seq={seq}#e{line}"


def _number(request: HttpRequest, name: str) -> int | None:
    """A number from the address; None where there is none that makes sense."""
    return number_in(request.GET.get(name, ""))


def _whose(request: HttpRequest) -> int | str | None:
    """Whose thoughts are asked for: a seat's, those of `EVERY` seat, or, with None, of whoever moved last."""
    return EVERY if request.GET.get("seat") == EVERY else _number(request, "seat")
