"""Settings for the test suite: a data folder of its own, quick password hashes, jobs run in place, no static files.

The browser tests' site has those: a test client that looks them all up first takes longer than its page.
"""

import atexit
import os
import shutil
import tempfile

if "LAB_DATA_DIR" not in os.environ:
    os.environ["LAB_DATA_DIR"] = tempfile.mkdtemp(prefix="gpuschedlab-test-")
    atexit.register(shutil.rmtree, os.environ["LAB_DATA_DIR"], ignore_errors=True)

from gpuschedlab.settings.site import *  # noqa: F403 (these settings are those, with changes)
from gpuschedlab.settings.site import DATABASES, ENV, INSTALLED_APPS, MIDDLEWARE, STORAGES

INSTALLED_APPS = [*INSTALLED_APPS, "tests.demo"]
MIDDLEWARE = [name for name in MIDDLEWARE if not name.startswith("servestatic.")]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}  # each test process its own
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_MAX_AGE = 600  # the files stay as they are while tests run
if ENV.embedded:
    DATABASES["default"]["TEST"] = {"NAME": str(ENV.data_dir / "test.sqlite3")}
