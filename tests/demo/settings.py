"""The site's own settings with the demo app added, for tests that start real processes."""

from gpuschedlab.settings.site import *  # noqa: F403 (these settings are those, with changes)
from gpuschedlab.settings.site import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.demo"]
ROOT_URLCONF = "tests.demo.urls"
