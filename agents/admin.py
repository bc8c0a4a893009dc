"""Pages for admins: who can sit at a table without being a person, what models cost and may cost, how many calls may be
under way, and the calls that were made. Keys are neither stored nor shown."""

import os
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from agents import asking, spending
from agents.forms import ProfileForm
from agents.models import AgentProfile, Call, Endpoint, ModelPrice, SpendingLimit, Spent
from agents.providers import PROVIDERS, addresses
from games.admin import MatchDataAdmin
from magic_site.long_lists import IndexedFilter


@admin.register(AgentProfile)
class AgentProfileAdmin(admin.ModelAdmin):
    form = ProfileForm
    formfield_overrides = {
        models.URLField: {"assume_scheme": "https"},
        models.JSONField: {"widget": forms.Textarea(attrs={"rows": 4, "cols": 60})},
    }
    list_display = ("title", "name", "provider", "model", "method", "key", "active", "seated_by", "owner")
    list_editable = ("active",)
    list_filter = ("provider", "method", "active")
    search_fields = ("name", "title", "model")
    prepopulated_fields = {"name": ("title",)}
    fieldsets = (
        (None, {"fields": ("title", "name", "about", "active", "seated_by")}),
        (_("Model"), {"fields": ("provider", "base_url", "key_env", "model", "settings")}),
        (_("Method"), {"fields": ("method", "switches", "second")}),
    )

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        *found, protected = super().get_deleted_objects(objs, request)
        return *found, [*protected, *filter(None, map(asking.trouble, objs))]

    @admin.display(description=_("key"))
    def key(self, profile: AgentProfile) -> str:
        """Whether the environment holds the key that this profile needs; never the key."""
        if not profile.key_env:
            return "–"
        return str(_("is set") if os.environ.get(profile.key_env) else _("is missing"))


@admin.register(ModelPrice)
class ModelPriceAdmin(admin.ModelAdmin):
    list_display = ("model", "tokens_in", "tokens_out", "cached", "stored")
    search_fields = ("model",)


class EndpointForm(forms.ModelForm):
    provider = forms.ChoiceField(choices=[(name, name) for name in PROVIDERS], label=_("Provider"))

    def clean_base_url(self) -> str:
        address = self.cleaned_data["base_url"]
        if address and (found := addresses.trouble(address, "")):
            raise forms.ValidationError(found[1])
        return address


@admin.register(Endpoint)
class EndpointAdmin(admin.ModelAdmin):
    form = EndpointForm
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}
    list_display = ("provider", "base_url", "at_once", "a_minute")
    list_display_links = ("provider", "base_url")


@admin.register(SpendingLimit)
class SpendingLimitAdmin(admin.ModelAdmin):
    """One row for all."""

    list_display = ("__str__", "per_match", "per_day", "per_owner_day", "per_owner")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not SpendingLimit.objects.exists()


@admin.register(Spent)
class SpentAdmin(MatchDataAdmin):
    list_display = ("what", "dollars")
    search_fields = ("what",)
    search_help_text = _("match:, and the whole id of a match; or day:, and a date.")

    def match_of(self, row: Spent) -> None:
        """What was spent is no secret of who does not play."""

    def without(self, rows: models.QuerySet[Any], matches: list[UUID]) -> models.QuerySet[Any]:
        """While one plays, what is spent today tells of the others' moves too."""
        told = {name for match in matches for name in spending.names(match)}
        return rows.exclude(what__in=told).exclude(what__startswith="owner:") if matches else rows


@admin.register(Call)
class CallAdmin(MatchDataAdmin):
    list_display = (
        "at",
        "match",
        "request",
        "stage",
        "nth",
        "model",
        "answered_by",
        "tokens_in",
        "cached",
        "tokens_out",
        "cost",
        "ms",
        "failed",
    )
    list_filter = (("model", IndexedFilter), ("answered_by", IndexedFilter))
    search_fields = ("match", "key")
    search_help_text = _("The whole id of a match, or a whole key.")

    def match_of(self, row: Call) -> UUID | None:
        return row.match

    @admin.display(description=_("failed"), boolean=True)
    def failed(self, call: Call) -> bool:
        return bool(call.error)
