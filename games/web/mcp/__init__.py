"""The door for MCP clients, at /mcp: the same rights, limits and sentences as by REST (docs/api.md). It is an extra
(requirements-mcp.txt)."""

from importlib.util import find_spec

from games.web.api.waiting import Application, LongPolls

PATH = "/mcp"


def installed() -> bool:
    return find_spec("mcp") is not None


def before(polls: LongPolls) -> Application:
    """The door, if the extra is here, and behind it all else."""
    if not installed():
        return polls
    from games.web.mcp.door import Door

    return Door(polls)
