"""Who may see and run what is evaluated: researchers. Results are made of all that was hidden in a match."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from games.match.access import RESEARCHER

RUNS = "evaluation.run_competitions"
RATES = "evaluation.rate_replies"


def for_researchers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Only for those who may see everything; who is not signed in is asked to, and comes back."""
    return _for(RESEARCHER, view)


def for_runners(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Only for those who may run competitions."""
    return _for(RUNS, view)


def for_raters(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Only for those who may check what a judge said."""
    return _for(RATES, view)


def _for(right: str, view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.has_perm(right):
            return view(request, *args, **kwargs)
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.get_full_path())

    return guarded
