from django.db import migrations


def mark(apps, schema_editor):
    """Matches of competitions are known as such."""
    Match, Bout = apps.get_model("games", "Match"), apps.get_model("evaluation", "Bout")
    played = Bout.objects.filter(match__isnull=False).values("match")
    Match.objects.filter(origin="played", pk__in=played).update(origin="competition")


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0008_judged_in_six_calls'),
        ('games', '0014_seats_and_origins'),
    ]

    operations = [migrations.RunPython(mark, migrations.RunPython.noop)]
