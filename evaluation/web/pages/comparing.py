"""Comparing: two stories that step together, several answers at one moment, and how beliefs went."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from evaluation.counting import stored
from evaluation.desk import beside
from evaluation.desk.courses import Course, course, courses
from evaluation.models import Trial
from evaluation.records.record import Record
from evaluation.web import charts, names
from evaluation.web.access import for_researchers
from evaluation.web.pages.trials import stages_of
from games.match import access
from games.match.access import Access, viewer_name
from games.match.cache import cached_match
from games.match.view import outside, thinkers
from games.models import Match
from games.registry import RULES, page_part
from games.room.people import person_of
from games.rules.values import OMNISCIENT, PUBLIC, Viewer
from games.translation import translated
from games.web import replay as story
from games.web.wording import in_words
from magic_site.numbers import number_in

SIDES = ("left", "right")
MOST_TRIALS = 12


@for_researchers
def side_by_side(request: HttpRequest) -> HttpResponse:
    """Two seats of one match, or two matches of one deal, stepping together: ?left= and ?right= are matches, left_as
    and right_as who sees them, at the moment, from 0."""
    left = _opened(request, request.GET.get("left", ""))
    right = _opened(request, request.GET.get("right") or str(left[0].pk))
    same = left[0].pk == right[0].pk
    if not same and left[0].game != right[0].game:
        raise PermissionDenied(_("Two matches stand side by side only if they are of one game."))
    usual = _usual(left[0]) if same else (OMNISCIENT, OMNISCIENT)
    sides = [_side(request, *found) for found in zip(SIDES, (left, right), usual, strict=True)]
    moments = beside.together(sides[0]["story"].steps, sides[1]["story"].steps, same=same)
    at = min(_number(request, "at"), max(len(moments) - 1, 0))
    seqs = moments[at][0] if moments else (0, 0)
    for side, seq in zip(sides, seqs, strict=True):
        told = side["story"]
        side |= {"here": seq, "shown_track": story.shown_at(seq, told.tracks)}
        side |= {"shown_row": story.shown_at(seq, told.rows), "back": _address(sides, at)}
    context = {
        "sides": sides,
        "same": same,
        "rules": sides[0]["rules"],
        "others": _others(request, left[0], right[0]),
        "steps": moments,
        "position": at,
        "go": _moves(sides, at, len(moments)),
        "data": {
            "steps": [[seqs, step.kind, step.seat, step.ms, step.turning] for seqs, step in moments],
            "running": False,
            "position": at,
        },
    }
    return render(request, "evaluation/desk/side_by_side.html", context)


def _side(request: HttpRequest, name: str, found: tuple[Match, Access], usual: Viewer) -> dict[str, Any]:
    """One story as its viewer sees it."""
    match, allowed = found
    asked = request.GET.get(f"{name}_as", "")
    viewer = allowed.chosen(asked) if asked else usual
    if viewer is None or viewer not in allowed.choices:
        raise PermissionDenied(_("You cannot see this match that way."))
    access.looked(match, allowed, viewer, request.user, "side by side")
    source = cached_match(match).catch_up()
    seen = source.view(viewer, allowed.delayed)
    return {
        "name": name,
        "match": match,
        "rules": seen.rules,
        "names": seen.names,
        "players": _players(match),
        "viewer": viewer,
        "as": viewer_name(viewer),
        "seat": viewer if viewer > PUBLIC else None,
        "choices": [(choice, viewer_name(choice)) for choice in allowed.choices],
        "thinks": viewer != PUBLIC and bool(thinkers(match, OMNISCIENT)),
        "story": story.story(source, seen),
        "elsewhere": reverse("games:replay", args=[match.pk]),
        "result_page": page_part(match.game, "result"),
    }


def _usual(match: Match) -> tuple[Viewer, Viewer]:
    """Two seats of a match: the first that think."""
    seats = [*thinkers(match, OMNISCIENT), *(sitter.seat for sitter in match.seated)]
    first, second = list(dict.fromkeys(seats))[:2]
    return first, second


def _others(request: HttpRequest, match: Match, chosen: Match) -> list[dict[str, Any]]:
    """What may stand at the right: the match itself, others of its deal, and what was chosen if it is none of these."""
    alike = list(beside.of_one_deal(match, access.open_to(request.user)))
    found = [match, *alike, *([] if chosen in (match, *alike) else [chosen])]
    return [{"match": one, "players": _players(one), "same": one == match, "chosen": one == chosen} for one in found]


def _players(match: Match) -> str:
    """Who played, each once."""
    titles = names.players()
    seats = outside(match, OMNISCIENT).header.seats
    return ", ".join(dict.fromkeys(titles.get(seat.agent or seat.kind, seat.agent or seat.kind) for seat in seats))


def _moves(sides: list[dict[str, Any]], at: int, count: int) -> dict[str, str]:
    places = {"start": 0, "back": at - 1, "forward": at + 1, "end": count - 1}
    return {name: _address(sides, place) for name, place in places.items() if 0 <= place < count}


def _address(sides: list[dict[str, Any]], at: int) -> str:
    chosen = {side["name"]: side["match"].pk for side in sides} | {f"{side['name']}_as": side["as"] for side in sides}
    return f"?{urlencode(chosen | {'at': at})}"


# Beliefs ------------------------------------------------------------------------------------------------------------


@for_researchers
def beliefs(request: HttpRequest, key: UUID) -> HttpResponse:
    """How each seat's beliefs of who is sought went through a match; of ?seat= alone, as a part of a page."""
    match, allowed = _opened(request, str(key))
    access.looked(match, allowed, OMNISCIENT, request.user, "beliefs")
    [record] = stored.records(Match.objects.filter(pk=match.pk))
    seat = _number(request, "seat")
    if seat in record.numbers:
        drawn = _drawn(course(record, seat), record)
        return render(request, "evaluation/desk/course.html", {"match": match, "drawn": drawn})
    context = {
        "match": match,
        "rules": RULES[match.game],
        "players": _players(match),
        "courses": [_drawn(found, record) for found in courses(record)] if record.seats else [],
    }
    return render(request, "evaluation/desk/beliefs.html", context)


