"""Lists of the admin that may be a million rows long: no count of all, no DISTINCT, no page after so many rows."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.views.main import PAGE_VAR, ChangeList
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from magic_site import keyset

COUNTED = 1000
"""So many rows are counted."""


class LongChangeList(ChangeList):
    """A page that begins beside a row. newer, older: the addresses of those beside it, or ""; more: there are more rows
    than `result_count`."""

    model_admin: LongListAdmin

    def get_results(self, request: HttpRequest) -> None:
        page = keyset.page(
            self.queryset, self.list_per_page, request.GET.get(PAGE_VAR, ""), by=self.model_admin.ordered_by
        )
        self.result_count, self.more = keyset.count(self.queryset, COUNTED)
        self.result_list = page.rows
        self.full_result_count = None
        self.show_full_result_count = self.can_show_all = self.multi_page = False
        self.show_admin_actions = bool(self.result_count)
        self.paginator = Paginator(page.rows, self.list_per_page)
        self.newer, self.older = (
            self.get_query_string({PAGE_VAR: at}) if at else "" for at in (page.newer, page.older)
        )


class IndexedFilter(admin.AllValuesFieldListFilter):
    """A filter by a column with an index, in which the values are looked up one after another."""

    def __init__(self, field: Any, request: HttpRequest, params: Any, model: Any, model_admin: Any, field_path: str):
        super().__init__(field, request, params, model, model_admin, field_path)
        vars(self)["lookup_choices"] = keyset.values(model_admin.get_queryset(request), field_path)


class LongListAdmin(admin.ModelAdmin):
    """The admin of rows of which there may be a million, the newest first by `ordered_by` (`magic_site.keyset.page`).
    What is filtered by has an index; what is searched for is one of the `search_fields`, whole."""

    ordered_by: ClassVar[str] = "pk"
    change_list_template = "admin/long_list.html"
    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    sortable_by = ()

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return LongChangeList

    def get_ordering(self, request: HttpRequest) -> tuple[str]:
        return (f"-{self.ordered_by}",)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        found = Q(pk__in=())
        for name in self.search_fields if search_term else ():
            with suppress(ValidationError):  # it is none of these
                found |= Q(**{name: self.model._meta.get_field(name).to_python(search_term)})
        return queryset.filter(found) if search_term else queryset, False
