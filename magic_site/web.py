"""What a web process runs: the pages and their sockets, the sign that they can be reached
(games/match/heartbeat.py), and an ear for what others change (games/match/changes.py)."""

from games.match import heartbeat
from magic_site.asgi import application

from games.match import changes  # isort: skip

__all__ = ["application"]

heartbeat.begin()
changes.listen()
