"""Pages of judgings: the list, a new one, its results, and the page on which people check the judge."""

import csv
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from evaluation.judging import checking, judge
from evaluation.judging.forms import JudgingForm, RatingForm
from evaluation.metrics.recon import DIMENSIONS, position_bias, preferences, published_agreement
from evaluation.models import Judging
from evaluation.studies import trials
from evaluation.tables.sheets import safe_cell
from evaluation.web import names
from evaluation.web.access import RATES, RUNS, for_raters, for_researchers, for_runners
from games.jobs import jobs, news
from games.jobs.standing import standing
from games.web import feed

PAGE = 50
SAMPLE = 216
"""So many items are checked, as in ReCon's appendix D.1."""

PRINTED = published_agreement(56, 102, 48, 10)
"""ReCon, table 2."""


@for_researchers
def listed(request: HttpRequest) -> HttpResponse:
    """All judgings, newest first."""
    page = Paginator(Judging.objects.all(), PAGE).get_page(request.GET.get("page"))
    now, known = judge.progress_of(list(page.object_list)), names.players()
    for row in page:
        compared = [known.get(arm, arm) for arm in row.arms]
        vars(row).update(now=now[row.pk], by=known.get(row.judge, row.judge), compared=compared)
    context = {"page": page, "runs": request.user.has_perm(RUNS), "rates": request.user.has_perm(RATES)}
    return render(request, "evaluation/judgings.html", context)


@for_runners
def new(request: HttpRequest) -> HttpResponse:
    """Plan a judging; a POST makes it and begins it."""
    form = JudgingForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            made = judge.make(
                given["name"],
                given["judge"],
                given["arms"],
                form.matches,
                take=given["take"] or 0,
                seed=given["seed"],
                way=given["way"],
                user=request.user,
            )
        except judge.JudgingError as error:
            form.add_error(None, str(error))
        else:
            judge.start(made)
            return redirect("evaluation:judging", made.pk)
    return render(request, "evaluation/judge_new.html", {"form": form}, status=422 if form.errors else 200)


@for_researchers
def judging(request: HttpRequest, key: UUID) -> HttpResponse:
    """One judging: how far it is, whom the judge prefers, and how far people agree; with ?part=progress only that."""
    return _results(request, get_object_or_404(Judging, pk=key))


def _results(request: HttpRequest, found: Judging) -> HttpResponse:
    said, known = judge.verdicts(found), names.players()
    agreed, now = checking.checked(found), judge.progress(found)
    context: dict[str, Any] = {
        "judging": found,
        "now": now,
        "standing": standing(judge.KIND, about=found.pk),
        "unfinished": now["failed"] or now["done"] < now["total"],
        "dimensions": DIMENSIONS,
        "by": known.get(found.judge, found.judge),
        "pairs": _pairs(found, said, known),
        "bias": [(name, share.value) for name, share in position_bias(said).items()],
        "agreed": agreed,
        "test": agreed.test(),
        "printed": PRINTED,
        "printed_test": PRINTED.test(),
        "raters": found.ratings.values("rater").distinct().count(),
        "failures": list(found.answers.exclude(error="")[:5]) + list(found.judgements.exclude(error="")[:5]),
        "runs": request.user.has_perm(RUNS),
        "rates": request.user.has_perm(RATES),
    }
    part = "judge_progress" if request.GET.get("part") == "progress" else "judging"
    return render(request, f"evaluation/{part}.html", context)


def _pairs(found: Judging, said: list, known: dict[str, str]) -> list[dict[str, Any]]:
    """For each pair of arms, on each dimension, the share that the first of them is preferred."""
    shares = preferences(said)
    pairs = [(one, other) for n, one in enumerate(found.arms) for other in found.arms[n + 1 :]]
    return [
        {
            "one": known.get(one, one),
            "other": known.get(other, other),
            "rows": [(name, shares[name, one, other]) for name in DIMENSIONS if (name, one, other) in shares],
        }
        for one, other in pairs
    ]


@require_POST
@for_runners
def go_on(request: HttpRequest, key: UUID) -> HttpResponse:
    """Give out what is not done, and what failed again."""
    found = get_object_or_404(Judging, pk=key)
    count = judge.start(found)
    if "part" in request.GET:
        return _results(request, found)
    said = ngettext("%d prompt is worked on.", "%d prompts are worked on.", count) % count
    messages.info(request, said if count else _("All prompts are done."))
    return redirect("evaluation:judging", key)


@require_POST
@for_runners
def stop(request: HttpRequest, key: UUID) -> HttpResponse:
    """Ask no more; what is answered and judged stays, and it can go on later."""
    found = get_object_or_404(Judging, pk=key)
    jobs.stop(judge.KIND, about=found.pk)
    news.tell(found.pk)
    return _results(request, found) if "part" in request.GET else redirect("evaluation:judging", key)


@for_researchers
def as_csv(request: HttpRequest, key: UUID) -> HttpResponse:
    """Every verdict, a row each."""
    found = get_object_or_404(Judging, pk=key)
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{slugify(found.name) or "judging"}.csv"'
    rows = csv.writer(answer)
    rows.writerow(["match", "request", "first", "second", *DIMENSIONS, "why", "error"])
    for row in found.judgements.all():
        prompt = found.prompts[row.prompt]
        said = [row.preferred.get(name, "") for name in DIMENSIONS]
        arms = found.arms[row.first], found.arms[row.second]
        rows.writerow([prompt["match"], prompt["request"], *arms, *said, safe_cell(row.why), safe_cell(row.error)])
    return answer


# Raters -------------------------------------------------------------------------------------------------------------


@require_safe
@for_raters
def to_rate(request: HttpRequest) -> HttpResponse:
    """What there is to check; where it is one judging alone, straight to it."""
    open_ones = checking.open_to(request.user, list(Judging.objects.all()[:PAGE]), SAMPLE)
    if len(open_ones) == 1:
        return redirect("evaluation:rate", open_ones[0].pk)
    return render(request, "evaluation/judge_to_rate.html", {"judgings": open_ones})


@for_raters
def rate(request: HttpRequest, key: UUID) -> HttpResponse:
    """Two replies to the same prompt, whose, this page does not say; a POST keeps what the person prefers."""
    found = get_object_or_404(Judging, pk=key)
    item = checking.next_to_rate(found, request.user, SAMPLE)
    if request.method == "POST" and (item is None or request.POST.get("item") != _name(item)):
        return redirect("evaluation:rate", key)  # sent twice, or from a page that is out of date
    done = found.ratings.filter(rater=request.user.pk).count()
    context: dict[str, Any] = {"judging": found, "done": done, "total": len(checking.sample(found, SAMPLE))}
    if item is None:
        return render(request, "evaluation/judge_rate.html", context)
    replies = checking.shown(found, item, request.user)
    form = RatingForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        chosen = {name: replies[int(place)][0] for name, place in form.cleaned_data.items()}
        checking.rate(found, item, request.user, chosen)
        return redirect("evaluation:rate", key)
    seen = trials.visible_to(found.prompts[item[0]])
    context |= {
        "form": form,
        "item": _name(item),
        "replies": [words for _arm, words in replies],
        "seat": seen["request"].seat,
        "names": seen["names"],
        "rules": seen["rules"],
        "card": seen["card"],
        "card_page": seen["rules"].page("card"),
        "lines": feed.lines(seen["rules"].name, seen["events"], seen["names"], seen["request"].seat),
    }
    return render(request, "evaluation/judge_rate.html", context, status=422 if form.errors else 200)


def _name(item: checking.Item) -> str:
    return "-".join(map(str, item))
