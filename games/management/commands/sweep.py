import logging
import signal
import threading

from django.core.management import BaseCommand
from django.db import DatabaseError, close_old_connections

from games import sweeper

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Let deadlines expire and send again what no worker holds any more, each second, until it is stopped."

    def add_arguments(self, parser) -> None:
        parser.add_argument("--every", type=float, default=1.0, help="Seconds between two rounds.")
        parser.add_argument("--once", action="store_true", help="One round only.")

    def handle(self, *, every: float, once: bool, **options) -> None:
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        while not stop.is_set():
            try:
                sweeper.sweep()
                for more in sweeper.also:
                    more()
            except DatabaseError:
                log.exception("This round of the sweeper failed; the next one tries again")
            close_old_connections()
            if once:
                return
            stop.wait(every)
