import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0012_notebook'),
    ]

    operations = [
        migrations.CreateModel(
            name='MatchSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=80)),
                ('kind', models.CharField(max_length=10)),
                ('agent', models.CharField(blank=True, max_length=80)),
                ('person', models.CharField(blank=True, db_index=True, max_length=40)),
                ('stand_in', models.CharField(blank=True, max_length=80)),
                ('side', models.TextField(blank=True)),
                ('role', models.TextField(blank=True)),
                ('won', models.BooleanField(null=True)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sitters', to='games.match')),
            ],
            options={
                'ordering': ['match', 'seat'],
                'constraints': [models.UniqueConstraint(fields=('match', 'seat'), name='match_seat_once')],
            },
        ),
        migrations.RemoveConstraint(
            model_name='match',
            name='match_imported_once',
        ),
        migrations.AddField(
            model_name='match',
            name='parent',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='forks', to='games.match'),
        ),
        migrations.AddField(
            model_name='room',
            name='study',
            field=models.BooleanField(default=False, help_text='Opened for a study: played once, by the agents that it was opened with.'),
        ),
        migrations.AlterField(
            model_name='match',
            name='origin',
            field=models.CharField(choices=[('played', 'played here'), ('fork', 'begun from another match'), ('import', 'imported'), ('study', 'of a study with people'), ('competition', 'of a competition')], default='played', max_length=12),
        ),
    ]
