"""Logging: one line a record, as text for a terminal or as JSON for a collector, each with its request's id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpuschedlab.settings.environment import Environment


def logging_config(env: Environment) -> dict[str, Any]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request_id": {"()": "gpuschedlab.web.requestlog.RequestIdFilter"}},
        "formatters": {
            "text": {"format": "{asctime} {levelname:<7} {name}: {message} {request_id}", "style": "{"},
            "json": {
                "()": "pythonjsonlogger.json.JsonFormatter",
                "format": "{asctime}{levelname}{name}{message}{request_id}",
                "style": "{",
                "json_ensure_ascii": False,
            },
        },
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": env.log_format, "filters": ["request_id"]}
        },
        "root": {"handlers": ["console"], "level": env.log_level},
        "loggers": {
            "django.request": {"level": "ERROR"},
            "django.channels.server": {"level": "WARNING"},
            "uvicorn.error": {"level": "WARNING"},
            "uvicorn.access": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
        },
    }
