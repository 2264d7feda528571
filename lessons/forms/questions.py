"""The form of a question as it arrives: the question's own fields, and ours, whose names begin with an underscore."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from lessons.services.answers import Given

if TYPE_CHECKING:
    from django.http import QueryDict

_CERTAINTIES = {"1": 1, "2": 2, "3": 3}
_DIGITS = 10


class QuestionForm:
    """What a learner sent. Whatever stands in our own fields, reading them never fails."""

    def __init__(self, data: QueryDict) -> None:
        self.fields = {
            name: [str(value) for value in values]
            for name, values in data.lists()
            if not name.startswith("_") and name != "csrfmiddlewaretoken"
        }
        self.action = str(data.get("_action", "answer"))
        self.certainty = _CERTAINTIES.get(str(data.get("_certainty", "")))
        self.turn = _number(data, "_turn")
        self.hints = _number(data, "_hints") or 0
        self.draft_seq = _number(data, "_draft") or 0
        self.revision = _number(data, "_revision")
        opened = _number(data, "_opened")
        self.opened_at = datetime.fromtimestamp(opened, UTC) if opened else None

    def given(self) -> Given:
        return Given(self.fields, self.certainty, self.hints, self.opened_at)


def turn_asked(query: QueryDict, form: QuestionForm | None) -> int | None:
    """Which of one's attempts at a question is meant: the form's own, or `?n=` of the address."""
    return form.turn if form is not None else _number(query, "n")


def _number(data: QueryDict, name: str) -> int | None:
    text = str(data.get(name, ""))
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS else None
