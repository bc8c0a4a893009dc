"""What pages say of a match whose log these rules cannot read."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.rules.values import LogError


class UnreadableLogs:
    """Middleware: a page that needs such a match answers with a sentence; all that was stored can be taken away."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, LogError):
            return None
        title = _("This match cannot be shown")
        sentence = _(
            "It was played under other rules, and the rules of today do not lead to it. You can still download its log."
        )
        return render(request, "games/table_closed.html", {"title": title, "sentence": sentence}, status=409)
