"""The forms of judgings: one that plans, and one that a rater fills in."""

from typing import Any, cast

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from agents.models import AgentProfile
from agents.seating import seatable
from agents.turns import HOUSE, REMOTE
from evaluation.judging.judge import QUESTIONS
from evaluation.metrics.recon import DIMENSIONS
from evaluation.models import Competition, Judging
from evaluation.web import names
from games.models import Match
from games.registry import RULES
from games.translation import translated
from magic_site.number_fields import WholeNumberField


def spoken() -> list[str]:
    """The games in which players speak freely."""
    return [name for name, rules in RULES.items() if rules.spoken]


class JudgingForm(forms.Form):
    """Who judges whose replies, at the prompts of which matches."""

    name = forms.CharField(max_length=120, label=_("Name"))
    judge = forms.ChoiceField(label=_("Judge"), help_text=_("The agent whose model compares the replies."))
    arms = forms.MultipleChoiceField(
        label=_("Compared"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("These agents answer the same prompts. Each is compared with each other one, in both orders."),
    )
    source = forms.ChoiceField(label=_("Prompts from"), help_text=_("Moments at which the good side spoke."))
    # Not "matches": a field of that name hides the form element's own method, which htmx calls.
    how_many = WholeNumberField(
        label=_("Newest matches"),
        initial=20,
        min_value=1,
        max_value=1000,
        help_text=_("How many matches to take prompts from."),
    )
    take = WholeNumberField(
        label=_("Prompts"),
        required=False,
        initial=50,
        min_value=1,
        max_value=10_000,
        help_text=_("How many of their prompts to use, drawn by lot. Empty: all of them."),
    )
    way = forms.ChoiceField(
        label=_("How the judge is asked"),
        required=False,
        choices=Judging.Way.choices,
        initial=Judging.Way.ONE_CALL,
        widget=forms.RadioSelect,
        help_text=_(
            "Both ways compare in both orders. ReCon asks in six calls without ties, which costs six times as much."
        ),
    )
    seed = WholeNumberField(
        label=_("Seed"), initial=1, min_value=0, help_text=_("The same seed draws the same prompts.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        remote = set(AgentProfile.objects.filter(provider=REMOTE).values_list("name", "title"))
        asked = (agent for game in spoken() for agent in seatable(game, researcher=True))
        agents = [agent for agent in dict.fromkeys(asked) if agent not in remote]
        models = set(AgentProfile.objects.exclude(provider=HOUSE).values_list("name", flat=True))
        judge, arms, source = (cast(forms.ChoiceField, self.fields[name]) for name in ("judge", "arms", "source"))
        judge.choices = [(name, title) for name, title in agents if name in models]
        arms.choices = agents
        all_of = _("All matches of %(game)s")
        games = [(f"game:{name}", all_of % {"game": translated(RULES[name].title)}) for name in spoken()]
        finished = Competition.objects.filter(bouts__match__game__in=spoken()).distinct()[:100]
        runs = [(f"competition:{key}", name) for key, name in names.competitions(finished)]
        source.choices = games + runs

    def clean_way(self) -> str:
        """The usual one where none was chosen."""
        return self.cleaned_data["way"] or Judging.Way.ONE_CALL

    @property
    def matches(self) -> QuerySet[Match]:
        """The matches that were chosen, once the form is valid."""
        kind, _colon, key = self.cleaned_data["source"].partition(":")
        chosen = {"game": key} if kind == "game" else {"bout__competition": key}
        found = (
            Match.objects.originals()
            .filter(status="finished", game__in=spoken(), **chosen)
            .order_by("-created_at", "-pk")
        )
        return Match.objects.filter(pk__in=list(found.values_list("pk", flat=True)[: self.cleaned_data["how_many"]]))


class RatingForm(forms.Form):
    """Which of two replies a person prefers, on each dimension: "0" or "1", by their place on the page."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for dimension in DIMENSIONS:
            self.fields[dimension] = forms.ChoiceField(
                label=_(QUESTIONS[dimension]),
                choices=[("0", _("Reply A")), ("1", _("Reply B"))],
                widget=forms.RadioSelect,
            )
