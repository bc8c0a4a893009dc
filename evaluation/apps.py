from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"

    def ready(self) -> None:
        """Declare the kinds of slow work, and tell what else is to be looked after."""
        from django.db.models.signals import post_delete, post_save, pre_delete

        from agents import asking
        from evaluation import erasing, kinds
        from evaluation.competitions import running
        from evaluation.counting import stored, sums
        from evaluation.exports import exporting
        from evaluation.imports import imports
        from evaluation.labelling import labels, replayed
        from evaluation.models import Bout, Final, StudyTable
        from evaluation.web import finding
        from evaluation.withdrawals import withdrawals
        from games.jobs.kinds import declare
        from games.match import archive, changes, importing, sweeper, view
        from games.match import erasing as games_erasing
        from games.models import Detection, Match, Notebook
        from games.web import listing, replay

        declare(*kinds.ALL)
        asking.may_ask.append(running.asks)
        view.planned = stored.planned
        listing.finder = finding.found
        view.annotated, importing.annotated = labels.of_matches, labels.take_in
        games_erasing.also += [erasing.erase, imports.erase]
        games_erasing.told.append(withdrawals.keep)
        sweeper.also += [running.sweep, imports.sweep, archive.sweep]
        replay.labelled = replayed.labelled
        changes.outdated.append(sums.drop)
        for beside in (Detection, Notebook, Bout, StudyTable):
            for signal in (post_save, post_delete):
                signal.connect(sums.drop_of, beside, dispatch_uid=f"sums {beside.__name__}")
        for signal in (post_save, pre_delete):
            signal.connect(sums.drop_labelled, Final, dispatch_uid="sums Final")
        pre_delete.connect(exporting.deleted, sender=Match, dispatch_uid="files that hold a deleted match")
