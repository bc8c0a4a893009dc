"""Who may see and run what is evaluated: researchers. Results are made of all that was hidden in a match."""

from django.views.decorators.http import require_safe

from games.match.access import RESEARCHER
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
