from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"

    def ready(self) -> None:
        """Tell the competitions how a bout reaches the workers, and the sweeper what else to look after."""
        from django.db.models.signals import post_delete, post_save

        from evaluation import erasing, tasks
        from evaluation.competitions import running
        from evaluation.counting import boards, stored, sums
        from evaluation.judging import judge
        from evaluation.models import Bout, StudyTable
        from evaluation.studies import trials
        from games.match import changes, heartbeat, sweeper, view
        from games.match import erasing as games_erasing
        from games.models import Detection, Notebook

        view.planned = stored.planned
        games_erasing.also.append(erasing.erase)
        running.dispatch = tasks.send
        trials.dispatch = tasks.send_trial
        boards.dispatch = tasks.send_count
        judge.dispatch = tasks.send_prompt
        sweeper.also.append(running.sweep)
        heartbeat.renewed.append(running.renew)
        changes.outdated.append(sums.drop)
        for beside in (Detection, Notebook, Bout, StudyTable):
            for signal in (post_save, post_delete):
                signal.connect(sums.drop_of, beside, dispatch_uid=f"sums {beside.__name__}")
