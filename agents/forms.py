"""The form of an agent profile, for its own page and for the admin: what could not play is refused in a sentence."""

import json
from typing import Any, cast

from django import forms
from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from agents import asking
from agents.methods import METHODS, Switch, SwitchError
from agents.methods.base import check_of_profiles
from agents.models import ANSWER_SECONDS, AgentProfile
from agents.player import model_of
from agents.providers import PROVIDERS, MisconfiguredError
from agents.providers.settings import APIS, EFFORTS
from agents.spending import price_is_known
from agents.turns import HOUSE, REMOTE
from games.registry import RULES
from games.translation import translated
from games.web.wording import in_words
from magic_site.json_text import StrictJSONField
from magic_site.number_fields import NumberField, WholeNumberField

GAMES = "games"
"""The switch that every profile has: the games that it is for."""

MOST_ANSWER_SECONDS = 7 * 86400
"""So long at most a match waits for one answer from outside."""


SHAPES = {
    "settings": _("The settings of a model are named values in braces."),
    "switches": _("This is a set of named values in braces."),
}


class ProfileForm(forms.ModelForm):
    """A profile with its settings and switches as JSON; what its provider would refuse is refused before it plays."""

    provider = forms.ChoiceField(choices=[(name, name) for name in (HOUSE, *PROVIDERS, REMOTE)], label=_("Provider"))
    method = forms.ChoiceField(
        choices=[(HOUSE, _("House agent")), (REMOTE, _("From outside"))]
        + [(name, method.title) for name, method in METHODS.items()],
        label=_("Method"),
    )

    seated_by = forms.ChoiceField(
        required=False,
        choices=AgentProfile.SeatedBy.choices,
        initial=AgentProfile.SeatedBy.RESEARCHERS,
        label=AgentProfile._meta.get_field("seated_by").verbose_name,
        help_text=AgentProfile._meta.get_field("seated_by").help_text,
    )
    base_url = forms.URLField(
        required=False,
        assume_scheme="https",
        label=_("Address of the API"),
        help_text=_("For any OpenAI-compatible server. Empty: the provider's own."),
    )

    class Meta:
        model = AgentProfile
        fields = (
            "title",
            "name",
            "about",
            "active",
            "seated_by",
            "provider",
            "base_url",
            "key_env",
            "model",
            "settings",
            "method",
            "second",
            "switches",
        )
        labels = {
            "title": _("Title"),
            "name": _("Name"),
            "about": _("About"),
            "active": _("Active"),
            "model": _("Model"),
        }
        field_classes = {"settings": StrictJSONField, "switches": StrictJSONField}

    def clean(self) -> dict[str, Any]:
        super().clean()
        profile = self.cleaned_data
        self._check_still_asked(profile)
        provider, method = profile.get("provider"), profile.get("method")
        if provider != method and {provider, method} & {HOUSE, REMOTE}:
            self.add_error(
                "method",
                _("House agents have their own method, agents from outside theirs. A model takes one of the others."),
            )
        for name in ("settings", "switches"):
            self._check_values(name, profile.get(name) or {})
        switches = profile.get("switches") or {}
        if "switches" not in self.errors:
            self._check_games(switches.get(GAMES, []))
        if "switches" not in self.errors:
            try:
                check_of_profiles(switches)
                if method in METHODS:
                    METHODS[method].resolved(switches)
            except SwitchError as error:
                self.add_error("switches", str(error))
        if provider in PROVIDERS and "settings" not in self.errors:
            self._check_model(profile)
        if provider == REMOTE:
            self._check_remote(profile)
        if profile.get("second") and profile["second"].provider in (HOUSE, REMOTE):
            self.add_error("second", _("This agent has no model that could answer."))
        return profile

    def _check_still_asked(self, wanted: dict[str, Any]) -> None:
        """A program answers for an agent from outside by its name, so both stay as long as it is asked."""
        others = [name for name in ("name", "provider") if wanted.get(name, "") != getattr(self.instance, name)]
        if self.instance.pk and others and (trouble := asking.trouble(self.instance)):
            self.add_error(others[0], trouble)

    def clean_seated_by(self) -> str:
        return self.cleaned_data["seated_by"] or AgentProfile.SeatedBy.RESEARCHERS

    def clean_name(self) -> str:
        if self.cleaned_data["name"] == "new":
            raise forms.ValidationError(_("The page for new agents uses this name. Choose another one."))
        return self.cleaned_data["name"]

    def _check_games(self, games: Any) -> None:
        if not isinstance(games, list) or any(not isinstance(game, str) or game not in RULES for game in games):
            names = ", ".join(RULES)
            self.add_error("switches", _("The games are a list of some of these names: %s.") % names)

    def _check_values(self, name: str, values: Any) -> None:
        if not isinstance(values, dict):
            self.add_error(name, SHAPES[name])
            return
        try:
            json.dumps(values, allow_nan=False)
        except ValueError:
            self.add_error(name, _("A number here is too large, or is not a number."))

    def _check_remote(self, profile: dict[str, Any]) -> None:
        for name in ("base_url", "key_env", "second"):
            if profile.get(name):
                self.add_error(name, _("An agent from outside is not called, so this stays empty."))
        settings = profile.get("settings") or {}
        if "settings" in self.errors:
            return
        seconds = settings.get("answer_seconds", ANSWER_SECONDS)
        if settings.keys() - {"answer_seconds"} or type(seconds) is not int or not 1 <= seconds <= MOST_ANSWER_SECONDS:
            self.add_error(
                "settings",
                _("An agent from outside has one setting, answer_seconds: a whole number from 1 to %(most)d.")
                % {"most": MOST_ANSWER_SECONDS},
            )

    def _check_model(self, profile: dict[str, Any]) -> None:
        if not profile.get("model"):
            self.add_error("model", _("Which of the provider's models?"))
        names = ("provider", "base_url", "key_env", "model", "settings")
        try:
            model = model_of(AgentProfile(**{name: profile[name] for name in names if name in profile}))
            model.provider.checked(model.settings)
        except MisconfiguredError as error:
            self.add_error(error.field, str(error))


