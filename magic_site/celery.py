import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "magic_site.settings")

app = Celery("magic")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