def _drawn(found: Course, record: Record) -> dict[str, Any]:
    """A course with its pictures. Of each subject one curve in its colour, and the exact one, dashed, in the same."""
    called = {seat: player.name for seat, player in enumerate(record.seats, 1)}
    what = in_words(translated(record.rules.sought))
    exact = any(moment.exact for moment in found.moments)
    believed = [
        charts.Curve(
            _("%(name)s: in truth %(what)s") % {"name": called[subject], "what": what}
            if subject in found.sought
            else called[subject],
            [(m.at, m.believed[subject]) for m in found.moments if subject in m.believed],
            subject,
            str(subject),
            marked=subject in found.sought,
        )
        for subject in found.subjects
    ]
    reasoned = [
        charts.Curve("", [(m.at, m.exact[subject]) for m in found.moments if subject in m.exact], subject, thin=True)
        for subject in found.subjects
    ]
    losses = [
        charts.Curve(_("this seat"), [(m.at, m.loss) for m in found.moments], 1, marked=True),
        charts.Curve(_("an even guess"), [(m.at, m.even_loss) for m in found.moments], 7),
    ]
    if exact:
        points = [(m.at, m.exact_loss) for m in found.moments if m.exact_loss is not None]
        losses.insert(1, charts.Curve(_("exact reasoning"), points, 2, thin=True))
    most = max([value for curve in losses for _at, value in curve.points], default=1.0) or 1.0
    name = {"name": called[found.seat]}
    return {
        "course": found,
        "name": called[found.seat],
        "names": called,
        "what": what,
        "exact": exact,
        "beliefs": charts.curves(
            [*reasoned, *believed], _("Suspicion of others by %(name)s") % name, [(s, f"{s:.0%}") for s in (0, 0.5, 1)]
        ),
        "losses": charts.curves(
            losses, _("Log loss of %(name)s by step") % name, [(0, "0"), (most, f"{most:.2f}")], most
        ),
    }


# One moment ---------------------------------------------------------------------------------------------------------


@for_researchers
def moment(request: HttpRequest, key: UUID) -> HttpResponse:
    """What was done at one moment of a match, ?request=, beside what other agents answered there in trials."""
    match, allowed = _opened(request, str(key))
    access.looked(match, allowed, OMNISCIENT, request.user, "one moment")
    seen = access.view(match, allowed, OMNISCIENT)
    asked = request.GET.get("request", "")
    move = next((event for event in seen.told if event.request == asked and asked), None)
    if move is None:
        raise Http404
    titles, truth = names.players(), story.truth(seen)
    player = seen.header.seats[move.seat - 1]
    tried = Trial.objects.filter(position__match=str(match.pk), position__request=asked, done=True)
    answers = [
        {
            "title": titles.get(player.agent or player.kind, player.agent or player.kind),
            "trial": None,
            "stages": stages_of((t for t in seen.thoughts if t["request"] == asked), truth),
            "action": move.data,
            "attempts": [attempt for attempt in seen.attempts if attempt["request"] == asked],
            "error": "",
        }
    ] + [
        {
            "title": titles.get(trial.agent, trial.agent),
            "trial": trial,
            "stages": stages_of(trial.thoughts, truth),
            "action": trial.action,
            "attempts": trial.attempts,
            "error": trial.error,
        }
        for trial in tried[:MOST_TRIALS]
    ]
    context = {
        "match": match,
        "rules": seen.rules,
        "names": seen.names,
        "move": move,
        "kind": in_words(move.kind),
        "answers": answers,
        "game": translated(seen.rules.title),
    }
    return render(request, "evaluation/desk/moment.html", context)


def _opened(request: HttpRequest, key: str) -> tuple[Match, Access]:
    """A match of which this person may see everything."""
    try:
        match = get_object_or_404(Match.objects.select_related("room"), pk=UUID(key))
    except ValueError:
        raise Http404 from None
    allowed = access.access_of(match, request.user, person_of(request)) if match.game in RULES else None
    if allowed is None or not allowed.everything:
        raise PermissionDenied(_("You may not see all of this match."))
    return match, allowed


def _number(request: HttpRequest, name: str) -> int:
    return number_in(request.GET.get(name, ""), 6) or 0
