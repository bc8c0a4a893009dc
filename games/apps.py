from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Let every page show sentences of the rules, which know nothing of pages, in its reader's language, note who
        changes rights, and have what was said around matches erased with them."""
        from games import audit, retention, translation
        from games.match import erasing, sweeper, writer
        from games.room import again, api_keys, first_answers, talk
        from games.rules import sentences

        sentences.shown = translation.shown
        audit.watch_accounts()
        writer.at_the_end.append(again.match_ended)
        sweeper.also += [retention.sweep, first_answers.sweep]
        erasing.beside += [talk.erase, again.forget, api_keys.forget, first_answers.forget]
        erasing.also += [talk.without, first_answers.without]
