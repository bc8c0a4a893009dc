"""What is told at the address of the door to whoever is no MCP client, or where there is no door."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.web import mcp
from games.web.api.problems import Problem


@extend_schema(exclude=True)
class Closed(APIView):
    def post(self, request: Request) -> Response:
        if mcp.installed():
            raise Problem(403, "not_allowed", _("Pages of other sites may not call this address."))
        sentence = _("This site has no MCP: when it started, its extra was not installed (requirements-mcp.txt).")
        raise Problem(501, "no_mcp", sentence)
