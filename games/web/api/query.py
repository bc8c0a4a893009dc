"""What stands behind the `?` of an address, read as strictly as a body: a name that is not asked for, and a value that
makes no sense, is refused with a sentence. What is empty counts as left out. A view that reads something there names it
in `takes`."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from games.web.api import shapes
from games.web.api.problems import malformed
from magic_site import keyset

LONGEST = 4000
AT = OpenApiParameter("at", str, description="Where a page begins: `older` or `newer` of another one.")


def taken(view: APIView, method: str | None) -> tuple[OpenApiParameter, ...]:
    """What may stand behind the `?` of an address: only who reads says anything there."""
    return getattr(view, "takes", ()) if method in ("GET", "HEAD") else ()


def query(request: Request) -> dict[str, Any]:
    """The values by name, as the view takes them; of those that are left out 0, "" or, where the text is no plain one,
    None. Raises `ValidationError`."""
    view = request.parser_context["view"]
    return shapes.read(_shape(taken(view, request.method)), request.query_params)


def page_at(rows: QuerySet, size: int, at: str, by: str = "pk") -> keyset.Page:
    """The page of a list that `at` names; raises a `Problem` where it names none."""
    if not keyset.names_page(rows, at, by):
        raise malformed({"at": [_("This names no page. It is `older` or `newer` of another page, or left out.")]})
    return keyset.page(rows, size, at, by)


@cache
def _shape(parameters: tuple[OpenApiParameter, ...]) -> type[serializers.Serializer]:
    return type("QueryShape", (shapes.Sent,), {one.name: _field(one) for one in parameters})


def _field(one: OpenApiParameter) -> serializers.Field:
    if one.enum:
        return serializers.ChoiceField(list(one.enum), required=False, default="")
    if one.type is int:
        wrong: dict[str, Any] = {"invalid": gettext_lazy("Give a whole number.")}
        return serializers.IntegerField(required=False, default=0, min_value=0, max_value=10**9, error_messages=wrong)
    if one.type is OpenApiTypes.UUID:
        return serializers.UUIDField(required=False, default=None)
    if one.type is OpenApiTypes.DATE:
        return serializers.DateField(required=False, default=None)
    if one.pattern:
        wrong = {"invalid": gettext_lazy("This cannot be read. Look up its form in the OpenAPI document.")}
        return serializers.RegexField(one.pattern, required=False, default="", max_length=LONGEST, error_messages=wrong)
    return serializers.CharField(required=False, default="", max_length=LONGEST)
