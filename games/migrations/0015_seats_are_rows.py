from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0014_seats_and_origins'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='match',
            name='seats',
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.UniqueConstraint(condition=models.Q(('origin', 'import'), models.Q(('digest', ''), _negated=True)), fields=('digest',), name='match_imported_once'),
        ),
    ]
