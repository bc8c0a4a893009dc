from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"

    def ready(self) -> None:
        """Tell the competitions how a bout reaches the workers, and the sweeper what else to look after."""
        from evaluation import competitions, tasks
        from games import sweeper

        competitions.dispatch = tasks.send
        sweeper.also.append(competitions.sweep)
