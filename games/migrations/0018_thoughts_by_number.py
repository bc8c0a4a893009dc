from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0017_prompts_pooled'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='thought',
            name='games_thoug_match_i_bb0a78_idx',
        ),
        migrations.RemoveField(
            model_name='thought',
            name='prompt',
        ),
        migrations.AddConstraint(
            model_name='thought',
            constraint=models.UniqueConstraint(fields=('match', 'request', 'n'), name='thought_number_once'),
        ),
    ]
