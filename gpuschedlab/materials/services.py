"""Writes of drafts. Every change is a new version; nothing that was written is lost by another change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gpuschedlab.accounts.models import Participant
from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.materials.kinds import Reading, kind_of
from gpuschedlab.materials.models import Draft, DraftEdit
from gpuschedlab.materials.selectors import edit_get
from gpuschedlab.web.errors import BadInput, Conflict
from gpuschedlab.web.sockets.events import publish

MAX_DRAFTS: Final = 500  # of one participant
KEPT_EDITS: Final = 400  # of one draft
MAX_WHAT: Final = 200
MAX_NAME: Final = 100

CHANGED = gettext_lazy("This draft was changed in another tab or view meanwhile.")


@transaction.atomic
def draft_create(
    *,
    actor: Participant,
    kind: str,
    text: str,
    origin: str = "new",
    based_on: Mapping[str, Any] | None = None,
    parent: Draft | None = None,
    draft_id: UUID | None = None,
) -> Draft:
    """A new draft. The same `draft_id` again gives the draft that is there."""
    participant_ensure(actor)
    found = Draft.objects.filter(pk=draft_id, owner=actor).first() if draft_id else None
    if found is not None:
        return found
    if Draft.objects.filter(owner=actor).count() >= MAX_DRAFTS:
        raise BadInput(_("You have %(limit)s materials. Delete some of them first.") % {"limit": MAX_DRAFTS})
    draft = Draft(id=draft_id or uuid4(), owner=actor, kind=kind, text=text, based_on=based_on, parent=parent)
    _name(draft, kind_of(draft).read(text))
    draft.save(force_insert=True)
    DraftEdit.objects.create(draft=draft, version=1, packed=DraftEdit.pack(text), origin=origin)
    return draft


def draft_write(*, draft: Draft, text: str, expected: int, origin: str, what: str = "") -> Draft:
    """Give a draft a new text; an equal one changes nothing. Raises `Conflict` when it is no longer at `expected`."""
    _check_length(draft, text)
    with transaction.atomic():
        locked = _locked(draft)
        if locked.version != expected:
            raise Conflict(CHANGED)
        if locked.text == text:
            return locked
        return _store(locked, text, origin=origin, what=what, back=locked.version, forth=None)


def draft_undo(*, draft: Draft, expected: int, again: bool = False) -> Draft:
    """Go back to the text before the newest change, or (`again`) forth to the one gone back from."""
    with transaction.atomic():
        locked = _locked(draft)
        if locked.version != expected:
            raise Conflict(CHANGED)
        here = edit_get(locked, locked.version)
        wanted = None if here is None else (here.forth if again else here.back)
        there = edit_get(locked, wanted) if wanted is not None else None
        if there is None:
            raise Conflict(_("There is nothing to take back any more."))
        forth = there.forth if again else locked.version
        return _store(
            locked, there.text, origin="redo" if again else "undo", what=here.what if here else "",
            back=there.back, forth=forth,
        )  # fmt: skip


def draft_restore(*, draft: Draft, version: int, expected: int) -> Draft:
    """Make an earlier text the newest one."""
    there = edit_get(draft, version)
    if there is None:
        raise BadInput(_("That version is no longer kept."))
    return draft_write(draft=draft, text=there.text, expected=expected, origin="restore", what=str(version))


def draft_delete(*, draft: Draft) -> None:
    """Delete a draft of which nothing was published."""
    if draft.published:
        raise BadInput(_("It was published, and others may have used it. Retire it instead."))
    Draft.objects.filter(pk=draft.pk, owner_id=draft.owner_id).delete()


def draft_note(draft: Draft, **changes: Any) -> None:
    """Change what is known of a draft besides its text."""
    Draft.objects.filter(pk=draft.pk).update(**changes)
    for name, value in changes.items():
        setattr(draft, name, value)


def drafts_move(source: Participant, target: Participant) -> None:
    Draft.objects.filter(owner=source).update(owner=target)


def _locked(draft: Draft) -> Draft:
    return Draft.objects.select_for_update(of=("self",)).select_related("owner__user").get(pk=draft.pk)


def _store(draft: Draft, text: str, *, origin: str, what: str, back: int | None, forth: int | None) -> Draft:
    draft.version += 1
    draft.text, draft.changed_at = text, timezone.now()
    _name(draft, kind_of(draft).read(text))
    draft.save(update_fields=["version", "text", "changed_at", "name", "titles"])
    DraftEdit.objects.create(
        draft=draft,
        version=draft.version,
        packed=DraftEdit.pack(text),
        origin=origin,
        what=what[:MAX_WHAT],
        back=back,
        forth=forth,
    )
    DraftEdit.objects.filter(draft=draft, version__lte=draft.version - KEPT_EDITS).delete()
    publish(draft.topic, "draft.changed", draft.version)
    return draft


def _name(draft: Draft, reading: Reading) -> None:
    """Remember how it is called, as long as that can be read."""
    if reading.is_readable:
        draft.name = reading.name[:MAX_NAME]
        draft.titles = {language: str(title)[:300] for language, title in reading.titles.items()}


def _check_length(draft: Draft, text: str) -> None:
    most = kind_of(draft).max_text
    if len(text.encode("utf-8", "surrogatepass")) > most:
        raise BadInput(_("A text of this kind may have at most %(most)s KB. Cut it down.") % {"most": most // 1024})
    if "\0" in text or any(0xD800 <= ord(letter) <= 0xDFFF for letter in text):
        raise BadInput(_("The text holds a character that cannot be stored. Type it anew."))
