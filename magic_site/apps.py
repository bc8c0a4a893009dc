from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "magic_site"

    def ready(self) -> None:
        from magic_site import checks  # noqa: F401  (registers the checks)
