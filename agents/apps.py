from django.apps import AppConfig


class AgentsConfig(AppConfig):
    name = "agents"

    def ready(self) -> None:
        """Tell the tables, which know nothing of agents, how one is asked to move and how fast it speaks."""
        from agents import tasks
        from games import pending

        pending.dispatch = tasks.send
        pending.pace = tasks.pause_before
