"""How researchers choose from the list of matches (`games.web.listing`): by a form of all that a `Selection` has."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest

from agents.methods import METHODS
from agents.models import AgentProfile
from evaluation.desk.selection import ANY, PARTS, Selection, SelectionForm, given
from evaluation.labelling.models import Scheme
from evaluation.models import Competition
from games.match import lookup
from games.models import Match
from games.registry import RULES
from games.web.listing import Found

COMPETITIONS = 50
"""So many, the newest, are offered."""

ALWAYS = ("words", "game", "agent", "role", "won")
"""What the form shows at once; the rest is under a fold."""


class FindingForm(SelectionForm):
    """The form with what there is to choose from. `lists`: what is offered for a field that takes any text."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.lists = {
            "agent": AgentProfile.objects.order_by("name").values_list("name", flat=True),
            "method": ["house", *METHODS],
            "model": sorted(set(AgentProfile.objects.exclude(model="").values_list("model", flat=True))),
            "role": sorted({role for rules in RULES.values() for role in _roles(rules)}),
            "side": sorted({side for rules in RULES.values() for side in rules.teams}),
            "preset": sorted({preset for rules in RULES.values() for preset in rules.presets}),
            "label": _labels(),
        }
        for name in self.lists:
            self.fields[name].widget.attrs["list"] = f"every-{name}"
        newest = Competition.objects.order_by("-created_at").values_list("pk", "name")[:COMPETITIONS]
        offered = {str(key): name for key, name in newest}
        if chosen := self.data.get("competition"):
            offered.setdefault(chosen, chosen)
        self.fields["competition"].widget = forms.Select(choices=[("", ANY), *offered.items()])
        for name, field in self.fields.items():
            field.widget.attrs |= {"aria-describedby": f"id_{name}_helptext"} if field.help_text else {}

    @property
    def first(self) -> list[forms.BoundField]:
        return [self[name] for name in ALWAYS]

    @property
    def rest(self) -> list[forms.BoundField]:
        return [self[name] for name in PARTS if name not in ALWAYS]


def _roles(rules: Any) -> list[str]:
    return [*rules.role_names, *rules.role_on.values(), *filter(None, [rules.seeking, rules.sought])]


def _labels() -> list[str]:
    """Of each scheme's newest version its labels."""
    schemes = {scheme.name: scheme for scheme in Scheme.objects.order_by("name", "version")}
    return [f"{name}:{label}" for name, scheme in schemes.items() for label in scheme.names]


def found(request: HttpRequest, seen: QuerySet[Match]) -> Found:
    """What a researcher has chosen of the matches of which they may see everything."""
    form = FindingForm(given(request.GET))
    context: dict[str, Any] = {
        "form": form,
        "chosen": [],
        "letters": False,
        "opened": any(name in request.GET for name in PARTS if name not in ALWAYS),
    }
    try:
        selection = Selection.of(request.GET, request.user)
    except ValidationError:
        return Found(seen.none(), "evaluation/finding.html", context, given(request.GET), wrong=True)
    context["letters"] = bool(selection.words) and not lookup.has_full_text()
    context["chosen"] = [(told, _without(selection, name).query()) for name, told in selection.told()]
    matches = selection.matches().select_related("room", "parent").prefetch_related("sitters")
    costly = bool(selection.words or selection.sample)
    found = Found(matches, "evaluation/finding.html", context, selection.params(), costly=costly)
    return replace(found, hits=partial(lookup.hits, selection.words)) if selection.words else found


def _without(selection: Selection, name: str) -> Selection:
    return replace(selection, **{name: getattr(Selection(), name)})
