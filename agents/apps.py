from django.apps import AppConfig


class AgentsConfig(AppConfig):
    name = "agents"

    def ready(self) -> None:
        """Tell the tables, which know nothing of agents, who can sit down, how one is asked to move and how fast."""
        from agents import models, tasks
        from games import pending, rooms

        rooms.seatable = models.seatable
        pending.dispatch = tasks.send
        pending.pace = tasks.pause_before
