"""Django settings, made from the LAB_* environment variables (see environment.py for each of them)."""

import os
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from gpuschedlab.settings.environment import read_environment
from gpuschedlab.settings.logs import logging_config
from gpuschedlab.settings.security import content_security_policy
from gpuschedlab.settings.services import caches, celery_broker, channel_layers, databases, mail

BASE_DIR = Path(__file__).resolve().parent.parent.parent
ENV = read_environment(os.environ, BASE_DIR)

DEBUG = ENV.debug
SECRET_KEY = ENV.secret_key
ALLOWED_HOSTS = list(ENV.hosts)

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "servestatic",
    "django.contrib.staticfiles",
    "django.forms",
    "csp",
    "django_htmx",
    "template_partials.apps.SimpleAppConfig",
    "gpuschedlab.web",
    "gpuschedlab.accounts",
    "gpuschedlab.materials",
    "simulator",
    "lessons",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "gpuschedlab.web.requestlog.RequestLogMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "gpuschedlab.web.errors.BodyLimitMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "gpuschedlab.accounts.middleware.OneTimePasswordMiddleware",
    "gpuschedlab.accounts.middleware.ParticipantMiddleware",
    "gpuschedlab.accounts.middleware.TimeZoneMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "gpuschedlab.web.errors.SiteErrorMiddleware",
]

ROOT_URLCONF = "gpuschedlab.urls"
ASGI_APPLICATION = "gpuschedlab.asgi.application"

_LOADERS = ["django.template.loaders.filesystem.Loader", "django.template.loaders.app_directories.Loader"]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "django.template.context_processors.tz",
                "gpuschedlab.web.context.site",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "django_htmx.templatetags.django_htmx",
                "template_partials.templatetags.partials",
                "gpuschedlab.web.templatetags.lab",
            ],
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    _LOADERS if DEBUG else [("django.template.loaders.cached.Loader", _LOADERS)],
                )
            ],
        },
    }
]
FORM_RENDERER = "gpuschedlab.web.forms.SiteFormRenderer"

DATABASES = databases(ENV)
CACHES = caches(ENV)
CHANNEL_LAYERS = channel_layers(ENV)
globals().update(mail(ENV))
DEFAULT_FROM_EMAIL = ENV.email_from
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CELERY_BROKER_URL, CELERY_BROKER_TRANSPORT_OPTIONS = celery_broker(ENV)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SOFT_TIME_LIMIT = 870  # seconds; a job that takes longer fails
CELERY_TASK_TIME_LIMIT = 900  # seconds; its process is killed
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_MAX_TASKS_PER_CHILD = 100

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "accounts:log_in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "gpuschedlab.accounts.validators.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", _("Simplified Chinese")), ("en", _("English"))]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 31_536_000  # seconds
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [BASE_DIR / "locale" / part for part in ("site", "simulator", "lessons")]
FORMAT_MODULE_PATH = ["gpuschedlab.formats"]
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if ENV.embedded
        else "servestatic.storage.CompressedManifestStaticFilesStorage"
    },
}
SERVESTATIC_USE_FINDERS = ENV.embedded
SERVESTATIC_AUTOREFRESH = DEBUG
SERVESTATIC_MAX_AGE = 0
SERVESTATIC_ALLOW_ALL_ORIGINS = False

EXTENDER_ADDRESSES = list(ENV.extenders)
EXTENDER_HOSTS = {"gpushare": "127.0.0.1"} if ENV.embedded else {}  # in compose a service has this name

DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024  # bytes; web.bodylimit refuses longer bodies before Django reads them
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500
DATA_UPLOAD_MAX_NUMBER_FILES = 5

CONTENT_SECURITY_POLICY = content_security_policy()
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = ENV.https
SECURE_SSL_REDIRECT = ENV.https
SECURE_REDIRECT_EXEMPT = [r"^health/$"]
SECURE_HSTS_SECONDS = 15_552_000 if ENV.https else 0  # half a year
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ENV.hosts] if ENV.https else []
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "gpuschedlab.web.errors.csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SILENCED_SYSTEM_CHECKS = [
    # Whether subdomains and browsers' preload lists may be bound to https is the domain owner's decision.
    "security.W005",
    "security.W021",
]

LOGGING = logging_config(ENV)
