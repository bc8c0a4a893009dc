"""Pages of withdrawals: which exports held somebody who was erased, and the file by which old copies are scrubbed."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from evaluation.models import Withdrawal
from evaluation.web.access import for_erasers
from evaluation.withdrawals import withdrawals
from games.web.downloads import download

PAGE = 50


@require_safe
@for_erasers
def listed(request: HttpRequest) -> HttpResponse:
    """All erasures with the exports that held the person, newest first."""
    page = Paginator(Withdrawal.objects.all(), PAGE).get_page(request.GET.get("page"))
    rows = [(row, withdrawals.exports_of(row)) for row in page]
    return render(request, "evaluation/withdrawals.html", {"page": page, "rows": rows})


@require_safe
@for_erasers
def file(request: HttpRequest, key: UUID) -> HttpResponse:
    """The small file by which copies of those exports are scrubbed."""
    found = get_object_or_404(Withdrawal, pk=key)
    content = withdrawals.text(withdrawals.of(found), str(found.pk))
    return download(content.encode(), f"withdrawal-{str(found.pk)[:8]}.json", "application/json")
