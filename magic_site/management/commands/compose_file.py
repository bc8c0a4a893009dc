from magic_site import compose
from magic_site.commands import SiteCommand


class Command(SiteCommand):
    help = "Write deploy/compose.yaml anew from the list of parts."

    def handle(self, **options) -> None:
        compose.FILE.write_text(compose.text(), "utf-8")
        self.stdout.write(f"{compose.FILE.name} has {len(compose.services())} services of the site.")
