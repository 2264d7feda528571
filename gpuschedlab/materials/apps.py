from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MaterialsConfig(AppConfig):
    name = "gpuschedlab.materials"
    label = "materials"
    verbose_name = _("Materials")
