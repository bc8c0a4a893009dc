from django.db import migrations, models
from django.db.models.functions import Now


def number_matches(apps, schema_editor):
    """Each room's matches in the order in which they were begun, as far as clocks tell it."""
    matches = apps.get_model("games", "Match").objects
    numbers: dict[int, int] = {}
    for key, room in matches.exclude(room=None).order_by("created_at", "pk").values_list("pk", "room"):
        numbers[room] = numbers.get(room, 0) + 1
        matches.filter(pk=key).update(number=numbers[room])


class Migration(migrations.Migration):
    dependencies = [("games", "0004_room_deal_text")]

    operations = [
        *(
            migrations.AlterField(model, field, models.DateTimeField(db_default=Now(), editable=False))
            for model, field in (("detection", "at"), ("match", "created_at"), ("room", "created_at"))
        ),
        migrations.AddField(
            "match",
            "number",
            models.PositiveIntegerField(default=0, help_text="Which match of its room, from 1; 0 without a room."),
        ),
        migrations.AddField(
            "room",
            "revision",
            models.PositiveIntegerField(default=0, help_text="Counts what changed at the table but for its logs."),
        ),
        migrations.RunPython(number_matches, migrations.RunPython.noop),
        migrations.AddConstraint(
            "match", models.UniqueConstraint(fields=("room", "number"), name="match_number_once")
        ),
    ]
