from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"

    def ready(self) -> None:
        """Tell the competitions how a bout reaches the workers, and the sweeper what else to look after."""
        from evaluation import boards, competitions, erasing, judge, stored, tasks, trials
        from games import heartbeat, sweeper
        from games.match import erasing as games_erasing
        from games.match import view

        view.planned = stored.planned
        games_erasing.also.append(erasing.erase)
        competitions.dispatch = tasks.send
        trials.dispatch = tasks.send_trial
        boards.dispatch = tasks.send_count
        judge.dispatch = tasks.send_prompt
        sweeper.also.append(competitions.sweep)
        heartbeat.renewed.append(competitions.renew)
