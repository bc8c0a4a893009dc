"""A judge compares what several methods say at the same prompts (ReCon, section 4.2 and appendix D.1).

A prompt is a moment of a finished match at which a seat of the good side spoke. Each arm, an agent profile, answers it
anew, with what that seat knew and had thought; nothing of it goes into the match. For each pair of arms the judge, a
profile with a model, is shown both answers in both orders, and says on each of six dimensions which it prefers. People
check a sample (`checking`).

A prompt is worked through by one job, which goes on wherever it broke off: what is stored is not asked again, and what
was paid for is found among the replies that are kept.
"""

import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid5

from django.db.models import Count, Q, QuerySet, Sum

from agents import prompts, turns
from agents.methods import Method, Move, Stage, Steps, Turn
from agents.models import AgentProfile
from agents.player import model_of, think
from agents.providers import ProviderError
from agents.reply_store import StoredReplies
from agents.situation import Decision, Situation
from evaluation.counting.stored import records
from evaluation.metrics.recon import DIMENSIONS, Verdict
from evaluation.models import Answer, Judgement, Judging
from evaluation.records.exposure import utterances
from evaluation.studies import trials
from games.jobs import jobs, news
from games.jobs.jobs import Run
from games.models import Match
from games.rules.fields import Choice, Text
from games.rules.schema import Cost
from games.rules.sentences import sentence
from games.rules.values import Impossible, MaybeNone, Request

FIRST, SECOND, TIE = "first", "second", "tie"
QUESTIONS = {
    "concealment": sentence("Which keeps better to itself what the others must not learn?"),
    "logic": sentence("Which argues about the state of the match in a way that makes sense?"),
    "contribution": sentence("Which does more for the player's side to win?"),
    "persuasiveness": sentence("Which is more likely to sway what the others decide?"),
    "information": sentence("Which tells the others more that is of use?"),
    "creativity": sentence("Which has the newer or more unusual thought or plan?"),
}
"""What judge and people are asked on each dimension, in the same words."""

FIELDS = {name: Choice(name, options=(FIRST, SECOND, TIE), label=QUESTIONS[name]) for name in DIMENSIONS}
BINARY = {name: Choice(name, options=(FIRST, SECOND), label=QUESTIONS[name]) for name in DIMENSIONS}
SILENT = "It gave no words that the table could hear."

KIND = "prompt"
"""The kind of job that works a prompt through."""


class JudgingError(ValueError):
    """There is nothing to judge; the text is a sentence."""


class Judge(Method):
    """One call: a thought, and the preferred reply on what is asked. To the rules it is a poll: no move of a match."""

    name = "judge"
    title = "Judge"
    about = "Compares two replies to the same prompt."

    def __init__(self, asked: str, first: str, second: str, ties: bool) -> None:
        self.given = {"asked": asked, "first": first or None, "second": second or None, "ties": ties}

    def poll(self, turn: Turn) -> Steps:
        yield Stage("verdict", Move(thought=True), given=self.given, final=True)


# Planning -----------------------------------------------------------------------------------------------------------


def make(
    name: str,
    judge: str,
    arms: Sequence[str],
    matches: QuerySet[Match],
    *,
    take: int = 0,
    seed: int = 1,
    way: str = Judging.Way.ONE_CALL,
    user: Any = None,
) -> Judging:
    """Plan a judging of these arms at the good side's prompts of these matches: at `take` of them, drawn by the seed,
    or at all. way: in how many calls the judge is asked (`Judging.Way`). Raises `JudgingError`."""
    if len(set(arms)) < 2:
        raise JudgingError("Choose at least two agents whose replies are compared.")
    found = list(moments(matches))
    if not found:
        raise JudgingError("Nobody on the good side said anything in these matches.")
    if 0 < take < len(found):
        chosen = random.Random(seed).sample(range(len(found)), take)
        found = [found[n] for n in sorted(chosen)]
    return Judging.objects.create(name=name, judge=judge, arms=list(arms), prompts=found, way=way, created_by=user)


def moments(matches: QuerySet[Match]) -> Iterator[dict[str, str]]:
    """Where somebody who has nothing to hide but a role spoke on their own accord, in finished matches."""
    for record in records(matches.filter(status="finished"), thoughts=False):
        for seat in record.numbers:
            if seat not in record.odd:
                for said in utterances(record, seat):
                    yield {"match": record.id, "request": said.event.request or ""}


