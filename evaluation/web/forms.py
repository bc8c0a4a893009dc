"""The form that a competition is planned with."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from agents.seating import seatable_at_all
from evaluation.counting.stored import records
from evaluation.models import Competition
from evaluation.studies import human_study
from evaluation.suites import Entry, Suite, SuiteError
from evaluation.suites.base import MOST_MATCHES
from evaluation.suites.human_study import HumanStudy
from evaluation.suites.own import MODES, Own
from evaluation.web import names
from games.models import Match
from games.registry import RULES
from games.translation import translated
from magic_site.number_fields import WholeNumberField


class CompetitionForm(forms.Form):
    """Who takes part in a suite, and how much is played. `entry` is what was asked for."""

    name = forms.CharField(max_length=120, required=False, label=_("Name"))
    challengers = forms.MultipleChoiceField(
        label=_("Challengers"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("The agents to be tested. Each plays the whole suite."),
    )
    # Not "matches": a field of that name hides the form element's own method, which htmx calls.
    how_many = WholeNumberField(
        label=_("Matches a challenger"),
        min_value=1,
        max_value=MOST_MATCHES,
        help_text=_("How many matches each plays; in suites with arms, how many in each arm."),
    )
    take = WholeNumberField(
        label=_("Play only"),
        required=False,
        min_value=1,
        max_value=MOST_MATCHES,
        help_text=_("Play only this many of the planned matches, from the first. Empty: all of them."),
    )
    seed = WholeNumberField(
        label=_("Seed"), initial=1, min_value=0, help_text=_("The same seed plans the same matches.")
    )
    at_once = WholeNumberField(
        label=_("At the same time"),
        initial=8,
        min_value=1,
        max_value=64,
        help_text=_("How many matches are played at once."),
    )

    def __init__(self, suite: Suite, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.suite = suite
        agents = seatable_at_all(suite.games)
        cast(forms.ChoiceField, self.fields["challengers"]).choices = agents
        if suite.matches:
            self.fields["how_many"].initial = suite.matches
        else:
            del self.fields["how_many"]
        self.fields["name"].initial = suite.title
        for part, usual in suite.parts.items():
            self.fields[f"defender_{part}"] = forms.ChoiceField(
                label=_("Who plays: %(part)s") % {"part": part}, choices=agents, initial=usual
            )
        if isinstance(suite, Own):
            self._ask_for_the_game()
        if isinstance(suite, HumanStudy):
            self._ask_for_the_source()

    def _ask_for_the_source(self) -> None:
        finished = Competition.objects.filter(suite="wiu", status=Competition.Status.FINISHED)
        self.fields["source"] = source = forms.ModelChoiceField(
            label=_("Matches of agents"),
            queryset=finished,
            help_text=_("A competition of “Who is Undercover?”. Its matches show on which topics each team loses."),
        )
        known = dict(names.competitions(finished))
        vars(source)["label_from_instance"] = lambda competition: known[competition.pk]
        self.fields["topics"] = WholeNumberField(
            label=_("Topics of each team"), initial=human_study.TOPICS, min_value=1, max_value=100
        )
        self.order_fields(["name", "source", "topics", "challengers"])

    def _ask_for_the_game(self) -> None:
        presets = [
            (f"{rules.name}:{name}", f"{translated(rules.title)}, {name}")
            for rules in RULES.values()
            for name in rules.presets
        ]
        self.fields["game"] = forms.ChoiceField(label=_("Game"), choices=presets)
        self.fields["seats"] = WholeNumberField(
            label=_("Seats"),
            required=False,
            min_value=2,
            max_value=12,
            help_text=_("Empty: as few as the game allows."),
        )
        self.fields["mode"] = forms.ChoiceField(
            label=_("Who sits where"), choices=list(MODES.items()), widget=forms.RadioSelect, initial="seat"
        )
        self.order_fields(["name", "game", "seats", "mode", "challengers"])

    @property
    def entry(self) -> Entry:
        """What was asked for, once the form is valid."""
        given = self.cleaned_data
        more = {}
        if isinstance(self.suite, HumanStudy):
            more = {"topics": given["topics"], "deals": deals_of(given["source"], given["topics"])}
        if isinstance(self.suite, Own):
            game, _colon, preset = given["game"].partition(":")
            more = {"game": game, "preset": preset, "seats": given["seats"] or 0, "mode": given["mode"]}
        return Entry(
            challengers=tuple(given["challengers"]),
            defenders={part: given[f"defender_{part}"] for part in self.suite.parts},
            matches=given.get("how_many") or 0,
            seed=given["seed"],
            take=given["take"] or 0,
            more=more,
        )


def deals_of(source: Competition, topics: int) -> list[dict[str, Any]]:
    """The deals of a competition's matches that each team lost most. Raises `SuiteError` where these would say nothing
    of a team of agents: the competition is another suite's, not over, or of several challengers."""
    if source.suite != "wiu" or source.status != Competition.Status.FINISHED:
        raise SuiteError(
            "Choose a finished competition of “Who is Undercover?”: its deals are played again in a human study."
        )
    if len(source.entry["challengers"]) != 1:
        raise SuiteError("Choose a competition with one challenger, so that the deals were all lost by the same agent.")
    matches = Match.objects.filter(bout__competition=source)
    seeds = {str(key): seed for key, seed in matches.values_list("pk", "seed")}
    return [deal.plain() for deal in human_study.hardest(records(matches, thoughts=False), seeds, topics)]
