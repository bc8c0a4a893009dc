"""What a web process runs: the pages and their sockets, and the sign that they can be reached (games/heartbeat.py)."""

from magic_site.asgi import application

from games import heartbeat  # isort: skip  (the apps are loaded by the line above)

__all__ = ["application"]

heartbeat.begin()
