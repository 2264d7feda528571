"""The Celery application. Its only task runs the site's jobs: see gpuschedlab/web/tasks.py."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gpuschedlab.settings.site")

app = Celery("gpuschedlab")
app.config_from_object("django.conf:settings", namespace="CELERY")
