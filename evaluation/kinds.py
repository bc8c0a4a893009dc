"""The kinds of slow work of the evaluation."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cache

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from evaluation import erasures
from evaluation.competitions import putting_away, running
from evaluation.counting import boards
from evaluation.exports import exporting
from evaluation.imports import imports
from evaluation.judging import judge
from evaluation.lab import labs
from evaluation.labelling import model_rater
from evaluation.studies import trials
from games.jobs.jobs import Run
from games.jobs.kinds import Kind

BOUTS, COUNTS, FILES = "bouts", "counts", "files"
"""The queues: what waits for models, many at a time; what takes a processor and memory, one after another; files
of any size, for which no count waits."""

THREADS = 256
"""For the decisions that matches ask at once; they wait for models most of the time."""


def play(run: Run, bout: int) -> None:
    """Play a bout, with threads for decisions that are made at once."""
    running.play(run, bout, threads())


def play_on(run: Run, lab: str) -> None:
    """Play the matches of a lab, with threads likewise."""
    labs.work(run, lab, threads())


@cache
def threads() -> ThreadPoolExecutor:
    """The threads of this process for decisions."""
    return ThreadPoolExecutor(THREADS, thread_name_prefix="decide")


ALL = (
    Kind(
        running.KIND,
        _("Matches are being played."),
        BOUTS,
        play,
        longest=6 * 3600.0,
        failed=running.given_up,
        ended=running.ended,
    ),
    Kind(
        boards.KIND,
        _("Matches are being counted. The numbers appear here when they are ready."),
        COUNTS,
        boards.count,
        again=True,
    ),
    Kind(
        trials.KIND,
        _("The agent is being asked."),
        BOUTS,
        trials.think,
        expected=trials.expected,
        failed=trials.given_up,
    ),
    Kind(labs.KIND, _("The match is being played on from there."), BOUTS, play_on, longest=6 * 3600.0),
    Kind(judge.KIND, _("Replies are being written and judged."), BOUTS, judge.work),
    Kind(model_rater.KIND, _("A model is labelling."), BOUTS, model_rater.work),
    Kind(
        exporting.KIND,
        _("The file is being made."),
        FILES,
        exporting.make,
        longest=12 * 3600.0,
        expected=exporting.expected,
        kept=timedelta(days=settings.EXPORTS_KEPT_DAYS),
    ),
    Kind(putting_away.KIND, _("Logs are being moved."), FILES, putting_away.work, longest=6 * 3600.0),
    Kind(
        imports.KIND,
        _("The file is being read."),
        FILES,
        imports.work,
        longest=24 * 3600.0,
        ended=imports.ended,
        kept=timedelta(days=30),
    ),
    Kind(erasures.KIND, _("The person is being erased."), FILES, erasures.work, longest=3600.0),
)
