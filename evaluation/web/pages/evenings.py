"""My evenings: what a person has played, by the key of their browser, without an account; taken away or erased."""

import io
import json
import zipfile
from collections import Counter
from typing import Any

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from evaluation import erasures
from games.jobs.standing import standing
from games.match import access, people
from games.models import Match, Notes
from games.registry import RULES
from games.room.people import person_of
from games.rules.values import LogError
from games.web import downloads
from games.web.moments import moments
from magic_site import keyset

SIZE = 10
MOST = 500
"""So many matches are taken away at once, the newest ones; marks are counted in as many."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Matches, the newest first, with what came of them; results by game, how good marks were. A POST erases all."""
    person, trouble = person_of(request), ""
    found = people.of_key(person)
    if request.method == "POST":
        if found is None:
            trouble = _("There is nothing here to erase.")
        elif any(match.status == "running" for match in found.matches):
            trouble = _("You still play a match. Leave it or play it to its end first.")
        elif "sure" not in request.POST:
            trouble = _("Say that you are sure: what is erased cannot be brought back.")
        else:
            by = request.user if request.user.is_authenticated else None
            erasures.ask(found, by)
            return redirect(request.path)
    shown = keyset.page(mine(person), SIZE, request.GET.get("at", ""), "created_at")
    context = {
        "page": shown,
        "rows": [_row(request, match, person) for match in shown.rows],
        "results": _results(person),
        "marks": _marks(person),
        "trouble": trouble,
        "standing": standing(erasures.KIND, key=erasures.key_of(found)) if found else None,
    }
    return render(request, "evaluation/evenings.html", context, status=422 if trouble else 200)


@never_cache
@require_GET
def taken_away(request: HttpRequest) -> HttpResponse:
    """All of it as one file: a list of the matches, and the log of each as its player may see it."""
    person, file = person_of(request), io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        rows = []
        for match in mine(person)[:MOST]:
            rows.append(_told(request, match, person))
            if seen := _seen(request, match, person):
                archive.writestr(f"{match.pk}.jsonl", downloads.text(seen))
        archive.writestr("evenings.json", json.dumps(rows, ensure_ascii=False, indent=1))
    return downloads.download(file.getvalue(), "my-evenings.zip", "application/zip")


def mine(person: str) -> Any:
    """The matches that a person has played here, the newest first."""
    played = Match.objects.filter(sitters__person=person, forked_from__isnull=True).exclude(status="void")
    return played.select_related("room").prefetch_related("sitters").order_by("-created_at", "-pk")


def _row(request: HttpRequest, match: Match, person: str) -> dict[str, Any]:
    """A match as the page shows it. moment: the person's best one, where it is over."""
    own = _own(match, person)
    found = {"match": match, "own": own, "rules": RULES[match.game], "moment": ""}
    if match.status == "finished" and (seen := _seen(request, match, person)):
        found["moment"] = moments(match.game, seen.events, match.names()).get(own.seat, "")
    return found


def _own(match: Match, person: str) -> Any:
    """The seat that this person had."""
    return next(sitter for sitter in match.seated if sitter.person == person)


def _seen(request: HttpRequest, match: Match, person: str) -> Any:
    """A match as this person sees it from their seat; None where it is hidden from them, or cannot be read any more."""
    allowed = access.access_of(match, request.user, person)
    if allowed is None:
        return None
    try:
        return access.view(match, allowed, _own(match, person).seat)
    except LogError:
        return None


def _results(person: str) -> list[dict[str, Any]]:
    """By game how many were played to the end, and how many were won."""
    over = Match.objects.filter(sitters__person=person, forked_from__isnull=True, status="finished")
    won = Count("sitters", filter=Q(sitters__won=True))
    rows = over.order_by().values("game").annotate(played=Count("pk"), won=won).order_by("-played", "game")
    return [row | {"title": RULES[row["game"]].title} for row in rows if row["game"] in RULES]


def _marks(person: str) -> dict[str, tuple[int, int]]:
    """Of the last marks in the notebooks of matches that are over: how often who was trusted was on one's own side, and
    who was doubted was not."""
    right: Counter[str] = Counter()
    every: Counter[str] = Counter()
    kept = Notes.objects.filter(person=person, match__status="finished").order_by("-pk")
    for notes in kept.prefetch_related("match__sitters")[:MOST]:
        match = notes.match
        sides = {sitter.seat: sitter.side for sitter in match.seated}
        own = sides.get(match.seat_of(person) or 0)
        if not own or match.game not in RULES or not RULES[match.game].sought:
            continue
        for seat, step in notes.steps.items():
            if sides.get(seat):
                every[step] += 1
                right[step] += (sides[seat] == own) == (step == "trust")
    return {step: (right[step], every[step]) for step in ("trust", "doubt") if every[step]}


def _told(request: HttpRequest, match: Match, person: str) -> dict[str, Any]:
    row = _row(request, match, person)
    own, notes = row["own"], Notes.objects.filter(match=match, person=person).first()
    over = match.status == "finished"
    return {
        "match": str(match.pk),
        "game": match.game,
        "preset": match.preset,
        "begun": match.created_at.isoformat(),
        "status": match.status,
        "result": match.result if over else None,
        "seat": own.seat,
        "name": own.name,
        "role": own.role if over else None,
        "won": own.won if over else None,
        "moment": str(row["moment"]),
        "notes": notes.text if notes else "",
        "marks": notes.marks if notes else [],
    }
