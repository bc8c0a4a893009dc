"""The door for MCP clients, at /mcp: the same rights, limits and sentences as by REST (docs/api.md). It is an extra
(requirements-mcp.txt)."""

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

from django.http import HttpRequest

Application = Callable[[dict[str, Any], Callable, Callable], Any]

PATH = "/mcp"


@cache
def installed() -> bool:
    """Whether the extra was here when this process first asked, as it does when it starts."""
    return find_spec("mcp") is not None


def address(request: HttpRequest) -> str:
    """Where MCP clients find this site; "" where there is no door."""
    return request.build_absolute_uri(PATH) if installed() else ""


def before(pages: Application) -> Application:
    """The door, if the extra is here, and behind it all else."""
    if not installed():
        return pages
    from games.web.mcp.door import Door

    return Door(pages)
