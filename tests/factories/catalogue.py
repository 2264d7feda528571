"""The whole catalogue in the database, read once a test process: later tests get copies of the rows."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, models, transaction

from lessons.presenters import lesson_text
from lessons.selectors import texts
from simulator.selectors.histories import histories

Rows = dict[type[models.Model], list[models.Model]]


def catalogue_load() -> None:
    """Fill an empty database with the catalogue; what is remembered of another database's rows is forgotten."""
    forget()
    rows = _loaded.get("rows")
    if rows is None:
        call_command("load_catalogue", verbosity=0)
        _loaded["rows"] = {model: list(model._base_manager.all()) for model in _models()}
        return
    with transaction.atomic():
        for model, found in rows.items():
            model._base_manager.bulk_create(found)
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), list(rows)):
                cursor.execute(statement)


def forget() -> None:
    texts._question.cache_clear()
    texts._quiz.cache_clear()
    lesson_text._present.cache_clear()
    histories.clear()


_loaded: dict[str, Rows] = {}


@cache
def _models() -> tuple[Any, ...]:
    """Models of the catalogue's apps, and what notes that they were loaded."""
    return tuple(
        model
        for label in ("simulator", "lessons", "web")
        for model in apps.get_app_config(label).get_models(include_auto_created=True)
    )