class ProfilePageForm(ProfileForm):
    """The same with a field for each common setting, for each switch of each method, and for the games.

    A method's fields are named `<method>-<switch>`; only those of the chosen method count.
    """

    temperature = NumberField(required=False, min_value=0, max_value=2, label=_("Temperature"))
    max_tokens = WholeNumberField(required=False, min_value=1, label=_("Most tokens of a reply"))
    seed = WholeNumberField(required=False, min_value=0, label=_("Seed"), help_text=_("Where the API takes one."))
    games = forms.MultipleChoiceField(
        required=False,
        label=_("Games"),
        choices=[(name, rules.title) for name, rules in RULES.items()],
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None chosen: it can play all games."),
    )
    effort = forms.ChoiceField(
        required=False, label=_("Effort"), choices=[("", _("the model's usual one")), *((e, e) for e in EFFORTS)]
    )
    api = forms.ChoiceField(
        required=False,
        label=_("API"),
        choices=[("", _("the provider's usual one")), *((api, api) for api in APIS)],
        help_text=_("With “responses”, OpenAI's models give a summary of their reasoning."),
    )
    SETTINGS = ("temperature", "max_tokens", "seed", "effort", "api")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("settings", "switches"):
            self.fields[name].widget = forms.Textarea(attrs={"rows": 3, "spellcheck": "false"})
        self.fields["key_env"].label = _("Environment variable of the key")
        second = cast(forms.ModelChoiceField, self.fields["second"])
        second.label, second.empty_label = _("Model for the later half"), _("the same model")
        second.queryset = AgentProfile.objects.exclude(provider__in=(HOUSE, REMOTE)).exclude(pk=self.instance.pk)
        self.fields["settings"].label = _("Further settings")
        self.fields["settings"].help_text = _("As JSON: top_p, timeout, silence, retries, extra ...")
        self.fields["switches"].label = _("Further switches")
        self.fields["switches"].help_text = _(
            'As JSON: for house agents, such as {"strategy": "tit_for_tat"}; for any spy of SpyGame, from how many '
            'percent of certainty on it stands up, such as {"threshold": 80}.'
        )
        switches = dict(self.instance.switches or {})
        settings = dict(self.instance.settings or {})
        self.initial["games"] = switches.pop(GAMES, [])
        for name in self.SETTINGS:
            self.initial[name] = settings.pop(name, None)
        for method in METHODS.values():
            for switch in method.switches:
                self.fields[f"{method.name}-{switch.name}"] = _field_of(switch)
                if method.name == self.instance.method and switch.name in switches:
                    self.initial[f"{method.name}-{switch.name}"] = switches.pop(switch.name)
        self.initial.update({"settings": settings, "switches": switches})

    def by_method(self) -> list[tuple[str, str, str, list[forms.BoundField]]]:
        """Of each method: its name, title, what it does, and its fields."""
        return [
            (method.name, method.title, method.about, [self[f"{method.name}-{s.name}"] for s in method.switches])
            for method in METHODS.values()
        ]

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        settings, switches = given.get("settings") or {}, given.get("switches") or {}
        if isinstance(settings, dict):
            given["settings"] = settings | {n: given[n] for n in self.SETTINGS if given.get(n) not in (None, "")}
        if isinstance(switches, dict):
            method = METHODS.get(given.get("method", ""))
            for switch in method.switches if method else ():
                value = given.get(f"{given['method']}-{switch.name}")
                if value not in (None, "", switch.default):
                    switches[switch.name] = value
            if given.get(GAMES):
                switches[GAMES] = given[GAMES]
            given["switches"] = switches
        return super().clean()


class _Own(ProfileForm):
    """A researcher's own agent: by a connection that admins opened, and a model whose price is known, so that a budget
    holds. It is asked to tables by researchers."""

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.owner = owner
        del self.fields["seated_by"]
        second = cast(forms.ModelChoiceField, self.fields["second"])
        shared = Q(owner=None) | Q(owner=owner)
        second.queryset = cast(Any, second.queryset).filter(shared)

    def _check_model(self, profile: dict[str, Any]) -> None:
        super()._check_model(profile)
        connection = {name: profile.get(name) or "" for name in ("provider", "base_url", "key_env")}
        if not AgentProfile.objects.filter(owner=None, **connection).exists():
            self.add_error(
                "base_url",
                _("No agent that admins keep uses this provider, address and key together. Copy one that is there."),
            )
        if profile.get("model") and not price_is_known(profile["model"]):
            self.add_error("model", _("What this model costs is not known here, so no budget can hold. Ask an admin."))


class OwnProfileForm(_Own):
    """The form of a researcher's own agent for programs."""


class OwnProfilePageForm(_Own, ProfilePageForm):
    """The same with the fields of the page."""


def _field_of(switch: Switch) -> forms.Field:
    label, about = in_words(switch.name), translated(switch.about)
    shared = {"label": label, "help_text": about, "initial": switch.default, "required": False}
    if switch.choices:
        return forms.ChoiceField(choices=[(choice, choice) for choice in switch.choices], **shared)
    if isinstance(switch.default, bool):
        return forms.BooleanField(**shared)
    if isinstance(switch.default, int | float):
        return NumberField(**shared)
    return forms.CharField(**shared)
