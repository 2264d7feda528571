"""Exact numbers in the database: marks and scores are fractions, so that a third three times is one."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import models

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.expressions import Expression

_LENGTH = 80


if TYPE_CHECKING:

    class _Text(models.CharField[Fraction | int | str, Fraction]): ...
else:
    _Text = models.CharField


class FractionField(_Text):
    """A Fraction, stored as `2/3` or `1`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["max_length"] = _LENGTH
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        del kwargs["max_length"]
        return name, path, args, kwargs

    def from_db_value(
        self, value: str | None, _expression: Expression, _connection: BaseDatabaseWrapper
    ) -> Fraction | None:
        return None if value is None else Fraction(value)

    def to_python(self, value: Any) -> Fraction | None:
        try:
            return None if value is None else Fraction(value)
        except (ValueError, TypeError, ZeroDivisionError) as problem:
            raise ValidationError(str(problem)) from problem

    def get_prep_value(self, value: Any) -> str | None:
        return None if value is None else str(Fraction(value))

    def value_to_string(self, obj: models.Model) -> str:
        return self.get_prep_value(self.value_from_object(obj)) or ""
