from django.core.management import call_command

from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = "Prepare the database for this version: migrations, fixtures, examples. Run it once before the parts start."
    requires_system_checks = "__all__"

    def handle(self, *, verbosity: int, **options) -> None:
        call_command("migrate", verbosity=verbosity, interactive=False)
        call_command("load_fixtures", verbosity=verbosity)
        call_command("load_examples", verbosity=verbosity)
