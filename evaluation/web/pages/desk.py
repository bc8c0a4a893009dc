"""The desk: where those who keep annotated logs find what they work with."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.web.access import DESK
from magic_site.rights import for_holders


@require_safe
@for_holders(*DESK)
def page(request: HttpRequest) -> HttpResponse:
    """A card for each thing that this person may do."""
    return render(request, "evaluation/desk.html")
