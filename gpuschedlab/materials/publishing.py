"""Publishing and retiring, duplicating and forking. What was published never changes; a new revision follows."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from gpuschedlab.accounts.models import Participant
from gpuschedlab.materials.kinds import Made, MaterialKind, Problem, kind_named, kind_of
from gpuschedlab.materials.models import Draft
from gpuschedlab.materials.services import CHANGED, draft_create, draft_note
from gpuschedlab.web.audit import audit_record
from gpuschedlab.web.errors import BadInput, Conflict

if TYPE_CHECKING:
    from gpuschedlab.materials.kinds import Reading

LONGEST_NAME: Final = 50
BLOCKING: Final = frozenset({"error", "missing"})


class NotReady(BadInput):
    """Something stands in the way of publishing; `problems` is all of it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(problems[0].text)
        self.problems = tuple(problems)


def draft_publish(*, actor: Participant, draft: Draft, expected: int, keep_on: Callable[[], bool]) -> Made | None:
    """Make the draft the current revision of what it is.

    None where its proof takes longer than `keep_on` allows. Raises `NotReady` with everything that stands in the way,
    `Conflict` where the draft is no longer at version `expected`.
    """
    kind = kind_of(draft)
    if draft.version != expected:
        raise Conflict(CHANGED)
    reading = kind.read(draft.text)
    _check(kind.check(draft, reading))
    proof = kind.prove(draft, reading, keep_on)
    if proof is None:
        return None
    _check(proof)
    with transaction.atomic():
        locked = Draft.objects.select_for_update(of=("self",)).select_related("owner__user").get(pk=draft.pk)
        if locked.version != expected:
            raise Conflict(CHANGED)
        made = publish_now(actor, locked, kind, reading)
    draft.published = made.name
    return made


def publish_now(actor: Participant, draft: Draft, kind: MaterialKind, reading: Reading) -> Made:
    """The writing part of publishing, within a transaction and after the checks."""
    if draft.published and draft.published != reading.name:
        raise BadInput(_("It was published as “%(name)s”; that cannot change any more.") % {"name": draft.published})
    if kind.name_taken(draft, reading.name):
        raise BadInput(_("Something else is named “%(name)s” already. Choose another name.") % {"name": reading.name})
    made = kind.publish(actor=actor, draft=draft, reading=reading)
    draft_note(draft, published=made.name, changed_at=timezone.now())
    audit_record(actor=actor, action=f"{kind.name}.published", subject=made.name, number=made.number)
    return made


def _check(problems: Sequence[Problem]) -> None:
    blocking = [one for one in problems if one.weight in BLOCKING]
    if blocking:
        raise NotReady(blocking)


@transaction.atomic
def draft_retire(*, actor: Participant, draft: Draft, back: bool) -> None:
    """Take what was published off every list, or put it back. What learners began goes on."""
    kind = kind_of(draft)
    if not draft.published:
        raise BadInput(_("Nothing of it is published."))
    kind.retire(draft=draft, back=back)
    action = "put_back" if back else "retired"
    audit_record(actor=actor, action=f"{kind.name}.{action}", subject=draft.published)


@transaction.atomic
def draft_set_listed(*, actor: Participant, draft: Draft, listed: bool) -> None:
    """Whether it stands in everybody's lists, or is found by its link alone."""
    if draft.listed == listed:
        return
    draft_note(draft, listed=listed)
    if draft.published:
        kind = kind_of(draft)
        kind.list_for(draft=draft)
        audit_record(actor=actor, action=f"{kind.name}.{'listed' if listed else 'unlisted'}", subject=draft.published)


def draft_duplicate(*, actor: Participant, draft: Draft, new_id: UUID) -> Draft:
    """Another draft with the same text, under a name of its own."""
    kind = kind_of(draft)
    text = kind.renamed(draft.text, free_name(kind, draft.name))
    return draft_create(
        actor=actor, kind=draft.kind, text=text, based_on=draft.based_on, parent=draft.parent, draft_id=new_id
    )


def material_fork(*, actor: Participant, kind_name: str, name: str, new_id: UUID) -> Draft:
    """A draft that goes on from something published, with the credit due to its author."""
    kind = kind_named(kind_name)
    text, credit = kind.source(name)
    text = kind.renamed(text, free_name(kind, name))
    return draft_create(actor=actor, kind=kind_name, text=text, origin="import", based_on=credit, draft_id=new_id)


def free_name(kind: MaterialKind, wanted: str) -> str:
    """A name like the wanted one that nothing of this kind has."""
    stem = slugify(wanted)[:LONGEST_NAME].strip("-_").replace("_", "-") or kind.name
    taken = set(Draft.objects.filter(kind=kind.name, name__startswith=stem).values_list("name", flat=True))
    probe = Draft(kind=kind.name)
    for number in range(1, 100):
        name = stem if number == 1 else f"{stem}-{number}"
        if name not in taken and not kind.name_taken(probe, name):
            return name
    return f"{stem}-{secrets.token_hex(4)}"
