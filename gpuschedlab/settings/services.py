"""Where the two modes differ: database, cache, channel layer and Celery broker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import ProgrammingError

if TYPE_CHECKING:
    from gpuschedlab.settings.environment import Environment

SQLITE_PRAGMAS = "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;"
LOCAL_ENTRIES = 50_000  # in the cache of the web process: previews must not make room for the counts of limits
NEVER = 10**9  # seconds; groups live as long as the process that joined them


def databases(env: Environment) -> dict[str, Any]:
    if env.embedded:
        return {
            "default": {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": env.data_dir / "lab.sqlite3",
                "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": SQLITE_PRAGMAS},
            }
        }
    try:
        parts = conninfo_to_dict(env.database_url)
    except ProgrammingError as error:
        raise ImproperlyConfigured("LAB_DATABASE_URL is not a postgresql:// URL.") from error
    return {
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": parts.pop("dbname", ""),
            "USER": parts.pop("user", ""),
            "PASSWORD": parts.pop("password", ""),
            "HOST": parts.pop("host", ""),
            "PORT": parts.pop("port", ""),
            "CONN_MAX_AGE": 0,
            "OPTIONS": parts,
        }
    }


def mail(env: Environment) -> dict[str, Any]:
    """Django's settings for mail, from LAB_EMAIL_URL."""
    if not env.email_url:
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    url = urlsplit(env.email_url)
    if url.scheme not in {"smtp", "smtps"} or not url.hostname:
        raise ImproperlyConfigured("LAB_EMAIL_URL is not a smtp:// or smtps:// URL.")
    secure = url.scheme == "smtps"
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": url.hostname,
        "EMAIL_PORT": url.port or (465 if secure else 587),
        "EMAIL_HOST_USER": unquote(url.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(url.password or ""),
        "EMAIL_USE_SSL": secure,
        "EMAIL_USE_TLS": not secure,
        "EMAIL_TIMEOUT": 10,
    }


def caches(env: Environment) -> dict[str, Any]:
    if env.embedded:
        return {
            "default": {
                "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
                "OPTIONS": {"MAX_ENTRIES": LOCAL_ENTRIES},
            }
        }
    return {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": env.redis_url,
            "KEY_PREFIX": "lab",
        }
    }


def channel_layers(env: Environment) -> dict[str, Any]:
    if env.embedded:
        return {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer", "CONFIG": {"group_expiry": NEVER}}}
    return {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [env.redis_url], "prefix": "lab"},
        }
    }


def celery_broker(env: Environment) -> tuple[str, dict[str, Any]]:
    """The broker's URL and transport options; the embedded mode's queue is a folder."""
    if not env.embedded:
        return env.redis_url, {"socket_timeout": 10, "socket_connect_timeout": 5}
    folders = {name: env.data_dir / "queue" / name for name in ("messages", "control", "processed")}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    return "filesystem://localhost/", {
        "data_folder_in": str(folders["messages"]),
        "data_folder_out": str(folders["messages"]),
        "control_folder": str(folders["control"]),
        "processed_folder": str(folders["processed"]),
        "polling_interval": 0.1,
    }
