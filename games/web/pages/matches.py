"""The list of matches, by whatever a visitor chooses of those that they may see."""

from functools import partial
from urllib.parse import urlencode

from django.db.models import Count, QuerySet, Window
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

WORDS = "words"
"""In an address: what is looked for in what was said and thought."""


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
    listed = found.matches if chosen else found.matches.exclude(status="running")
    page, count = _page(listed, request.GET.get("at", ""), found.costly)
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
        "count": count or partial(keyset.count, found.matches, MOST),  # where a template asks
        "query": urlencode(found.params),
        "researcher": request.user.has_perm(access.RESEARCHER),
    }
    for name, shown in entries.items():
        told = listing.rows(shown, request.user, person)
        context[name] = [row | {"hits": hits.get(row["match"].pk, ())} for row in told]
    return render(request, "games/matches.html", context | found.context, status=422 if found.wrong else 200)


def _page(matches: QuerySet[Match], at: str, costly: bool) -> tuple[keyset.Page, keyset.Count | None]:
    """A page of them, and how many they are where that is known by the way: what is costly to find is found and counted
    by one query of few columns."""
    if at or not costly:
        return keyset.page(matches, SIZE, at, "created_at"), None
    keys = matches.select_related(None).prefetch_related(None).only("created_at").annotate(every=Window(Count("pk")))
    page = keyset.page(keys, SIZE, by="created_at")
    rows = Match.objects.select_related("room", "parent").prefetch_related("sitters")
    shown = rows.filter(pk__in=[row.pk for row in page.rows]).order_by("-created_at", "-pk")
    return page._replace(rows=list(shown)), keyset.Count(page.rows[0].every if page.rows else 0, False)


def _elsewhere(request: HttpRequest, params: dict[str, str]) -> str | None:
    """The address of the list that is meant, if it is another one: the last choice of who comes back without any, and a
    choice without the fields that were left empty. A choice is kept as long as one is signed in, but for words that
    were looked for: they may be of a person who is erased meanwhile."""
    if "" in request.GET.values():
        kept = [(name, value) for name, values in request.GET.lists() for value in values if value]
        return urlencode(kept or {ALL: 1})
    if request.user.is_authenticated:
        choice = {name: value for name, value in params.items() if name != WORDS}
        if choice and request.session.get(CHOICE) != choice:
            request.session[CHOICE] = choice
        elif ALL in request.GET:
            request.session.pop(CHOICE, None)
        elif not request.GET and CHOICE in request.session:
            return urlencode(request.session[CHOICE])
    return None
