"""Pages for admins: who can sit at a table without being a person. Keys are neither stored nor shown."""

from __future__ import annotations

import os
from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.utils.translation import gettext_lazy as _

from agents.models import AgentProfile
from agents.providers import PROVIDERS, MisconfiguredError, connect
from agents.turns import HOUSE


class ProfileForm(forms.ModelForm):
    """A profile; what its provider would refuse is refused here, before it sits at a table."""

    provider = forms.ChoiceField(choices=[(name, name) for name in (HOUSE, *PROVIDERS)], label=_("Provider"))

    def clean(self) -> dict[str, Any]:
        profile = super().clean()
        provider = profile.get("provider")
        if provider not in PROVIDERS:
            return profile
        if not profile.get("model"):
            self.add_error("model", _("Which of the provider's models?"))
        try:
            connect(provider, profile.get("base_url") or "", profile.get("key_env") or None)
        except MisconfiguredError as error:
            self.add_error("key_env" if "key" in str(error) else "base_url", str(error))
        return profile


@admin.register(AgentProfile)
class AgentProfileAdmin(admin.ModelAdmin):
    form = ProfileForm
    formfield_overrides = {
        models.URLField: {"assume_scheme": "https"},
        models.JSONField: {"widget": forms.Textarea(attrs={"rows": 4, "cols": 60})},
    }
    list_display = ("title", "name", "provider", "model", "method", "key", "active")
    list_editable = ("active",)
    list_filter = ("provider", "method", "active")
    search_fields = ("name", "title", "model")
    prepopulated_fields = {"name": ("title",)}
    fieldsets = (
        (None, {"fields": ("title", "name", "about", "active")}),
        (_("Model"), {"fields": ("provider", "base_url", "key_env", "model", "settings")}),
        (_("Way of thinking"), {"fields": ("method", "switches")}),
    )

    @admin.display(description=_("key"))
    def key(self, profile: AgentProfile) -> str:
        """Whether the environment holds the key that this profile needs; never the key."""
        if not profile.key_env:
            return "–"
        return _("is set") if os.environ.get(profile.key_env) else _("is missing")
