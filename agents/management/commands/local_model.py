import signal
import threading

from django.conf import settings
from django.core.management import CommandError, call_command

from agents import local_model
from agents.models import AgentProfile, Endpoint, ModelPrice
from games.registry import RULES
from magic_site.commands import SiteCommand, whole
from magic_site.launch import LaunchError, refuse_a_busy_port
from magic_site.parts import Part, end


class Command(SiteCommand):
    help = "Serve a small real model on this machine. While it runs, the agent 'Local model' can sit down at tables."

    def add_arguments(self, parser) -> None:
        parser.add_argument("--port", type=whole(1, 65535), default=8091)

    def handle(self, *, port: int, **options) -> None:
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: stop.set())
        try:
            refuse_a_busy_port("127.0.0.1", port)
        except LaunchError:
            raise CommandError(f"Port {port} cannot be used. Choose another with --port.") from None
        try:
            part = local_model.server(port, settings.VAR_DIR / "log" / "local-model.log")
        except local_model.NotInstalledError as error:
            raise CommandError(str(error)) from error
        call_command("migrate", verbosity=0, interactive=False)
        call_command("load_fixtures", verbosity=0)
        part.start()
        try:
            local_model.load(part, port, stop.wait)
            if not stop.is_set():
                self._serve(part, port, stop)
        except local_model.NotLoadedError as error:
            raise CommandError(str(error)) from error
        finally:
            AgentProfile.objects.filter(name=local_model.PROFILE).update(active=False)
            end([part], within=3)

    def _serve(self, part: Part, port: int, stop: threading.Event) -> None:
        url = local_model.address(port)
        AgentProfile.objects.filter(name=local_model.PROFILE).update(base_url=url, active=True)
        Endpoint.objects.update_or_create(provider="openai", base_url=url, defaults={"at_once": local_model.AT_ONCE})
        ModelPrice.objects.get_or_create(model=local_model.NAME, defaults={"tokens_in": 0, "tokens_out": 0})
        self.stdout.write(f"{local_model.NAME} is served at {url}   (Ctrl-C ends it)")
        self.stdout.write(
            "While it runs, 'Local model' can be asked to sit down at any table of `make run`. In memory:"
        )
        game = next(iter(RULES.values()))
        preset = next(iter(game.presets))
        self.stdout.write(
            f"  manage.py simulate {game.name} {preset} --matches 1 --agents {local_model.PROFILE} --store"
        )
        while not stop.wait(0.5):
            if not part.alive:
                raise CommandError(f"The model ended by itself.\n{part.last_words()}")
