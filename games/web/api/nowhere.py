"""Addresses under /api/v1/ at which there is nothing: programs are told so as they are told all else."""

from typing import Any

from django.urls import resolve
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.web.api.problems import nothing


@extend_schema(exclude=True)
class Nowhere(APIView):
    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        path = request.path_info + "/"
        if not request.path_info.endswith("/") and resolve(path).url_name != "nowhere":
            raise nothing(_("There is nothing here. Addresses end in a slash: %(path)s") % {"path": path})
        raise nothing()

    def get(self, request: Request) -> Response:
        raise AssertionError("unreachable")