def start(judging: Judging) -> int:
    """Give out every prompt that is not done and not under way; what had failed is asked again. Returns how many."""
    judging.answers.exclude(error="").delete()
    judging.judgements.exclude(error="").delete()
    answers, judged = answers_of(judging), _judged(judging)
    todo = [
        prompt
        for prompt in range(len(judging.prompts))
        if len(answers[prompt]) < len(judging.arms) or set(_pairs(answers[prompt])) - judged[prompt]
    ]
    given = {f"{judging.pk}:{prompt}": {"judging": str(judging.pk), "prompt": prompt} for prompt in todo}
    return len(jobs.ask_all(KIND, given, about=judging.pk, by=judging.created_by))


def progress(judging: Judging) -> dict[str, Any]:
    """{"done", "total"} of answers and judgements together, {"failed", "cost"}. An answer that failed leaves its pairs
    out."""
    return progress_of([judging])[judging.pk]


def progress_of(judgings: Sequence[Judging]) -> dict[UUID, dict[str, Any]]:
    """The progress of each, by its key."""
    counts: dict[UUID, dict[str, Any]] = {judging.pk: {"done": 0, "failed": 0, "cost": 0.0} for judging in judgings}
    usable = {j.pk: Counter(dict.fromkeys(range(len(j.prompts)), len(j.arms))) for j in judgings}
    for rows in (Answer.objects, Judgement.objects):
        grouped = rows.filter(judging__in=judgings).values("judging").order_by()
        for row in grouped.annotate(done=Count("pk"), failed=_FAILED, cost=Sum("cost", default=0)):
            for name in ("done", "failed", "cost"):
                counts[row["judging"]][name] += row[name]
    for key, prompt in Answer.objects.filter(judging__in=judgings).exclude(error="").values_list("judging", "prompt"):
        usable[key][prompt] -= 1
    for judging in judgings:
        pairs = sum(arms * (arms - 1) for arms in usable[judging.pk].values())
        counts[judging.pk]["total"] = len(judging.prompts) * len(judging.arms) + pairs
    return counts


_FAILED = Count("pk", filter=~Q(error=""))


# Working ------------------------------------------------------------------------------------------------------------


def work(run: Run, judging: str, prompt: int) -> None:
    """Let each arm answer a prompt and the judge compare the answers, as far as that is not done."""
    found = Judging.objects.filter(pk=judging).first()
    if found is None:
        return
    done = set(found.answers.filter(prompt=prompt).values_list("arm", flat=True))
    for arm in range(len(found.arms)):
        if arm not in done:
            run.look()
            _answer(found, prompt, arm)
            news.tell(found.pk)
    answers = answers_of(found, prompt)[prompt]
    for first, second in _pairs(answers):
        if (first, second) not in _judged(found, prompt)[prompt]:
            run.look()
            _judge(found, prompt, first, second, answers)
            news.tell(found.pk)


def _answer(judging: Judging, prompt: int, arm: int) -> None:
    """Ask an arm what it would say, and keep it."""
    profile = AgentProfile.objects.select_related("second").filter(name=judging.arms[arm]).first()
    fields: dict[str, Any] = {}
    try:
        if profile is None:
            raise trials.NoPositionError("That agent does not exist any more.")
        play, request, names, thoughts = trials.resolved(judging.prompts[prompt])
        # A match of its own to the books: where two arms ask the same, each gets a reply of its own.
        play.header = replace(play.header, id=str(purpose(judging, prompt, arm)))
        decision = turns.decide(play, request, profile, names, thoughts)
        fields["cost"] = Cost.of(*decision.thoughts).dollars
        fields["words"] = _words(request, decision)
    except (trials.NoPositionError, Impossible) as error:
        fields["error"] = str(error)
    Answer.objects.get_or_create(judging=judging, prompt=prompt, arm=arm, defaults=fields)


def purpose(judging: Judging, prompt: int, arm: int) -> UUID:
    """What the calls for an arm's answer are kept under, in place of a match."""
    return uuid5(judging.pk, f"{prompt}:{arm}")


def _words(request: Request, decision: Decision) -> str:
    """What the decision says aloud; raises `NoPositionError` where there is none."""
    if decision.unanswered:  # a house agent's words in its place are not the arm's
        raise trials.NoPositionError(decision.unanswered.sentence)
    if decision.action is None:
        raise trials.NoPositionError(decision.attempts[-1].sentence if decision.attempts else SILENT)
    said = [decision.action[item.name] for item in request.fields if isinstance(item, Text)]
    return " ".join(words for words in said if words)


