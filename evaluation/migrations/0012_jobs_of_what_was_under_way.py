"""What was under way when bouts had leases of their own, and trials none, goes on: bouts are given out anew under the
same match id, where the replies that were paid for are found, and so are trials that were asked for a moment ago."""

from datetime import timedelta

from django.db import migrations
from django.db.models.functions import Now

JUST_NOW = timedelta(minutes=15)


def give_out(apps, schema_editor) -> None:
    Bout, Trial = apps.get_model("evaluation", "Bout"), apps.get_model("evaluation", "Trial")
    Job = apps.get_model("games", "Job")
    Bout.objects.filter(status__in=("sent", "playing")).update(status="waiting")
    asked = Trial.objects.filter(done=False)
    for trial in asked.filter(created_at__gt=Now() - JUST_NOW):
        key = str(trial.pk)
        Job.objects.create(kind="trial", key=key, given={"trial": key}, about=trial.pk, asked_by=trial.created_by)
    late = asked.exclude(created_at__gt=Now() - JUST_NOW)
    late.update(done=True, error="No answer has come. Ask again.")


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0011_bouts_are_jobs"), ("games", "0022_jobs")]

    operations = [migrations.RunPython(give_out, migrations.RunPython.noop)]
