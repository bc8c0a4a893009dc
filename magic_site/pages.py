"""How requests for pages are answered: each by one of a few threads, which goes through all middleware and the view.

Django's own ASGI handler starts a thread for each request, which opens the database anew, and changes threads twice
for every middleware.
"""

from concurrent.futures import ThreadPoolExecutor

from channels.db import database_sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from magic_site.health import ALIVE, alive

THREADS = 24
"""How many requests are answered at once, at most; each thread keeps a connection to the database."""

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="pages")


class Pages(ASGIHandler):
    """The ASGI application of all pages."""

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        if request.path == ALIVE:  # though every thread may wait for a database that is away
            return alive()
        return await database_sync_to_async(self.get_response, thread_sensitive=False, executor=_threads)(request)
