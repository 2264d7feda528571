from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _


class WebConfig(AppConfig):
    """Loads each app's registrations: jobs (tasks), socket topics (consumers), loaders (catalogue), entries (home)."""

    name = "gpuschedlab.web"
    label = "web"
    verbose_name = _("Site")

    def ready(self) -> None:
        autodiscover_modules("tasks", "consumers", "catalogue", "home")
