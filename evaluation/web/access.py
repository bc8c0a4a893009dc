"""Who may see and run what is evaluated: researchers. Results are made of all that was hidden in a match."""

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from games.match.access import RESEARCHER, access_of, looked
from games.models import Match
from games.room.people import person_of
from games.rules.values import OMNISCIENT
from magic_site.rights import ORDER, View, for_holders

RUNS = "evaluation.run_competitions"
RATES = "evaluation.rate_replies"
IMPORTS = "evaluation.import_logs"
ERASES = "games.erase_people"
LABELS = "evaluation.label"

DESK = (RESEARCHER, LABELS, *sorted(ORDER))
"""Each of these opens the desk; what stands on it is by right too."""

for_runners = for_holders(RUNS)
"""Only for those who may run competitions."""

for_importers = for_holders(IMPORTS)
"""Only for those who may bring logs of matches that were played elsewhere."""

for_erasers = for_holders(ERASES)
"""Only for those who may erase people."""

for_raters = for_holders(RATES)
"""Only for those who may check what a judge said."""

for_labellers = for_holders(LABELS)
"""Only for raters: those who may label what tasks ask."""

for_labelling = for_holders(LABELS, RUNS)
"""For raters, and for those who run tasks."""


def for_researchers(view: View) -> View:
    """Something to look at, only for those who may see everything."""
    return require_safe(for_holders(RESEARCHER)(view))


def whole_match(request: HttpRequest, key: str, page: str, refusal: str) -> Match:
    """The match of that id, for who may see all of it; who looks at it while it runs is noted, with the page. Raises
    `PermissionDenied` with the sentence `refusal` for others."""
    try:
        match = get_object_or_404(Match.objects.select_related("room"), pk=UUID(key))
    except ValueError:
        raise Http404 from None
    seen = access_of(match, request.user, person_of(request))
    if seen is None or not seen.everything:
        raise PermissionDenied(refusal)
    looked(match, seen, OMNISCIENT, request.user, page)
    return match
