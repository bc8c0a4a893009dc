"""Addresses under /api/v1/ at which there is nothing: programs are told so as they are told all else."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.web.api.problems import nothing


@extend_schema(exclude=True)
class Nowhere(APIView):
    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise nothing()

    def get(self, request: Request) -> Response:
        raise AssertionError("unreachable")
