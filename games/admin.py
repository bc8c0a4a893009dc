"""Pages for admins: the settings of games to keep, matches and their logs to look into.

Logs are read-only here as everywhere. Of a match that the admin sits in nothing is shown while it runs.
"""

import json
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from games import audit
from games.files import setting_files
from games.match import access
from games.match.rows import Attempt, Event, Thought, thoughts_in
from games.match.view import names_agents, whole
from games.models import GameSetting, Match
from games.registry import RULES
from games.room.people import person_of
from games.web import downloads
from magic_site.json_text import StrictJSONField
from magic_site.long_lists import IndexedFilter, LongListAdmin

TROUBLES_SHOWN = 20
MOST_AT_ONCE = 200
"""So many ids fit into an address."""

admin.site.site_header = admin.site.site_title = _("Magic Table")
admin.site.index_title = _("Agents, words and logs")


def laid_out(value: Any) -> str:
    """A JSON value for people to read."""
    return format_html("<pre>{}</pre>", json.dumps(value, ensure_ascii=False, indent=2))


class LaidOut(json.JSONEncoder):
    """JSON for people to edit."""

    def __init__(self, **options: Any):
        super().__init__(**options | {"indent": 2, "ensure_ascii": False, "sort_keys": False})


class SettingForm(forms.ModelForm):
    """A setting of a game; one that no match can be dealt from is refused with the rules' own sentence."""

    game = forms.ChoiceField(choices=lambda: [(name, rules.title) for name, rules in RULES.items()], label=_("Game"))
    data = StrictJSONField(  # type: ignore[assignment]  # a field of the form, which Django takes out of its class
        label=_("Deal"),
        encoder=LaidOut,
        widget=forms.Textarea(attrs={"rows": 8, "cols": 60, "spellcheck": "false"}),
        help_text=_('For a pair of words: {"civilian_word": "tea", "undercover_word": "coffee"}'),
    )

    class Meta:
        model = GameSetting
        fields = ("game", "name", "data", "origin", "active")


class ImportForm(forms.Form):
    """A file of settings. What is wrong with it stands beside it, line by line; `settings` is what it holds."""

    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "A .json or .csv file as the export writes it. A setting that is known by game and name is replaced. "
            "With one mistake in the file, nothing is stored."
        ),
        widget=forms.FileInput(attrs={"accept": ".json,.csv"}),
    )

    def clean_file(self) -> UploadedFile:
        file = self.cleaned_data["file"]
        if not file.name.lower().endswith((".json", ".csv")):
            raise ValidationError(_("This is neither a .json nor a .csv file."))
        try:
            self.settings = setting_files.read(file.read(setting_files.MOST_BYTES + 1), file.name)
        except setting_files.UnreadableError as error:
            shown = [str(trouble) for trouble in error.troubles[:TROUBLES_SHOWN]]
            if more := len(error.troubles) - len(shown):
                shown.append(_("And %(more)d more.") % {"more": more})
            raise ValidationError(shown) from error
        return file


@admin.register(GameSetting)
class GameSettingAdmin(admin.ModelAdmin):
    form = SettingForm
    list_display = ("name", "game", "deal", "origin", "active")
    list_editable = ("active",)
    list_filter = ("game", "active", "origin")
    list_per_page = 50
    search_fields = ("name", "data")
    actions = ("export_csv", "export_json")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.import_file)
        return [path("import/", view, name="games_gamesetting_import"), *super().get_urls()]

    def import_file(self, request: HttpRequest) -> HttpResponse:
        """The page that takes a file of settings, all or nothing."""
        if not (self.has_add_permission(request) and self.has_change_permission(request)):
            raise PermissionDenied
        form = ImportForm(request.POST or None, request.FILES or None)
        if request.method == "POST" and form.is_valid():
            new, replaced = setting_files.put(form.settings)
            sentence = _("%(new)d new, %(replaced)d replaced.") % {"new": new, "replaced": replaced}
            self.message_user(request, sentence, messages.SUCCESS)
            return redirect("admin:games_gamesetting_changelist")
        context = self.admin_site.each_context(request)
        context |= {"form": form, "opts": self.opts, "title": _("Import settings of games")}
        return render(request, "admin/games/gamesetting/import.html", context)

    @admin.action(description=_("Export as CSV"), permissions=["view"])
    def export_csv(self, request: HttpRequest, settings: QuerySet[GameSetting]) -> HttpResponse:
        text = setting_files.write_csv(settings.order_by(*setting_files.KEY))
        return downloads.download(text.encode(), "settings.csv", "text/csv; charset=utf-8")

    @admin.action(description=_("Export as JSON"), permissions=["view"])
    def export_json(self, request: HttpRequest, settings: QuerySet[GameSetting]) -> HttpResponse:
        text = setting_files.write_json(settings.order_by(*setting_files.KEY))
        return downloads.download(text.encode(), "settings.json", "application/json")

    @admin.display(description=_("deal"))
    def deal(self, setting: GameSetting) -> str:
        return " · ".join(str(value) for value in setting.data.values() if not isinstance(value, dict))


