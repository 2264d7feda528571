"""The site around the lab: wiring (settings, urls, asgi, celery), accounts and the web kit."""

from gpuschedlab.celery import app as celery_app

__all__ = ["celery_app"]
