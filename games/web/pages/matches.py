"""The list of matches, by whatever a visitor chooses of those that they may see."""

from functools import partial
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import audit
from games.match import access
from games.models import Match
from games.room.people import person_of
from games.web import listing
from magic_site import keyset

SIZE = 25
MOST = 10_000
"""So many are counted."""

CHOICE = "choice"
"""In a session: what was chosen last, for who comes back without an address."""

ALL = "all"
"""In an address: nothing is chosen, and what was chosen before is forgotten."""


@require_safe
@never_cache
def listed(request: HttpRequest) -> HttpResponse:
    """Matches that this person may see, newest first: those chosen, or what is played now and what was played."""
    person = person_of(request)
    seen = access.watchable(request.user, person)
    found = listing.found(request, seen)
    if not found.wrong and (address := _elsewhere(request, found.params)) is not None:
        return redirect(f"{reverse('games:matches')}?{address}")
    chosen = bool(found.params)
    matches = _once(found.matches) if found.costly else found.matches
    listed = matches if chosen else matches.exclude(status="running")
    page = keyset.page(listed, SIZE, request.GET.get("at", ""), "created_at")
    entries = {"rows": page.rows, "running": []}
    if not (chosen or page.newer):  # also those that one plays, which a choice of what is hidden leaves out
        entries["running"] = list(seen.filter(status="running").order_by("-created_at", "-pk")[:SIZE])
    hits = found.hits(page.rows)
    for match in page.rows:
        if match.pk in hits:  # also in what was thought, or said to few
            audit.looked(request.user, match, "all", "words")
    context = {
        "found": found,
        "page": page,
        "count": partial(keyset.count, matches, MOST),  # where a template asks
        "query": urlencode(found.params),
        "researcher": request.user.has_perm(access.RESEARCHER),
    }
    for name, shown in entries.items():
        rows = listing.rows(shown, request.user, person)
        context[name] = [row | {"hits": hits.get(row["match"].pk, ())} for row in rows]
    return render(request, "games/matches.html", context | found.context, status=422 if found.wrong else 200)


def _once(matches: QuerySet[Match]) -> QuerySet[Match]:
    """The same matches by their keys, unless they are too many."""
    keys = list(matches.order_by().values_list("pk", flat=True)[: MOST + 1])
    if len(keys) > MOST:
        return matches
    return Match.objects.filter(pk__in=keys).select_related("room", "parent").prefetch_related("sitters")


def _elsewhere(request: HttpRequest, params: dict[str, str]) -> str | None:
    """The address of the list that is meant, if it is another one: the last choice of who comes back without any, and a
    choice without the fields that were left empty. A choice is kept as long as one is signed in."""
    if "" in request.GET.values():
        kept = [(name, value) for name, values in request.GET.lists() for value in values if value]
        return urlencode(kept or {ALL: 1})
    if request.user.is_authenticated:
        if params and request.session.get(CHOICE) != params:
            request.session[CHOICE] = params
        elif ALL in request.GET:
            request.session.pop(CHOICE, None)
        elif not request.GET and CHOICE in request.session:
            return urlencode(request.session[CHOICE])
    return None
