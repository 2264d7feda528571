from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _


class WebConfig(AppConfig):
    """Loads each app's registrations.

    They stand in its modules tasks (jobs), consumers (socket topics), catalogue (loaders), home (entries), materials
    (kinds of material).
    """

    name = "gpuschedlab.web"
    label = "web"
    verbose_name = _("Site")

    def ready(self) -> None:
        autodiscover_modules("tasks", "consumers", "catalogue", "home", "materials")