class MatchDataAdmin(LongListAdmin):
    """What is written of matches: it can be looked at and never changed, and shows nobody more of a running match than
    they see at their seat. `match_path` leads to the match."""

    match_path = "match"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        own = access.sat_at_while_running(person_of(request)).values_list("pk", flat=True)
        return self.without(super().get_queryset(request), list(own))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        response = super().changelist_view(request, extra_context)
        listed = getattr(response, "context_data", {}).get("cl")
        if listed is not None:
            self.note_looks(request, [self.match_of(row) for row in listed.result_list if self.tells(row)])
        return response

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        row = super().get_object(request, object_id, from_field)
        if row is not None:
            self.note_looks(request, [self.match_of(row)])
        return row

    def note_looks(self, request: HttpRequest, keys: Iterable[Any]) -> None:
        """Note of which running matches somebody is shown rows."""
        for match in Match.objects.filter(pk__in={key for key in keys if key}).select_related("parent"):
            audit.looked(request.user, match, "all", "admin")

    def match_of(self, row: Any) -> Any:
        """The id of the match that a row is of; None for one of no match."""
        return row.match_id

    def tells(self, row: Any) -> bool:
        """Whether a row tells in lists what is hidden from others while its match runs."""
        return True

    def without(self, rows: QuerySet[Any], matches: list[UUID]) -> QuerySet[Any]:
        """These rows without those of these matches."""
        return rows.exclude(**{f"{self.match_path}__in": matches})

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Match)
class MatchAdmin(MatchDataAdmin):
    match_path = "pk"
    list_display = ("short_id", "game", "preset", "status", "result", "players", "origin", "created_at", "see")
    list_filter = (
        *((name, IndexedFilter) for name in ("game", "preset", "status", "result", "origin")),
        ("created_at", admin.DateFieldListFilter),
    )
    list_select_related = ("room",)
    search_fields = ("id", "room__code")
    ordered_by = "created_at"
    list_per_page = 25
    actions = ("download",)
    fields = (
        ("id", "room", "see"),
        ("game", "preset", "rules_version", "rederived"),
        ("status", "result"),
        ("created_at", "ended_at", "origin"),
        "at_the_table",
        "options_laid_out",
        "setting_laid_out",
        ("seed", "forked_from"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).prefetch_related("sitters")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Of the few that matches are, the beginning of an id is enough."""
        return admin.ModelAdmin.get_search_results(self, request, queryset, search_term)

    def match_of(self, row: Match) -> UUID:
        return row.pk

    def tells(self, row: Match) -> bool:
        return not names_agents(row)

    @admin.display(description=_("match"), ordering="id")
    def short_id(self, match: Match) -> str:
        return str(match.pk)[:8]

    @admin.display(description=_("players"))
    def players(self, match: Match) -> str:
        agents = sum(sitter.kind == "agent" for sitter in match.seated)
        return _("%(people)d people, %(agents)d agents") % {"people": len(match.seated) - agents, "agents": agents}

    @admin.display(description=_("seats"))
    def at_the_table(self, match: Match) -> str:
        return ", ".join(
            f"{sitter.seat} {sitter.name}" + (f" ({sitter.agent})" if sitter.agent else "") for sitter in match.seated
        )

    @admin.display(description=_("see"))
    def see(self, match: Match) -> str:
        beside = [(name, reverse(f"admin:games_{name}_changelist")) for name in ("event", "thought", "attempt")]
        links: list[tuple[str, Any]] = [(reverse("games:replay", args=[match.pk]), _("replay"))]
        links += [(f"{url}?match__id__exact={match.pk}", f"{name}s") for name, url in beside]
        return format_html_join(" · ", '<a href="{}">{}</a>', links)

    @admin.display(description=_("options"))
    def options_laid_out(self, match: Match) -> str:
        return laid_out(match.options)

    @admin.display(description=_("setting"))
    def setting_laid_out(self, match: Match) -> str:
        return laid_out(match.setting)

    @admin.action(description=_("Download the logs"), permissions=["view"])
    def download(self, request: HttpRequest, matches: QuerySet[Match]) -> HttpResponse | None:
        keys = list(matches.values_list("pk", flat=True)[: MOST_AT_ONCE + 1])
        if len(keys) > MOST_AT_ONCE:
            sentence = _("%(limit)d matches at once are enough. An export takes any number.") % {"limit": MOST_AT_ONCE}
            self.message_user(request, sentence, messages.ERROR)
            return None
        if len(keys) > 1:
            return redirect(f"{reverse('evaluation:new_export')}?match={','.join(map(str, keys))}")
        match = matches.get()
        audit.note("exported", by=request.user, match=match, about="log", seen_as="all")
        return downloads.log_file(whole(match))


class LogAdmin(MatchDataAdmin):
    """Rows beside a match, of those that are there for everybody."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).exclude(match__in=Match.staged_too.filter(staged=True).values("pk"))


@admin.register(Event)
class EventAdmin(LogAdmin):
    list_display = ("seq", "kind", "seat", "by", "seen_by", "data", "at")
    list_display_links = ("seq", "kind")
    list_filter = (("kind", IndexedFilter),)
    search_fields = ("match",)
    search_help_text = _("The whole id of a match.")

    @admin.display(description=_("seen by"))
    def seen_by(self, event: Event) -> str:
        if event.audience is None:
            return str(_("everybody"))
        return ", ".join(map(str, event.audience)) or str(_("nobody"))


@admin.register(Thought)
class ThoughtAdmin(LogAdmin):
    list_display = ("request", "seat", "method", "stage", "model", "tokens_in", "tokens_out", "cost", "ms")
    list_filter = (("method", IndexedFilter), ("model", IndexedFilter))
    search_fields = ("match",)
    search_help_text = _("The whole id of a match.")
    exclude = ("pieces",)
    readonly_fields = ("prompt",)

    @admin.display(description=_("prompt"))
    def prompt(self, thought: Thought) -> str:
        (told,) = thoughts_in(thought.match, [thought])
        return told["prompt"]


@admin.register(Attempt)
class AttemptAdmin(LogAdmin):
    list_display = ("request", "seat", "by", "code", "sentence", "instead", "at")
    list_filter = (("code", IndexedFilter),)
    search_fields = ("match",)
    search_help_text = _("The whole id of a match.")
