from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Let every page show sentences of the rules, which know nothing of pages, in its reader's language, and note
        who changes rights."""
        from games import audit, retention, translation
        from games.match import sweeper
        from games.rules import sentences

        sentences.shown = translation.shown
        audit.watch_accounts()
        sweeper.also.append(retention.sweep)
