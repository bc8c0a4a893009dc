"""There is no way back from here but a backup. The pool is the one of today: what it puts is read for ever, as log files
hold it too."""

from django.db import migrations
from django.db.models import Count, OuterRef, Subquery

from games.rules.pool import Pool


def number(apps, schema_editor):
    """Thoughts about one request are numbered in the order in which they were thought."""
    Thought = apps.get_model("games", "Thought")
    so_far = Thought.objects.filter(match=OuterRef("match"), request=OuterRef("request"), pk__lte=OuterRef("pk"))
    counted = so_far.order_by().values("match").annotate(many=Count("pk")).values("many")
    Thought.objects.update(n=Subquery(counted))


def pool(apps, schema_editor):
    """What the prompts of a match have in common is kept once; a match at a time."""
    Thought, PromptText = apps.get_model("games", "Thought"), apps.get_model("games", "PromptText")
    told = Thought.objects.exclude(prompt="")
    for match in told.order_by().values_list("match", flat=True).distinct():
        texts = Pool()
        rows = list(told.filter(match=match).order_by("pk").only("prompt"))
        for row in rows:
            row.pieces = texts.put(row.prompt)
        PromptText.objects.bulk_create(
            PromptText(match_id=match, n=n, text="\n".join(lines)) for n, lines in enumerate(texts.texts)
        )
        Thought.objects.bulk_update(rows, ["pieces"], batch_size=200)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0016_prompt_text'),
    ]

    operations = [migrations.RunPython(number), migrations.RunPython(pool)]
