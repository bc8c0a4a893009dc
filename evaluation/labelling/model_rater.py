"""A model as rater: an agent profile labels the items of a round by a prompt that is made from the scheme.

It is shown just what the task lets raters see. Its labels are kept apart from people's: nothing that people agree on
comes from them, and how far it agrees with what people's labels came to is a number of its own
(`agreement.with_final`).

An item is one job. What is stored is not asked again, and what was paid for is found among the replies that are kept.
"""

from collections.abc import Iterable, Sequence
from html import unescape
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from django.db.models import Avg, Count, Q, Sum
from django.utils.html import strip_tags
from django.utils.translation import gettext as _
from django.utils.translation import override

from agents import rating, seating
from agents.models import AgentProfile
from agents.player import model_of
from agents.providers import ProviderError
from agents.rating import Question
from agents.reply_store import StoredReplies
from agents.turns import REMOTE
from evaluation.labelling.models import MODEL, NONE, Given, Item, ModelRater, Rated, Round, Task
from evaluation.labelling.rounds import LabelError, checked
from evaluation.labelling.shown import Shown, shown
from games.jobs import jobs, news
from games.jobs.jobs import Run
from games.registry import RULES
from games.rules.values import Impossible
from games.web.feed import Line
from magic_site.writing import written

KIND = "label"
"""The kind of job that lets a model label an item."""

GONE = "That agent does not exist any more."


def raters() -> list[AgentProfile]:
    """The profiles that can rate: those with a model that can be asked."""
    return sorted(
        (profile for profile in seating.at_hand() if profile.model and profile.provider != REMOTE),
        key=lambda p: (p.title, p.name),
    )


def expected(part: Round) -> dict[str, float]:
    """By profile what it will cost to let it label a round, in US dollars, as items cost so far; of those that have
    rated before."""
    rows = Rated.objects.values("by__profile").order_by().annotate(each=Avg("cost"))
    many = part.items.count()
    return {profile: many * each for profile, each in rows.values_list("by__profile", "each")}


def ask(part: Round, profile: AgentProfile, by: Any = None) -> ModelRater:
    """Let a profile label all items of a round. Raises `LabelError` for one without a model."""
    if not profile.model:
        raise LabelError(_("%s has no model that could be asked.") % profile.title)
    found, _made = ModelRater.objects.get_or_create(round=part, profile=profile.name, defaults={"created_by": by})
    start(found)
    return found


def start(rater: ModelRater) -> int:
    """Give out every item that it has not labelled and that is not under way; what had failed is asked again. Returns
    how many."""
    todo = rater.round.items.exclude(pk__in=rater.rated.filter(error="").values("item")).values_list("pk", flat=True)
    given = {f"{rater.pk}:{item}": {"rater": str(rater.pk), "item": item} for item in todo}
    news.tell(rater.round.task_id)
    return len(jobs.ask_all(KIND, given, about=rater.pk, by=rater.created_by))


def stop(rater: ModelRater) -> None:
    """Ask no more; what it labelled stays, and it can go on later."""
    jobs.stop(KIND, about=rater.pk)
    news.tell(rater.round.task_id)


class Progress(NamedTuple):
    """How far a model is. done: items that were asked about, those that failed among them; cost: US dollars."""

    done: int
    total: int
    failed: int
    cost: float
    errors: list[str]


def progress(rater: ModelRater) -> Progress:
    """How far a model is in its round."""
    counts = rater.rated.aggregate(
        n=Count("pk"), failed=Count("pk", filter=~Q(error="")), cost=Sum("cost", default=0.0)
    )
    errors = rater.rated.exclude(error="").order_by("pk").values_list("error", flat=True)
    return Progress(counts["n"], rater.round.items.count(), counts["failed"], counts["cost"], list(errors[:3]))


# Working --------------------------------------------------------------------------------------------------------------


def work(run: Run, rater: str, item: int) -> None:
    """Ask about an item, if that is not done, and keep what the model gives."""
    found = ModelRater.objects.select_related("round__scheme", "round__task").filter(pk=rater).first()
    thing = Item.objects.select_related("match__room", "round__scheme").filter(pk=item).first()
    if found is None or thing is None:
        return
    before = found.rated.filter(item=item).first() or Rated(by=found, item=thing, tries=0, error="new")
    if not before.error:
        return
    run.look()
    given, told, rated = None, None, rating.Rated(None)
    profile = AgentProfile.objects.filter(name=found.profile).first()
    try:
        if profile is None:
            raise LabelError(GONE)
        told = seen_by_model(thing, found.round.task)
        asked = question(thing, told)
        rated = rating.rate(asked, model_of(profile), str(books(found.pk, item, before.tries + 1)), StoredReplies())
        given = content(thing, told, rated)
    except (ProviderError, Impossible, LabelError) as error:
        rated = rating.Rated(None, problem=str(error), cost=rated.cost)
    with written():
        run.confirm()
        before.tries, before.cost = before.tries + 1, before.cost + rated.cost
        before.error = "" if given else rated.problem
        before.save()
        if given:
            Given.objects.update_or_create(
                item=thing,
                pseudonym=f"{MODEL}{found.profile}"[:80],
                defaults=given | {"profile": found.profile, "note": rated.why},
            )
    news.tell(found.round.task_id)


def books(rater: UUID, item: int, nth: int) -> UUID:
    """What the calls about an item are kept under, in place of a match: another one each time that it is asked anew, so
    that a reply that did not count is not found again."""
    return uuid5(rater, f"{item}:{nth}")


def seen_by_model(item: Item, task: Task) -> Shown:
    """An item as a rater sees it, in English. Raises `LabelError` where it is not there any more."""
    with override("en"):
        try:
            return shown(item, task)
        except (LookupError, StopIteration) as error:
            raise LabelError(_("What was to be labelled is not there any more.")) from error


def content(item: Item, told: Shown, rated: rating.Rated) -> dict[str, Any] | None:
    """What a model gave, as it is stored: its spans are on the words as they were said. None where it gave nothing that
    counts. Raises `LabelError` where the scheme has no place for it."""
    if rated.given is None:
        return None
    words = told.words
    spans = [words.said(span) if span and words else span for span in rated.given["spans"]]
    return checked(item.round.scheme, rated.given["labels"], spans)


def question(item: Item, told: Shown) -> Question:
    """An item as a model is asked about it."""
    scheme, rules = item.round.scheme, RULES[item.match.game]
    words = told.words.shown if told.words else _plain(told.line.html) if told.line else told.title
    return Question(
        title=scheme.title,
        about=scheme.about,
        kind=scheme.kind,
        labels=scheme.labels,
        game=str(rules.title),
        words=words,
        context=[*_lines(told.dealt), *_lines(told.far), *_lines(told.near), *_steps(told)],
        facts=told.facts[1:],
        after=_lines(told.after),
        none=NONE if NONE in scheme.names else "",
    )


def _steps(told: Shown) -> list[str]:
    return [f"{step.label}: {step.words}" for step in told.steps]


def _lines(lines: Iterable[Line]) -> list[str]:
    return [words for line in lines if (words := _plain(line.html))]


def _plain(html: str) -> str:
    """The words of a line of the feed."""
    return " ".join(unescape(strip_tags(html.replace("<", " <"))).split())


def erased(match: UUID) -> Sequence[UUID]:
    """What the calls about a match's items are kept under."""
    rows = Rated.objects.filter(item__match=match).values_list("by", "item", "tries")
    return [books(by, item, nth) for by, item, tries in rows for nth in range(1, tries + 2)]
