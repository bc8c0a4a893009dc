import itertools
import logging
import signal
import threading
from argparse import ArgumentTypeError

from django.db import DatabaseError, InterfaceError, close_old_connections

from games.jobs import sweeper as jobs
from games.match import changes, sweeper
from games.room import rooms
from magic_site.commands import SiteCommand

log = logging.getLogger(__name__)

TIDIED_EVERY = 100  # rounds


def seconds(text: str) -> float:
    """The type of an argument that is a pause."""
    value = float(text)
    if not 0.01 <= value <= 3600:
        raise ArgumentTypeError("from 0.01 to 3600 seconds")
    return value


class Command(SiteCommand):
    help = "Each second, until it is stopped: let deadlines expire, and send again what no worker holds any more."

    def add_arguments(self, parser) -> None:
        parser.add_argument("--every", type=seconds, default=1.0, help="Seconds between two rounds.")
        parser.add_argument("--once", action="store_true", help="One round only.")

    def handle(self, *, every: float, once: bool, **options) -> None:
        changes.listen()
        stop = threading.Event()
        for ending in (signal.SIGTERM, signal.SIGINT):
            signal.signal(ending, lambda *_: stop.set())
        for number in itertools.count():
            try:
                sweeper.sweep()
                jobs.sweep()
                for more in sweeper.also:
                    more()
                if number % TIDIED_EVERY == 0:
                    rooms.remove_unused()
                    jobs.tidy()
            except (DatabaseError, InterfaceError):
                log.exception("This round of the sweeper failed; the next one tries again")
            close_old_connections()
            if once or stop.wait(every):
                return
