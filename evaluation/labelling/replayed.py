"""Labels in a replay: which ones whoever looks may see, and where."""

from collections import Counter
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.labelling.models import NONE, Item, Round
from games.match.access import RESEARCHER
from games.match.view import View, moved, thoughts_of
from games.models import Match
from games.rules.values import OMNISCIENT
from games.web.replay import Labelled

RATER = "evaluation.label"


def labelled(match: Match, user: User | AnonymousUser, seen: View) -> list[Labelled]:
    """What labels of closed rounds say of things that this viewer sees, in the order of the match.

    Researchers see all of them. A rater sees those of the tasks that they rate in; nobody else sees any, and of a match
    that is still played nobody does. What holds is told, and where that is not decided how many raters gave a label;
    never whose it is, and no model's. Thoughts, seats and the whole match are told to who sees everything.
    """
    items = Item.objects.filter(match=match, round__status=Round.Status.CLOSED)
    if match.status == "running":
        return []
    if not user.has_perm(RESEARCHER):
        if not user.has_perm(RATER):
            return []
        items = items.filter(round__task__raters=user.pk)
    rows = items.select_related("round__scheme", "final").prefetch_related("given").order_by("round__opened_at", "pk")
    places = _Places(match, seen, [item.anchor for item in rows])
    latest = {(item.round.scheme.name, str(sorted(item.anchor.items()))): item for item in rows}
    found = [one for item in latest.values() for one in _labels(item, places)]
    return sorted(found, key=lambda one: (one.seq or 0, one.name))


class _Places:
    """Where in a replay things are to be seen."""

    def __init__(self, match: Match, seen: View, anchors: list[dict[str, Any]]) -> None:
        self.everything = seen.viewer == OMNISCIENT
        self.seats = {event.seq: event.seat for event in seen.told}
        self.answers: dict[str | None, int] = {}
        self.thinkers: dict[str, int] = {}
        requests = {anchor["request"] for anchor in anchors if "request" in anchor}
        if self.everything and requests:
            self.answers = {one.request: one.seq for one in moved([match.pk], (), requests)}
            rows = thoughts_of([match.pk]).filter(request__in=requests)
            self.thinkers = dict(rows.values_list("request", "seat"))

    def of(self, anchor: dict[str, Any]) -> tuple[int | None, int | None] | None:
        """The seq and the seat of a thing; None where this viewer does not see it."""
        if "event" in anchor:
            seq = anchor["event"]
            return (seq, self.seats[seq]) if seq in self.seats else None
        if not self.everything:
            return None
        if "request" in anchor:
            opened = int(anchor["request"].partition(":")[0])
            return self.answers.get(anchor["request"], opened), self.thinkers.get(anchor["request"])
        return None, anchor.get("seat")


def _labels(item: Item, places: _Places) -> list[Labelled]:
    place = places.of(item.anchor)
    if place is None:
        return []
    scheme, final = item.round.scheme, getattr(item, "final", None)
    titles: dict[str, str] = {label["name"]: label["title"] or label["name"] for label in scheme.labels}
    told: dict[str, str]
    if final is not None:
        told = dict.fromkeys(final.labels, str(final.get_how_display()))
    else:
        said = [given for given in item.given.all() if not given.profile]
        counts = Counter(label for given in said for label in set(given.labels))
        told = {label: _by_raters(count, len(said)) for label, count in counts.items()}
    thought = item.anchor.get("thought")
    return [
        Labelled(
            place[0], place[1], f"{scheme.name}:{label}", titles.get(label, label), scheme.title,
            how, _("thought %d") % thought if thought else "",
        )
        for label, how in told.items()
        if label != NONE
    ]  # fmt: skip


def _by_raters(count: int, of: int) -> str:
    return ngettext("%(count)d of %(of)d rater", "%(count)d of %(of)d raters", of) % {"count": count, "of": of}
