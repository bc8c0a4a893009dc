from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class SiteConfig(AppConfig):
    name = "magic_site"

    def ready(self) -> None:
        from magic_site import checks  # noqa: F401  (registers the checks)
        from magic_site.rights import make_groups

        # The last app whose rights are given: by then all of them have their permissions.
        post_migrate.connect(make_groups, sender=apps.get_app_config("evaluation"))
