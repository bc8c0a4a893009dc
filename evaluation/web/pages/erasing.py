"""Erasing a person, for admins: who they are, what will be gone, and what was done; with the exports that held them."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from evaluation import erasures
from evaluation.exports import exporting
from evaluation.models import Export
from games.jobs.standing import standing
from games.match import people
from games.match.erasing import plays_here
from games.models import Job
from games.registry import RULES
from magic_site.rights import for_holders

RIGHT = "games.erase_people"
SHORTEST = 2
"""Letters of a name that is looked for."""


@require_http_methods(["GET", "HEAD", "POST"])
@for_holders(RIGHT)
def page(request: HttpRequest) -> HttpResponse:
    """Find a person by ?words= of their name or account, or by ?match= and ?seat=; a POST with a match and a seat has
    whoever played it erased."""
    given = request.POST or request.GET
    chosen = {name: given.get(name, "").replace("\0", "").strip()[:60] for name in ("words", "match", "seat")}
    context: dict[str, Any] = {"chosen": chosen, "shortest": SHORTEST}
    person, trouble = _named(chosen)
    if request.method == "POST" and person is not None:
        if any(map(plays_here, person.matches)):
            trouble = _("They still play a match. End it first.")
        elif "sure" not in request.POST:
            trouble = _("Say that you are sure: what is erased cannot be brought back.")
        else:
            return redirect("evaluation:erasure", erasures.ask(person, request.user, "account" in request.POST).pk)
    if person is not None:
        context |= _about(person)
    elif len(chosen["words"]) >= SHORTEST and not trouble:
        context["found"] = [_row(one) for one in people.search(chosen["words"])]
    status = 422 if trouble else 200
    return render(request, "evaluation/erase.html", context | {"trouble": trouble}, status=status)


@require_safe
@for_holders(RIGHT)
def erasure(request: HttpRequest, key: UUID) -> HttpResponse:
    """How far it is, and what was done."""
    job = get_object_or_404(Job, pk=key, kind=erasures.KIND)
    done = job.result if job.state == Job.State.DONE else None
    exports = Export.objects.filter(pk__in=(done or {}).get("exports", ())).select_related("created_by")
    context = {
        "job": job,
        "open": job.state in Job.OPEN,
        "done": done,
        "exports": exports.defer("holds"),
        "standing": standing(erasures.KIND, key=job.key),
    }
    part = "evaluation/erasure_progress.html" if request.GET.get("part") else "evaluation/erasure.html"
    return render(request, part, context)


def _named(chosen: dict[str, str]) -> tuple[people.Person | None, str]:
    """The person that a match and a seat name, or a sentence why there is none."""
    if not chosen["match"]:
        return None, ""
    try:
        match, seat = UUID(chosen["match"]), int(chosen["seat"]) if len(chosen["seat"]) < 3 else 0
    except ValueError:
        return None, _(
            "A match is named by its id, as it stands in the address of its replay, and a seat by its number."
        )
    person = people.of_seat(match, seat)
    return person, "" if person else _("No person played that seat, or they are erased already.")


def _row(person: people.Person) -> dict[str, Any]:
    matches = person.matches
    return {
        "person": person,
        "names": person.names,
        "account": person.account,
        "matches": len(matches),
        "last": matches[0].created_at,
        "imported": not person.key,
    }


def _about(person: people.Person) -> dict[str, Any]:
    matches = person.matches
    running = [match for match in matches if plays_here(match)]
    return {
        "row": _row(person),
        "said": person.said,
        "shown": [(match, RULES[match.game].title if match.game in RULES else match.game) for match in matches[:20]],
        "more": len(matches[20:]),
        "running": running,
        "exports": exporting.holding(person.seats),
    }
