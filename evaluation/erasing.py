"""What the evaluation keeps of a match whose words are erased: trials at its positions, replies that were judged,
exports and what was asked of them, tasks of raters and their notes, what models that rate were asked, labs."""

from collections.abc import Callable

from agents import reply_store
from evaluation.exports import exporting
from evaluation.judging.judge import purpose
from evaluation.lab import labs
from evaluation.labelling import items, model_rater
from evaluation.models import Given, Judging, Rated, Task, Trial
from games.match.words import change_words
from games.models import Match

TRIAL_WORDS = ("thoughts", "attempts", "action", "error")


def erase(match: Match, without: Callable[[str], str]) -> None:
    """Take a person's words and name out of it, and out of what models were asked for it."""
    exporting.erase(match, without)
    trials = Trial.objects.filter(position__match=str(match.pk))
    change_words(trials, TRIAL_WORDS, without)
    change_words(Given.objects.filter(item__match=match), ("note",), without)
    change_words(Task.objects.all(), ("name", "selection"), without)
    items.forget_parts(match)
    labs.erase(match, without)
    change_words(Rated.objects.filter(item__match=match), ("error",), without)
    reply_store.erase_of([*trials.values_list("pk", flat=True), *model_rater.erased(match.pk)], without)
    for judging in Judging.objects.all():
        prompts = [number for number, prompt in enumerate(judging.prompts) if prompt["match"] == str(match.pk)]
        if prompts:
            change_words(judging.answers.filter(prompt__in=prompts), ("words", "error"), without)
            change_words(judging.judgements.filter(prompt__in=prompts), ("why", "error"), without)
            asked = [purpose(judging, prompt, arm) for prompt in prompts for arm in range(len(judging.arms))]
            reply_store.erase_of([judging.pk, *asked], without)
