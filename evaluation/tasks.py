"""The Celery task that plays one bout of a competition, many at a time in one worker."""

import logging
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from uuid import UUID

from celery import shared_task

from evaluation.competitions import running
from evaluation.counting import boards
from evaluation.judging import judge
from evaluation.studies import trials

log = logging.getLogger(__name__)

QUEUE, COUNTS = "bouts", "counts"
"""Tables are counted on a queue of their own, one after another: a count takes a processor and memory."""

THREADS = 64
"""For the decisions that a match asks at once; they wait for models most of the time."""


def send(key: int) -> None:
    """Give a bout to the workers; what is lost on the way the sweeper gives out again."""
    try:
        play.apply_async((key,), queue=QUEUE)
    except play.OperationalError as error:
        log.warning("Bout %s is given out later", key, exc_info=error)


def send_trial(key: UUID) -> None:
    """Give a trial to the workers. Raises `OperationalError` of the broker's client when none can be reached."""
    think.apply_async((str(key),), queue=QUEUE)


def send_prompt(key: UUID, prompt: int) -> None:
    """Give a prompt of a judging to the workers; what is lost on the way waits until somebody lets it go on."""
    try:
        judge_prompt.apply_async((str(key), prompt), queue=QUEUE)
    except judge_prompt.OperationalError as error:
        log.warning("Prompt %s of %s is not given out", prompt, key, exc_info=error)


@shared_task(name="evaluation.play")
def play(key: int) -> None:
    """Play a bout that was given out, unless another worker has it."""
    running.play(key, threads())


@cache
def threads() -> ThreadPoolExecutor:
    """The threads of this process for decisions that are made at once."""
    return ThreadPoolExecutor(THREADS, thread_name_prefix="decide")


def send_count(choice: dict[str, str], *part: str) -> None:
    """Let a worker count the tables of a choice of matches, or another part."""
    try:
        count.apply_async((choice, *part), queue=COUNTS)
    except count.OperationalError as error:
        boards.Choice(**choice).flight(part).end()
        log.warning("A table is counted later", exc_info=error)


@shared_task(name="evaluation.count")
def count(choice: dict[str, str], *part: str) -> None:
    """Count the tables of a choice of matches, or another part, and keep them."""
    boards.count(boards.Choice(**choice), part)


@shared_task(name="evaluation.try")
def think(key: str) -> None:
    """Ask a profile what it would do at a position."""
    trials.think(UUID(key))


@shared_task(name="evaluation.judge")
def judge_prompt(key: str, prompt: int) -> None:
    """Let the arms of a judging answer a prompt, and the judge compare the answers."""
    judge.work(UUID(key), prompt)
