import os

from celery import Celery
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "magic_site.settings")

app = Celery("magic")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["games.jobs"], related_name="jobs")


@worker_ready.connect
def hear_what_others_change(**signal) -> None:
    from games.match import changes

    changes.listen()
