from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"

    def ready(self) -> None:
        """Tell the competitions how a bout reaches the workers, and the sweeper what else to look after."""
        from evaluation import erasing, tasks
        from evaluation.competitions import running
        from evaluation.counting import boards, stored
        from evaluation.judging import judge
        from evaluation.studies import trials
        from games.match import erasing as games_erasing
        from games.match import heartbeat, sweeper, view

        view.planned = stored.planned
        games_erasing.also.append(erasing.erase)
        running.dispatch = tasks.send
        trials.dispatch = tasks.send_trial
        boards.dispatch = tasks.send_count
        judge.dispatch = tasks.send_prompt
        sweeper.also.append(running.sweep)
        heartbeat.renewed.append(running.renew)