def _judge(judging: Judging, prompt: int, first: int, second: int, answers: dict[int, str]) -> None:
    """Show the judge two answers in this order, and keep what it says: asked for all at once, or as ReCon prints it in
    a call for each dimension."""
    profile = AgentProfile.objects.filter(name=judging.judge).first()
    preferred: dict[str, str] = {}
    thoughts, cost, error = [], 0.0, ""
    binary = judging.way == Judging.Way.SIX_CALLS
    try:
        if profile is None:
            raise trials.NoPositionError("The judge does not exist any more.")
        method = Judge(_asked(judging, prompt), answers[first], answers[second], ties=not binary)
        for fields in [(field,) for field in BINARY.values()] if binary else [tuple(FIELDS.values())]:
            decision = think(
                _question(judging, prompt, first, second, fields),
                method=method,
                model=model_of(profile),
                by=f"agent:{profile.name}",
                store=StoredReplies(),
            )
            cost += Cost.of(*decision.thoughts).dollars
            if decision.action is None:
                error = decision.attempts[-1].sentence
                break
            preferred |= decision.action
            thoughts.append(decision.thoughts[-1].data["thought"])
    except (trials.NoPositionError, ProviderError, Impossible) as failure:
        error = str(failure)
    said = {"error": error} if error else {"preferred": preferred, "why": "\n\n".join(thoughts)}
    Judgement.objects.get_or_create(
        judging=judging, prompt=prompt, first=first, second=second, defaults=said | {"cost": cost}
    )


def _situation(judging: Judging, prompt: int) -> Situation:
    play, request, names, _thoughts = trials.resolved(judging.prompts[prompt])
    return turns.situation(play, request, names)


def _question(judging: Judging, prompt: int, first: int, second: int, fields: tuple[Choice, ...]) -> Situation:
    """What the speaker knew, with the judge's question in place of the speaker's."""
    at = _situation(judging, prompt)
    name = f"{prompt}:{first}:{second}" + (f":{fields[0].name}" if len(fields) == 1 else "")
    asked = at.request._replace(id=name, kind="poll", fields=fields, audience=(at.seat,))
    return replace(at, request=asked, match=str(judging.pk))


def _asked(judging: Judging, prompt: int) -> str:
    """What the speaker was asked, in the words that an agent is asked with."""
    at = _situation(judging, prompt)
    return prompts.asked(Turn(at, Judge.name, {}))


# Results ------------------------------------------------------------------------------------------------------------


def verdicts(judging: Judging) -> list[Verdict]:
    """What the judge said, for `metrics.recon.preferences`."""
    return [
        Verdict(
            prompt=str(row.prompt),
            dimension=dimension,
            first=judging.arms[row.first],
            second=judging.arms[row.second],
            preferred={FIRST: judging.arms[row.first], SECOND: judging.arms[row.second]}.get(said),
            unit=judging.prompts[row.prompt]["match"],
        )
        for row in judging.judgements.filter(error="")
        for dimension, said in row.preferred.items()
    ]


def _pairs(answers: dict[int, str | None]) -> list[tuple[int, int]]:
    """The pairs of arms whose answers can be compared, in both orders."""
    return list(itertools.permutations(sorted(arm for arm, words in answers.items() if words is not None), 2))


def answers_of(judging: Judging, *prompts_: int) -> dict[int, dict[int, str | MaybeNone]]:
    """By prompt the words of each arm that has answered; None where it failed."""
    rows = judging.answers.filter(prompt__in=prompts_) if prompts_ else judging.answers.all()
    found: dict[int, dict[int, str | MaybeNone]] = defaultdict(dict)
    for row in rows:
        found[row.prompt][row.arm] = None if row.error else row.words
    return found


def _judged(judging: Judging, *prompts_: int) -> dict[int, set[tuple[int, int]]]:
    """By prompt the pairs, in order, that the judge has seen."""
    rows: Iterable[Judgement] = judging.judgements.all()
    if prompts_:
        rows = judging.judgements.filter(prompt__in=prompts_)
    found: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for row in rows:
        found[row.prompt].add((row.first, row.second))
    return found
