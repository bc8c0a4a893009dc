import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0015_seats_are_rows'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='played_as',
            field=models.CharField(blank=True, help_text='As what an imported match was played.', max_length=20),
        ),
        migrations.CreateModel(
            name='PromptText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.PositiveIntegerField()),
                ('text', models.TextField()),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='prompt_texts', to='games.match')),
            ],
            options={
                'ordering': ['match', 'n'],
                'constraints': [models.UniqueConstraint(fields=('match', 'n'), name='prompt_text_once')],
            },
        ),
        migrations.AddField(
            model_name='thought',
            name='pieces',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name='thought',
            name='n',
            field=models.PositiveSmallIntegerField(default=0, help_text='Its number among the thoughts about its request, from 1.'),
            preserve_default=False,
        ),
    ]
