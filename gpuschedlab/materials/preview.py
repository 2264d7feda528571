# ruff: noqa: SLF001 (Django's API of models)
"""Previews: a draft on the learner's own pages, without anything being written.

A preview runs each request in a transaction that is rolled back. What the request would have written (the published
draft, and all that the learner in it owns) is kept in the cache between requests and put back at the next one's start.
So the pages need to know nothing of previews, and the database holds that nothing stays. See docs/adr/0802.

Two modes: `preview`, as a learner who was never here; `graph`, the lab's editor, from which a kind takes over what was
changed into the draft.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID, uuid4

from django.apps import apps
from django.core import serializers
from django.core.cache import cache
from django.db import models, transaction

from gpuschedlab.accounts.models import Participant
from gpuschedlab.materials.kinds import kind_of

if TYPE_CHECKING:
    from gpuschedlab.materials.models import Draft

KEPT: Final = 4 * 3600  # seconds since the last request
ROOM: Final = 1 << 14  # rows with numbers as keys in one preview
FIRST: Final = 1 << 40
"""Keys of preview rows begin here: no table comes so far, and scripts can still count so far."""
BASES: Final = 1 << 37
OWN_PACKAGES: Final = ("gpuschedlab", "simulator", "lessons")
_FOLLOWED: Final = (models.CASCADE, models.PROTECT)

Row = dict[str, Any]
"""`{model, pk, fields}`, as Django's "python" serializer has it."""


@dataclass(slots=True)
class Preview:
    """One viewer's preview of one draft.

    mode         `preview` or `graph`
    version      the draft's version it shows
    address      where it begins
    learner_id   the participant who looks
    staged       rows of the published draft; `rows` those the learner owns (Django's "python" serialization)
    base         where the keys of its rows begin
    """

    mode: str
    draft_id: UUID
    viewer_id: UUID
    version: int
    learner_id: UUID
    base: int
    address: str = ""
    staged: list[Row] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    next_key: int = 0

    def key(self) -> int:
        """A key no other row has."""
        self.next_key += 1
        return self.base + self.next_key

    def of(self, label: str) -> list[Row]:
        """The learner's rows of one model ("simulator.labcommand"): `{pk, fields}`."""
        return [row for row in self.rows if row["model"] == label]


def _cache_key(viewer: Participant, draft: Draft, mode: str) -> str:
    return f"preview:{mode}:{viewer.pk}:{draft.pk}"


def preview_find(*, viewer: Participant, draft: Draft, mode: str) -> Preview | None:
    found: Preview | None = cache.get(_cache_key(viewer, draft, mode))
    return found


def preview_begin(*, viewer: Participant, draft: Draft, mode: str) -> Preview:
    """A preview of the draft's text of now, as a learner who was never here. Raises what publishing raises."""
    base = FIRST + secrets.randbelow(BASES) * ROOM
    preview = Preview(mode, draft.pk, viewer.pk, draft.version, uuid4(), base)
    kind = kind_of(draft)
    with _nothing_written():
        before = _Highest()
        staged = kind.stage(actor=viewer, draft=draft, reading=kind.read(draft.text), mode=mode)
        preview.address = staged.address
        preview.staged = _moved(preview, _rows(staged.rows), known=before.has)
    _keep(viewer, draft, preview)
    return preview


@contextmanager
def preview_open(*, viewer: Participant, draft: Draft, preview: Preview) -> Iterator[Participant]:
    """The world of a preview, for one request; gives the learner in it. What is done there is kept for the next one."""
    with _nothing_written():
        _put_back(preview.staged)
        _put_back(preview.rows)
        learner = Participant.objects.filter(pk=preview.learner_id).first() or Participant(id=preview.learner_id)
        yield learner
        if not learner.is_new:
            staged = {(row["model"], str(row["pk"])) for row in preview.staged}
            preview.rows = _moved(preview, _rows(_owned(learner, staged)), known=lambda _row: False)
        _keep(viewer, draft, preview)


def preview_end(*, viewer: Participant, draft: Draft, mode: str) -> None:
    cache.delete(_cache_key(viewer, draft, mode))


def preview_moved(*, viewer: Participant, draft: Draft, preview: Preview) -> None:
    """The draft has taken over what was changed in its preview: that shows the draft's newest version again."""
    preview.version = draft.version
    _keep(viewer, draft, preview)


def _keep(viewer: Participant, draft: Draft, preview: Preview) -> None:
    cache.set(_cache_key(viewer, draft, preview.mode), preview, KEPT)


@contextmanager
def _nothing_written() -> Iterator[None]:
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


class _Highest:
    """The highest number-key of each table, to tell rows that were there from new ones."""

    def __init__(self) -> None:
        self._found = {model._meta.label_lower: _newest(model) for model in _numbered()}

    def has(self, row: Row) -> bool:
        return isinstance(row["pk"], int) and row["pk"] <= self._found.get(row["model"], 0)


def _numbered() -> Iterator[type[models.Model]]:
    """The site's own models whose keys are numbers."""
    for model in apps.get_models():
        own = model.__module__.partition(".")[0] in OWN_PACKAGES
        if own and isinstance(model._meta.pk, models.AutoField | models.BigAutoField):
            yield model


def _newest(model: type[models.Model]) -> int:
    return model._base_manager.order_by("-pk").values_list("pk", flat=True).first() or 0


def _owned(learner: Participant, staged: set[tuple[str, str]]) -> list[models.Model]:
    """The learner's row, and all rows that would go with it if it were deleted, down to the last answer."""
    found: dict[tuple[str, str], models.Model] = {}
    waiting: deque[models.Model] = deque([learner])
    while waiting:
        row = waiting.popleft()
        key = (row._meta.label_lower, str(row.pk))
        if key in found or key in staged:
            continue
        found[key] = row
        for relation in row._meta.related_objects:
            if relation.on_delete in _FOLLOWED and isinstance(relation.field, models.ForeignKey):
                waiting.extend(relation.related_model._base_manager.filter(**{relation.field.name: row}))
    return list(found.values())


def _rows(found: Sequence[models.Model]) -> list[Row]:
    return list(serializers.serialize("python", found))


def _moved(preview: Preview, rows: list[Row], *, known: Callable[[Row], bool]) -> list[Row]:
    """The rows under keys of the preview's own, as far as their keys are numbers and they were not there before."""
    keys: dict[tuple[str, int], int] = {}
    for row in rows:
        if isinstance(row["pk"], int) and row["pk"] < FIRST and not known(row):
            keys[row["model"], row["pk"]] = preview.key()
    for row in rows:
        row["pk"] = keys.get((row["model"], row["pk"]), row["pk"])
        for one in apps.get_model(row["model"])._meta.concrete_fields:
            if isinstance(one, models.ForeignKey) and one.name in row["fields"]:
                value = row["fields"][one.name]
                row["fields"][one.name] = keys.get((one.remote_field.model._meta.label_lower, value), value)
    return rows


def _put_back(rows: Sequence[Row]) -> None:
    fresh: dict[type[models.Model], list[models.Model]] = {}
    for made in serializers.deserialize("python", rows):
        row = made.object
        if isinstance(row.pk, int) and row.pk < FIRST:
            row.save_base(raw=True)  # it is there, and says something else now
        else:
            fresh.setdefault(type(row), []).append(row)
    for model, objects in fresh.items():
        model._base_manager.bulk_create(objects)
