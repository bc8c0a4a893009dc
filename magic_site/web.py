"""What a web process runs: the pages and their sockets, the sign that they can be reached
(games/match/heartbeat.py), and an ear for what others change (games/match/changes.py)."""

from magic_site.asgi import application

from games.match import changes, heartbeat  # isort: skip  (the apps are loaded by the line above)

__all__ = ["application"]

heartbeat.begin()
changes.listen()
