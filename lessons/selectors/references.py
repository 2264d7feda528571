"""Which of a lesson's references lead somewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lessons.models import Lesson, Question, Quiz, Term
from simulator.models import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


_KINDS: Final[Mapping[str, tuple[Any, bool]]] = {
    "lesson": (Lesson, True),
    "term": (Term, False),
    "lab": (Scenario, True),
    "quiz": (Quiz, True),
    "question": (Question, True),
}
"""Kind -> its model, and whether it has to be published."""


def references_known(references: Iterable[str]) -> frozenset[str]:
    """Those of the references (`lab:gang-deadlock`, `question:why-gang`) that lead to something."""
    wanted: dict[str, list[str]] = {}
    for reference in references:
        kind, _mark, name = reference.partition(":")
        wanted.setdefault(kind, []).append(name)
    found: set[str] = set()
    for kind, names in wanted.items():
        if kind not in _KINDS:
            continue
        model, published = _KINDS[kind]
        rows = model.objects.filter(slug__in=names)
        if published:
            rows = rows.filter(current__isnull=False)
        found.update(f"{kind}:{name}" for name in rows.values_list("slug", flat=True))
    return frozenset(found)
